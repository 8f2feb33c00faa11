import type { LiveCheck, LiveReplicaProposal, WatchCheck } from "@aglens/contract";
import { describe, expect, test } from "vitest";
import { NO_ADDRESS } from "../../server-form/server-address.ts";
import {
  cellsOf,
  groupsIn,
  missingIn,
  problemWith,
  type ReplicaForm,
  replicasIn,
  rightsOfCheck,
  type RightsState,
  warningsOf,
} from "./replica-forms.ts";

const proposal = (
  serverName: string,
  { role = "secondary", ...more }: Partial<LiveReplicaProposal> = {},
): LiveReplicaProposal => ({
  replicaId: serverName.toLowerCase(),
  serverName,
  group: "SALES-AG",
  role,
  commitMode: "sync",
  isThisServer: false,
  connected: true,
  ...more,
});
const answerOf = (serverName: string, more: Partial<LiveCheck> = {}): LiveCheck => ({
  serverName,
  productVersion: "16.0.4205.1",
  edition: "Enterprise Edition (64-bit)",
  login: "aglens_watch",
  grantee: "aglens_watch",
  hadrEnabled: true,
  missing: [],
  replicas: [],
  databases: [],
  missingEvents: [],
  sessions: [],
  leftovers: [],
  warnings: [],
  ...more,
});
const checkOf = (serverName: string, more: Partial<WatchCheck> = {}): WatchCheck => ({
  maySignIn: true,
  mayWatch: true,
  mayRecord: true,
  problem: null,
  answer: answerOf(serverName),
  ...more,
});
const known = (check: WatchCheck): RightsState => ({ is: "known", rights: rightsOfCheck(check) });
const permission = (name: string) => ({
  permission: name,
  purpose: "creates the session of this run",
  consequence: "AG Lens can't create its event session.",
  blocking: true,
  grant: `GRANT ${name} TO [aglens_watch];`,
});
const replica = (
  serverName: string,
  server: string,
  role: ReplicaForm["role"] = "secondary",
): ReplicaForm => ({
  key: serverName,
  address: { ...NO_ADDRESS, server },
  serverName,
  role,
  commitMode: "sync",
});

describe("replicas of a group", () => {
  const replicas = [
    proposal("SQL3", { commitMode: "async" }),
    proposal("SQL2\\PROD"),
    proposal("SQL1", { role: "primary", isThisServer: true }),
    proposal("SQL1", { role: "primary", isThisServer: true, group: "CRM-AG", replicaId: "crm1" }),
    proposal("SQL9", { group: "CRM-AG" }),
  ];

  test("are those that its server names, the primary first, with the options of its connection", () => {
    const typed = {
      ...NO_ADDRESS,
      server: "sql1.corp.example,1433",
      trustCertificate: true,
      certificateName: "sql1.corp.example",
    };
    const found = replicasIn(typed, { replicas }, "SALES-AG");
    expect(found.map(({ serverName, role, commitMode }) => [serverName, role, commitMode])).toEqual([
      ["SQL1", "primary", "sync"],
      ["SQL2\\PROD", "secondary", "sync"],
      ["SQL3", "secondary", "async"],
    ]);
    expect(found.map(({ address }) => address)).toEqual([
      typed,
      { ...NO_ADDRESS, server: "SQL2\\PROD", trustCertificate: true },
      { ...NO_ADDRESS, server: "SQL3", trustCertificate: true },
    ]);
  });

  test("are of one group of several", () => {
    expect(groupsIn({ replicas })).toEqual(["SALES-AG", "CRM-AG"]);
    const found = replicasIn({ ...NO_ADDRESS, server: "SQL1" }, { replicas }, "CRM-AG");
    expect(found.map(({ serverName }) => serverName)).toEqual(["SQL1", "SQL9"]);
    // The login of the first one can't see names.
    expect(groupsIn({ replicas: [proposal("SQL1", { group: "" }), proposal("SQL2")] })).toEqual(["SALES-AG"]);
  });
});

describe("rights", () => {
  test("of two replicas differ", () => {
    const missing = [permission("ALTER ANY EVENT SESSION")];
    const lacking = checkOf("SQL2", { mayRecord: false, answer: answerOf("SQL2", { missing }) });
    expect(cellsOf(known(checkOf("SQL1")))).toEqual({
      signIn: { text: "aglens_watch", kind: "granted" },
      watch: { text: "granted", kind: "granted" },
      record: { text: "granted", kind: "granted" },
    });
    expect(cellsOf(known(lacking))).toMatchObject({
      watch: { kind: "granted" },
      record: { text: "1 right missing", kind: "missing" },
    });
  });

  test("to watch and to record are counted apart, and what blocks nothing isn't missing", () => {
    const rights = rightsOfCheck(
      checkOf("SQL2", {
        mayWatch: false,
        mayRecord: false,
        answer: answerOf("SQL2", {
          missing: [
            permission("CREATE ANY EVENT SESSION"),
            permission("DROP ANY EVENT SESSION"),
            permission("VIEW SERVER PERFORMANCE STATE"),
            { ...permission("VIEW ANY DEFINITION"), blocking: false },
          ],
        }),
      }),
    );
    const names = missingIn(rights);
    expect(names.toWatch.map((each) => each.permission)).toEqual(["VIEW SERVER PERFORMANCE STATE"]);
    expect(names.toRecord).toHaveLength(2);
    expect(cellsOf({ is: "known", rights })).toMatchObject({
      watch: { text: "1 right missing" },
      record: { text: "2 rights missing" },
    });
  });

  test("are unknown where the server doesn't answer, and a refused login is refused", () => {
    const problem = { code: "live-unreachable", detail: "Can't reach sql2.", sql: null };
    const none = { maySignIn: false, mayWatch: false, mayRecord: false, answer: null };
    expect(cellsOf(known({ ...none, problem })).signIn.kind).toBe("unknown");
    const refused = known({ ...none, problem: { ...problem, code: "live-login-refused" } });
    expect(cellsOf(refused)).toEqual({
      signIn: { text: "refused", kind: "missing" },
      watch: { text: "–", kind: "unknown" },
      record: { text: "–", kind: "unknown" },
    });
    expect(problemWith(replica("SQL2", "sql2"), refused)).toBe("Can't reach sql2.");
  });

  test("keep the last answer while they are asked again", () => {
    const problem = { code: "live-unreachable", detail: "Can't reach sql2.", sql: null };
    const before = rightsOfCheck({ ...checkOf("SQL2"), answer: null, problem });
    expect(problemWith(replica("SQL2", "sql2"), { is: "asking", before })).toBe("Can't reach sql2.");
  });
});

describe("an address", () => {
  test("of another server is found by its answer", () => {
    expect(problemWith(replica("SQL3", "sql3"), known(checkOf("SQL2")))).toBe(
      "This server is SQL2. Give the address of SQL3.",
    );
    expect(problemWith(replica("SQL2", "SQL2"), known(checkOf("sql2")))).toBeNull();
  });

  test.each([
    ["SQL1", "sql1.corp.example,1433", true],
    ["SQL1\\PROD", "sql1\\PROD", true],
    ["SQL1", "10.0.0.4", true],
    ["SQL1", "fe80::1", true],
    ["SQL1", "localhost,14330", true],
    ["PRODUCTION-SQL-", "production-sql-01.corp.example", true],
    ["SQL1", "sales-listener", false],
  ])("of %s as %s is its own: %s", (serverName, address, isOwn) => {
    expect(problemWith(replica(serverName, address), { is: "open" }) === null).toBe(isOwn);
  });
});

test("what can't be polled or recorded is told before saving", () => {
  const replicas = [
    replica("SQL1", "sql1", "primary"),
    replica("SQL2", "sql2"),
    replica("SQL3", "sql3"),
    replica("SQL4", "sql4"),
  ];
  const rights = {
    SQL1: known(checkOf("SQL1", { mayRecord: false })),
    SQL2: known(checkOf("SQL2", { mayRecord: false })),
    SQL3: known(checkOf("SQL3", { mayWatch: false, mayRecord: false })),
  };
  expect(warningsOf(replicas, rights)).toEqual({
    warnings: [
      "SQL1 can't be recorded. Without the primary, commits can't be shown.",
      "SQL2 can't be recorded. Without it, network and SQL2's disk are one bar.",
      "SQL3 can't be polled.",
    ],
    isAsked: false,
  });
  expect(warningsOf(replicas.slice(1, 2), { SQL2: known(checkOf("SQL2")) })).toEqual({
    warnings: ["No primary is among these replicas. Enter the primary of the group."],
    isAsked: true,
  });
});
