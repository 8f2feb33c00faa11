import { describe, expect, it } from "vitest";
import { modelOf, TEST_ORIGIN } from "../../../test/model.ts";
import type { Aspect } from "../aspect.ts";
import { comparison } from "./delays.ts";
import { diagnose } from "../diagnose.ts";
import { DEFAULT_SETTINGS } from "../settings.ts";
import { clockTimes } from "../when.ts";

const plain = (text: string): string => text.replaceAll("\u00A0", " ");

describe("what a stretch is compared with", () => {
  /**
   * Compares 100 rows, of which the first 50 are the slow period; `valueAt` returns a row's µs, 1,000 after the
   * period.
   */
  const compared = (valueAt: (row: number) => number, meanUs: number, queue = 0): string => {
    const figure = Float64Array.from({ length: 100 }, (_, row) => (row < 50 ? valueAt(row) : 1_000));
    const time = queue === 0 ? figure : figure.map((us, row) => (row < 50 ? us + queue : us));
    const aspect = { figure, time, words: "the work took" } as Pick<
      Aspect,
      "figure" | "time" | "words"
    > as Aspect;
    return plain(comparison(aspect, [{ rows: [0, 50], meanUs }], new Uint8Array(100)));
  };

  it("is the median, where that is slower by half of the mean excess", () => {
    expect(compared(() => 10_000, 9_000)).toBe("the work took 10 ms instead of 1 ms");
    expect(compared(() => 10_000, 18_000)).toBe("the work took 10 ms instead of 1 ms");
    expect(compared(() => 10_000, 18_001)).toBe("the work took 18 ms longer on average");
  });

  it("is the p95 where fewer than half of the blocks are slow, never a mean that no block took", () => {
    // Two in five take 20 ms, which are 8,600 on average.
    expect(compared((row) => (row % 5 < 2 ? 20_000 : 1_000), 7_600)).toBe(
      "the work took 20 ms instead of 1 ms at p95",
    );
    expect(compared((row) => (row % 10 === 0 ? 20_000 : 1_000), 5_000)).toBe(
      "the work took 20 ms instead of 1 ms at p95",
    );
  });

  it("takes the queue in where only that is slow", () => {
    expect(compared(() => 1_000, 9_000, 9_000)).toBe("the work took 10 ms instead of 1 ms, queue included");
  });

  it("does not set two figures against each other that read the same", () => {
    expect(compared(() => 1_001, 1)).toBe("the work took 1 µs longer on average");
  });
});

describe("the clock times of a window", () => {
  const times = (from: number, to: number): string =>
    clockTimes({ ...modelOf([]), origin: TEST_ORIGIN }, { from, to });

  it("have tenths within one second", () => {
    expect(times(1_000_000, 2_000_000)).toBe("02:16:56 and 02:16:57");
    expect(times(1_100_000, 1_300_000)).toBe("02:16:56.1 and 02:16:56.3");
  });
});

describe("a stretch", () => {
  /** 600 blocks of 4,290 µs; six of them take `us` longer to act on. */
  const withLongAcknowledgments = (us: number) =>
    modelOf(
      Array.from({ length: 600 }, (_, i) => ({
        at: i * 100_000,
        hops: [{ ackReceive: i >= 300 && i < 306 ? 100 + us : 100 }],
      })),
    );
  const found = (us: number) =>
    diagnose(withLongAcknowledgments(us)).findings.filter(({ rule }) => rule === "D9");

  it("has to cost commits half a per cent of all their time", () => {
    // All commits take 600 * 4,290 + 6 * us; half a percent of that is 6 * us at 2,156.
    expect(found(2_150)).toEqual([]);
    expect(found(2_160)).toHaveLength(1);
  });

  it("is found where it costs just that part", () => {
    // Six times 28,600 µs are a sixteenth of 600 * 4,290 µs and themselves.
    const model = withLongAcknowledgments(28_600);
    const found = (windowShare: number) =>
      diagnose(model, { ...DEFAULT_SETTINGS, windowShare }).findings.filter(({ rule }) => rule === "D9");
    expect([found(1 / 16).length, found(1 / 15.9).length]).toEqual([1, 0]);
  });

  it("has the window from its first block's first to its last one's last instant", () => {
    const [{ window, effect }] = found(5_000);
    expect(window).toEqual({ from: 30_000_000, to: 30_509_290 });
    expect(effect).toEqual({ p50Inside: 9_290, p50Outside: 4_290, p95Inside: 9_290, p95Outside: 4_290 });
    expect(plain(found(5_000)[0].sentence)).toBe(
      "Between 02:17:25 and 02:17:26 acknowledgment and wake-up on SQL1 took 5.1 ms instead of 0.1 ms; commits took 9.29 ms instead of 4.29 ms (p95).",
    );
  });

  it("ranks by all that commits waited longer", () => {
    // The write is 10 ms longer for 200 blocks, sending 8 ms for 300.
    const model = modelOf(
      Array.from({ length: 1_000 }, (_, i) => ({
        at: i * 100_000,
        hops: [{ flush: i >= 100 && i < 300 ? 14_000 : 3_000, send: i >= 500 && i < 800 ? 11_200 : 200 }],
      })),
    );
    expect(
      diagnose(model)
        .findings.slice(0, 2)
        .map(({ rule }) => rule),
    ).toEqual(["D4", "D2"]);
  });
});
