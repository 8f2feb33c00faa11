import { expect, test } from "vitest";
import { amountDropped, droppedIn, PollDeltas } from "./polls.ts";
import type { PollAnswers, PollKnowledge } from "./polls.ts";

type Rows = Record<string, unknown>[];

const KNOWN: PollKnowledge = {
  databaseNames: new Map([["d1", "Sales"]]),
  localNames: new Map([
    [6, "Sales"],
    [7, "Orders"],
  ]),
  connections: [{ replicaId: "r2", connected: true, lastError: null }],
};

/** Answers of a poll; bigint columns arrive as text. */
function answers(at: number, given: { waits?: Rows; files?: Rows; started?: string } = {}): PollAnswers {
  const { waits = [], files = [], started = "2026-11-01T00:00:00" } = given;
  return {
    clock: [{ ms_ticks: String(at), started_at: started }],
    waits,
    logFiles: files,
    databases: [],
    schedulers: [{ schedulers: 8, runnable: 3, runnable_max: 2 }],
    waiting: [
      { session_id: 55, database_id: 6, database_name: "Sales", wait_type: "HADR_SYNC_COMMIT", wait_time: 3 },
      { session_id: 56, database_id: 9, database_name: null, wait_type: "WRITELOG", wait_time: null },
    ],
  };
}

/** Differences, with knowledge from outside the polls. */
class Deltas {
  readonly #deltas = new PollDeltas();
  next(given: PollAnswers, known: PollKnowledge = KNOWN) {
    return this.#deltas.next(given, known);
  }
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
  num_of_writes: String(writes),
  num_of_bytes_written: String(writes * 4096),
  io_stall_write_ms: String(stall),
});

test("the first poll gives nothing, the second the difference", () => {
  const deltas = new Deltas();
  expect(deltas.next(answers(10_000, { waits: [wait("WRITELOG", 500, 50, 100)] }))).toBeNull();
  const reading = deltas.next(
    answers(12_000, {
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
    databases: [],
    schedulers: { count: 8, runnable: 3, runnableMax: 2 },
    waiting: [
      { session: 55, database: "Sales", wait: "HADR_SYNC_COMMIT", waitMs: 3 },
      { session: 56, database: "database 9", wait: "WRITELOG", waitMs: 0 },
    ],
    counters: null,
    connections: KNOWN.connections,
    failures: [],
  });
});

test("milliseconds per write are of five seconds and of all log files of the database", () => {
  const deltas = new Deltas();
  // 10 writes a second that take 1 ms each, and then 30 ms each; a second log file is never written.
  const stalls = [0, 10, 20, 30, 40, 340, 640, 940, 1240, 1540];
  const words = stalls.map((stall, second) =>
    deltas.next(answers(second * 1000 + 1, { files: [file(2, second * 10, stall), file(4, 0, 0)] })),
  );
  expect(words[1]?.logWrites).toEqual([
    { database: "Sales", writes: 10, bytes: 40_960, msPerWrite: 1, word: "good" },
  ]);
  // Seconds 0 to 5: (340 - 0) ms / 50 writes.
  expect(words[5]?.logWrites?.[0]).toMatchObject({ msPerWrite: 6.8, word: "good" });
  // Seconds 4 to 9: (1540 - 40) ms / 50 writes.
  expect(words[9]?.logWrites?.[0]).toMatchObject({ writes: 10, msPerWrite: 30, word: "busy" });
});

test("milliseconds per write are from the oldest poll on that has the log files", () => {
  const deltas = new Deltas();
  const withoutFiles = (second: number): PollAnswers => {
    const { clock = [] } = answers(second * 1000);
    return { clock };
  };
  // The first two polls have no log files: then 10 writes of 2 ms each, and 10 of 8 ms each.
  expect(deltas.next(withoutFiles(1))).toBeNull();
  expect(deltas.next(withoutFiles(2))?.logWrites).toBeNull();
  expect(deltas.next(answers(3000, { files: [file(2, 100, 100)] }))?.logWrites).toBeNull();
  expect(deltas.next(answers(4000, { files: [file(2, 110, 120)] }))?.logWrites).toMatchObject([
    { writes: 10, msPerWrite: 2 },
  ]);
  expect(deltas.next(answers(5000, { files: [file(2, 120, 200)] }))?.logWrites).toMatchObject([
    { writes: 10, msPerWrite: 5 },
  ]);
});

test("log files of the same number are another database's; one that is new counts from then on", () => {
  const deltas = new Deltas();
  const orders = (writes: number, stall: number) => ({
    ...file(2, writes, stall),
    database_id: 7,
  });
  deltas.next(answers(1000, { files: [file(2, 10, 10)] }));
  deltas.next(answers(2000, { files: [file(2, 20, 20), orders(1000, 5000)] }));
  const reading = deltas.next(answers(3000, { files: [file(2, 30, 30), orders(1004, 5020)] }));
  expect(reading?.logWrites).toEqual([
    { database: "Sales", writes: 10, bytes: 40_960, msPerWrite: 1, word: "good" },
    // The average is over the files that all samples of the last seconds have.
    { database: "Orders", writes: 4, bytes: 16_384, msPerWrite: null, word: null },
  ]);
});

test("several log files of a database are one; a database without a name has its number", () => {
  const deltas = new Deltas();
  const nameless = (id: number, writes: number) => ({ ...file(id, writes, 2 * writes), database_id: 9 });
  deltas.next(answers(1000, { files: [nameless(2, 10), nameless(4, 100)] }));
  expect(deltas.next(answers(2000, { files: [nameless(2, 15), nameless(4, 103)] }))?.logWrites).toMatchObject(
    [{ database: "9", writes: 8, bytes: 8 * 4096, msPerWrite: 2 }],
  );
});

test("a log file whose writes ran backwards, and a clock that stood still, leave out an interval", () => {
  const deltas = new Deltas();
  deltas.next(answers(1000, { files: [file(2, 10, 10)] }));
  expect(deltas.next(answers(2000, { files: [file(2, 9, 10)] }))).toBeNull();
  expect(deltas.next(answers(2000, { files: [file(2, 10, 11)] }))).toBeNull();
  expect(deltas.next(answers(2001, { files: [file(2, 11, 12)] }))?.seconds).toBe(0.001);
});

test("waits that did not grow are left out, also when all stood still", () => {
  const deltas = new Deltas();
  deltas.next(answers(1000, { waits: [wait("WRITELOG", 5, 0, 1), wait("LOGBUFFER", 5, 0, 1)] }));
  // A wait that took less than a millisecond still counts.
  expect(
    deltas.next(answers(2000, { waits: [wait("WRITELOG", 5, 0, 2), wait("LOGBUFFER", 5, 0, 1)] }))?.waits,
  ).toEqual([{ type: "WRITELOG", waitMs: 0, signalMs: 0, resourceMs: 0, count: 1, percent: 0 }]);
});

test("schedulers that were not asked are none", () => {
  const deltas = new Deltas();
  deltas.next(answers(1000));
  expect(deltas.next({ ...answers(2000), schedulers: [] })?.schedulers).toBeNull();
  expect(deltas.next({ ...answers(3000), schedulers: [{}] })?.schedulers).toEqual({
    count: 0,
    runnable: 0,
    runnableMax: 0,
  });
});

test("an idle log file has no time per write", () => {
  const deltas = new Deltas();
  deltas.next(answers(1000, { files: [file(2, 5, 5)] }));
  expect(deltas.next(answers(2000, { files: [file(2, 5, 5)] }))?.logWrites?.[0]).toMatchObject({
    writes: 0,
    msPerWrite: null,
    word: null,
  });
});

test("one interval is left out after a restart and after cleared counters", () => {
  const deltas = new Deltas();
  deltas.next(answers(1000, { waits: [wait("WRITELOG", 500, 0, 5)] }));
  expect(deltas.next(answers(2000, { waits: [wait("WRITELOG", 3, 0, 1)] }))).toBeNull();
  expect(deltas.next(answers(3000, { waits: [wait("WRITELOG", 4, 0, 2)] }))?.waits?.[0]?.waitMs).toBe(1);
  expect(
    deltas.next(answers(4000, { waits: [wait("WRITELOG", 5, 0, 3)], started: "2026-11-02T00:00:00" })),
  ).toBeNull();
});

test("dropped events and dropped buffers are counted apart", () => {
  expect(droppedIn([{ dropped_event_count: "7", dropped_buffer_count: 3 }])).toEqual({
    events: 7,
    buffers: 3,
  });
  expect(droppedIn([])).toBeNull();
  expect(droppedIn([{ dropped_event_count: null }])).toEqual({ events: 0, buffers: 0 });
});

test("a set that was not answered is a hole until two polls in a row have it", () => {
  const deltas = new Deltas();
  const at = (second: number, ms: number) => answers(second * 1000, { waits: [wait("WRITELOG", ms, 0, 1)] });
  const { waits: _waits, ...withoutWaits } = at(3, 0);
  deltas.next(at(1, 100));
  expect(deltas.next(at(2, 110))?.waits).toMatchObject([{ waitMs: 10 }]);
  expect(deltas.next(withoutWaits)).toMatchObject({ seconds: 1, waits: null, logWrites: [] });
  // Waits in the second without an answer belong to no second.
  expect(deltas.next(at(4, 500))?.waits).toBeNull();
  expect(deltas.next(at(5, 520))?.waits).toMatchObject([{ waitMs: 20 }]);
});

test("a poll without a clock is a hole in everything, and says why", () => {
  const deltas = new PollDeltas();
  const failures = [{ set: "clock", detail: "sql1 did not answer within 5 s." }];
  deltas.next(answers(1000), KNOWN);
  expect(deltas.next({}, KNOWN, failures)).toEqual({
    seconds: 0,
    waits: null,
    logWrites: null,
    databases: null,
    schedulers: null,
    waiting: null,
    counters: null,
    connections: KNOWN.connections,
    failures,
  });
  // The next one has nothing to be compared with.
  expect(deltas.next(answers(3000), KNOWN)).toBeNull();
  expect(deltas.next(answers(4000), KNOWN)?.seconds).toBe(1);
});

test("counters are of the time since they were asked last", () => {
  const deltas = new Deltas();
  const counters = (value: number) => [
    { counter_name: "Log Bytes Received/sec", instance_name: "Sales", cntr_value: String(value) },
  ];
  deltas.next({ ...answers(1000), counters: counters(1_000) });
  expect(deltas.next(answers(2000))?.counters).toBeNull();
  expect(deltas.next({ ...answers(6000), counters: counters(11_000) })?.counters).toMatchObject({
    seconds: 5,
    databases: [{ database: "Sales", receivedBytesPerSecond: 2_000 }],
  });
});

test("what was dropped is counted in words", () => {
  const words = (events: number, buffers: number): string => amountDropped({ events, buffers });
  expect(words(1, 0)).toBe("1 event");
  expect(words(2, 0)).toBe("2 events");
  expect(words(0, 1)).toBe("1 buffer with all events in it");
  expect(words(0, 2)).toBe("2 buffers with all events in them");
  expect(words(321, 1)).toBe("321 events and 1 buffer with all events in it");
});
