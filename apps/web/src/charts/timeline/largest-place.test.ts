import { expect, test } from "vitest";
import { NO_PAUSES, type ServerStates } from "@aglens/ag-model/columns";
import { blockWindow } from "../../../test/window.ts";
import { largestPlaces, PATH_COLORS } from "./largest-place.ts";

const path = (ends: readonly number[]) => ({
  sendStart: 0,
  sendEnd: ends[0],
  received: ends[1],
  secondaryFlushStart: ends[1],
  secondaryFlushEnd: ends[2],
  ackDeparted: ends[3],
  ackSent: ends[3],
  ackReceived: ends[4],
  ackProcessed: ends[5],
});
const placesWhile = (standing: ServerStates, ...paths: readonly (readonly number[])[]): string[] => {
  const window = blockWindow(paths.map((ends) => ({ hops: [path(ends)] })));
  return Array.from(largestPlaces(window, 0, standing), (color) => PATH_COLORS[color]);
};
const places = (...paths: readonly (readonly number[])[]): string[] => placesWhile(NO_PAUSES, ...paths);

test("both ways over the network count together against the secondary and the primary", () => {
  // Send 100, out 2,000, on the secondary 3,000, back 2,000, receive 100 µs.
  expect(places([100, 2_100, 5_000, 5_100, 7_100, 7_200])).toEqual(["--n-out"]);
  expect(places([100, 1_100, 4_100, 4_200, 5_200, 5_300])).toEqual(["--s-disk"]);
  expect(places([3_000, 3_100, 4_000, 4_100, 4_200, 4_300])).toEqual(["--p-work"]);
});

test("an acknowledgment that waits for others is time at no place", () => {
  // 20 ms out, 1 ms of log write, 100 ms until the acknowledgment departs, 20 ms back.
  expect(places([0, 20_000, 21_000, 121_000, 141_000, 141_000])).toEqual(["--n-out"]);
  expect(places([0, 300, 600, 1_600, 1_900, 1_900])).toEqual(["--s-disk"]);
});

test("a path that is not known has the secondary's color", () => {
  expect(places([Number.NaN, 1, 2, 3, 4, 5])).toEqual(["--s-disk"]);
});

test("what a server was unresponsive for is at no place either", () => {
  const phases = [{ databases: [0], primary: 0, from: 0, to: 10_000, commitModes: ["sync" as const] }];
  const slow = [100, 6_100, 7_000, 7_100, 7_200, 7_300];
  expect(placesWhile({ phases, pauses: [{ replica: 1, from: 500, to: 6_000 }] }, slow)).toEqual(["--wait"]);
  // 3,000 of 7,300 µs are not most of it.
  expect(placesWhile({ phases, pauses: [{ replica: 1, from: 500, to: 3_500 }] }, slow)).toEqual(["--n-out"]);
});
