/** HTTPS without a proxy: certificate and key from files. */
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { Config } from "../settings/settings.ts";
import { StartError } from "../kernel/start-error.ts";

export interface TlsFiles {
  /** PEM, with the certificates between it and its authority. */
  readonly cert: Buffer;
  /** PEM. */
  readonly key: Buffer;
}

/**
 * Certificate and key of the settings; null for plain HTTP.
 * @throws StartError `bad-setting` when one of the two is missing or they do not fit each other
 */
export async function readTlsFiles({
  tlsCertificate,
  tlsKey,
}: Pick<Config, "tlsCertificate" | "tlsKey">): Promise<TlsFiles | null> {
  if (tlsCertificate === null && tlsKey === null) return null;
  if (tlsCertificate === null || tlsKey === null) {
    throw new StartError("bad-setting", "HTTPS needs both AGLENS_TLS_CERTIFICATE and AGLENS_TLS_KEY.");
  }
  try {
    const files = { cert: await readFile(tlsCertificate), key: await readFile(tlsKey) };
    createSecureContext(files);
    return files;
  } catch (error) {
    throw new StartError(
      "bad-setting",
      `The certificate ${tlsCertificate} and its key ${tlsKey} cannot be used: ${(error as Error).message}.`,
    );
  }
}
