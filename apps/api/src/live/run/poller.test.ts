import { TestClock } from "@aglens/fixtures/clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Connection, Row } from "../server/connection.ts";
import { LiveFailure } from "../server/failure.ts";
import { Poller } from "./poller.ts";
import type { PollerOptions } from "./poller.ts";
import type { PollReading } from "./polls.ts";
import type { ServerTime } from "./server-clock.ts";

type Answer = Row[][] | Error;

/** Sets by the view that only their statement reads. */
const SETS: Readonly<Record<string, string>> = {
  clock: "dm_os_sys_info",
  session: "dm_xe_sessions",
  names: "sys.master_files",
  databases: "last_commit_time",
  waits: "dm_os_wait_stats",
  logFiles: "dm_io_virtual_file_stats",
  schedulers: "dm_os_schedulers",
  waiting: "dm_exec_requests",
  counters: "dm_os_performance_counters",
  replicas: "dm_hadr_availability_replica_states",
};
const setOf = (sql: string): string =>
  Object.entries(SETS).find(([, view]) => sql.includes(view))?.[0] ?? sql;

/** A server that answers at once, or never, or after some time of its clock; by set. */
class StubServer {
  readonly asked: { readonly set: string; readonly sql: string; readonly ms: number | undefined }[] = [];
  readonly answers = new Map<string, Answer>();
  readonly slow = new Map<string, number>();
  readonly silent = new Set<string>();
  cancelled = 0;
  readonly #clock: TestClock;
  #cancel: (() => void) | null = null;
  end: () => void = () => {};

  constructor(clock: TestClock) {
    this.#clock = clock;
  }

  get connection(): Connection {
    return {
      where: "sql1:1433",
      query: (sql, _parameters, patienceMs) => this.#answer(sql, patienceMs),
      onEnd: (listener) => (this.end = listener),
      driver: { cancel: () => this.#cancelled() } as Connection["driver"],
      execute: () => Promise.reject(new Error("A poll executes nothing.")),
      close: () => {},
    };
  }

  #cancelled(): boolean {
    this.cancelled += 1;
    this.#cancel?.();
    return true;
  }

  asksFor(set: string): number {
    return this.asked.filter((each) => each.set === set).length;
  }

  async #answer(sql: string, ms: number | undefined): Promise<Row[][]> {
    const set = setOf(sql);
    this.asked.push({ set, sql, ms });
    const wait = this.silent.has(set) ? Number.POSITIVE_INFINITY : (this.slow.get(set) ?? 0);
    if (wait > 0) {
      await new Promise<void>((resolve, reject) => {
        this.#cancel = () => reject(new LiveFailure("live-statement-failed", "Cancelled."));
        if (wait < Number.POSITIVE_INFINITY) this.#clock.after(wait, resolve);
      });
    }
    const answer = this.answers.get(set) ?? [[]];
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

let clock: TestClock;
let server: StubServer;
let poller: Poller;
let readings: PollReading[];
let readAt: number[];
let times: ServerTime[];
let dropped: unknown[];
let roles: unknown[];
/** Times of the roles: last seen as before, and now. */
let rolesSeen: [number, number][];
let running: boolean[];
let databasesChanged: number;

beforeEach(() => {
  clock = new TestClock();
  server = new StubServer(clock);
  [readings, readAt, times, dropped, roles, rolesSeen, running] = [[], [], [], [], [], [], []];
  databasesChanged = 0;
  ticks(10);
  server.answers.set("session", [[{ dropped_event_count: 0, dropped_buffer_count: 0 }]]);
  server.answers.set("names", [[{ group_database_id: "D1", database_id: 6, database_name: "Sales" }], []]);
  server.answers.set("databases", [[database()]]);
  roleIs("PRIMARY");
  poller = new Poller(optionsOf(server), {
    onReading: (reading, atMs) => {
      readings.push(reading);
      readAt.push(atMs);
    },
    onServerTime: (time) => times.push(time),
    onDropped: (more) => dropped.push(more),
    onRoles: (local, sinceMs, atMs) => {
      roles.push(local[0]?.role);
      rolesSeen.push([sinceMs, atMs]);
    },
    onDatabases: () => (databasesChanged += 1),
    onSession: (isRunning) => running.push(isRunning),
  });
});
afterEach(async () => {
  await poller.stop();
});

const optionsOf = ({ connection }: StubServer): PollerOptions => ({
  connection,
  major: 16,
  session: "aglens_x",
  replicaId: () => "r1",
  clock,
  answerMs: 5_000,
  readHealth: () => Promise.resolve(),
});

const database = (more: object = {}): Row => ({
  replica_id: "R1",
  group_database_id: "D1",
  database_id: 6,
  is_local: true,
  is_primary_replica: true,
  synchronization_state_desc: "SYNCHRONIZED",
  ...more,
});

function roleIs(role: string): void {
  server.answers.set("replicas", [[{ replica_id: "R1", group_id: "G", is_local: true, role_desc: role }]]);
}

/** The server's clock shows this second. */
function ticks(second: number): void {
  server.answers.set("clock", [
    [
      {
        ms_ticks: String(second * 1000),
        started_at: "2026-11-01T00:00:00",
        utc_now: new Date(Date.UTC(2026, 10, 22, 10, 0, second)),
      },
    ],
  ]);
}

/** A poll's statements follow each other: each answer is taken in a turn of its own. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise(setImmediate);
}

let second = 10;
beforeEach(() => (second = 10));

/** The next poll, a second later by both clocks. */
async function nextPoll(): Promise<void> {
  await settled();
  second += 1;
  ticks(second);
  clock.move(1_000);
  await settled();
}

test("asks each set in a statement of its own, which waits no longer than its limit", async () => {
  await nextPoll();
  const first = server.asked.slice(
    0,
    server.asked.findLastIndex(({ set }) => set === "clock"),
  );
  expect(first.map(({ set }) => set)).toEqual([
    "clock",
    "session",
    "databases",
    "names",
    "replicas",
    "waits",
    "logFiles",
    "schedulers",
    "waiting",
    "counters",
  ]);
  for (const { ms } of server.asked) expect(ms).toBe(5_000);
});

test("what calls the cluster and what lists files is asked once, while roles and states stay", async () => {
  for (let i = 0; i < 30; i++) await nextPoll();
  expect(server.asksFor("clock")).toBe(31);
  expect(server.asksFor("replicas")).toBe(1);
  expect(server.asksFor("names")).toBe(1);
  // The file by its numbers, and never all files of the instance.
  expect(server.asked.findLast(({ set }) => set === "logFiles")?.sql).toContain("VALUES (6, 2)");
  for (const { set, sql } of server.asked) {
    if (set !== "replicas")
      expect(sql).not.toMatch(/availability_replica_states|databases_cluster|NULL, NULL/u);
  }
});

test("a state that changes asks the cluster again, at most every 2 s", async () => {
  await nextPoll();
  await nextPoll();
  server.answers.set("databases", [[database({ synchronization_state_desc: "NOT SYNCHRONIZING" })]]);
  await nextPoll();
  expect(server.asksFor("replicas")).toBe(2);
  server.answers.set("databases", [[database()]]);
  await nextPoll();
  expect(server.asksFor("replicas")).toBe(2);
  await nextPoll();
  expect(server.asksFor("replicas")).toBe(3);
});

test("a role that is being decided is asked for until it is decided", async () => {
  roleIs("RESOLVING");
  server.answers.set("databases", [[database({ is_primary_replica: false })]]);
  await nextPoll();
  await nextPoll();
  await nextPoll();
  roleIs("SECONDARY");
  await nextPoll();
  await nextPoll();
  await nextPoll();
  await nextPoll();
  expect(roles.slice(0, 2)).toEqual(["primary", null]);
  expect(roles.at(-1)).toBe("secondary");
  // A change is between the last answer with the former states and now, or between two answers while it is decided.
  const [first, second, third] = rolesSeen.map(([sinceMs, atMs]) => atMs - sinceMs);
  expect([first, second, third]).toEqual([Number.NaN, 2_000, 2_000]);
  const asked = server.asksFor("replicas");
  await nextPoll();
  await nextPoll();
  expect(server.asksFor("replicas")).toBe(asked);
});

test("a database that comes to the group is asked for its name and files, and reported", async () => {
  await nextPoll();
  expect(databasesChanged).toBe(0);
  server.answers.set("databases", [[database(), database({ group_database_id: "D2", database_id: 7 })]]);
  await nextPoll();
  expect(server.asksFor("names")).toBe(2);
  expect(databasesChanged).toBe(1);
});

test("who waits is asked on the primary only, the performance counters every 5 s", async () => {
  for (let i = 0; i < 10; i++) await nextPoll();
  expect(server.asksFor("waiting")).toBe(11);
  expect(server.asksFor("counters")).toBe(3);
  roleIs("SECONDARY");
  server.answers.set("databases", [[database({ is_primary_replica: false })]]);
  await nextPoll();
  const asked = server.asksFor("waiting");
  await nextPoll();
  await nextPoll();
  expect(server.asksFor("waiting")).toBe(asked);
});

test("who waits is asked by the role in the run's group, whatever the server is in another one", async () => {
  const roles = (own: string, other: string): Row[][] => [
    [
      { replica_id: "X9", group_id: "G9", is_local: true, role_desc: other },
      { replica_id: "R1", group_id: "G", is_local: true, role_desc: own },
    ],
  ];
  const change = async (own: string, other: string, state: string): Promise<number> => {
    server.answers.set("replicas", roles(own, other));
    server.answers.set("databases", [[database({ synchronization_state_desc: state })]]);
    for (let i = 0; i < 3; i++) await nextPoll();
    const before = server.asksFor("waiting");
    await nextPoll();
    return server.asksFor("waiting") - before;
  };
  expect(await change("SECONDARY", "PRIMARY", "SYNCHRONIZING")).toBe(0);
  expect(await change("PRIMARY", "SECONDARY", "SYNCHRONIZED")).toBe(1);
});

test.each([
  [50, 11],
  [51, 3],
])("%i log files are asked in one statement, in 10 s %i times", async (count, times) => {
  await poller.stop();
  const names = Array.from({ length: count }, (_, i) => ({
    group_database_id: `D${i}`,
    database_id: 5 + i,
    database_name: `Db${i}`,
  }));
  server = new StubServer(clock);
  server.answers.set("session", [[{ dropped_event_count: 0, dropped_buffer_count: 0 }]]);
  server.answers.set("names", [names, []]);
  server.answers.set("databases", [[database()]]);
  roleIs("PRIMARY");
  ticks(10);
  second = 10;
  const writes: (number | undefined)[] = [];
  poller = new Poller(optionsOf(server), {
    onReading: ({ logWrites }) => writes.push(logWrites?.[0]?.writes),
    onServerTime: () => {},
    onDropped: () => {},
    onRoles: () => {},
    onDatabases: () => {},
    onSession: () => {},
  });
  await settled();
  for (let i = 0; i < 10; i++) {
    const files = names.map(({ database_id }) => ({
      database_id,
      file_id: 2,
      num_of_writes: String(1_000 + 10 * i),
      num_of_bytes_written: String(4_096 * i),
      io_stall_write_ms: String(20 * i),
    }));
    server.answers.set("logFiles", [files]);
    await nextPoll();
  }
  const asked = server.asked.filter(({ set }) => set === "logFiles");
  expect(asked).toHaveLength(times);
  for (const { sql } of asked) expect(sql.match(/SELECT/gu)).toHaveLength(1);
  expect(asked[0]?.sql).toContain(`(${5 + count - 1}, 2)) AS f`);
  // 10 writes a second: of one second, or of the five since they were asked last.
  expect(writes.findLast((each) => each !== undefined)).toBe(times === 3 ? 50 : 10);
});

test("the server's time comes with the instants of question and answer", async () => {
  server.slow.set("clock", 40);
  await nextPoll();
  const askedMs = times[0]?.askedMs ?? Number.NaN;
  clock.move(40);
  await settled();
  expect(times.at(-1)).toMatchObject({ serverMs: Date.UTC(2026, 10, 22, 10, 0, 11) });
  expect((times.at(-1)?.answeredMs ?? 0) - (times.at(-1)?.askedMs ?? 0)).toBe(40);
  expect(askedMs).toBe(clock.now() - 1_040);
});

test("a set that fails is a hole with its reason; the others are there", async () => {
  server.answers.set(
    "logFiles",
    new LiveFailure("live-statement-failed", "Lock request time out (error 1222)"),
  );
  await nextPoll();
  expect(readings.at(-1)).toMatchObject({
    logWrites: null,
    waits: [],
    databases: [{ database: "Sales" }],
    failures: [{ set: "logFiles", detail: "Lock request time out (error 1222)" }],
  });
});

test("a permission that was taken away leaves holes in all gauges, and ends nothing", async () => {
  await nextPoll();
  for (const set of Object.keys(SETS))
    server.answers.set(set, new LiveFailure("live-permission", "VIEW SERVER STATE was denied."));
  for (let i = 0; i < 10; i++) {
    clock.move(1_000);
    await settled();
  }
  expect(readings.at(-1)).toMatchObject({
    waits: null,
    failures: [{ set: "clock", detail: "VIEW SERVER STATE was denied." }],
  });
  expect(running).not.toContain(false);
});

test("a server that does not answer is asked for nothing else, and not overtaken", async () => {
  await nextPoll();
  server.silent.add("clock");
  const before = server.asked.length;
  clock.move(1_000);
  clock.move(3_500);
  await settled();
  expect(server.asked.length).toBe(before + 1);
});

test("a set that is slow rests three times as long, which is a hole with its reason", async () => {
  await nextPoll();
  server.slow.set("waits", 2_000);
  const begun = clock.now() + 1_000;
  second += 1;
  ticks(second);
  clock.move(1_000);
  await settled();
  clock.move(2_000);
  await settled();
  // The time of a poll is that of its clock, regardless of the duration of the rest.
  expect(readAt.at(-1)).toBe(begun);
  server.slow.delete("waits");
  const asked = server.asksFor("waits");
  for (let i = 0; i < 5; i++) await nextPoll();
  expect(server.asksFor("waits")).toBe(asked);
  expect(readings.at(-1)).toMatchObject({
    waits: null,
    databases: [{}],
    failures: [{ set: "waits", detail: "sql1:1433 took 2.0 s for it: it is asked less often." }],
  });
  await nextPoll();
  await nextPoll();
  expect(server.asksFor("waits")).toBeGreaterThan(asked);
});

test("a line of 800 ms makes no set a slow one", async () => {
  await nextPoll();
  for (const set of Object.keys(SETS)) server.slow.set(set, 800);
  for (let i = 0; i < 30; i++) {
    second += 1;
    ticks(second);
    clock.move(800);
    await settled();
  }
  expect(readings.every(({ failures }) => failures.length === 0)).toBe(true);
  expect(server.asksFor("waits")).toBeGreaterThan(3);
  server.slow.clear();
  clock.move(800);
  await settled();
});

test("what the session had lost before is not ours; what it loses from then on is", async () => {
  const counts = async (events: number, buffers: number): Promise<void> => {
    server.answers.set("session", [[{ dropped_event_count: events, dropped_buffer_count: buffers }]]);
    await nextPoll();
  };
  await poller.stop();
  dropped = [];
  server.answers.set("session", [[{ dropped_event_count: 7, dropped_buffer_count: 2 }]]);
  poller = new Poller(optionsOf(server), {
    onReading: () => {},
    onServerTime: () => {},
    onDropped: (more) => dropped.push(more),
    onRoles: () => {},
    onDatabases: () => {},
    onSession: () => {},
  });
  await counts(7, 2);
  expect(dropped).toEqual([]);
  await counts(17, 2);
  await counts(17, 3);
  // A session that was started again counts from 0.
  await counts(0, 0);
  await counts(1, 1);
  expect(dropped).toEqual([
    { events: 10, buffers: 0 },
    { events: 0, buffers: 1 },
    { events: 1, buffers: 1 },
  ]);
});

test("a session that is not found once or twice may be starting; the third time it was ended", async () => {
  const isThere = server.answers.get("session") as Row[][];
  const found = async (is: boolean): Promise<void> => {
    server.answers.set("session", is ? isThere : [[]]);
    await nextPoll();
  };
  for (const is of [false, false, true, false, false]) await found(is);
  expect(running).not.toContain(false);
  await found(false);
  await found(false);
  expect(running.filter((is) => !is)).toHaveLength(1);
  await found(true);
  expect(running.at(-1)).toBe(true);
});

test("nothing is asked or reported after its end, and what is being asked is cancelled", async () => {
  await nextPoll();
  server.silent.add("clock");
  clock.move(1_000);
  await settled();
  const [asked, read] = [server.asked.length, readings.length];
  await poller.stop();
  expect(server.cancelled).toBe(1);
  clock.move(5_000);
  await settled();
  expect(server.asked).toHaveLength(asked);
  expect(clock.waiting).toBe(0);
  expect(readings).toHaveLength(read);
});

test("a connection that ends, ends the polls", async () => {
  await nextPoll();
  const asked = server.asked.length;
  server.end();
  clock.move(5_000);
  await settled();
  expect(server.asked).toHaveLength(asked);
  expect(clock.waiting).toBe(0);
});

/** A poller as a watch has it. */
async function watchPoller(): Promise<void> {
  await poller.stop();
  server.asked.length = 0;
  poller = new Poller(
    {
      ...optionsOf(server),
      everyMs: 5_000,
      sets: ["clock", "databases", "waits", "counters"],
      isOneBatch: true,
    },
    {
      onReading: (reading) => readings.push(reading),
      onServerTime: () => {},
      onDropped: () => {},
      onRoles: () => {},
      onDatabases: () => {},
      onSession: () => {},
    },
  );
}

test("of a watch is at its interval, and asks for its sets in one batch", async () => {
  const wait = { wait_type: "WRITELOG", waiting_tasks_count: 0, wait_time_ms: 0, signal_wait_time_ms: 0 };
  const [clockRows = []] = server.answers.get("clock") as Row[][];
  server.answers.set("clock", [clockRows, [database()], [wait], []]);
  await watchPoller();
  await clock.pass(500, 100);
  server.answers.set("clock", [
    clockRows.map((row) => ({ ...row, ms_ticks: Number(row["ms_ticks"]) + 5_000 })),
    [database()],
    [{ ...wait, waiting_tasks_count: 4, wait_time_ms: 80 }],
    [],
  ]);
  await clock.pass(5_000, 500);
  // Names and roles once, because they were unknown.
  expect(server.asked.map(({ set }) => set)).toEqual(["clock", "names", "replicas", "clock"]);
  expect(readings.at(-1)).toMatchObject({
    seconds: 5,
    waits: [{ type: "WRITELOG", count: 4, waitMs: 80 }],
    databases: [{ database: "Sales", synchronization: "SYNCHRONIZED" }],
    failures: [],
  });
});

test("of a watch asks for each set alone after its batch failed", async () => {
  server.answers.set("counters", new LiveFailure("live-permission", "No."));
  await watchPoller();
  for (const second of [15, 20]) {
    await clock.pass(5_000, 500);
    ticks(second);
  }
  await clock.pass(500, 500);
  // The stub answers a batch by its first set only.
  expect(server.asksFor("clock")).toBe(4);
  expect(["waits", "counters"].map((set) => server.asksFor(set))).toEqual([3, 3]);
  expect(readings.at(-1)?.failures).toEqual([{ set: "counters", detail: "No." }]);
});

test("of a watch reports a batch without an answer as a missed poll", async () => {
  await watchPoller();
  server.answers.set("clock", new LiveFailure("live-connection-lost", "The connection was lost."));
  await clock.pass(5_500, 500);
  expect(readings.at(-1)).toMatchObject({ seconds: 0, databases: null });
});
