/** Verdicts on the present while a run continues, from blocks written by hand. */
import { describe, expect, it } from "vitest";
import { modelOf, type BlockSpec } from "../../test/model.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { judgeNow, silentPrimary, type BlocksOf, type Judgement } from "./now.ts";

const SECOND = 1_000_000;
const plain = (text: string): string => text.replaceAll("\u00A0", " ");

/** A run of blocks, and the ranges of it that were requested: [from, to, fewest], µs. */
function run(specs: readonly BlockSpec[]): { blocksOf: BlocksOf; asked: [number, number, number][] } {
  const asked: [number, number, number][] = [];
  const blocksOf: BlocksOf = (from, to, fewest) => {
    asked.push([from, to, fewest]);
    const before = specs.filter(({ at }) => at < to);
    const inside = before.filter(({ at }) => at >= from).length;
    return modelOf(inside < fewest ? before.slice(-fewest) : before.slice(before.length - inside), {
      duration: to,
    });
  };
  return { blocksOf, asked };
}

/** Ten blocks a second from 0 on, with a round trip of 300 ms more where it is slow. */
const tenASecond = (seconds: number, isSlow: (second: number) => boolean): BlockSpec[] =>
  Array.from({ length: seconds * 10 }, (_, i) => ({
    at: i * 100_000,
    hops: [isSlow(i / 10) ? { wireOut: 300_000 } : {}],
  }));
/** All is covered up to an instant, µs. */
const until = (to: number) => ({ from: 0, to });
const healthy = (seconds: number): BlockSpec[] => tenASecond(seconds, () => false);

const judgement = (judged: Judgement["judged"], past = ""): Judgement => ({
  verdict: silentPrimary(modelOf([]), Number.NaN, null).verdict,
  judged,
  compared: judged,
  past,
});

describe("the blocks that a verdict is about", () => {
  const firstAsked = (to: number, before: Judgement | null): [number, number, number] => {
    const { blocksOf, asked } = run(healthy(100));
    judgeNow(blocksOf, until(to * SECOND), before);
    return asked[0];
  };

  it("are those of the last 15 s, 200 at least", () => {
    expect(firstAsked(80, null)).toEqual([65 * SECOND, 80 * SECOND, 200]);
  });

  it("are all that came since the last verdict, of the last minute at most", () => {
    const judgedTo = (second: number): Judgement => judgement({ from: 0, to: second * SECOND });
    expect(firstAsked(80, judgedTo(79))[0]).toBe(65 * SECOND);
    expect(firstAsked(80, judgedTo(40))[0]).toBe(40 * SECOND);
    expect(firstAsked(80, judgedTo(10))[0]).toBe(20 * SECOND);
    expect(firstAsked(80, judgement(null))[0]).toBe(65 * SECOND);
  });

  it("are none of which only some have been read, however few are left", () => {
    const { blocksOf } = run(healthy(100));
    const judgedFrom = (from: number) =>
      judgeNow(blocksOf, { from: from * SECOND, to: 80 * SECOND }, null).judged;
    expect(judgedFrom(50)).toEqual({ from: 60 * SECOND, to: 80 * SECOND });
    expect(judgedFrom(62)).toEqual({ from: 62 * SECOND, to: 80 * SECOND });
    expect(judgedFrom(77.5)).toEqual({ from: 77.5 * SECOND, to: 80 * SECOND });
  });

  it("begin with the first of them", () => {
    expect(judgeNow(run(healthy(100)).blocksOf, until(80 * SECOND), null).judged).toEqual({
      from: 60 * SECOND,
      to: 80 * SECOND,
    });
    expect(judgeNow(run([]).blocksOf, until(80 * SECOND), null).judged).toEqual({
      from: 80 * SECOND,
      to: 80 * SECOND,
    });
  });
});

describe("without a log block", () => {
  const saidAt = (to: number): Judgement => judgeNow(run(healthy(20)).blocksOf, until(to), null);

  it("for ten seconds, what commits wait for is still said; beyond that, only since when there is none", () => {
    // The last block is at 19.9 s, which to the second is 20 s after 02:16:55.
    const still = saidAt(29.9 * SECOND).verdict.sentence;
    expect(still).not.toMatch(/^No log block/u);
    expect(still).not.toBe("");
    const { verdict, past, judged } = saidAt(29.9 * SECOND + 1);
    expect(verdict).toMatchObject({
      sentence: "No log block since 02:17:15.",
      severity: "none",
      cause: "none",
      place: "none",
      window: null,
      checkNext: [],
      findings: [{ rule: "D0", severity: "none", sentence: "No log block since 02:17:15." }],
    });
    expect([past, judged]).toEqual(["", { from: 0, to: 29.9 * SECOND + 1 }]);
  });

  it("a stretch that was slow is said with it", () => {
    const slow = run(tenASecond(30, (second) => second >= 20 && second < 23));
    const { verdict, past } = judgeNow(slow.blocksOf, until(40.5 * SECOND), null);
    expect(plain(past)).toMatch(/^Between 02:17:15 and 02:17:18 /u);
    expect(verdict.sentence).toBe(`No log block since 02:17:25. ${past}`);
    expect(verdict.severity).toBe("none");
  });
});

describe("a stretch that was slow", () => {
  /** Slow from 10 s to 14 s: its last block is at 13.9 s. */
  const specs = tenASecond(40, (second) => second >= 10 && second < 14);
  const saidAt = (to: number, of = specs): Judgement => judgeNow(run(of).blocksOf, until(to), null);
  const end = 13.9 * SECOND + 4_290 + 299_700;

  it("is the headline until two and a half seconds have passed since its end, then past", () => {
    const during = saidAt(end + 2.5 * SECOND);
    expect(during.verdict).toMatchObject({ cause: "network", severity: "slow" });
    expect(plain(during.past)).toBe(
      "Between 02:17:05 and 02:17:09 the round trip was 300 ms instead of 0.6 ms; commits took 304 ms instead of 4.29 ms (p95).",
    );
    const after = saidAt(end + 2.5 * SECOND + 1);
    expect(after.past).toBe(during.past);
    expect(after.verdict.severity).toBe("none");
    expect(after.verdict.sentence.endsWith(after.past)).toBe(true);
    expect(after.verdict.sentence).not.toBe(after.past);
    expect(after.judged).toEqual({ from: end, to: end + 2.5 * SECOND + 1 });
    expect(after.verdict.episodes).toEqual(during.verdict.episodes);
    expect(after.verdict.episodes).not.toEqual([]);
  });

  it("is over only when three blocks came after it", () => {
    const later = (count: number): BlockSpec[] => [
      ...specs.slice(0, 140),
      ...Array.from({ length: count }, (_, i) => ({ at: (15 + i) * SECOND })),
    ];
    const at = 19 * SECOND;
    expect(saidAt(at, later(2)).verdict.severity).toBe("slow");
    expect(saidAt(at, later(3)).verdict.severity).toBe("none");
  });
});

describe("what is slow throughout", () => {
  const slowUntil = (end: number): BlockSpec[] => tenASecond(40, (second) => second < end);

  it("lasts while the last three and a half seconds have it, in twenty blocks at least", () => {
    const { blocksOf, asked } = run(slowUntil(40));
    const { verdict } = judgeNow(blocksOf, until(20 * SECOND), null);
    expect(verdict).toMatchObject({ cause: "network", severity: "slow" });
    expect(asked).toEqual([
      [5 * SECOND, 20 * SECOND, 200],
      [16.5 * SECOND, 20 * SECOND, 20],
    ]);
  });

  it("is over when these do not have it, and they are what is judged then", () => {
    // 200 blocks from 4 s on; those from 20.5 s on are not slow, and too few to be the quiet part of a period.
    const { blocksOf, asked } = run(slowUntil(20.5));
    const { verdict, judged, past } = judgeNow(blocksOf, until(24 * SECOND), null);
    expect(verdict).toMatchObject({ cause: "none", severity: "none" });
    expect(judged).toEqual({ from: 20.5 * SECOND, to: 24 * SECOND });
    expect(past).toBe("");
    expect(asked.slice(1)).toEqual([
      [20.5 * SECOND, 24 * SECOND, 20],
      [20.5 * SECOND, 24 * SECOND, 0],
    ]);
  });

  it("is over although another cause has come", () => {
    const specs = Array.from({ length: 240 }, (_, i): BlockSpec => {
      const isLate = i >= 205;
      return { at: i * 100_000, hops: [isLate ? { flush: 300_000 } : { wireOut: 300_000 }] };
    });
    const { verdict, judged } = judgeNow(run(specs).blocksOf, until(24 * SECOND), null);
    expect(judged).toEqual({ from: 20.5 * SECOND, to: 24 * SECOND });
    expect(verdict).toMatchObject({ cause: "secondary_disk", replica: 1, severity: "slow" });
  });
});

describe("while the primary is not heard", () => {
  const model: CaptureModel = modelOf([{ at: 0 }]);

  it("it is not known what commits wait for, and since when", () => {
    const { verdict, judged, past } = silentPrimary(model, 5 * SECOND, null);
    expect(verdict).toMatchObject({
      sentence: "Can't determine what commits wait for now because SQL1 has sent no events since 02:17:00.",
      severity: "notice",
      cause: "none",
    });
    expect([judged, past]).toEqual([null, ""]);
    expect(silentPrimary(model, Number.NaN, null).verdict.sentence).toBe(
      "Can't determine what commits wait for now because SQL1 has sent no events yet.",
    );
  });

  it("a stretch that was slow before stays known", () => {
    const { verdict, past } = silentPrimary(
      model,
      5 * SECOND,
      judgement(null, "Between 1 and 2 it was slow."),
    );
    expect(past).toBe("Between 1 and 2 it was slow.");
    expect(verdict.sentence).toBe(
      "Can't determine what commits wait for now because SQL1 has sent no events since 02:17:00. Between 1 and 2 it was slow.",
    );
  });
});
