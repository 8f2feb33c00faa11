import { expect, test } from "vitest";
import { granteeOf, missingPermissions } from "./permissions.ts";

/** Answers of real versions: the granular names are unknown (NULL) before 2022 (docs/contribute/live-protocol.md 2.3). */
const OLD = {
  major_version: 15,
  login_name: "CORP\\dba",
  is_sysadmin: 0,
  xe_create: null,
  xe_start: null,
  xe_stop: null,
  xe_drop: null,
  view_perf: null,
};
const NEW = { major_version: 16, login_name: "lens", is_sysadmin: 0, xe_all: 0, view_state: 0 };

test("2019 with everything", () => {
  expect(missingPermissions({ ...OLD, xe_all: 1, view_state: 1, view_def: 1 })).toEqual([]);
});

test("2019 with nothing: an unknown permission is no granted one", () => {
  const missing = missingPermissions({ ...OLD, xe_all: 0, view_state: 0, view_def: 0 });
  expect(missing.map(({ permission, blocking }) => [permission, blocking])).toEqual([
    ["ALTER ANY EVENT SESSION", true],
    ["VIEW SERVER STATE", true],
    ["VIEW ANY DEFINITION", false],
  ]);
  expect(missing[0]?.grant).toBe("GRANT ALTER ANY EVENT SESSION TO [CORP\\dba];");
});

test("2022 with the small permissions", () => {
  const who = { ...NEW, xe_create: 1, xe_start: 1, xe_stop: 1, xe_drop: 1, view_perf: 1, view_def: 1 };
  expect(missingPermissions(who)).toEqual([]);
});

test("2022 that may create and not drop", () => {
  const who = { ...NEW, xe_create: 1, xe_start: 1, xe_stop: 1, xe_drop: 0, view_perf: 1, view_def: 1 };
  expect(missingPermissions(who)).toMatchObject([{ permission: "DROP ANY EVENT SESSION", blocking: true }]);
});

test("2022 with nothing: every narrow permission is named, all but one block", () => {
  const missing = missingPermissions({ ...NEW, view_def: 0 });
  expect(missing.map(({ permission, blocking }) => [permission, blocking])).toEqual([
    ["CREATE ANY EVENT SESSION", true],
    ["ALTER ANY EVENT SESSION ENABLE", true],
    ["ALTER ANY EVENT SESSION DISABLE", true],
    ["DROP ANY EVENT SESSION", true],
    ["VIEW SERVER PERFORMANCE STATE", true],
    ["VIEW ANY DEFINITION", false],
  ]);
  for (const { consequence } of missing) expect(consequence).toMatch(/^[A-Z].+\.$/u);
});

test("2022 with the old permission to look", () => {
  const who = { ...NEW, xe_all: 1, view_state: 1, view_perf: 0, view_def: 1 };
  expect(missingPermissions(who)).toEqual([]);
});

test("the wide permission includes the narrow ones", () => {
  const who = {
    ...NEW,
    xe_all: 1,
    xe_create: 0,
    xe_start: 0,
    xe_stop: 0,
    xe_drop: 0,
    view_state: 1,
    view_perf: 1,
    view_def: 1,
  };
  expect(missingPermissions(who)).toEqual([]);
});

test("an existing session needs no right to make one", () => {
  const who = { ...NEW, xe_create: 0, xe_start: 0, xe_stop: 0, xe_drop: 0, view_perf: 1, view_def: 1 };
  expect(missingPermissions(who, false)).toEqual([]);
});

test("sysadmin has all", () => {
  expect(missingPermissions({ ...OLD, is_sysadmin: 1, xe_all: 0 })).toEqual([]);
});

test("permissions are granted to the Windows group by which a login comes in", () => {
  const group = { name: "CORP\\DBA-Read", type: "WINDOWS GROUP" };
  expect(granteeOf([group], "CORP\\ana")).toBe("CORP\\DBA-Read");
  // The view is of a case-insensitive server.
  expect(granteeOf([group, { name: "corp\\ANA", type: "WINDOWS LOGIN" }], "CORP\\ana")).toBe("CORP\\ana");
  expect(granteeOf([{ name: "lens", type: "SQL LOGIN" }], "lens")).toBe("lens");
  expect(granteeOf([], "lens")).toBe("lens");
  const missing = missingPermissions({
    ...OLD,
    xe_all: 0,
    view_state: 1,
    view_def: 1,
    grantee: "CORP\\DBA-Read",
  });
  expect(missing[0]?.grant).toBe("GRANT ALTER ANY EVENT SESSION TO [CORP\\DBA-Read];");
});
