/** Times in words: a single time, and recurring times with their number and their regularity. */
import { describe, expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import { diagnose } from "./diagnose.ts";
import { periodOf, whenText, whereText } from "./when.ts";

const SECOND = 1_000_000;
const plain = (text: string): string => text.replaceAll("\u00A0", " ");
const windowsAt = (...begins: readonly number[]) =>
  begins.map((from) => ({ from: from * SECOND, to: (from + 1) * SECOND }));

describe("when something was", () => {
  const words = (...begins: readonly number[]) => {
    const windows = windowsAt(...begins);
    return [whenText(modelOf([]), windows), whereText(modelOf([]), windows)].map(plain);
  };

  it("is between two times of day, or several times", () => {
    expect(words(10)).toEqual(["Between 02:17:05 and 02:17:06", "between 02:17:05 and 02:17:06"]);
    expect(words(10, 22)).toEqual([
      "2 times between 02:17:05 and 02:17:18",
      "in 2 episodes between 02:17:05 and 02:17:18",
    ]);
  });

  it("is regular where each gap is near the median of all", () => {
    expect(words(10, 22, 34, 46)).toEqual([
      "4 times between 02:17:05 and 02:17:42, every 12 s,",
      "in 4 episodes between 02:17:05 and 02:17:42, every 12 s",
    ]);
    expect(words(10, 15, 34)[0]).toBe("3 times between 02:17:05 and 02:17:30");
    const gaps = (...all: readonly number[]) => {
      let at = 0;
      return periodOf(windowsAt(0, ...all.map((gap) => (at += gap))));
    };
    expect([gaps(10, 10, 11.5), gaps(10, 10, 11.6), gaps(10, 10)]).toEqual([10 * SECOND, null, null]);
  });

  it("does not claim to have counted more than are looked for", () => {
    const often = Array.from({ length: 200 }, (_, i) => 10 * i);
    expect(words(...often)[0]).toMatch(/^At least 200 times between .*, every 10 s,$/u);
  });
});

describe("what recurs", () => {
  /** 50 blocks a second for 60 s; `slow` returns the changes at a second. */
  const verdictOn = (
    slow: (second: number) => Parameters<typeof modelOf>[0][number]["hops"] | null,
    secondaries = 1,
  ) =>
    diagnose(
      modelOf(
        Array.from({ length: 3_000 }, (_, i) => {
          const hops = slow(i / 50);
          return { at: i * 20_000, ...(hops ? { hops } : {}) };
        }),
        { secondaries },
      ),
    );
  /** One second of each twelve, from the tenth on: 10, 22, 34 and 46. */
  const isSpike = (second: number): boolean => second >= 10 && second < 50 && (second - 10) % 12 < 1;
  const SLOW = { flush: 40_000 };

  it("is told with its number and its period, against the time outside of all of it", () => {
    const verdict = verdictOn((s) => (isSpike(s) ? [SLOW] : null));
    expect(plain(verdict.sentence)).toBe(
      // 200 of 40 ms and 2,800 of 3 ms: 8,000 of 16,400, which are that of 20,000.
      "The log write on SQL2 takes 82 % of remote harden time. 49 % of that falls in 4 episodes between 02:17:05 and 02:17:42, every 12 s, when a log write on SQL2 took 40 ms instead of 3 ms.",
    );
    expect(verdict.windows).toHaveLength(4);
    expect(verdict.windows?.map(({ from }) => from / SECOND)).toEqual([10, 22, 34, 46]);
    const [finding] = verdict.findings;
    expect(finding.windows).toEqual(verdict.windows);
    expect(finding.effect).toEqual({
      p50Inside: 41_290,
      p50Outside: 4_290,
      p95Inside: 41_290,
      p95Outside: 4_290,
    });
    expect(plain(finding.sentence)).toBe(
      "4 times between 02:17:05 and 02:17:42, every 12 s, a log write on SQL2 took 40 ms instead of 3 ms; commits took 41.3 ms instead of 4.29 ms (p95).",
    );
    expect(plain(verdict.evidence[0].value + verdict.evidence[0].after)).toBe("200of 3,000 blocks affected");
    expect(plain(verdict.checkNext[1])).toBe(
      "Find log backups, checkpoints and jobs on SQL2 that run every 12 s",
    );
    expect(verdict.episodes.map(({ outside }) => outside.secondaryFlush)).toEqual([
      3_000, 3_000, 3_000, 3_000,
    ]);
  });

  it("is compared with the time outside of what else is slow too", () => {
    const verdict = verdictOn((s) => (isSpike(s) ? [SLOW] : isSpike(s - 6) ? [{ wireOut: 40_300 }] : null));
    const told = verdict.findings.slice(0, 2).map(({ sentence }) => plain(sentence));
    expect(told).toEqual([
      expect.stringMatching(
        /^4 times between 02:17:11 .*, every 12 s, the round trip was 41 ms instead of 0\.6 ms; commits took 44\.3 ms instead of 4\.29 ms/u,
      ),
      expect.stringMatching(
        /^4 times between 02:17:05 .*, every 12 s, a log write on SQL2 took 40 ms instead of 3 ms; commits took 41\.3 ms instead of 4\.29 ms/u,
      ),
    ]);
  });

  it("is of each replica by itself", () => {
    const verdict = verdictOn((s) => [isSpike(s) ? SLOW : {}, s >= 28 && (s - 28) % 12 < 1 ? SLOW : {}], 2);
    const told = verdict.findings.filter(({ cause }) => cause === "secondary_disk");
    expect(told.map(({ replica, windows }) => [replica, windows?.length])).toEqual([
      [1, 4],
      [2, 3],
    ]);
    expect(told.map(({ effect }) => effect?.p95Outside)).toEqual([4_290, 4_290]);
  });

  it("is not one that is much weaker than the others", () => {
    const verdict = verdictOn((s) => (s >= 50 && s < 56 ? [{ flush: 9_000 }] : isSpike(s) ? [SLOW] : null));
    expect(verdict.windows).toHaveLength(4);
    expect(verdict.episodes).toHaveLength(5);
    expect(verdict.findings[0].effect?.p95Outside).toBe(4_290);
  });
});

describe("what is no episode", () => {
  const modelWith = (flushOf: (i: number) => number) =>
    modelOf(Array.from({ length: 3_000 }, (_, i) => ({ at: i * 20_000, hops: [{ flush: flushOf(i) }] })));

  it("is a little more of what is slow throughout", () => {
    // Ten blocks of 70 ms among 3,000 of 30 ms, and ten times as many.
    const few = diagnose(modelWith((i) => (i >= 1_000 && i < 1_050 ? 70_000 : 30_000)));
    expect(plain(few.sentence)).toBe(
      "The log write on SQL2 takes 96 % of remote harden time. It takes 30.0 ms at p50 and 30.0 ms at p95.",
    );
    expect(few.windows).toEqual([{ from: 0, to: few.window?.to }]);
    const many = diagnose(modelWith((i) => (i >= 1_000 && i < 1_600 ? 70_000 : 30_000)));
    expect(plain(many.sentence)).toContain("37 % of that falls between 02:17:15 and 02:17:27");
  });

  it("is a burst: short, and neither a part of the time nor of the commits", () => {
    // This many blocks within 20 ms each; the last one ends after its own way.
    const burst = (blocks: number) =>
      diagnose(modelWith((i) => (i >= 1_000 && i < 1_000 + blocks ? 14_000 : 3_000))).findings.filter(
        ({ cause }) => cause === "secondary_disk",
      );
    // 0.38 and 15 ms; 0.5 s from 26 blocks on. Each costs 11 ms of 3,000 times 4.29 ms.
    expect(burst(20)).toEqual([]);
    expect(burst(26)).toHaveLength(1);
  });
});
