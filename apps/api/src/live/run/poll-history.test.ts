import { expect, test } from "vitest";
import { PollHistory } from "./poll-history.ts";
import type { PollReading } from "./polls.ts";

const READING: PollReading = {
  seconds: 1,
  waits: [],
  logWrites: [],
  databases: [],
  schedulers: null,
  waiting: [],
  counters: null,
  connections: [],
  failures: [],
};
const times = (polls: readonly { readonly wallMs: number }[]): number[] => polls.map(({ wallMs }) => wallMs);

test("what is new is given once; all is kept for whoever comes later", () => {
  const history = new PollHistory(2);
  history.add(0, READING, 10);
  history.add(1, READING, 20);
  expect(times(history.takeNew())).toEqual([10, 20]);
  expect(times(history.takeNew())).toEqual([]);
  history.add(0, READING, 30);
  expect(times(history.takeNew())).toEqual([30]);
  expect(history.all).toMatchObject([{ poll: { replica: 0 } }, { poll: { replica: 1 } }, { wallMs: 30 }]);
});

test("two minutes of each replica are kept", () => {
  const history = new PollHistory(2);
  for (let i = 0; i < 240; i++) history.add(i % 2, READING, i);
  expect(history.all).toHaveLength(240);
  for (let i = 240; i < 500; i++) history.add(i % 2, READING, i);
  expect(times(history.all)).toEqual(Array.from({ length: 240 }, (_, i) => i + 260));
  // `takeNew` was not called for longer than that.
  expect(times(history.takeNew())).toEqual(times(history.all));
});
