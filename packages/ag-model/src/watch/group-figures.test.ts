import { expect, test } from "vitest";
import { groupFigures } from "./group-figures.ts";
import type { PolledDatabase, ReplicaPoll } from "./point.ts";

const row = (database: string, replicaId: string, values: Partial<PolledDatabase> = {}): PolledDatabase => ({
  database,
  replicaId,
  isLocal: false,
  synchronization: "SYNCHRONIZED",
  sendQueueKb: 0,
  redoQueueKb: 0,
  dataLossSeconds: 0,
  ...values,
});

const replica = (
  serverName: string,
  replicaId: string,
  databases: readonly PolledDatabase[] | null,
  values: Partial<ReplicaPoll> = {},
): ReplicaPoll => ({
  serverName,
  replicaId,
  role: "secondary",
  commitMode: "sync",
  reading:
    databases === null
      ? null
      : {
          seconds: 5,
          waits: [{ type: "HADR_SYNC_COMMIT", waitMs: 900, count: 300 }],
          counters: null,
          databases,
        },
  ...values,
});

const LOCAL = [row("Orders", "a", { isLocal: true }), row("Stock", "a", { isLocal: true })];
const BEHIND = { synchronization: "SYNCHRONIZING" };
const VIEW = [
  ...LOCAL,
  row("Orders", "b", { sendQueueKb: 10, redoQueueKb: 3 }),
  row("Stock", "b", { sendQueueKb: 30, redoQueueKb: null, dataLossSeconds: 0 }),
  row("Orders", "c", { ...BEHIND, sendQueueKb: 500, dataLossSeconds: 1.5 }),
  row("Stock", "c", { ...BEHIND, sendQueueKb: 200, dataLossSeconds: 4 }),
  // A database of another group of the same server.
  row("Other", "z", { isLocal: true }),
  row("Other", "y", { sendQueueKb: 9_999 }),
];
const primary = (
  view: readonly PolledDatabase[] | null = VIEW,
  values: Partial<ReplicaPoll> = {},
): ReplicaPoll => replica("SQL1", "a", view, { role: "primary", ...values });

test("sums the queues of a secondary's databases, and takes the largest loss", () => {
  const polls = [primary(), replica("SQL2", "b", null), replica("SQL3", "c", null, { commitMode: "async" })];
  expect(groupFigures(polls)).toEqual({
    // 900 ms of 300 waits.
    delayMs: 3,
    secondaries: [
      { name: "SQL2", sendQueueKb: 40, redoQueueKb: 3, rpoSeconds: 0, isSynchronized: true },
      { name: "SQL3", sendQueueKb: 700, redoQueueKb: 0, rpoSeconds: 4, isSynchronized: null },
    ],
  });
});

test("a synchronous secondary that is behind isn't synchronized, unless its primary doesn't wait for any", () => {
  const polls = (values: Partial<ReplicaPoll>) => [primary(VIEW, values), replica("SQL3", "c", null)];
  expect(groupFigures(polls({})).secondaries).toMatchObject([{ name: "SQL3", isSynchronized: false }]);
  expect(groupFigures(polls({ commitMode: "async" })).secondaries).toMatchObject([{ isSynchronized: null }]);
});

test("without an answer of the primary a secondary has what it reports, and the rest is unknown", () => {
  const own = [
    row("Orders", "b", { isLocal: true, sendQueueKb: null, redoQueueKb: 7, dataLossSeconds: null }),
  ];
  expect(groupFigures([primary(null), replica("SQL2", "b", own)])).toEqual({
    delayMs: null,
    secondaries: [
      { name: "SQL2", sendQueueKb: null, redoQueueKb: 7, rpoSeconds: null, isSynchronized: true },
    ],
  });
  expect(groupFigures([primary(null), replica("SQL2", "b", null)]).secondaries).toEqual([
    { name: "SQL2", sendQueueKb: null, redoQueueKb: null, rpoSeconds: null, isSynchronized: null },
  ]);
});
