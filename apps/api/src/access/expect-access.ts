/** Refuses to open a server to the network without a sign-in. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { networkReach } from "../settings/network-reach.ts";
import type { NetworkReach, ReachSettings } from "../settings/network-reach.ts";
import type { Config } from "../settings/settings.ts";
import { StartError } from "../kernel/start-error.ts";
import type { AccessSettings } from "./access-settings.ts";

/**
 * Refuses a server that the network reaches and that has no sign-in. Reads the data directory, changes nothing.
 * @throws StartError `open-to-network`, with the ways to put it right
 */
export async function expectAccess(
  config: ReachSettings & Pick<Config, "port" | "dataDirectory">,
  access: AccessSettings | null,
): Promise<void> {
  const reach = networkReach(config);
  if (access !== null || reach === null) return;
  const { port, dataDirectory } = config;
  const { captures, bytes } = await sizeOfCaptures(dataDirectory);
  const count = captures === 1 ? "1 capture" : `${captures.toLocaleString("en")} captures`;
  throw new StartError(
    "open-to-network",
    `AG Lens did not start: ${reachWords(reach, port)}, and access control is off.
Anyone who can reach this address could read, change and delete every capture (${count}, ${sizeWords(bytes)} in ${dataDirectory}).

Choose one:
  1  only this machine        HOST=127.0.0.1, without AGLENS_PUBLIC_URL, AGLENS_HOSTS and AGLENS_TRUSTED_PROXIES
  2  a shared token           AGLENS_TOKEN_FILE=/etc/aglens/token      (make one: aglens token new)
  3  OpenID Connect           AGLENS_OIDC_ISSUER=https://login.example/…  AGLENS_OIDC_CLIENT=…
  4  a proxy that signs in    AGLENS_USER_HEADER=X-User  AGLENS_TRUSTED_PROXIES=10.4.0.10

HOST="" means every interface. Details: aglens help access`,
  );
}

function reachWords({ setting, value }: NetworkReach, port: number): string {
  if (setting === "HOST") return `${value === "" ? "*" : value}:${port} is reachable from the network`;
  return `${setting} has ${value}, so this server is reachable from the network`;
}

async function sizeOfCaptures(dataDirectory: string): Promise<{ captures: number; bytes: number }> {
  const folder = join(dataDirectory, "captures");
  const names = await readdir(folder).catch(() => []);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => null);
    bytes += found?.size ?? 0;
  }
  return { captures: names.length, bytes };
}

const GB = 1e9;
const MB = 1e6;

function sizeWords(bytes: number): string {
  return bytes >= GB ? `${(bytes / GB).toFixed(1)} GB` : `${(bytes / MB).toFixed(1)} MB`;
}
