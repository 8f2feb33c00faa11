import type { ReadSoFar } from "@aglens/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchReading } from "./reading-watch.ts";

const UPLOAD = {
  id: "u1",
  captureId: "c1",
  name: "a.xel",
  path: "a.xel",
  size: 100,
  received: 50,
  head: null,
  begun: "",
  lastReceived: "",
  expires: "",
  files: null,
};
const read: ReadSoFar = {
  bytes: 40,
  points: [
    { at: "2016-05-06T02:16:56.0000000Z", events: 40 },
    { at: "2016-05-06T02:16:58.0000000Z", events: 90 },
  ],
};

let answers: (object | null)[];
let asked: number;
let isHeld: boolean;
let heard: (ReadSoFar | null)[];
let stopping: AbortController;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  [answers, asked, isHeld, heard, stopping] = [[], 0, false, [], new AbortController()];
  vi.stubGlobal("fetch", async () => {
    asked++;
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer == null) throw new TypeError("broken");
    return Response.json({ ...UPLOAD, ...answer });
  });
});
afterEach(() => {
  stopping.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const watch = (): Promise<void> =>
  watchReading({
    path: "/captures/c1/uploads/u1",
    isHeld: () => isHeld,
    onRead: (told) => heard.push(told),
    signal: stopping.signal,
  });

test("it is asked soon until there is something to draw, and twice a second then, until all is sent", async () => {
  answers = [{ read: { bytes: 0, points: [] } }, { read }];
  const watching = watch();
  await vi.advanceTimersByTimeAsync(300);
  expect(heard).toEqual([{ bytes: 0, points: [] }, read]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toBe(4);
  stopping.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  await watching;
  expect(asked).toBe(4);
});

test("a server that does not read while it receives says so with its first bytes", async () => {
  answers = [{ received: 0 }, {}];
  void watch();
  await vi.advanceTimersByTimeAsync(150);
  expect(heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(150);
  expect(heard).toEqual([null]);
});

test("a question that fails is asked again, and none is asked while nothing is sent", async () => {
  answers = [null, { read }];
  void watch();
  await vi.advanceTimersByTimeAsync(300);
  expect(heard).toEqual([read]);
  isHeld = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toBe(2);
});

test("of a file that is whole nothing is said", async () => {
  answers = [{ files: [], received: 100 }];
  void watch();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toBeGreaterThan(0);
  expect(heard).toEqual([]);
});
