/** Hosts to which the operator lets this API connect. */
import type { z } from "zod";
import type { LiveAllowance } from "@aglens/contract";
import { networkReach } from "../../settings/network-reach.ts";
import type { ReachSettings } from "../../settings/network-reach.ts";
import type { Config } from "../../settings/settings.ts";

export interface AllowList {
  readonly allowance: z.infer<typeof LiveAllowance>;
  /** Whether a connection to that host and port may be made; null for a port that is not known yet. */
  permits(host: string, port: number | null): boolean;
}

/**
 * Reads AGLENS_LIVE_HOSTS: a comma list of host, host:port, *.suffix, or * for any. Without it, an API that only this
 * machine reaches may attach to any host, since its users work on this machine; else to none.
 */
export function readAllowList(config: ReachSettings & Pick<Config, "liveHosts">): AllowList {
  const entries = (config.liveHosts ?? "")
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean);
  if (entries.length === 0)
    return networkReach(config) === null
      ? everyHost("This API answers only this machine, so it may attach to any host.")
      : noHost();
  if (entries.includes("*")) return everyHost("AGLENS_LIVE_HOSTS permits any host.");
  return {
    allowance: { enabled: true, anyHost: false, reason: `AGLENS_LIVE_HOSTS permits ${entries.join(", ")}.` },
    permits: (host, port) => permitsHost(entries, host, port),
  };
}

/** @param entries lower case, each host, host:port or *.suffix */
export const permitsHost = (entries: readonly string[], host: string, port: number | null): boolean =>
  entries.some((entry) => matches(entry, host.toLowerCase(), port));

function everyHost(reason: string): AllowList {
  return { allowance: { enabled: true, anyHost: true, reason }, permits: () => true };
}

function noHost(): AllowList {
  return {
    allowance: {
      enabled: false,
      anyHost: false,
      reason:
        "Live sessions are off because this server accepts remote connections. An administrator can allow hosts in AGLENS_LIVE_HOSTS.",
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
