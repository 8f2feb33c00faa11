import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { expectAccess } from "./expect-access.ts";
import { accessSettings } from "./access-settings.ts";
import { readConfig } from "../settings/config.ts";
import { StartError } from "../kernel/start-error.ts";

let dataDirectory: string;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "aglens-access-"));
});
afterEach(async () => {
  await rm(dataDirectory, { recursive: true });
});

const refusalWith = async (settings: Readonly<Record<string, string>>): Promise<StartError | null> =>
  expectAccess({ ...readConfig(settings, ""), dataDirectory }, null).then(
    () => null,
    (error: StartError) => error,
  );
const refusal = (host: string): Promise<StartError | null> => refusalWith({ HOST: host });

test.each([
  [{ HOST: "" }, "*:4700 is reachable from the network"],
  [{ HOST: "10.0.0.1" }, "10.0.0.1:4700 is reachable from the network"],
  [{ AGLENS_PUBLIC_URL: "https://aglens.example/" }, "AGLENS_PUBLIC_URL has https://aglens.example, so"],
  [{ AGLENS_HOSTS: "aglens.example" }, "AGLENS_HOSTS has aglens.example, so"],
  [{ AGLENS_TRUSTED_PROXIES: "127.0.0.1" }, "AGLENS_TRUSTED_PROXIES has 127.0.0.1, so"],
])("%j is refused without access control", async (settings, words) => {
  expect(await refusalWith(settings)).toMatchObject({
    code: "open-to-network",
    exitCode: 78,
    message: expect.stringContaining(`AG Lens did not start: ${words}`),
  });
});

test("the loopback address needs no access control, also with a public address on it", async () => {
  expect(await refusal("127.0.0.1")).toBeNull();
  expect(await refusalWith({ AGLENS_PUBLIC_URL: "http://localhost:4700" })).toBeNull();
});

test("with a token the network may reach it", async () => {
  const access = accessSettings(readConfig({ AGLENS_TOKEN_FILE: "/etc/aglens/token" }, ""));
  const config = { ...readConfig({ HOST: "0.0.0.0" }, ""), dataDirectory };
  await expect(expectAccess(config, access)).resolves.toBeUndefined();
});

test("the refusal says what is at stake and names each way out", async () => {
  await mkdir(join(dataDirectory, "captures/a"), { recursive: true });
  await mkdir(join(dataDirectory, "captures/b"), { recursive: true });
  await writeFile(join(dataDirectory, "captures/a/file"), Buffer.alloc(1_500_000));
  const text = (await refusal(""))?.message ?? "";
  expect(text).toContain("*:4700 is reachable from the network, and access control is off.");
  expect(text).toContain(`(2 captures, 1.5 MB in ${dataDirectory})`);
  // A sparse file of a gigabyte, which takes no space.
  await truncate(join(dataDirectory, "captures/a/file"), 1e9 - 1);
  expect((await refusal("10.0.0.1"))?.message).toContain("(2 captures, 1000.0 MB in ");
  await truncate(join(dataDirectory, "captures/a/file"), 1e9);
  await rm(join(dataDirectory, "captures/b"), { recursive: true });
  expect((await refusal("10.0.0.1"))?.message).toContain("(1 capture, 1.0 GB in ");
  for (const way of [
    "HOST=127.0.0.1",
    "AGLENS_TOKEN_FILE=",
    "AGLENS_OIDC_ISSUER=",
    "AGLENS_USER_HEADER=",
    "aglens token new",
    "aglens help access",
  ]) {
    expect(text).toContain(way);
  }
});
