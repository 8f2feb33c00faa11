/** Whether other machines reach this server, by all settings that show it: a proxy on this machine brings the network to a loopback address. */
import { isIP } from "node:net";
import type { Config } from "./settings.ts";

/** Whether only this machine can reach a server on this host; an empty host is every interface. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/u, "$1").toLowerCase();
  if (isIP(address) === 4) return address.startsWith("127.");
  return address === "::1" || address === "localhost";
}

/** The setting that shows it, as its name and value. */
export interface NetworkReach {
  readonly setting: "HOST" | "AGLENS_PUBLIC_URL" | "AGLENS_HOSTS" | "AGLENS_TRUSTED_PROXIES";
  readonly value: string;
}

/** Settings that determine whether other machines can reach a server. */
export type ReachSettings = Pick<Config, "host" | "hosts" | "publicUrl" | "trustedProxies">;

/**
 * The setting by which other machines can reach the server; null where only this machine can. A trusted proxy counts
 * also on this machine, because the origin of its requests isn't known here.
 */
export function networkReach({ host, hosts, publicUrl, trustedProxies }: ReachSettings): NetworkReach | null {
  if (!isLoopback(host)) return { setting: "HOST", value: host };
  if (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname))
    return { setting: "AGLENS_PUBLIC_URL", value: publicUrl };
  const name = hosts.find((each) => !isLoopback(each));
  if (name !== undefined) return { setting: "AGLENS_HOSTS", value: name };
  const [proxy] = trustedProxies;
  return proxy === undefined ? null : { setting: "AGLENS_TRUSTED_PROXIES", value: proxy };
}
