import fc from "fast-check";
import { readXelBytes } from "xel-parser/format";
import { createXelWriter, type WriterColumn, type WriterValues } from "xel-parser/writer";
import { describe, expect, test } from "vitest";
import { ClusterEvent, ERROR_REPORTED, HealthEvent, SystemEvent } from "./event-names.ts";
import { readHealth } from "./read-health.ts";

const START = 134_231_364_000_000_000n;
const START_US = Number((START - 116_444_736_000_000_000n) / 10n);
const SECOND = 10_000_000;
const GROUP = "11111111-2222-3333-4444-555555555555";
const SQL1 = "aaaaaaaa-2222-3333-4444-555555555555";
const SQL2 = "bbbbbbbb-2222-3333-4444-555555555555";
const SALES = "cccccccc-2222-3333-4444-555555555555";

const text = (...names: string[]): WriterColumn[] => names.map((name) => ({ name, type: "unicode_string" }));
const guid = (...names: string[]): WriterColumn[] => names.map((name) => ({ name, type: "guid" }));
const COLUMNS: Readonly<Record<string, readonly WriterColumn[]>> = {
  [HealthEvent.replicaState]: [
    ...guid("availability_group_id", "availability_replica_id"),
    ...text("availability_group_name", "availability_replica_name", "previous_state", "current_state"),
  ],
  [HealthEvent.leaseExpired]: [
    ...guid("availability_group_id"),
    ...text("availability_group_name"),
    { name: "lease_interval", type: "uint32" },
  ],
  [HealthEvent.ddl]: text("ddl_action", "ddl_phase", "availability_group_name", "statement"),
  [HealthEvent.managerState]: text("current_state"),
  [HealthEvent.synchronization]: [
    ...guid("group_id", "replica_id", "ag_database_id"),
    ...text("commit_policy", "sync_state"),
    { name: "sync_log_block", type: "uint64" },
  ],
  [ERROR_REPORTED]: [{ name: "error_number", type: "int32" }, ...text("message")],
  [SystemEvent.component]: text("component", "state", "data"),
  [SystemEvent.wait]: [...text("wait_type"), { name: "duration", type: "uint64" }],
  [ClusterEvent.info]: text("info"),
  unheard_of_event: text("x"),
};

type Written = readonly [name: string, seconds: number, values: WriterValues];
function xel(events: readonly Written[]): Uint8Array {
  const all = Object.entries(COLUMNS).map(([name, columns]) => ({ name, columns }));
  const writer = createXelWriter(
    { packages: [{ name: "sqlserver", id: 2, events: all }] },
    { startTicks: START },
  );
  // One tick more than a whole millisecond: as exact as SQL Server writes it.
  for (const [name, seconds, values] of events) writer.write(name, Math.round(seconds * SECOND) + 10, values);
  return writer.finish();
}
const read = (events: readonly Written[], server: string | null = "SQL1", keepSensitive = false) =>
  readHealth({ name: "health.xel", server, keepSensitive }, readXelBytes(xel(events)).events);

describe("AlwaysOn_health", () => {
  const state: Written = [
    HealthEvent.replicaState,
    3,
    {
      availability_group_id: GROUP,
      availability_replica_id: SQL1,
      availability_group_name: "SALES-AG",
      availability_replica_name: "SQL1",
      previous_state: "PRIMARY_NORMAL",
      current_state: "RESOLVING_NORMAL",
    },
  ];

  test("names its server, and the id of its replica", async () => {
    const { events, names } = await read(
      [
        state,
        [HealthEvent.leaseExpired, 40, { availability_group_name: "SALES-AG", lease_interval: 20_000 }],
      ],
      null,
    );
    expect(names).toEqual([{ replicaId: SQL1, server: "SQL1", file: "health.xel" }]);
    expect(events.map(({ server }) => server)).toEqual(["SQL1", "SQL1"]);
    expect(events[0]).toMatchObject({
      kind: "role",
      message: 19406,
      atUs: START_US + 3_000_001,
      group: "SALES-AG",
      states: ["PRIMARY_NORMAL", "RESOLVING_NORMAL"],
      sources: [{ file: "health.xel", place: 1, plusMinusUs: 1 }],
    });
    expect(events[1]).toMatchObject({
      kind: "lease",
      message: 19407,
      group: "SALES-AG",
      fromUs: START_US + 20_000_001,
    });
  });

  test("drops statements unless they are kept", async () => {
    const statement = "ALTER AVAILABILITY GROUP [SALES-AG] FAILOVER -- secret";
    const ddl: Written = [
      HealthEvent.ddl,
      1,
      { ddl_action: "Alter", ddl_phase: "commit", availability_group_name: "SALES-AG", statement },
    ];
    const dropped = await read([ddl]);
    expect(dropped.events).toMatchObject([
      { kind: "ddl", states: [null, "FAILOVER commit"], text: "FAILOVER of SALES-AG (commit) on SQL1." },
    ]);
    expect(JSON.stringify(dropped.events)).not.toContain("secret");
    expect(JSON.stringify((await read([ddl], "SQL1", true)).events)).toContain("secret");
  });

  test("has the block from which a replica counts again, and the state before", async () => {
    const sync = (seconds: number, sync_state: string, sync_log_block: bigint): Written => [
      HealthEvent.synchronization,
      seconds,
      { group_id: GROUP, replica_id: SQL2, ag_database_id: SALES, sync_state, sync_log_block },
    ];
    const { events } = await read([
      sync(1, "NOT SYNCHRONIZING", 0n),
      sync(5, "SYNCHRONIZED", 150_323_855_376n),
    ]);
    expect(events).toMatchObject([
      {
        kind: "synchronization",
        database: SALES,
        replica: SQL2,
        states: [null, "NOT SYNCHRONIZING"],
        lsn: null,
      },
      { states: ["NOT SYNCHRONIZING", "SYNCHRONIZED"], lsn: 150_323_855_376n },
    ]);
  });

  test("reads messages by number and text; unknown ones and unknown events are counted", async () => {
    const { events, notUnderstood } = await read([
      [
        ERROR_REPORTED,
        1,
        {
          error_number: 35206,
          message:
            "A connection timeout has occurred on a previously established connection to availability replica 'SQL2' with id [1].",
        },
      ],
      [
        ERROR_REPORTED,
        2,
        { error_number: 28034, message: "Connection handshake failed. The login 'X\\secret$' does not have" },
      ],
      [ERROR_REPORTED, 2, { error_number: 12345, message: "Something else." }],
      ["unheard_of_event", 3, { x: "" }],
      ["unheard_of_event", 3, { x: "" }],
    ]);
    expect(events).toMatchObject([
      { kind: "connectivity", message: 35206, replica: "SQL2" },
      {
        kind: "connectivity",
        message: 28034,
        text: "A connection of the replicas' endpoint failed or changed on SQL1 (message 28034).",
      },
    ]);
    expect(JSON.stringify(events)).not.toContain("secret");
    expect(notUnderstood).toEqual({
      file: "health.xel",
      count: 3,
      first: ["error_reported: 1", "unheard_of_event: 2"],
    });
  });
});

describe("results of sp_server_diagnostics", () => {
  const result = (minutes: number, component: string, state: string): Written => [
    SystemEvent.component,
    minutes * 60,
    { component, state, data: "" },
  ];

  test("are bands of one state, from the end of the band before", async () => {
    const { events } = await read([
      result(0, "IO_SUBSYSTEM", "CLEAN"),
      result(5, "IO_SUBSYSTEM", "CLEAN"),
      result(10, "IO_SUBSYSTEM", "WARNING"),
      result(10, "QUERY_PROCESSING", "CLEAN"),
    ]);
    const bands = events.map(({ states, fromUs, atUs, count }) => [
      states,
      Math.round((fromUs! - START_US) / 6e7),
      Math.round((atUs - START_US) / 6e7),
      count,
    ]);
    expect(bands).toEqual([
      [[null, "CLEAN"], -5, 5, 2],
      [["CLEAN", "WARNING"], 5, 10, 1],
      [[null, "CLEAN"], 5, 10, 1],
    ]);
  });

  test("with long requests are slow I/O of their interval", async () => {
    const data = `<ioSubsystem ioLatchTimeouts="0" intervalLongIos="3" totalLongIos="9"><longestPendingRequests><pendingRequest duration="21000" filePath="F:\\Log\\Sales.ldf"/></longestPendingRequests></ioSubsystem>`;
    const written: Written = [
      SystemEvent.component,
      300,
      { component: "IO_SUBSYSTEM", state: "WARNING", data },
    ];
    const { events } = await read([result(2, "IO_SUBSYSTEM", "CLEAN"), written]);
    expect(events.filter(({ kind }) => kind === "slowIo")).toMatchObject([
      {
        count: 3,
        fromUs: START_US + 120_000_001,
        atUs: START_US + 300_000_001,
        text: "3 I/O requests took at least 15 s on SQL1, the longest for F:\\Log\\Sales.ldf.",
      },
    ]);
  });

  test("after a silence begin a band of their own", async () => {
    const { events } = await read([result(0, "SYSTEM", "CLEAN"), result(60, "SYSTEM", "CLEAN")]);
    expect(events.map(({ fromUs, atUs }) => Math.round((atUs - fromUs!) / 6e7))).toEqual([5, 5]);
  });

  test("and counts of requests over 15 s as series of the server", async () => {
    const counted = (minutes: number, total: number): Written => [
      SystemEvent.component,
      minutes * 60,
      {
        component: "IO_SUBSYSTEM",
        state: "WARNING",
        data: `<ioSubsystem ioLatchTimeouts="0" intervalLongIos="0" totalLongIos="${total}"/>`,
      },
    ];
    const { series } = await read([counted(0, 2), counted(5, 9)]);
    expect(series[0]).toMatchObject({
      metric: "requests over 15 s",
      server: "SQL1",
      form: "delta",
      source: { file: "health.xel", column: "totalLongIos" },
    });
    expect(series[0]!.values[1]).toBe(7);
  });
});

test("waits of at least 15 s began their length ago; those for files are slow I/O", async () => {
  const wait = (wait_type: string, duration: number): Written => [
    SystemEvent.wait,
    60,
    { wait_type, duration },
  ];
  const { events } = await read([wait("WRITELOG", 20_000), wait("LCK_M_X", 31_000), wait("WRITELOG", 5_001)]);
  expect(events).toMatchObject([
    { kind: "slowIo", fromUs: START_US + 40_000_001, text: "A session waited 20 s for WRITELOG on SQL1." },
    { kind: "health", text: "A session waited 31 s for LCK_M_X on SQL1." },
  ]);
});

test("bytes that are damaged anywhere give events with times, or none", async () => {
  const bytes = xel([
    [HealthEvent.leaseExpired, 1, { availability_group_name: "SALES-AG" }],
    [SystemEvent.wait, 60, { wait_type: "WRITELOG", duration: 20_000 }],
    [ClusterEvent.info, 61, { info: "[hadrag] Lease renewal failed with timeout error" }],
  ]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 512, max: bytes.length - 1 }), fc.nat(255)), { maxLength: 8 }),
      async (changes) => {
        const damaged = bytes.slice();
        for (const [at, byte] of changes) damaged[at] = byte;
        const { events } = await readHealth({ name: "a", server: null }, readXelBytes(damaged).events);
        for (const { atUs, text: sentence } of events) {
          expect(Number.isFinite(atUs)).toBe(true);
          expect(sentence).not.toBe("");
        }
      },
    ),
  );
});
