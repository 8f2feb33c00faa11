import { TestClock } from "@aglens/fixtures/clock";
import { beforeEach, expect, test } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import type { Connection, Row } from "../server/connection.ts";
import { LiveFailure } from "../server/failure.ts";
import { Poller } from "./poller.ts";
import type { PollReading } from "./polls.ts";

type Answer = Row[][] | Error;

/** A server whose answers the test gives, each asked for with its parameters. */
class StubServer {
  readonly asked: {
    readonly sql: string;
    readonly session: string | undefined;
    readonly ms: number | undefined;
  }[] = [];
  readonly #waiting: PromiseWithResolvers<Row[][]>[] = [];

  get connection(): Connection {
    return {
      where: "sql1:1433",
      query: (sql, parameters, patienceMs) => {
        this.asked.push({ sql, session: parameters?.["session"], ms: patienceMs });
        const asked = Promise.withResolvers<Row[][]>();
        this.#waiting.push(asked);
        return asked.promise;
      },
    } as Connection;
  }

  async answer(answer: Answer): Promise<void> {
    const asked = this.#waiting.shift();
    if (answer instanceof Error) asked?.reject(answer);
    else asked?.resolve(answer);
    await new Promise(setImmediate);
  }
}

let clock: TestClock;
let server: StubServer;
let poller: Poller;
let readings: PollReading[];
let dropped: unknown[];
let failures: LiveFailure[];

beforeEach(() => {
  clock = new TestClock();
  server = new StubServer();
  readings = [];
  dropped = [];
  failures = [];
  poller = new Poller(server.connection, 16, "aglens_x", clock, 5_000, {
    onReading: (reading) => readings.push(reading),
    onDropped: (more) => dropped.push(more),
    onRoles: () => {},
    onSilent: (failure) => failures.push(failure),
  });
});

/** An answer at a second of the server's clock; `session` null when the session does not run. */
function answerAt(second: number, session: { events?: number; buffers?: number } | null = {}): Row[][] {
  const clockRow = { ms_ticks: String(second * 1000), started_at: "2026-11-01T00:00:00" };
  const counts = { dropped_event_count: session?.events ?? 0, dropped_buffer_count: session?.buffers ?? 0 };
  return [[clockRow], [], [], [], [], [], session === null ? [] : [counts]];
}

/** Answers the poll that is open, and lets the next one be asked. */
async function answerAndMove(answer: Answer): Promise<void> {
  await server.answer(answer);
  clock.move(1_000);
}

test("asks at once, then every second, by the name of its session and with its limit", async () => {
  expect(server.asked).toMatchObject([{ session: "aglens_x", ms: 5_000 }]);
  await answerAndMove(answerAt(10));
  expect(server.asked).toHaveLength(2);
  await server.answer(answerAt(11));
  expect(readings).toMatchObject([{ seconds: 1 }]);
});

test("a poll is not overtaken by the next one", async () => {
  clock.move(3_500);
  expect(server.asked).toHaveLength(1);
  await server.answer(answerAt(10));
  clock.move(500);
  expect(server.asked).toHaveLength(2);
});

test("what the session had lost before is not ours; what it loses from then on is", async () => {
  await answerAndMove(answerAt(10, { events: 7, buffers: 2 }));
  await answerAndMove(answerAt(11, { events: 7, buffers: 2 }));
  expect(dropped).toEqual([]);
  await answerAndMove(answerAt(12, { events: 17, buffers: 2 }));
  await answerAndMove(answerAt(13, { events: 17, buffers: 3 }));
  // A session that was started anew counts from 0.
  await answerAndMove(answerAt(14, { events: 0, buffers: 0 }));
  await answerAndMove(answerAt(15, { events: 1, buffers: 1 }));
  expect(dropped).toEqual([
    { events: 10, buffers: 0 },
    { events: 0, buffers: 1 },
    { events: 1, buffers: 1 },
  ]);
});

test("a session that is not found once or twice may be starting; the third time it was stopped", async () => {
  await answerAndMove(answerAt(10));
  await answerAndMove(answerAt(11, null));
  await answerAndMove(answerAt(12, null));
  await answerAndMove(answerAt(13));
  await answerAndMove(answerAt(14, null));
  await answerAndMove(answerAt(15, null));
  expect(failures).toEqual([]);
  await answerAndMove(answerAt(16, null));
  await answerAndMove(answerAt(17, null));
  expect(failures.map(({ code }) => code)).toEqual(["live-session-stopped"]);
});

test("three polls without an answer are a lost connection, fewer are not", async () => {
  const late = new LiveFailure("live-unreachable", "late");
  await answerAndMove(late);
  await answerAndMove(late);
  await answerAndMove(answerAt(10));
  await answerAndMove(late);
  await answerAndMove(late);
  expect(failures).toEqual([]);
  await answerAndMove(late);
  expect(failures).toMatchObject([
    { code: "live-connection-lost", message: "sql1:1433 did not answer for several seconds." },
  ]);
});

test("a permission that was taken away is named", async () => {
  const denied = new LiveFailure("live-permission", "VIEW SERVER STATE was denied.");
  for (let i = 0; i < 3; i++) await answerAndMove(denied);
  expect(failures).toEqual([denied]);
});

test("nothing is asked or reported after its end", async () => {
  poller.stop();
  await server.answer(answerAt(10));
  clock.move(5_000);
  expect(server.asked).toHaveLength(1);
  expect(clock.waiting).toBe(0);
  expect(readings).toEqual([]);
});

test("an answer without a clock is left out", async () => {
  await answerAndMove(answerAt(10));
  await answerAndMove([[], [], [], [], [], [], []]);
  await answerAndMove(answerAt(12));
  expect(elementAt(readings, 0).seconds).toBe(2);
});
