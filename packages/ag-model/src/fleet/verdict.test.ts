import { expect, it } from "vitest";
import { changeOf } from "./change.ts";
import type { FleetSeries } from "./lanes.ts";
import { fleetVerdict, type JudgedSeries } from "./verdict.ts";

const DAYS = Array.from({ length: 40 }, (_, i) =>
  new Date(Date.UTC(2026, 9, 10) + i * 86_400_000).toISOString().slice(0, 10),
);
/** 3 November. */
const CHANGED = 24;

const steps = (before: number, since: number, at = CHANGED): Float64Array =>
  Float64Array.from({ length: DAYS.length }, (_, column) => (column < at ? before : since));

const series = (
  stage: FleetSeries["stage"],
  replica: string,
  p95: Float64Array,
  isAsynchronous = false,
): JudgedSeries => ({ stage, replica, isAsynchronous, p95, change: changeOf(p95) });

const commit = (before = 5_150, since = 9_150): JudgedSeries => series("commit", "", steps(before, since));
const primary = series("localFlush", "SQL1", steps(2_340, 2_400));
const slow = series("secondaryFlush", "SQL2", steps(2_150, 6_020));

const verdictOf = (...all: readonly JudgedSeries[]) => {
  const verdict = fleetVerdict(all, "SALES-AG", DAYS, "night");
  const plain = (text: string): string => text.replaceAll("\u00A0", " ");
  return { ...verdict, sentence: plain(verdict.sentence), rest: plain(verdict.rest) };
};

it("names the stage that takes longer, since when, that commits follow and that no other moved", () => {
  expect(verdictOf(commit(), primary, slow)).toEqual({
    sentence: "SQL2's log write takes 2.8 times as long since 3 November.",
    rest: "Commits follow: p95 5.15 ms before, 9.15 ms since. No other stage moved by 10 %.",
    checkNext: ["Look for changes of the volume of SQL2's log between 2 and 3 November"],
    isWorse: true,
    from: CHANGED,
    lane: 2,
  });
});

it("says where commits do not follow, and how far the other stages moved", () => {
  const roundTrip = series("networkRoundTrip", "SQL2", steps(600, 720));
  expect(verdictOf(commit(5_150, 5_300), slow, roundTrip).rest).toBe(
    "Commits do not follow: p95 5.15 ms before, 5.30 ms since. The others moved by × 1.2 at most, which is not marked.",
  );
});

it("does not say that commits follow a slower stage where they became faster, nor the reverse", () => {
  expect(verdictOf(commit(9_150, 5_150), primary, slow).rest).toBe(
    "Commits do not follow: p95 9.15 ms before, 5.15 ms since. No other stage moved by 10 %.",
  );
  const faster = series("secondaryFlush", "SQL2", steps(6_020, 2_150));
  expect(verdictOf(commit(9_150, 5_150), primary, faster).rest).toContain(
    "Commits follow: p95 9.15 ms before",
  );
});

it("names what else changed, with its day where that is another", () => {
  const together = series("networkRoundTrip", "SQL2", steps(600, 1_200, CHANGED + 1));
  const earlier = series("localFlush", "SQL1", steps(4_000, 2_000, 12));
  expect(verdictOf(commit(), earlier, together, slow).rest).toBe(
    "Commits follow: p95 5.15 ms before, 9.15 ms since. Also changed: Log write SQL1 ÷ 2.0 since 22 October, Round trip SQL2 × 2.0.",
  );
});

it("puts what commits wait for before a larger change of what they do not", () => {
  const asynchronous = series("secondaryFlush", "SQL3", steps(2_000, 90_000), true);
  expect(verdictOf(commit(), asynchronous, slow).sentence).toContain("SQL2's log write");
});

it("is about commits where no stage changed with them", () => {
  expect(verdictOf(commit(), primary)).toMatchObject({
    sentence: "Commits take 1.8 times as long since 3 November.",
    rest: "No other stage moved by 10 %.",
  });
});

it("tells an improvement by its figures, and asks for no check", () => {
  expect(verdictOf(commit(9_000, 5_000), series("secondaryFlush", "SQL2", steps(6_000, 2_000)))).toEqual({
    sentence: "SQL2's log write takes 2.00 ms instead of 6.00 ms since 3 November.",
    rest: "Commits follow: p95 9.00 ms before, 5.00 ms since.",
    checkNext: [],
    isWorse: false,
    from: CHANGED,
    lane: 1,
  });
});

it("looks for the change since the last capture before it, over nights without one", () => {
  const p95 = steps(2_000, 6_000).fill(Number.NaN, CHANGED - 3, CHANGED);
  expect(verdictOf(series("networkRoundTrip", "SQL2", p95)).checkNext).toEqual([
    "Look for changes of the network to SQL2 and back between 30 October and 3 November",
  ]);
});

it("says that nothing changed, or that there is too little to tell", () => {
  const even = series("commit", "", steps(5_000, 5_000));
  expect(verdictOf(even, primary)).toMatchObject({
    sentence: "No stage of SALES-AG has changed over 40 nights.",
    from: null,
  });
  const few = series("commit", "", steps(5_000, 5_000).fill(Number.NaN, 3));
  expect(verdictOf(few).sentence).toBe("Too few to compare: 3 nights.");
  expect(verdictOf().sentence).toBe("Too few to compare: 0 nights.");
});
