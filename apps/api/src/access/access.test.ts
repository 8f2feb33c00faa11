import { TestClock } from "@aglens/fixtures/clock";
import pino from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { stubDirectory } from "../../test/stub-directory.ts";
import { openAccess } from "./access.ts";
import type { Access } from "./access.ts";
import { passingInMemory } from "./passing.ts";
import { openSqlite } from "../store/sqlite-catalog.ts";
import type { Database } from "../store/tables.ts";
import { SqlAccessStore } from "./sql-access-store.ts";
import type { AccessStore, AuditRecord } from "./access-store.ts";
import type { AccessSettings } from "./access-settings.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const directory = stubDirectory();
const PROXY: AccessSettings = {
  tokenFile: null,
  openId: null,
  userHeader: "x-user",
  groupsHeader: null,
  members: { viewer: ["*"], contributor: ["dba"], admin: ["lead"] },
  people: { viewer: [], contributor: ["ann"], admin: ["s-lead"] },
  sessionHours: 12,
};
const DIRECTORY: AccessSettings = {
  ...PROXY,
  openId: {
    issuer: directory.issuer,
    client: "aglens",
    secretFile: null,
    name: "Contoso",
    groupsClaim: "groups",
    personClaim: "sub",
    scopes: "openid profile email",
    confirmMinutes: 5,
  },
};

let clock: TestClock;
let database: Database;
let store: AccessStore;
let logged: { readonly msg: string; readonly level: number; readonly action?: string }[];
beforeEach(() => {
  clock = new TestClock();
  ({ database } = openSqlite(":memory:"));
  store = new SqlAccessStore(database);
  logged = [];
});

const open = (settings: AccessSettings, changed: Partial<AccessStore> = {}): Promise<Access> =>
  openAccess(settings, {
    store: Object.assign(new SqlAccessStore(database), changed),
    passing: passingInMemory(clock),
    clock,
    log: pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    publicUrl: "https://aglens.example",
    keepDays: 30,
    directoryFetch: directory.fetch,
  });
const roleOf = async (access: Access, user: string, groups: readonly string[] = []) =>
  (await access.identify({ cookie: null, bearer: null, proxy: { user, groups } }))?.person.role;

/** Cookie of a person whom the directory signed in. */
async function signIn(access: Access, claims: Readonly<Record<string, unknown>>): Promise<string> {
  const { url, key } = await access.openId!.begin("/");
  return (await access.signInByDirectory(key, directory.signIn(url, { sub: "s1", ...claims }))).secret;
}

test("of several roles the highest counts", async () => {
  const access = await open(PROXY);
  expect(
    await Promise.all([
      roleOf(access, "eve"),
      roleOf(access, "eve", ["dba"]),
      roleOf(access, "ann"),
      roleOf(access, "ann", ["lead"]),
    ]),
  ).toEqual(["viewer", "contributor", "contributor", "admin"]);
  // `AGLENS_PEOPLE` alone assigns roles to people, and the settings of groups assign them to groups only.
  expect(await Promise.all([roleOf(access, "lead"), roleOf(access, "eve", ["ann", "s-lead"])])).toEqual([
    "viewer",
    "viewer",
  ]);
  const some = await open({ ...PROXY, members: { ...PROXY.members, viewer: ["staff"] } });
  expect(await Promise.all([roleOf(some, "eve"), roleOf(some, "eve", ["staff"])])).toEqual([null, "viewer"]);
});

test("nobody gets a role of groups by a name of their choice, and who had one by name is told where it belongs", async () => {
  const access = await open(DIRECTORY);
  const roleWith = async (claims: Readonly<Record<string, unknown>>) =>
    (await access.identify({ cookie: await signIn(access, claims), bearer: null, proxy: null }))?.person.role;
  expect(await roleWith({ preferred_username: "lead", groups: ["nobody"] })).toBe("viewer");
  expect(await roleWith({ sub: "lead" })).toBe("viewer");
  expect(await roleWith({ name: "lead", email: "lead" })).toBe("viewer");
  expect(await roleWith({ groups: ["lead"] })).toBe("admin");
  expect(await roleWith({ sub: "s-lead" })).toBe("admin");
  expect(await roleWith({ preferred_username: "s-lead" })).toBe("viewer");
  expect(logged).toMatchObject([
    { level: 40, person: "lead", msg: expect.stringContaining("AGLENS_PEOPLE") },
  ]);
});

test("a session of the directory has the roles of today, and ends when no directory is set up any more", async () => {
  const first = await open(DIRECTORY);
  const cookie = await signIn(first, { groups: ["dba"], name: "Ann" });
  const known = (access: Access) => access.identify({ cookie, bearer: null, proxy: null });
  expect(await known(first)).toEqual({
    person: { id: "directory:s1", name: "Ann", role: "contributor" },
    by: "session",
  });
  const changed = { ...DIRECTORY, members: { viewer: [], contributor: [], admin: ["dba"] } };
  expect((await known(await open(changed)))?.person.role).toBe("admin");
  expect(await known(await open(PROXY))).toBeNull();
  expect(await store.audit(10, null)).toMatchObject([
    { person: "Ann", action: "signed in", what: "Contoso" },
  ]);
});

test("without a directory nobody is signed in by one", async () => {
  await expect((await open(PROXY)).signInByDirectory("x", "?code=1")).rejects.toThrow(
    "no directory is set up",
  );
});

describe("the audit", () => {
  const isFull = () => {
    throw Object.assign(new Error("full"), { code: "ENOSPC" });
  };
  const ANN = { id: "user:ann", name: "Ann", role: "viewer" } as const;

  test("is written with who, what and when", async () => {
    const access = await open(PROXY);
    await access.audit(ANN, "deleted", "Friday");
    await access.audit(null, "sign-in refused", "access token");
    const at = new Date(clock.now()).toISOString();
    const records: AuditRecord[] = [
      { at, personId: "", person: "", action: "sign-in refused", what: "access token" },
      { at, personId: "user:ann", person: "Ann", action: "deleted", what: "Friday" },
    ];
    expect(await access.auditEntries(10, null)).toMatchObject(records);
    expect(await access.auditEntries(1, null)).toHaveLength(1);
    expect(await access.auditEntries(10, 2)).toMatchObject(records.slice(1));
  });

  test("that a full disk does not take is logged, and nothing is kept from being deleted", async () => {
    await (await open(PROXY, { addAudit: isFull })).audit(ANN, "deleted", "Friday");
    expect(logged).toMatchObject([
      { level: 50, action: "deleted", msg: expect.stringContaining("an audit entry was not stored") },
    ]);
  });

  test("that fails for another reason is an error", async () => {
    const broken = () => Promise.reject(new Error("broken"));
    const access = await open(PROXY, { addAudit: broken });
    await expect(access.audit(ANN, "deleted", "Friday")).rejects.toThrow("broken");
  });
});

describe("each hour", () => {
  test("sessions that are over and audit entries of more than 400 days are deleted", async () => {
    const begin = clock.now();
    const access = await open(DIRECTORY);
    await signIn(access, {});
    const swept: [string, string][] = [];
    const other = await open(PROXY, { sweep: (now, from) => Promise.resolve(void swept.push([now, from])) });
    clock.move(HOUR_MS);
    const iso = (ms: number): string => new Date(ms).toISOString();
    expect(swept).toEqual([
      [iso(begin), iso(begin - 400 * DAY_MS)],
      [iso(begin + HOUR_MS), iso(begin + HOUR_MS - 400 * DAY_MS)],
    ]);
    await clock.pass(400 * DAY_MS - HOUR_MS, DAY_MS);
    expect(await access.auditEntries(10, null)).toHaveLength(1);
    clock.move(HOUR_MS);
    expect(await access.auditEntries(10, null)).toEqual([]);
    await other.close();
    expect(clock.waiting).toBe(1);
  });

  test("what cannot be deleted is logged", async () => {
    const broken = () => {
      throw new Error("locked");
    };
    await open(PROXY, { sweep: broken });
    expect(logged).toMatchObject([{ level: 50, msg: "sessions that are over were not deleted" }]);
  });
});
