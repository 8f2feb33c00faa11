import { describe, expect, it } from "vitest";
import { allRows } from "../../numbers/index.ts";
import { EarliestAcks } from "./acknowledgments.ts";

const at = (...ids: [number, number][]) => ({
  high: Uint32Array.from(ids, (i) => i[0]),
  low: Uint32Array.from(ids, (i) => i[1]),
});

type Ids = ReturnType<typeof at>;

/** Acknowledgments in the order of their events. @param starts µs; ascending when absent */
function covered(ends: Ids, acks: Ids, starts: readonly number[] = [...acks.high.keys()]) {
  const rows = allRows(ends.high.length);
  const columns = { event: new Int32Array(rows.length).fill(-1), exact: new Uint8Array(rows.length) };
  const earliest = new EarliestAcks(ends, 0, rows.length, Float64Array.from(starts));
  for (const [event, high] of acks.high.entries()) earliest.add(event, high, acks.low[event]);
  earliest.cover(rows, rows, new Uint8Array(rows.length).fill(1), columns);
  return { ack: columns.event, exact: columns.exact };
}

describe("the acknowledgment that covers a block", () => {
  it("takes the acknowledgment that names the block's end", () => {
    const { ack, exact } = covered(at([0x22, 0x11], [0x22, 0x12]), at([0x22, 0x11], [0x22, 0x12]));
    expect([...ack]).toEqual([0, 1]);
    expect([...exact]).toEqual([1, 1]);
  });
  it("holds at the end of a VLF, where the next block is in the next VLF", () => {
    // Block 22:21f of one unit ends at 22:220; the next block is 23:10 of two units.
    const { ack, exact } = covered(at([0x22, 0x220], [0x23, 0x12]), at([0x22, 0x220], [0x23, 0x12]));
    expect([...ack]).toEqual([0, 1]);
    expect([...exact]).toEqual([1, 1]);
  });
  it("lets one acknowledgment cover several blocks", () => {
    const { ack, exact } = covered(at([1, 20], [1, 30], [1, 40], [2, 18]), at([1, 10], [1, 40]));
    expect([...ack]).toEqual([1, 1, 1, -1]);
    expect([...exact]).toEqual([0, 0, 1, 0]);
  });
  it("is the earliest that reaches it, whatever the order of the events; one without an instant comes last", () => {
    const ends = at([1, 20], [1, 30], [1, 40]);
    const acks = at([1, 40], [1, 30], [1, 35], [1, 30]);
    expect([...covered(ends, acks, [9, 5, 3, 4]).ack]).toEqual([2, 3, 0]);
    expect([...covered(ends, acks, [9, 5, Number.NaN, 6]).ack]).toEqual([1, 1, 0]);
    expect([...covered(ends, acks, [2, 5, 3, 4]).ack]).toEqual([0, 3, 0]);
  });
  it("is none of those that end before it, and of one instant the one that was published first", () => {
    expect([...covered(at([1, 20]), at([1, 19])).ack]).toEqual([-1]);
    expect([...covered(at([1, 20]), at([1, 20], [1, 20]), [7, 7]).ack]).toEqual([0]);
  });
  it("is the same for blocks that end at one place", () => {
    const { ack, exact } = covered(at([1, 20], [1, 20], [1, 30]), at([1, 20]));
    expect([...ack]).toEqual([0, 0, -1]);
    expect([...exact]).toEqual([1, 1, 0]);
  });
});
