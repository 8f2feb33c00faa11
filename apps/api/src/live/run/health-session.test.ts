import { TestClock } from "@aglens/fixtures/clock";
import { beforeEach, expect, test } from "vitest";
import type { Connection, Row } from "../server/connection.ts";
import { LiveFailure } from "../server/failure.ts";
import { HEALTH_FILE } from "../server/poll-sql.ts";
import { HealthSession } from "./health-session.ts";
import type { ReplicaIdentity } from "./replica-identity.ts";

const FILE = String.raw`C:\Log\AlwaysOn_health_0_133456789012345678.xel`;
/** As a statement that was given up has it, and a lost connection. */
const TIME_LIMIT = new LiveFailure("live-connection-lost", "The connection to sql1:1433 was lost.");
const INVALID = new LiveFailure("live-statement-failed", "The offset is invalid. (error 25718)");

let clock: TestClock;
let session: HealthSession;
/** Places from which events were read, and times since which. */
let places: (string | undefined)[];
let since: string[];
let answer: LiveFailure | Row[];
beforeEach(() => {
  clock = new TestClock(Date.UTC(2026, 10, 21, 2, 44));
  places = [];
  since = [];
  answer = [{ file_name: FILE, file_offset: "512", event_data: null }];
  const identity = { name: "SQL1", who: {} } as unknown as ReplicaIdentity;
  session = new HealthSession({ identity, clock, answerMs: 5_000 });
  session.switchTo(true);
});

const line = {
  query: (sql: string, parameters: Readonly<Record<string, string>>): Promise<Row[][]> => {
    if (sql === HEALTH_FILE) return Promise.resolve([[{ target_data: `<File name="${FILE}"/>` }]]);
    places.push(parameters["offset"]);
    since.push(parameters["since"]!);
    return answer instanceof LiveFailure ? Promise.reject(answer) : Promise.resolve([answer]);
  },
} as unknown as Connection;

/** Offers a reading each second. @returns the seconds, from the beginning, at which one was done */
async function readFor(seconds: number): Promise<number[]> {
  const at: number[] = [];
  for (let second = 0; second < seconds; second++) {
    const before = places.length;
    await session.readIfDue(line, 0);
    if (places.length > before) at.push(second);
    clock.move(1_000);
  }
  return at;
}

test("events are read every 10 s, after the last place", async () => {
  expect(await readFor(25)).toEqual([0, 10, 20]);
  expect(places).toEqual(["", "512", "512"]);
});

test("after a time limit the place stays, and each interval is twice the one before, up to 160 s", async () => {
  await readFor(10);
  answer = TIME_LIMIT;
  // 20, 40, 80, 160 and 160 s after the first one.
  expect(await readFor(470)).toEqual([0, 20, 60, 140, 300, 460]);
  expect(new Set(places.slice(1))).toEqual(new Set(["512"]));
  expect(session.state.state).toBe("failed");
  answer = [];
  await readFor(160);
  expect(session.state.state).toBe("reading");
  // Those up to a minute before the last reading that succeeded, at 02:44:00: none is missing.
  expect(since.at(-1)).toBe("2026-11-21T02:43:00.000");
  expect(await readFor(25)).toHaveLength(3);
});

test("after another failure the file is read from its beginning, at the usual interval", async () => {
  await readFor(10);
  answer = INVALID;
  expect(await readFor(21)).toEqual([0, 10, 20]);
  expect(places).toEqual(["", "512", "", ""]);
});

test("a user who switches it off and on has it read at once", async () => {
  answer = TIME_LIMIT;
  await readFor(5);
  session.switchTo(false);
  session.switchTo(true);
  expect(await readFor(1)).toEqual([0]);
});
