import type { Sequence } from "@aglens/contract";
import { expect, test } from "vitest";
import { headerWrite } from "./header-write.ts";

/** Log writes of block 00000023:00000010 of the capture of 2016, µs after its commit began. */
const block = (vlfStart: boolean, ...events: readonly (readonly [number, string, number])[]): Sequence =>
  ({
    vlfStart,
    events: events.map(([replica, name, fire]) => ({ replica, name, fire })),
  }) as unknown as Sequence;

const WRITES = [
  [0, "log_flush_start", 36],
  [0, "log_flush_complete", 6_254],
  [0, "log_flush_start", 6_288],
  [1, "log_flush_start", 7_490],
  [0, "log_flush_complete", 13_324],
  [1, "log_flush_complete", 15_179],
  [1, "log_flush_start", 15_204],
  [1, "log_flush_complete", 21_180],
] as const;

test("the first of two log writes is that of the VLF's header", () => {
  expect(headerWrite(block(true, ...WRITES), 0)).toEqual([36, 6_254]);
  expect(headerWrite(block(true, ...WRITES), 1)).toEqual([7_490, 15_179]);
});

test("without a VLF switch, or with events lost, there is none", () => {
  expect(headerWrite(block(false, ...WRITES), 0)).toBeNull();
  expect(headerWrite(block(true, ...WRITES.slice(1)), 0)).toBeNull();
  expect(headerWrite(block(true, ...WRITES), 2)).toBeNull();
});
