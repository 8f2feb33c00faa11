import { expect, test } from "vitest";
import { Counters } from "./counters.ts";

const read = (events: number, undecoded: string | null = null) =>
  ({ kind: "events", events, undecoded }) as unknown as Parameters<Counters["read"]>[0];

test("everything begins at nothing", () => {
  expect(new Counters().figures()).toEqual({
    events: 0,
    eventsPerSecond: 0,
    bytes: 0,
    droppedByServer: 0,
    buffersDroppedByServer: 0,
    droppedByUs: 0,
    undecoded: 0,
  });
});

test("bytes, losses and buffers that did not decode add up, bytes by the role of their time too", () => {
  const counters = new Counters();
  counters.took(100, "primary");
  counters.took(50, "secondary");
  counters.took(7, "primary");
  counters.lostByServer({ events: 3, buffers: 1 });
  counters.lostByServer({ events: 4, buffers: 0 });
  counters.lostByUs();
  counters.read(read(10));
  counters.read(read(0, "the version is 99"));
  expect(counters.figures()).toMatchObject({
    events: 10,
    bytes: 157,
    droppedByServer: 7,
    buffersDroppedByServer: 1,
    droppedByUs: 1,
    undecoded: 1,
  });
  expect(counters.bytesByRole).toEqual({ primary: 107, secondary: 50, unknown: 0 });
});

test("the rate is of the last five seconds", () => {
  const counters = new Counters();
  const second = (events: number): number => {
    counters.read(read(events));
    counters.second();
    return counters.figures().eventsPerSecond;
  };
  expect([100, 300, 0, 0, 100].map(second)).toEqual([100, 200, 400 / 3, 100, 100]);
  // The first second's 100 are out of it now.
  expect(second(0)).toBe(80);
  expect(second(1000)).toBe(220);
});
