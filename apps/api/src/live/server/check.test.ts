import { hostname } from "node:os";
import { recordedEvents } from "@aglens/ag-model/events";
import { LiveLogin, LiveServer } from "@aglens/contract";
import { startStandIn } from "../../../../../fixtures/replica-standin/index.ts";
import { describe, expect, test } from "vitest";
import { stubConnection } from "../../../test/stub-connection.ts";
import { askEvents, askWho, checkServer, leftoversIn, removeLeftovers } from "./check.ts";
import { connect, PATIENCE } from "./connection.ts";
import type { Row } from "./connection.ts";
import { hostPart } from "./session-name.ts";
import { ALL_SESSIONS, AVAILABLE_EVENTS, CLUSTER_REPLICAS, PRINCIPALS, topology, WHO } from "./sql.ts";

const GRANTED = { is_sysadmin: 0, xe_all: 1, view_state: 1, view_def: 1 };
const SERVER: Row = {
  major_version: 16,
  product_version: "16.0.4135.4",
  edition: "Enterprise Edition (64-bit)",
  engine_edition: 3,
  server_name: "SQL1",
  is_hadr_enabled: 1,
  login_name: "CORP\\dba",
  ...GRANTED,
};
const RUNNING = "2026-11-20T02:00:00";
const OWN = `aglens_${hostPart(hostname())}_20261121T0244Z_7f3a`;
const OTHER = "aglens_web02_20261120T1200Z_0a1b";

/** All events of the catalog, as SQL Server 2022 has them. */
const EVENTS: readonly Row[] = recordedEvents(true).map((name) => ({
  package: "sqlserver",
  name,
}));
const COLUMNS: readonly Row[] = [
  { object_name: "log_flush_start", name: "database_id" },
  { object_name: "hadr_capture_log_block", name: "start_timestamp" },
];
const TOPOLOGY: readonly (readonly Row[])[] = [
  [{ group_id: "g1", name: "AG1", is_distributed: false, primary_replica: "SQL1" }],
  [
    {
      replica_id: "R1",
      group_id: "g1",
      replica_server_name: "SQL1",
      availability_mode: 1,
      is_local: true,
      role_desc: "PRIMARY",
      connected_state_desc: "CONNECTED",
    },
  ],
  [{ group_id: "g1", group_database_id: "D1", database_id: 6, database_name: "Sales", is_local: true }],
  [],
];

interface RequestInput {
  readonly who?: Row;
  readonly sessions?: readonly Row[];
  readonly readers?: readonly Row[];
  readonly topology?: readonly (readonly Row[])[];
  readonly events?: readonly Row[];
  readonly columns?: readonly Row[];
}

const server = ({ who = {}, sessions = [], ...more }: RequestInput = {}) =>
  stubConnection((sql) => {
    if (sql === WHO) return [[{ ...SERVER, ...who }]];
    if (sql === ALL_SESSIONS) return [sessions, more.readers ?? []];
    if (sql === AVAILABLE_EVENTS) return [more.events ?? EVENTS, more.columns ?? COLUMNS];
    if (sql === CLUSTER_REPLICAS) return [[]];
    return sql === topology(16) ? (more.topology ?? TOPOLOGY) : [];
  });

describe("who answers", () => {
  test.each([
    [{ major_version: 11, product_version: "11.0.7001.0" }, "sql1:1433 is version 11.0.7001.0."],
    [{ engine_edition: 5 }, "Azure SQL Database, which has no availability group events"],
  ])("%j is refused", async (who, sentence) => {
    await expect(askWho(server({ who }))).rejects.toMatchObject({
      code: "live-unsupported",
      message: expect.stringContaining(sentence),
    });
  });

  test.each([{ major_version: 12 }, { engine_edition: 8 }])("%j is not", async (who) => {
    expect(await askWho(server({ who }))).toMatchObject(who);
  });

  test("a server that answers nothing says so", async () => {
    await expect(askWho(stubConnection(() => []))).rejects.toMatchObject({ code: "live-statement-failed" });
  });
});

test("a GRANT names a Windows group by which the login gets permissions, not one that only denies", async () => {
  const standIn = await startStandIn({ version: "2019", windowsGroup: "CORP\\DBA-Read", deny: ["VIEW ANY DEFINITION"] }); // prettier-ignore
  const { host, port } = standIn;
  const login = LiveLogin.parse({ kind: "sql", user: "aglens", password: "aglens" });
  const connection = await connect(LiveServer.parse({ host, port, encryption: "off" }), login, PATIENCE);
  try {
    expect(await askWho(connection)).toMatchObject({ grantee: "CORP\\DBA-Read" });
  } finally {
    connection.close();
    await standIn.close();
  }
});

describe("the events of a build", () => {
  test("have their package, and what they can be filtered by", async () => {
    const { events, missing, warnings } = await askEvents(server());
    const of = (name: string) => events.find((event) => event.name === name);
    expect(of("log_flush_start")).toEqual({
      package: "sqlserver",
      name: "log_flush_start",
      hasDatabaseId: true,
    });
    expect(of("hadr_capture_log_block")).toMatchObject({ hasDatabaseId: false });
    expect(missing).toEqual([]);
    expect(warnings).toEqual([]);
  });

  test("that it lacks are named", async () => {
    const events = EVENTS.filter(({ name }) => name !== "log_flush_start");
    expect((await askEvents(server({ events }))).missing).toEqual(["log_flush_start"]);
  });

  test("without start_timestamp have a warning; a catalogue that may not be read has none", async () => {
    const columns = COLUMNS.filter(({ name }) => name !== "start_timestamp");
    expect((await askEvents(server({ columns }))).warnings).toEqual([
      expect.stringContaining("writes no start_timestamp"),
    ]);
    expect((await askEvents(server({ columns: [] }))).warnings).toEqual([]);
    expect((await askEvents(server({ columns, events: [] }))).warnings).toEqual([]);
  });
});

describe("a check", () => {
  test("says what the server is, what it has, and changes nothing", async () => {
    const connection = server();
    expect(await checkServer(connection)).toEqual({
      serverName: "SQL1",
      productVersion: "16.0.4135.4",
      edition: "Enterprise Edition (64-bit)",
      login: "CORP\\dba",
      grantee: "CORP\\dba",
      hadrEnabled: true,
      missing: [],
      replicas: [expect.objectContaining({ replicaId: "r1", role: "primary" })],
      databases: [{ id: "d1", databaseId: 6, name: "Sales", group: "AG1", isContainedSystem: false }],
      missingEvents: [],
      sessions: [],
      leftovers: [],
      warnings: [],
    });
    expect(connection.asked.every((sql) => /^(?:SET|SELECT)/u.test(sql))).toBe(true);
  });

  test("offers running sessions of others to read, neither the server's own nor ours nor stopped ones", async () => {
    const names = [
      "mine",
      "system_health",
      "AlwaysOn_health",
      "telemetry_xevents",
      "hkenginexesession",
      "sp_server_diagnostics session",
      OTHER,
    ];
    const sessions = [
      ...names.map((name) => ({ name, started_at: RUNNING })),
      { name: "idle", started_at: null },
    ];
    expect((await checkServer(server({ sessions }))).sessions).toEqual(["mine"]);
  });

  test("of a login that may not look asks no more, and names the permission", async () => {
    const connection = server({ who: { view_state: 0, view_perf: 0 } });
    const check = await checkServer(connection);
    expect(connection.asked).toEqual([WHO, PRINCIPALS]);
    expect(check).toMatchObject({ replicas: [], missingEvents: [], sessions: [], warnings: [] });
    expect(check.missing.map(({ permission }) => permission)).toEqual(["VIEW SERVER PERFORMANCE STATE"]);
  });

  test.each([
    [{ who: { is_hadr_enabled: 0 } }, ["Always On availability groups are not enabled on this instance."]],
    [{ topology: [[], [], [], []] }, ["This instance hosts no availability group."]],
    [
      { who: { engine_edition: 8 } },
      ["This is Azure SQL Managed Instance: its replicas are not shown as an availability group."],
    ],
  ] as const)("of %j warns of it", async (given, warnings) => {
    expect((await checkServer(server(given))).warnings).toEqual(warnings);
  });
});

describe("leftovers", () => {
  const sessions = [
    { name: OWN, started_at: RUNNING },
    { name: OTHER, started_at: null },
    { name: "mine", started_at: RUNNING },
  ];

  const JUMP = { session_id: 71, host_name: "WEB02.corp.local", program_name: "AG Lens" };
  const HERE = { session_id: 80, host_name: hostname(), program_name: "AG Lens" };
  const readBy = (rows: readonly Row[], readers: readonly Row[]): Record<string, string | null> =>
    Object.fromEntries(leftoversIn(rows, readers).map((session) => [session.name, session.readBy]));

  test("are sessions with our names, of this host or another, running or not", () => {
    expect(leftoversIn(sessions, [])).toEqual([
      {
        name: OWN,
        running: true,
        startedAt: "2026-11-21T02:44:00Z",
        host: hostPart(hostname()),
        ofThisHost: true,
        readBy: null,
      },
      { name: OTHER, running: false, startedAt: null, host: "web02", ofThisHost: false, readBy: null },
    ]);
  });

  test("that somebody reads are named with who does", () => {
    const running = [
      { name: OWN, started_at: RUNNING, target_name: null },
      { name: OTHER, started_at: RUNNING, target_name: "event_stream" },
      // A second reader of the same session.
      { name: OTHER, started_at: RUNNING, target_name: "event_stream" },
    ];
    expect(readBy(running, [HERE, JUMP])).toEqual({
      [OWN]: null,
      [OTHER]: "session 71 from WEB02.corp.local",
    });
    expect(readBy(running, [HERE])).toEqual({ [OWN]: null, [OTHER]: `session 80 from ${hostname()}` });
    expect(readBy(running, [JUMP, { ...JUMP, session_id: 72 }])[OTHER]).toBe(
      "session 71 from WEB02.corp.local or 1 more",
    );
    expect(readBy(running, [])[OTHER]).toBe("a reader that is not shown");
  });

  test("of a version that shows no stream target are read when a reader comes from their host", () => {
    const running = [
      { name: OWN, started_at: RUNNING },
      { name: OTHER, started_at: RUNNING },
    ];
    expect(readBy(running, [JUMP])).toEqual({ [OWN]: null, [OTHER]: "session 71 from WEB02.corp.local" });
    expect(readBy(sessions, [JUMP])[OTHER]).toBeNull();
  });

  test("are dropped, which stops them, and only those that were named and that nobody reads", async () => {
    const connection = server({ sessions });
    expect(await removeLeftovers(connection, [OWN, "mine", "nothing"])).toEqual([OWN]);
    expect(connection.asked.filter((sql) => !sql.includes("SELECT"))).toEqual([
      `DROP EVENT SESSION [${OWN}] ON SERVER;`,
    ]);
    const inUse = server({ sessions, readers: [HERE] });
    expect(await removeLeftovers(inUse, [OWN, OTHER])).toEqual([OTHER]);
  });
});
