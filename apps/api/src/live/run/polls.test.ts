import { expect, test } from "vitest";
import { amountDropped, droppedIn, PollDeltas, pollSets, rolesIn } from "./polls.ts";
import type { PollSets } from "./polls.ts";

type Rows = Record<string, unknown>[];

/** Result sets of a poll; bigint columns come as text. */
function sets(at: number, given: { waits?: Rows; files?: Rows; started?: string } = {}): PollSets {
  const { waits = [], files = [], started = "2026-11-01T00:00:00" } = given;
  const clock = [{ ms_ticks: String(at), started_at: started }];
  const databases = [
    {
      replica_id: "R2",
      database_name: "Sales",
      log_send_queue_size: "120",
      redo_queue_size: null,
      secondary_lag_seconds: "3",
    },
    {
      replica_id: "R1",
      database_name: "Sales",
      log_send_queue_size: null,
      redo_queue_size: null,
      secondary_lag_seconds: null,
    },
  ];
  const schedulers = [{ schedulers: 8, runnable: 3, runnable_max: 2 }];
  const roles = [{ replica_id: "R1", group_id: "G", role_desc: "RESOLVING" }];
  const session = [{ dropped_event_count: "7", dropped_buffer_count: 3 }];
  return pollSets([clock, waits, files, databases, schedulers, roles, session]);
}

const wait = (type: string, ms: number, signal: number, count: number): Record<string, unknown> => ({
  wait_type: type,
  wait_time_ms: String(ms),
  signal_wait_time_ms: String(signal),
  waiting_tasks_count: String(count),
});
const file = (id: number, writes: number, stall: number): Record<string, unknown> => ({
  database_id: 6,
  file_id: id,
  database_name: "Sales",
  num_of_writes: String(writes),
  num_of_bytes_written: String(writes * 4096),
  io_stall_write_ms: String(stall),
});

test("the first poll gives nothing, the second the difference", () => {
  const deltas = new PollDeltas();
  expect(deltas.next(sets(10_000, { waits: [wait("WRITELOG", 500, 50, 100)] }))).toBeNull();
  const reading = deltas.next(
    sets(12_000, {
      waits: [
        wait("WRITELOG", 800, 60, 130),
        wait("HADR_SYNC_COMMIT", 100, 20, 10),
        wait("LOGBUFFER", 0, 0, 0),
      ],
    }),
  );
  expect(reading).toMatchObject({
    seconds: 2,
    waits: [
      { type: "WRITELOG", waitMs: 300, signalMs: 10, resourceMs: 290, count: 30, percent: 75 },
      { type: "HADR_SYNC_COMMIT", waitMs: 100, signalMs: 20, resourceMs: 80, count: 10, percent: 25 },
    ],
    queues: [{ database: "Sales", replicaId: "r2", sendQueueKb: 120, redoQueueKb: null, lagSeconds: 3 }],
    schedulers: { count: 8, runnable: 3, runnableMax: 2 },
  });
});

test("milliseconds per write are of five seconds and of all log files of the database", () => {
  const deltas = new PollDeltas();
  // 10 writes a second that take 1 ms each, and then 30 ms each; a second log file is never written.
  const stalls = [0, 10, 20, 30, 40, 340, 640, 940, 1240, 1540];
  const words = stalls.map((stall, second) =>
    deltas.next(sets(second * 1000 + 1, { files: [file(2, second * 10, stall), file(4, 0, 0)] })),
  );
  expect(words[1]?.logWrites).toEqual([
    { database: "Sales", writes: 10, bytes: 40_960, msPerWrite: 1, word: "good" },
  ]);
  // Seconds 0 to 5: (340 - 0) ms / 50 writes.
  expect(words[5]?.logWrites[0]).toMatchObject({ msPerWrite: 6.8, word: "good" });
  // Seconds 4 to 9: (1540 - 40) ms / 50 writes.
  expect(words[9]?.logWrites[0]).toMatchObject({ writes: 10, msPerWrite: 30, word: "busy" });
});

test("log files of the same number are another database's; one that is new counts from then on", () => {
  const deltas = new PollDeltas();
  const orders = (writes: number, stall: number) => ({
    ...file(2, writes, stall),
    database_id: 7,
    database_name: "Orders",
  });
  deltas.next(sets(1000, { files: [file(2, 10, 10)] }));
  deltas.next(sets(2000, { files: [file(2, 20, 20), orders(1000, 5000)] }));
  const reading = deltas.next(sets(3000, { files: [file(2, 30, 30), orders(1004, 5020)] }));
  expect(reading?.logWrites).toEqual([
    { database: "Sales", writes: 10, bytes: 40_960, msPerWrite: 1, word: "good" },
    // The average is over what all samples of the last seconds have.
    { database: "Orders", writes: 4, bytes: 16_384, msPerWrite: null, word: null },
  ]);
});

test("several log files of a database are one; a database without a name has its number", () => {
  const deltas = new PollDeltas();
  const nameless = (id: number, writes: number) => ({ ...file(id, writes, 2 * writes), database_name: null });
  deltas.next(sets(1000, { files: [nameless(2, 10), nameless(4, 100)] }));
  expect(deltas.next(sets(2000, { files: [nameless(2, 15), nameless(4, 103)] }))?.logWrites).toMatchObject([
    { database: "6", writes: 8, bytes: 8 * 4096, msPerWrite: 2 },
  ]);
});

test("a log file whose writes ran backwards, and a clock that stood still, leave out an interval", () => {
  const deltas = new PollDeltas();
  deltas.next(sets(1000, { files: [file(2, 10, 10)] }));
  expect(deltas.next(sets(2000, { files: [file(2, 9, 10)] }))).toBeNull();
  expect(deltas.next(sets(2000, { files: [file(2, 10, 11)] }))).toBeNull();
  expect(deltas.next(sets(2001, { files: [file(2, 11, 12)] }))?.seconds).toBe(0.001);
});

test("waits that did not grow are left out, also when all stood still", () => {
  const deltas = new PollDeltas();
  deltas.next(sets(1000, { waits: [wait("WRITELOG", 5, 0, 1), wait("LOGBUFFER", 5, 0, 1)] }));
  // A wait that took less than a millisecond still counts.
  expect(
    deltas.next(sets(2000, { waits: [wait("WRITELOG", 5, 0, 2), wait("LOGBUFFER", 5, 0, 1)] }))?.waits,
  ).toEqual([{ type: "WRITELOG", waitMs: 0, signalMs: 0, resourceMs: 0, count: 1, percent: 0 }]);
});

test("schedulers that were not asked are none", () => {
  const deltas = new PollDeltas();
  deltas.next(sets(1000));
  expect(deltas.next({ ...sets(2000), schedulers: [] })?.schedulers).toBeNull();
  expect(deltas.next({ ...sets(3000), schedulers: [{}] })?.schedulers).toEqual({
    count: 0,
    runnable: 0,
    runnableMax: 0,
  });
});

test("an idle log file has no time per write", () => {
  const deltas = new PollDeltas();
  deltas.next(sets(1000, { files: [file(2, 5, 5)] }));
  expect(deltas.next(sets(2000, { files: [file(2, 5, 5)] }))?.logWrites[0]).toMatchObject({
    writes: 0,
    msPerWrite: null,
    word: null,
  });
});

test("one interval is left out after a restart and after cleared counters", () => {
  const deltas = new PollDeltas();
  deltas.next(sets(1000, { waits: [wait("WRITELOG", 500, 0, 5)] }));
  expect(deltas.next(sets(2000, { waits: [wait("WRITELOG", 3, 0, 1)] }))).toBeNull();
  expect(deltas.next(sets(3000, { waits: [wait("WRITELOG", 4, 0, 2)] }))?.waits[0]?.waitMs).toBe(1);
  expect(
    deltas.next(sets(4000, { waits: [wait("WRITELOG", 5, 0, 3)], started: "2026-11-02T00:00:00" })),
  ).toBeNull();
});

test("a role that is being decided is none; dropped events and dropped buffers are counted apart", () => {
  expect(rolesIn(sets(1))).toEqual([{ replicaId: "r1", groupId: "g", role: null }]);
  expect(droppedIn(sets(1))).toEqual({ events: 7, buffers: 3 });
  expect(droppedIn({ ...sets(1), session: [] })).toBeNull();
});

test("what was dropped is counted in words", () => {
  const words = (events: number, buffers: number): string => amountDropped({ events, buffers });
  expect(words(1, 0)).toBe("1 event");
  expect(words(2, 0)).toBe("2 events");
  expect(words(0, 1)).toBe("1 buffer with all events in it");
  expect(words(0, 2)).toBe("2 buffers with all events in them");
  expect(words(321, 1)).toBe("321 events and 1 buffer with all events in it");
});
