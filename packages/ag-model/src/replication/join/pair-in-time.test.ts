import { describe, expect, it } from "vitest";
import { createDice } from "../../../test/dice.ts";
import { isOnlyPair, pairInTime } from "./pair-in-time.ts";

interface Wait {
  readonly end: number;
  readonly lasted: number;
}

const waits = (list: readonly Wait[]) => ({
  ends: Float64Array.from(list, ({ end }) => end),
  lasted: Float64Array.from(list, ({ lasted }) => lasted),
});

const paired = (firsts: readonly Wait[], seconds: readonly Wait[]): number[] => [
  ...pairInTime(waits(firsts), waits(seconds)),
];

const lasting = (lasted: number, ends: readonly number[]): Wait[] => ends.map((end) => ({ end, lasted }));

/** Waits of 5 to 9 ms that end at random distances of this mean, µs. */
function commits(count: number, meanUs: number, seed: number): Wait[] {
  const dice = createDice(seed);
  let end = 0;
  return Array.from({ length: count }, () => {
    end += -Math.log(1 - dice()) * meanUs;
    return { end, lasted: 5_000 + 4_000 * dice() };
  });
}

/** The time of the last clock tick, which may be ahead or behind of exact time by half a tick. */
const ofTick = (us: number, tick: number): number => Math.floor(us / tick) * tick + tick / 2;

/** Pairs reports of commits, where some of either are missing. @param stamp returns the timestamp of a report's end */
function judge(
  all: readonly Wait[],
  stamp: (us: number, i: number) => number,
  isLost: { readonly first?: (i: number) => boolean; readonly second?: (i: number) => boolean },
): { right: number; wrong: number; possible: number } {
  const firsts = [...all.keys()].filter((i) => isLost.first?.(i) !== true);
  const seconds = [...all.keys()].filter((i) => isLost.second?.(i) !== true);
  const pairs = paired(
    firsts.map((i) => ({ end: stamp(all[i].end - 10, i), lasted: all[i].lasted - 20 })),
    seconds.map((i) => all[i]),
  );
  const count = (is: (own: number, k: number) => boolean): number => firsts.filter(is).length;
  return {
    right: count((i, k) => pairs[k] >= 0 && seconds[pairs[k]] === i),
    wrong: count((i, k) => pairs[k] >= 0 && seconds[pairs[k]] !== i),
    possible: count((i) => seconds.includes(i)),
  };
}

const exact = (us: number): number => us;

describe("waits that enclose each other", () => {
  it("are paired, and what has no partner nearby stays alone", () => {
    const ends = lasting(90, [100, 1_100, 2_100, 3_100]);
    expect(paired(lasting(80, [90, 1_090, 3_090]), ends)).toEqual([0, 1, 3]);
    expect(paired(lasting(80, [90, 1_090, 2_090, 3_090]), ends.toSpliced(1, 1))).toEqual([0, -1, 1, 2]);
  });

  it("are one later throughout where the first of the first list is missing", () => {
    const { right, wrong, possible } = judge(commits(10_000, 2_000, 3), exact, { first: (i) => i === 0 });
    expect({ right, wrong, possible }).toEqual({ right: 9_999, wrong: 0, possible: 9_999 });
  });

  it("are found by coarse times, too, though each may be behind its partner", () => {
    const isLost = { first: (i: number) => i < 3, second: (i: number) => i === 5_000 };
    const { right, wrong, possible } = judge(commits(10_000, 2_000, 4), (us) => ofTick(us, 1_667), isLost);
    expect(possible).toBe(9_996);
    expect(right + wrong).toBe(possible);
    // Near the missing one, coarse times do not show which one it is.
    expect(wrong).toBeLessThan(10);
  });

  it("keep their order while coarse times are off by as much as waits are apart", () => {
    const every9ms = Array.from({ length: 300 }, (_, i) => ({
      end: 9_000 * i + 300 * (i % 4),
      lasted: 8_000 + 700 * (i % 5),
    }));
    const stamp = (us: number, i: number) => ofTick(us, 1_667) + (i >= 100 && i < 120 ? -9_200 : 0);
    expect(judge(every9ms, stamp, {})).toEqual({ right: 300, wrong: 0, possible: 300 });
  });

  it("are found again behind each of many missing events", () => {
    const isLost = { first: (i: number) => i % 97 === 5, second: (i: number) => i % 89 === 7 };
    const { right, wrong, possible } = judge(commits(10_000, 10_000, 5), exact, isLost);
    expect(right / possible).toBeGreaterThan(0.999);
    expect(wrong).toBeLessThan(3);
  });

  it("are found behind a stretch of which one list has nothing", () => {
    const isLost = { first: (i: number) => i > 500 && i <= 1_500 };
    for (const stamp of [exact, (us: number) => ofTick(us, 1_667)]) {
      const { right, possible } = judge(commits(2_000, 1_000, 6), stamp, isLost);
      expect(right).toBeGreaterThan(possible - 5);
    }
  });

  it("may end long before what encloses them", () => {
    const seconds = [
      { end: 1_000_000, lasted: 8_000 },
      { end: 1_500_000, lasted: 506_000 },
      { end: 1_509_000, lasted: 8_000 },
    ];
    const firsts = [
      { end: 999_990, lasted: 7_980 },
      { end: 1_001_500, lasted: 7_400 },
      { end: 1_508_990, lasted: 7_980 },
    ];
    expect(paired(firsts, seconds)).toEqual([0, 1, 2]);
  });

  it("keep their order where many have one time", () => {
    const at = lasting(
      7_000,
      Array.from({ length: 200 }, (_, i) => 60_000 * Math.floor(i / 50)),
    );
    expect(paired(at, at)).toEqual([...at.keys()]);
  });

  it("end up to 20 ms after what encloses them by coarse times, since a clock tick may be 15.6 ms", () => {
    const seconds = lasting(9_000, [0, 1_000_000]);
    expect(paired(lasting(9_000, [19_000, 1_019_000]), seconds)).toEqual([0, 1]);
    expect(paired(lasting(9_000, [21_000, 1_021_000]), seconds)).toEqual([-1, -1]);
  });

  it("are none of nothing", () => {
    expect(paired([], lasting(1, [1]))).toEqual([]);
    expect(paired(lasting(1, [1]), [])).toEqual([-1]);
  });
});

it("two waits alone are a pair exactly where the lists pair them", () => {
  const dice = createDice(11);
  let pairs = 0;
  for (let i = 0; i < 20_000; i++) {
    const scale = 10 ** (5.7 * dice());
    const first = { end: 1e6 + scale * (2 * dice() - 1), lasted: 3e5 * dice() };
    const second = { end: 1e6, lasted: first.lasted + scale * (2 * dice() - 1) };
    const isPair = isOnlyPair(first.end - second.end, first.lasted - second.lasted);
    expect(isPair).toBe(paired([first], [second])[0] === 0);
    if (isPair) pairs++;
  }
  // Both answers occur often.
  expect(pairs).toBeGreaterThan(4_000);
  expect(pairs).toBeLessThan(18_000);
});
