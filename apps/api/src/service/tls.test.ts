import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { STANDIN_CERTIFICATE, STANDIN_KEY } from "@aglens/fixtures/replica-standin";
import { readConfig } from "../settings/config.ts";
import { startServer } from "./server.ts";
import { readTlsFiles } from "./tls.ts";

let folder: string;
let certificate: string;
let key: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-tls-"));
  certificate = join(folder, "cert.pem");
  key = join(folder, "key.pem");
  await writeFile(certificate, STANDIN_CERTIFICATE);
  await writeFile(key, STANDIN_KEY);
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

test("without files it is plain HTTP; one of the two is not enough", async () => {
  expect(await readTlsFiles({ tlsCertificate: null, tlsKey: null })).toBeNull();
  for (const one of [
    { tlsCertificate: certificate, tlsKey: null },
    { tlsCertificate: null, tlsKey: key },
  ]) {
    await expect(readTlsFiles(one)).rejects.toMatchObject({
      code: "bad-setting",
      message: "HTTPS needs both AGLENS_TLS_CERTIFICATE and AGLENS_TLS_KEY.",
    });
  }
});

test("files that are not there, or are not what they should be, are named", async () => {
  for (const tlsKey of [join(folder, "none.pem"), certificate]) {
    await expect(readTlsFiles({ tlsCertificate: certificate, tlsKey })).rejects.toMatchObject({
      code: "bad-setting",
      message: expect.stringContaining(`and its key ${tlsKey} cannot be used`),
    });
  }
});

test("with them it answers over HTTPS", async () => {
  const config = readConfig(
    {
      PORT: "0",
      AGLENS_DATA: join(folder, "data"),
      AGLENS_TLS_CERTIFICATE: certificate,
      AGLENS_TLS_KEY: key,
    },
    "",
  );
  const server = await startServer(config, pino({ level: "silent" }));
  try {
    expect(server.address).toMatch(/^https:\/\/localhost:\d+$/u);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      get(`${server.address}/api/v1/health`, { ca: STANDIN_CERTIFICATE }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode));
      }).on("error", reject);
    });
    expect(status).toBe(200);
  } finally {
    await server.close();
  }
});
