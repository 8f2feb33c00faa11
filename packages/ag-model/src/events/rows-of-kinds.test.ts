import { describe, expect, it } from "vitest";
import { RowsOfKinds, rowsByKind } from "./rows-of-kinds.ts";

describe("rows of kinds of events", () => {
  const rows = new RowsOfKinds(rowsByKind({ kind: Uint8Array.of(3, 1, 255, 3, 0, 1, 3), length: 7 }));
  it("are those of the kind, in the order of the events", () => {
    expect([0, 1, 2, 3, 255].map((kind) => [...rows.of(kind)])).toEqual([[4], [1, 5], [], [0, 3, 6], [2]]);
    expect([0, 2, 255].map((kind) => rows.has(kind))).toEqual([true, false, true]);
  });
  it("are in that order for several kinds together", () => {
    expect([...rows.ofAny([3, 0, 1])]).toEqual([0, 1, 3, 4, 5, 6]);
    expect([...rows.ofAny([2])]).toEqual([]);
  });
});
