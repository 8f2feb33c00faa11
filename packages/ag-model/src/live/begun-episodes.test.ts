import { describe, expect, it } from "vitest";
import type { Judgement } from "../diagnosis/now.ts";
import { plainFinding } from "../diagnosis/plain-finding.ts";
import type { Episode } from "../diagnosis/verdict.ts";
import { BegunEpisodes } from "./begun-episodes.ts";

const SECOND = 1e6;
const means = {} as Episode["inside"];

type Period = readonly [from: number, to: number, label?: string | undefined];

/** A judgment at a second of a run, about the 15 s before it, with these slow periods, s. */
function judgedAt(second: number, periods: readonly Period[], isSlowThroughout = false): Judgement {
  const compared = { from: Math.max(0, second - 15) * SECOND, to: second * SECOND };
  const episodes = periods.map(([from, to, label = "Slow network"]): Episode => ({
    label,
    cause: "network",
    from: from * SECOND,
    to: to * SECOND,
    blocks: 60,
    stage: label.startsWith("Slow remote harden") ? "remoteHarden" : "networkRoundTrip",
    secondary: 0,
    inside: means,
    outside: means,
  }));
  const throughout = plainFinding("D3", "network", "slow", "", { replica: 1, window: compared });
  const verdict: Judgement["verdict"] = {
    sentence: "",
    severity: "none",
    cause: "none",
    place: "none",
    stage: null,
    replica: null,
    window: null,
    evidence: [],
    checkNext: [],
    findings: isSlowThroughout ? [throughout] : [],
    episodes,
  };
  return { verdict, judged: compared, compared, past: "" };
}

/**
 * Returns the reported episodes with one judgment per second of faults, s; a fault is found where the window shows it.
 */
function reported(seconds: number, faults: readonly Period[]): (number | string)[][] {
  const begun = new BegunEpisodes();
  for (let second = 1; second <= seconds; second++) {
    const start = Math.max(0, second - 15);
    const seen = faults
      .filter(([from, to]) => from < second && to > start)
      .map(([from, to, label]): Period => [Math.max(from, start), Math.min(to, second), label]);
    const fills = seen.some(([from, to]) => from === start && to === second);
    begun.see(judgedAt(second, fills ? [] : seen, fills));
  }
  return begun.all.map(({ at, label }) => [at / SECOND, label]);
}

describe("where episodes began", () => {
  it("is reported once, at the first slow block, while the window moves over it and past it", () => {
    expect(reported(60, [[20.5, 26]])).toEqual([[20.5, "Slow network"]]);
  });

  it("is reported once for an episode that is longer than the window", () => {
    expect(reported(90, [[20.5, 61]])).toEqual([[20.5, "Slow network"]]);
  });

  it("is reported for each of two episodes, and for each of two places", () => {
    const two: Period[] = [
      [20.5, 26],
      [30.5, 50],
      [40.5, 44, "Slow log writes, SQL2"],
    ];
    expect(reported(80, two)).toEqual([
      [20.5, "Slow network"],
      [30.5, "Slow network"],
      [40.5, "Slow log writes, SQL2"],
    ]);
  });

  it("is reported once when a secondary is lost meanwhile, so that only the whole of its path is known", () => {
    const lost: Period[] = [
      [20.5, 25],
      [20.5, 27, "Slow remote harden to SQL2"],
    ];
    expect(reported(60, lost)).toEqual([[20.5, "Slow network"]]);
    const begun = new BegunEpisodes();
    for (const second of [22, 23]) begun.see(judgedAt(second, [[20.5, second]]));
    for (const second of [24, 25])
      begun.see(judgedAt(second, [[20.5, second, "Slow remote harden to SQL2"]]));
    expect(begun.all.map(({ label }) => label)).toEqual(["Slow network"]);
  });

  it("is reported once for stretches less than two and a half seconds apart, and twice for more", () => {
    const starts = (pause: number): number =>
      reported(60, [
        [20.5, 23],
        [23 + pause, 26 + pause],
      ]).length;
    expect([starts(2.4), starts(2.6)]).toEqual([1, 2]);
  });

  it("is not known of an episode that was there before the window", () => {
    expect(reported(60, [[0, 20]])).toEqual([]);
  });

  it("is reported when it was found twice in a row and lasted half a second", () => {
    const begun = new BegunEpisodes();
    begun.see(judgedAt(20, [[19.2, 19.9]]));
    begun.see(judgedAt(21, []));
    begun.see(judgedAt(22, [[19.2, 19.9]]));
    expect(begun.all).toEqual([]);
    begun.see(judgedAt(23, [[19.2, 19.9]]));
    expect(begun.all).toHaveLength(1);
    expect(reported(60, [[20.5, 20.9]])).toEqual([]);
    expect(reported(60, [[20.5, 21.1]])).toHaveLength(1);
  });

  it("counts several stretches of one judgement once", () => {
    const begun = new BegunEpisodes();
    begun.see(
      judgedAt(20, [
        [17, 17.6],
        [18, 19],
      ]),
    );
    expect(begun.all).toEqual([]);
  });

  it("is not reported once a later judgement shows that it began before the window", () => {
    const begun = new BegunEpisodes();
    begun.see(judgedAt(33, [[26.7, 27.4]]));
    begun.see(judgedAt(34, [[19, 30]]));
    begun.see(judgedAt(35, [[20, 30]]));
    expect(begun.all).toEqual([]);
  });

  it("stays reported when roles change or nothing can be judged", () => {
    const begun = new BegunEpisodes();
    for (const second of [20, 21]) begun.see(judgedAt(second, [[19, second]]));
    begun.see({ ...judgedAt(22, []), compared: null });
    begun.restart();
    expect(begun.all).toEqual([{ at: 19 * SECOND, label: "Slow network" }]);
  });
});
