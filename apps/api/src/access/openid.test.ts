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
  personClaim: "sub",
  scopes: "openid profile email",
  confirmMinutes: 5,
};
const HERE = { publicUrl: "https://aglens.example", answerPath: "/answer" };

let clock: TestClock;
let openId: OpenId;
beforeEach(async () => {
  clock = new TestClock();
  openId = await openOpenId(SETTINGS, HERE, clock, passingInMemory(clock).signIns, directory.fetch);
});

/** Person whom a sign-in with these claims of the directory identifies. */
async function personWith(claims: Readonly<Record<string, unknown>>): Promise<DirectoryPerson> {
  const { url, key } = await openId.begin("/");
  return (await openId.finish(key, directory.signIn(url, { sub: "s1", ...claims }))).person;
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

  test("is of the groups of the claim that was set, and of nothing by names, subject and address", async () => {
    const claims = { roles: ["dba", "", 7], groups: ["others"], email: "lead@contoso.example" };
    expect((await personWith(claims)).groups).toEqual(["dba"]);
    expect((await personWith({ roles: "dba", preferred_username: "ann" })).groups).toEqual(["dba"]);
    expect((await personWith({})).groups).toEqual([]);
  });

  test.each([
    ["sub", { oid: "o1", preferred_username: "ann" }, "s1"],
    ["oid", { oid: "o1" }, "o1"],
    ["oid", { oid: 7 }, null],
    ["oid", {}, null],
    ["email", { email: "ann@contoso.example", email_verified: true }, "ann@contoso.example"],
    ["email", { email: "ann@contoso.example" }, null],
    ["email", { email: "ann@contoso.example", email_verified: "true" }, null],
  ])("is named by the claim %s of %o as %s", async (personClaim, claims, named) => {
    const { signIns } = passingInMemory(clock);
    openId = await openOpenId({ ...SETTINGS, personClaim }, HERE, clock, signIns, directory.fetch);
    expect((await personWith(claims)).named).toBe(named);
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
    expect((await openId.finish(one.key, query)).person.subject).toBe("s1");
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
  const sometimes = await openOpenId(SETTINGS, HERE, clock, signIns, (url, options) =>
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
    HERE,
    clock,
    passingInMemory(clock).signIns,
    (url, options) => {
      sent.push(new URLSearchParams(options.body as URLSearchParams));
      return directory.fetch(url, options);
    },
  );
  const { url, key } = await withSecret.begin("/");
  await withSecret.finish(key, directory.signIn(url, { sub: "s1" }));
  expect(sent.map((each) => each.get("client_secret")).filter((each) => each !== null)).toEqual(["hush"]);
  await writeFile(secretFile, " \n");
  const refused = (path: string): Promise<OpenId> =>
    openOpenId({ ...SETTINGS, secretFile: path }, HERE, clock, passingInMemory(clock).signIns);
  await expect(refused(secretFile)).rejects.toMatchObject({
    code: "bad-setting",
    message: `AGLENS_OIDC_SECRET_FILE, ${secretFile}, is empty.`,
  });
  await expect(refused(join(folder, "none"))).rejects.toMatchObject({
    code: "bad-setting",
    message: expect.stringMatching(/^AGLENS_OIDC_SECRET_FILE cannot be read: ENOENT/u),
  });
});

describe("an ID token", () => {
  const signIn = async (by: OpenId, from: typeof directory): Promise<DirectoryPerson> => {
    const { url, key } = await by.begin("/");
    return (await by.finish(key, from.signIn(url, { sub: "s1" }))).person;
  };

  test("that another key signed signs nobody in", async () => {
    const other = stubDirectory();
    const { signIns } = passingInMemory(clock);
    const opened = await openOpenId(SETTINGS, HERE, clock, signIns, other.fetch);
    other.rotateKey(false);
    await expect(signIn(opened, other)).rejects.toThrow();
  });

  test("that the directory's new key signed signs in, after a restart and where it was known from the start", async () => {
    const other = stubDirectory();
    other.rotateKey(true);
    const { signIns } = passingInMemory(clock);
    const opened = await openOpenId(SETTINGS, HERE, clock, signIns, other.fetch);
    expect((await signIn(opened, other)).subject).toBe("s1");
    const again = await openOpenId(SETTINGS, HERE, clock, signIns, other.fetch);
    expect((await signIn(again, other)).subject).toBe("s1");
  });
});
