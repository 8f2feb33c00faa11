import { describe, expect, it } from "vitest";
import { ClockMemory } from "./clock-memory.ts";

const SECOND = 1_000_000;

/** Blocks by departure, µs of the primary; the way out takes `out` and the way back `back` on equal clocks. */
const boundsOf = (...blocks: readonly (readonly [departed: number, out: number, back: number])[]) => ({
  departed: Float64Array.from(blocks, ([at]) => at),
  received: Float64Array.from(blocks, ([at, out]) => at + out),
  ackDeparted: Float64Array.from(blocks, ([at, out]) => at + out + 10),
  ackReceived: Float64Array.from(blocks, ([at, out, back]) => at + out + 10 + back),
});

const remembered = (memory: ClockMemory, instant = Infinity): number[] => [
  ...memory.before(instant).departed,
];

describe("what is remembered of a clock", () => {
  it("is of each second the block with the fastest way out, and the one with the fastest way back", () => {
    const memory = new ClockMemory();
    memory.see(boundsOf([0, 50, 50], [100, 20, 60], [200, 60, 30], [300, 40, 40], [SECOND, 90, 90]));
    memory.settle(2 * SECOND);
    expect(remembered(memory)).toEqual([100, 200, SECOND]);
    const { received, ackDeparted, ackReceived } = memory.before(150);
    expect([...received, ...ackDeparted, ...ackReceived]).toEqual([120, 130, 190]);
  });

  it("is in the order of departure, whichever of a second's two blocks was the faster one out", () => {
    const memory = new ClockMemory();
    memory.see(boundsOf([0, 50, 50], [100, 60, 30], [200, 20, 60]));
    memory.settle(SECOND);
    expect(remembered(memory)).toEqual([100, 200]);
    expect([...memory.before(Infinity).received]).toEqual([160, 220]);
  });

  it("is one block where that is the fastest both ways, the first of equals", () => {
    const memory = new ClockMemory();
    memory.see(boundsOf([0, 50, 50], [100, 20, 20], [200, 20, 20]));
    memory.settle(SECOND);
    expect(remembered(memory)).toEqual([100]);
  });

  it("are blocks that will not change: those before the instant up to which they settled, each once", () => {
    const memory = new ClockMemory();
    memory.settle(SECOND);
    expect(remembered(memory)).toEqual([]);
    memory.see(boundsOf([2 * SECOND, 50, 50], [3 * SECOND, 50, 50]));
    memory.settle(3 * SECOND);
    expect(remembered(memory)).toEqual([2 * SECOND]);
    // The same window again, in which the first block has become faster: it had settled.
    memory.see(boundsOf([2 * SECOND, 10, 10], [3 * SECOND, 50, 50]));
    memory.settle(Number.NaN);
    memory.settle(3 * SECOND + 1);
    expect(remembered(memory)).toEqual([2 * SECOND, 3 * SECOND]);
    expect([...memory.before(Infinity).received]).toEqual([2 * SECOND + 50, 3 * SECOND + 50]);
  });

  it("is asked for what departed before an instant", () => {
    const memory = new ClockMemory();
    memory.see(boundsOf([0, 50, 50], [SECOND, 50, 50]));
    memory.settle(9 * SECOND);
    expect(remembered(memory, SECOND)).toEqual([0]);
    expect(remembered(memory, SECOND + 1)).toEqual([0, SECOND]);
  });

  it("lasts five minutes", () => {
    const memory = new ClockMemory();
    memory.see(boundsOf([0, 50, 50], [SECOND, 50, 50]));
    memory.settle(300 * SECOND);
    expect(remembered(memory)).toEqual([0, SECOND]);
    memory.settle(300 * SECOND + 1);
    expect(remembered(memory)).toEqual([SECOND]);
  });
});
