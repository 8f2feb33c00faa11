import { describe, expect, it } from "vitest";
import { erasOf, Shown, type Era } from "./mode-evidence.ts";

/** Blocks 100 ms apart, by a letter each: w commits waited, n they did not, - nothing is shown. */
function eras(letters: string, endOf = (i: number): number => i * 100_000): [number, number, boolean][] {
  const shown = Uint8Array.from(letters, (letter) =>
    letter === "w" ? Shown.waited : letter === "n" ? Shown.notWaited : Shown.nothing,
  );
  const rows = Uint32Array.from(shown.keys());
  const found: Era[] = erasOf({ rows, shown, end: Float64Array.from(shown.keys(), endOf) });
  return found.map(({ first, end, isWaitedFor }) => [first, end, isWaitedFor]);
}

const times = (letter: string, count: number): string => letter.repeat(count);

describe("periods in which commits wait for a replica, and do not", () => {
  it("are one where nothing changes", () => {
    expect(eras(times("w", 50))).toEqual([[0, 50, true]]);
    expect(eras(times("n", 50))).toEqual([[0, 50, false]]);
    expect(eras(times("-", 50))).toHaveLength(1);
    expect(eras("")).toHaveLength(1);
  });

  it("begin with the first commit that does not wait, and end with the last", () => {
    expect(eras(`${times("w", 30)}-----${times("n", 30)}-----${times("w", 30)}`)).toEqual([
      [0, 35, true],
      [35, 65, false],
      [65, 100, true],
    ]);
  });

  it("are as many as there are changes", () => {
    const letters = `${times("n", 40)}${times("w", 40)}${times("n", 40)}${times("w", 40)}`;
    expect(eras(letters).map(([first]) => first)).toEqual([0, 40, 80, 120]);
  });

  it("are none of a few blocks that contradict", () => {
    expect(eras(`${times("w", 40)}${times("n", 9)}${times("w", 40)}`)).toHaveLength(1);
    expect(eras(`${times("w", 40)}${times("n", 9)}`)).toHaveLength(1);
    expect(eras(`${times("n", 40)}${times("wn", 30)}${times("n", 40)}`)).toHaveLength(1);
  });

  it("are none of commits that a replica released at once when it was given up", () => {
    const given = `${times("w", 40)}${times("n", 60)}${times("-", 20)}${times("w", 40)}`;
    // All 60 end at one time.
    expect(eras(given, (i) => (i < 40 || i >= 100 ? i * 100_000 : 20_000_000 + i))).toEqual([[0, 160, true]]);
    expect(eras(given)).toHaveLength(3);
  });

  it("are none of commits that rarely go on before an acknowledgment", () => {
    // 30 in 1,000 blocks: events were lost.
    expect(eras(`${times("w", 40)}${times(`${times("-", 32)}n`, 30)}`)).toHaveLength(1);
    expect(eras(`${times("w", 40)}${times(`${times("-", 9)}n`, 30)}`)).toHaveLength(2);
  });
});
