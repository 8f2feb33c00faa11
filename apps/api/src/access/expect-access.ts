/** No server is open to the network without knowing who asks. */
import { readdir, stat } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import type { Config } from "../settings.ts";
import { StartError } from "../start-error.ts";
import type { AccessSettings } from "./access-settings.ts";

/** Whether only this machine reaches what listens there; an empty host is every interface. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/u, "$1").toLowerCase();
  if (isIP(address) === 4) return address.startsWith("127.");
  return address === "::1" || address === "localhost";
}

/**
 * Refuses a server that the network reaches and that asks nobody to sign in. Reads the data directory, changes nothing.
 * @throws StartError `open-to-network`, with the ways to put it right
 */
export async function expectAccess(
  { host, port, dataDirectory }: Pick<Config, "host" | "port" | "dataDirectory">,
  access: AccessSettings | null,
): Promise<void> {
  if (access !== null || isLoopback(host)) return;
  const { captures, bytes } = await sizeOfCaptures(dataDirectory);
  const count = captures === 1 ? "1 capture" : `${captures.toLocaleString("en")} captures`;
  throw new StartError(
    "open-to-network",
    `AG Lens did not start: ${host === "" ? "*" : host}:${port} is reachable from the network, and access control is off.
Anybody who reaches this address could read, change and delete every capture (${count}, ${sizeWords(bytes)} in ${dataDirectory}).

Choose one:
  1  only this machine        HOST=127.0.0.1
  2  a shared token           AGLENS_TOKEN_FILE=/etc/aglens/token      (make one: aglens token new)
  3  OpenID Connect           AGLENS_OIDC_ISSUER=https://login.example/…  AGLENS_OIDC_CLIENT=…
  4  a proxy that signs in    AGLENS_USER_HEADER=X-User  AGLENS_TRUSTED_PROXIES=10.4.0.10

HOST="" means every interface. Details: aglens help access`,
  );
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
