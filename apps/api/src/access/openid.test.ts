import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestClock } from "@aglens/fixtures/clock";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { stubDirectory } from "../../test/stub-directory.ts";
import type { OpenIdSettings } from "./access-settings.ts";
import { openOpenId } from "./openid.ts";
import { passingInMemory } from "./passing.ts";
import type { DirectoryPerson, OpenId } from "./openid.ts";

const MINUTE_MS = 60_000;
const directory = stubDirectory();
const SETTINGS: OpenIdSettings = {
  issuer: directory.issuer,
  client: "aglens",
  secretFile: null,
  name: "Contoso",
  groupsClaim: "roles",
};

let clock: TestClock;
let openId: OpenId;
beforeEach(async () => {
  clock = new TestClock();
  openId = await openOpenId(
    SETTINGS,
    "https://aglens.example/answer",
    clock,
    passingInMemory(clock).signIns,
    directory.fetch,
  );
});

/** Whom a sign-in with these claims of the directory is. */
async function personWith(claims: Readonly<Record<string, unknown>>): Promise<DirectoryPerson> {
  const { url, key } = await openId.begin("/");
  return openId.finish(key, directory.signIn(url, { sub: "s1", ...claims }));
}

describe("a person", () => {
  test("has the name of the claims, else the user name, else the address, else the subject", async () => {
    const all = { name: "Ann Lee", preferred_username: "ann", email: "ann@contoso.example" };
    expect(await personWith(all)).toMatchObject({ subject: "s1", name: "Ann Lee" });
    expect((await personWith({ ...all, name: "" })).name).toBe("ann");
    expect((await personWith({ ...all, name: 5, preferred_username: undefined })).name).toBe(
      "ann@contoso.example",
    );
    expect((await personWith({})).name).toBe("s1");
  });

  test("has a name of at most 200 characters", async () => {
    expect((await personWith({ name: "x".repeat(201) })).name).toBe("x".repeat(200));
  });

  test("is of the groups of the claim that was set, and of nothing by the address", async () => {
    const claims = { roles: ["dba", "", 7], groups: ["others"], email: "lead@contoso.example" };
    expect((await personWith(claims)).groups).toEqual(["dba", "s1"]);
    expect((await personWith({ roles: "dba", preferred_username: "ann" })).groups).toEqual([
      "dba",
      "ann",
      "s1",
    ]);
    expect((await personWith({})).groups).toEqual(["s1"]);
  });
});

describe("a sign-in that was begun", () => {
  test("may be finished within 10 minutes, and once", async () => {
    const one = await openId.begin("/live");
    const other = await openId.begin("/captures");
    expect(await Promise.all([one.key, other.key, "x"].map((key) => openId.returnTo(key)))).toEqual([
      "/live",
      "/captures",
      "/",
    ]);
    clock.move(10 * MINUTE_MS - 1);
    const query = directory.signIn(one.url, { sub: "s1" });
    expect((await openId.finish(one.key, query)).subject).toBe("s1");
    await expect(openId.finish(one.key, query)).rejects.toThrow("longer than 10 minutes");
    clock.move(1);
    await expect(openId.finish(other.key, directory.signIn(other.url, { sub: "s1" }))).rejects.toThrow(
      "longer than 10 minutes",
    );
  });

  test("is forgotten when a thousand others have begun since", async () => {
    const first = await openId.begin("/first");
    for (let others = 1; others < 1_000; others += 1) await openId.begin("/");
    expect(await openId.returnTo(first.key)).toBe("/first");
    await openId.begin("/");
    expect(await openId.returnTo(first.key)).toBe("/");
  });
});

test("a directory that was away is asked again", async () => {
  let isAway = true;
  const { signIns } = passingInMemory(clock);
  const sometimes = await openOpenId(
    SETTINGS,
    "https://aglens.example/answer",
    clock,
    signIns,
    (url, options) =>
      isAway ? Promise.reject(new TypeError("fetch failed")) : directory.fetch(url, options),
  );
  await expect(sometimes.begin("/")).rejects.toThrow();
  isAway = false;
  expect((await sometimes.begin("/")).url).toContain("https://login.example/tenant/authorize?");
});

test("a secret is read from its file without the line's end; an empty or missing file is refused", async () => {
  const folder = await mkdtemp(join(tmpdir(), "aglens-secret-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const secretFile = join(folder, "secret");
  await writeFile(secretFile, "hush\n");
  const sent: URLSearchParams[] = [];
  const withSecret = await openOpenId(
    { ...SETTINGS, secretFile },
    "https://aglens.example/answer",
    clock,
    passingInMemory(clock).signIns,
    (url, options) => {
      sent.push(new URLSearchParams(options.body as URLSearchParams));
      return directory.fetch(url, options);
    },
  );
  const { url, key } = await withSecret.begin("/");
  await withSecret.finish(key, directory.signIn(url, { sub: "s1" }));
  expect(sent.at(-1)?.get("client_secret")).toBe("hush");
  await writeFile(secretFile, " \n");
  const refused = (path: string): Promise<OpenId> =>
    openOpenId(
      { ...SETTINGS, secretFile: path },
      "https://aglens.example/answer",
      clock,
      passingInMemory(clock).signIns,
    );
  await expect(refused(secretFile)).rejects.toMatchObject({
    code: "bad-setting",
    message: `AGLENS_OIDC_SECRET_FILE, ${secretFile}, is empty.`,
  });
  await expect(refused(join(folder, "none"))).rejects.toMatchObject({
    code: "bad-setting",
    message: expect.stringMatching(/^AGLENS_OIDC_SECRET_FILE cannot be read: ENOENT/u),
  });
});
