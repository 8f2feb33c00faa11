import { expect, test } from "vitest";
import { pointOf } from "./point.ts";
import type { PolledDatabase, PolledFigures, ReplicaPoll } from "./point.ts";

const database = (replicaId: string, values: Partial<PolledDatabase> = {}): PolledDatabase => ({
  database: "Orders",
  replicaId,
  isLocal: false,
  synchronization: "SYNCHRONIZED",
  sendQueueKb: 0,
  redoQueueKb: 0,
  dataLossSeconds: 0,
  ...values,
});

/** The primary's rows: its own, and two databases of both secondaries. */
const VIEW = ["Orders", "Stock"].flatMap((name) => [
  database("a", { database: name, isLocal: true, dataLossSeconds: null }),
  database("b", { database: name }),
  database("c", { database: name }),
]);

const reading = (values: Partial<PolledFigures> = {}): PolledFigures => ({
  seconds: 5,
  waits: [
    { type: "HADR_SYNC_COMMIT", waitMs: 900, count: 300 },
    { type: "WRITELOG", waitMs: 400, count: 200 },
  ],
  counters: {
    seconds: 5,
    databases: [
      { database: "Orders", transactionDelayMs: 10, mirroredPerSecond: 30 },
      { database: "Stock", transactionDelayMs: 2, mirroredPerSecond: 10 },
    ],
  },
  databases: VIEW,
  ...values,
});

const replica = (serverName: string, replicaId: string, values: Partial<ReplicaPoll> = {}): ReplicaPoll => ({
  serverName,
  replicaId,
  role: "secondary",
  commitMode: "sync",
  reading: null,
  ...values,
});

const primary = (values: Partial<PolledFigures> = {}): ReplicaPoll =>
  replica("SQL1", "a", { role: "primary", reading: reading(values) });

const point = (values: Partial<PolledFigures>, others: readonly ReplicaPoll[] = []) =>
  pointOf(1000, [primary(values), ...others]);

test("weights the delay of two databases by their mirrored transactions", () => {
  // (10 x 30 + 2 x 10) / 40 = 8 ms, 40/s for 5 s
  expect(point({})).toEqual({
    at: 1000,
    seconds: 5,
    commits: 200,
    delayMs: 8,
    delayFrom: "counters",
    sendQueueKb: 0,
    redoQueueKb: 0,
    rpoSeconds: 0,
    primary: "SQL1",
    notSynchronized: [],
    isStateKnown: true,
  });
});

test("has no delay without commits, which is no delay of 0", () => {
  const databases = [{ database: "Orders", transactionDelayMs: null, mirroredPerSecond: 0 }];
  expect(point({ counters: { seconds: 5, databases } }, [replica("SQL2", "b")])).toMatchObject({
    commits: 0,
    delayMs: null,
    delayFrom: "counters",
  });
});

test.each([
  ["disabled", { seconds: 5, databases: [] }],
  ["not asked in this poll", null],
  [
    "of several polls",
    { seconds: 10, databases: [{ database: "Orders", transactionDelayMs: 50, mirroredPerSecond: 1 }] },
  ],
  [
    "of a database of another group",
    { seconds: 5, databases: [{ database: "Mail", transactionDelayMs: 50, mirroredPerSecond: 1 }] },
  ],
  [
    "new in this poll",
    { seconds: 5, databases: [{ database: "Orders", transactionDelayMs: null, mirroredPerSecond: null }] },
  ],
])("takes waits where the counters are %s", (_, counters) => {
  expect(point({ counters })).toMatchObject({ commits: 300, delayMs: 3, delayFrom: "HADR_SYNC_COMMIT" });
});

test("has the log write on the primary where it is longer than the wait for secondaries", () => {
  // 9,000 ms / 200 = 45 ms, of more waits than the 200 commits of the counters or fewer.
  const waits = (count: number) => [
    { type: "HADR_SYNC_COMMIT", waitMs: 900, count: 300 },
    { type: "WRITELOG", waitMs: 45 * count, count },
  ];
  const expected = { delayMs: 45, delayFrom: "WRITELOG" };
  expect(point({ waits: waits(260) })).toMatchObject({ ...expected, commits: 260 });
  expect(point({ waits: waits(20) })).toMatchObject({ ...expected, commits: 200 });
  expect(point({ waits: waits(20), counters: null })).toMatchObject({ ...expected, commits: 300 });
});

test("has the log write alone where secondaries are asynchronous, not where commits may hang", () => {
  const waits = [{ type: "WRITELOG", waitMs: 60, count: 20 }];
  const of = (commitMode: ReplicaPoll["commitMode"]) =>
    point({ waits, counters: null }, [replica("SQL2", "b", { commitMode })]);
  expect(of("async")).toMatchObject({ commits: 20, delayMs: 3, delayFrom: "WRITELOG" });
  expect(of("sync")).toMatchObject({ commits: 0, delayMs: null });
  expect(of("undetermined")).toMatchObject({ commits: 0, delayMs: null });
  const asynchronous = { ...primary({ waits, counters: null }), commitMode: "async" } as const;
  expect(pointOf(0, [asynchronous, replica("SQL2", "b")])).toMatchObject({ delayMs: 3 });
});

test("takes counters of an interval that is a little longer, and of a poll of one second", () => {
  const databases = [{ database: "Orders", transactionDelayMs: 50, mirroredPerSecond: 4 }];
  expect(point({ counters: { seconds: 7, databases } })).toMatchObject({ commits: 20, delayMs: 50 });
  expect(point({ counters: { seconds: 1, databases }, seconds: 1 })).toMatchObject({
    commits: 4,
    delayMs: 50,
  });
});

test("takes counters of several polls where there are no waits, with the commits of one poll", () => {
  const databases = [{ database: "Orders", transactionDelayMs: 50, mirroredPerSecond: 4 }];
  expect(point({ counters: { seconds: 10, databases }, waits: null })).toMatchObject({
    commits: 20,
    delayMs: 50,
    delayFrom: "counters",
  });
});

test("a server without waits of a type had none", () => {
  expect(point({ counters: null, waits: [] })).toMatchObject({
    commits: 0,
    delayMs: null,
    delayFrom: "HADR_SYNC_COMMIT",
  });
});

test("ignores databases of other groups on the same server", () => {
  const other = [
    database("x", { database: "Mail", isLocal: true }),
    database("y", {
      database: "Mail",
      sendQueueKb: 9000,
      dataLossSeconds: 70,
      synchronization: "SYNCHRONIZING",
    }),
  ];
  expect(point({ databases: [...VIEW, ...other] }, [replica("SQL4", "y")])).toMatchObject({
    sendQueueKb: 0,
    rpoSeconds: 0,
    notSynchronized: [],
  });
});

test("has the largest queue and data loss of all databases and secondaries", () => {
  const databases = [
    database("a", { isLocal: true, sendQueueKb: 99, redoQueueKb: 99, dataLossSeconds: null }),
    database("b", { sendQueueKb: 700, redoQueueKb: 4, dataLossSeconds: 0 }),
    database("c", { sendQueueKb: 20, redoQueueKb: null, dataLossSeconds: 12.5 }),
  ];
  const own = reading({ databases: [database("c", { isLocal: true, redoQueueKb: 51 })] });
  expect(point({ databases }, [replica("SQL3", "c", { reading: own })])).toMatchObject({
    sendQueueKb: 700,
    redoQueueKb: 51,
    rpoSeconds: 12.5,
  });
});

test("names synchronous secondaries with a database that isn't SYNCHRONIZED", () => {
  const databases = VIEW.map((row) =>
    row.isLocal || row.database === "Orders" ? row : { ...row, synchronization: "SYNCHRONIZING" },
  );
  const others = [
    replica("SQL2", "b"),
    replica("SQL3", "c", { commitMode: "async" }),
    replica("SQL5", "e", { commitMode: "undetermined" }),
  ];
  expect(point({ databases }, others).notSynchronized).toEqual(["SQL2"]);
  const unknown = databases.map((row) => ({ ...row, synchronization: null }));
  expect(point({ databases: unknown }, others).notSynchronized).toEqual([]);
  const asynchronous = { ...primary({ databases }), commitMode: "async" } as const;
  expect(pointOf(0, [asynchronous, ...others]).notSynchronized).toEqual([]);
});

test("takes the primary's word about a secondary before its own", () => {
  const databases = [database("a", { isLocal: true }), database("b")];
  const own = reading({
    databases: [database("b", { isLocal: true, synchronization: "NOT SYNCHRONIZING" })],
  });
  expect(point({ databases }, [replica("SQL2", "b", { reading: own })]).notSynchronized).toEqual([]);
});

test("without an answer of the primary has what secondaries report of themselves", () => {
  const own = reading({
    databases: [database("b", { isLocal: true, synchronization: "NOT SYNCHRONIZING", redoQueueKb: 7 })],
  });
  expect(
    pointOf(0, [replica("SQL1", "a", { role: "primary" }), replica("SQL2", "b", { reading: own })]),
  ).toEqual({
    at: 0,
    seconds: 0,
    commits: null,
    delayMs: null,
    delayFrom: null,
    sendQueueKb: null,
    redoQueueKb: 7,
    rpoSeconds: null,
    primary: null,
    notSynchronized: ["SQL2"],
    isStateKnown: true,
  });
});

test("a poll without an answer of its clock is a hole", () => {
  expect(point({ seconds: 0, waits: null, counters: null, databases: null })).toMatchObject({
    seconds: 0,
    commits: null,
    delayMs: null,
    sendQueueKb: null,
    primary: "SQL1",
    isStateKnown: false,
  });
});

test("of two replicas that are primary after a forced failover takes the one with commits", () => {
  const idle = { counters: { seconds: 5, databases: [] }, waits: [] };
  const second = replica("SQL2", "b", {
    role: "primary",
    reading: reading({ databases: VIEW.map((row) => ({ ...row, isLocal: row.replicaId === "b" })) }),
  });
  expect(pointOf(0, [primary(idle), second]).primary).toBe("SQL2");
  expect(pointOf(0, [second, primary(idle)]).primary).toBe("SQL2");
  expect(pointOf(0, [second, primary()]).primary).toBe("SQL2");
  expect(pointOf(0, [primary(), second]).primary).toBe("SQL1");
});

test("takes all databases while the replica's id is unknown", () => {
  const unknown = replica("SQL1", "", {
    role: "primary",
    reading: reading({ databases: [database("b", { sendQueueKb: 3 })] }),
  });
  expect(pointOf(0, [unknown])).toMatchObject({ sendQueueKb: 3, delayMs: 10, commits: 150 });
});
