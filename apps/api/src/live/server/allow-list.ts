/** To which hosts the operator lets this API connect. */
import type { z } from "zod";
import type { LiveAllowance } from "@aglens/contract";

/** Hosts that an API bound to the loopback address may reach: only whoever sits at the machine can ask it to. */
const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

export interface AllowList {
  readonly allowance: z.infer<typeof LiveAllowance>;
  /** Whether a connection to that host and port may be made; null is a port that nobody knows yet. */
  permits(host: string, port: number | null): boolean;
}

/**
 * Reads AGLENS_LIVE_HOSTS: a comma list of host, host:port, *.suffix, or * for any.
 * @param text undefined or empty: any host when `boundTo` is a loopback address, else none
 */
export function readAllowList(text: string | undefined, boundTo: string): AllowList {
  const entries = (text ?? "")
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean);
  if (entries.length === 0)
    return LOOPBACK.includes(boundTo)
      ? everyHost("This API answers only this machine, so it may attach to any host.")
      : noHost();
  if (entries.includes("*")) return everyHost("AGLENS_LIVE_HOSTS permits any host.");
  return {
    allowance: { enabled: true, anyHost: false, reason: `AGLENS_LIVE_HOSTS permits ${entries.join(", ")}.` },
    permits: (host, port) => entries.some((entry) => matches(entry, host.toLowerCase(), port)),
  };
}

function everyHost(reason: string): AllowList {
  return { allowance: { enabled: true, anyHost: true, reason }, permits: () => true };
}

function noHost(): AllowList {
  return {
    allowance: {
      enabled: false,
      anyHost: false,
      reason:
        "This API can be reached from other machines, so it attaches to none until its operator names them in AGLENS_LIVE_HOSTS.",
    },
    permits: () => false,
  };
}

/** `entry` is host, host:port or *.suffix; an address of IPv6 has colons of its own and takes no port. */
function matches(entry: string, host: string, port: number | null): boolean {
  const [, name, only] = /^([^:]+):(\d+)$/u.exec(entry) ?? [null, entry, null];
  if (only !== null && Number(only) !== port) return false;
  if (name.startsWith("*.")) return host.endsWith(name.slice(1)) && host.length > name.length - 1;
  return host === name;
}
