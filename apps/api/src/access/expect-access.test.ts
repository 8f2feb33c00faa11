import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { expectAccess, isLoopback } from "./expect-access.ts";
import { accessSettings } from "./access-settings.ts";
import { readConfig } from "../config.ts";
import { StartError } from "../start-error.ts";

let dataDirectory: string;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "aglens-access-"));
});
afterEach(async () => {
  await rm(dataDirectory, { recursive: true });
});

const refusal = async (host: string): Promise<StartError | null> =>
  expectAccess({ host, port: 4700, dataDirectory }, null).then(
    () => null,
    (error: StartError) => error,
  );

test.each(["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"])("%s is this machine alone", (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(["", "0.0.0.0", "::", "10.0.0.1", "aglens.corp.example", "::ffff:10.0.0.1", "128.0.0.1"])(
  '"%s" is reachable from the network, and refused without access control',
  async (host) => {
    expect(isLoopback(host)).toBe(false);
    expect(await refusal(host)).toMatchObject({ code: "open-to-network", exitCode: 78 });
  },
);

test("the loopback address needs no access control", async () => {
  expect(await refusal("127.0.0.1")).toBeNull();
});

test("with a token the network may reach it", async () => {
  const access = accessSettings(readConfig({ AGLENS_TOKEN_FILE: "/etc/aglens/token" }, ""));
  await expect(expectAccess({ host: "0.0.0.0", port: 4700, dataDirectory }, access)).resolves.toBeUndefined();
});

test("the refusal says what is at stake and names each way out", async () => {
  await mkdir(join(dataDirectory, "captures/a"), { recursive: true });
  await mkdir(join(dataDirectory, "captures/b"), { recursive: true });
  await writeFile(join(dataDirectory, "captures/a/file"), Buffer.alloc(1_500_000));
  const text = (await refusal(""))?.message ?? "";
  expect(text).toContain("*:4700 is reachable from the network, and access control is off.");
  expect(text).toContain(`(2 captures, 1.5 MB in ${dataDirectory})`);
  // A gigabyte that takes no room.
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
