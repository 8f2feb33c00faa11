import { expect, it } from "vitest";
import { RecentGuids } from "./recent-guids.ts";

/** A GUID of four words. */
const guid = (...words: readonly [number, number, number, number]): DataView => {
  const view = new DataView(new ArrayBuffer(16));
  for (const [word, value] of words.entries()) view.setInt32(4 * word, value, true);
  return view;
};

it("finds what was made of a GUID, wherever its bytes are", () => {
  const recent = new RecentGuids<string>();
  expect(recent.find(guid(1, 2, 3, 4), 0)).toBeUndefined();
  recent.put(guid(1, 2, 3, 4), 0, "SQL1");
  recent.put(guid(5, 2, 3, 4), 0, "SQL2");
  const later = new DataView(new ArrayBuffer(40));
  for (const [word, value] of [1, 2, 3, 4].entries()) later.setInt32(20 + 4 * word, value, true);
  expect([recent.find(later, 20), recent.find(guid(5, 2, 3, 4), 0)]).toEqual(["SQL1", "SQL2"]);
});

it("compares all four words", () => {
  const recent = new RecentGuids<string>();
  recent.put(guid(1, 2, 3, 4), 0, "SQL1");
  // The same slot: it follows from the first word and the last.
  expect(
    [guid(1, 9, 3, 4), guid(1, 2, 9, 4), guid(4, 2, 3, 1)].map((other) => recent.find(other, 0)),
  ).toEqual([undefined, undefined, undefined]);
});

it("keeps the latest of two in one slot, and neighbors apart", () => {
  const recent = new RecentGuids<number>();
  recent.put(guid(1, 2, 3, 4), 0, 1);
  recent.put(guid(1, 7, 7, 4), 0, 2);
  expect([recent.find(guid(1, 2, 3, 4), 0), recent.find(guid(1, 7, 7, 4), 0)]).toEqual([undefined, 2]);
  // A GUID for each of the 256 slots, each found with its value.
  const many = new RecentGuids<number>();
  const bySlot = new Map<number, number>();
  for (let n = 0; bySlot.size < 256; n++) bySlot.set(Math.imul(n, 0x9e3779b1) >>> 24, n);
  for (const n of bySlot.values()) many.put(guid(n, n + 1, n + 2, 0), 0, n);
  for (const n of bySlot.values()) expect(many.find(guid(n, n + 1, n + 2, 0), 0)).toBe(n);
});
