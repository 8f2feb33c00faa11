import { fireEvent, screen, within } from "@testing-library/react";
import type {
  ComparedStage,
  Distribution,
  Episode,
  EvidenceAnswer,
  Histogram,
  PercentileSpread,
} from "@aglens/contract";
import { expect, test, vi } from "vitest";
import { evidenceAnswer, failoverCause, happenedEvent } from "../../../test/evidence.ts";
import { openCapture, sourceOf } from "../../../test/open-capture.tsx";
import { histogramOf } from "../../../test/distribution.ts";
import { failoverOf, replicaSummary, summaryOf } from "../../../test/summary.ts";
import { settled } from "../../../test/answers.tsx";
import { CompareScreen } from "./compare-screen.tsx";
import { changeText, comparisonSentences, factorText } from "./compare-text.ts";
import { firstSides, namedRanges } from "./first-sides.ts";

const plain = (words: string): string => words.replaceAll(/[\u2009\u00a0]/gu, " ");
const NAMES = { primary: "SQL1", secondary: "SQL2" };
const summary = summaryOf();
const episode = { label: "Slow network", from: 2e6, to: 5e6, secondary: 0 } as Episode;
const withEpisode = { ...summary, verdict: { ...summary.verdict, episodes: [episode] } };

test("the verdict's episode is compared with the time after it, or before where that is too short", () => {
  expect(firstSides(withEpisode, 0, false)).toEqual([
    [2e6, 5e6],
    [5e6, 10e6],
  ]);
  const late = { ...episode, from: 8e6, to: 9e6 };
  expect(firstSides({ ...summary, verdict: { ...summary.verdict, episodes: [late] } }, 0, false)[1]).toEqual([
    0, 8e6,
  ]);
});

test("without an episode, and towards another secondary, the halves are compared; another capture whole", () => {
  for (const given of [firstSides(summary, 0, false), firstSides(withEpisode, 1, false)])
    expect(given).toEqual([
      [0, 5e6],
      [5e6, 10e6],
    ]);
  expect(firstSides(withEpisode, 0, true)).toEqual([[0, 10e6], null]);
});

test("a capture in which a server took over is compared before and after that", () => {
  const failover = failoverOf();
  const { findings } = failover.verdict;
  expect(firstSides({ ...failover, verdict: { ...withEpisode.verdict, findings } }, 0, false)).toEqual([
    [0, 4e6],
    [6e6, 10e6],
  ]);
  expect(namedRanges(failover, 0, null).map(({ label }) => label)).toContain("After the switch at 02:17:01");
});

test("after a failover and a failback no side reaches across the other change of roles", () => {
  const failover = failoverOf();
  const [first, second] = failover.phases;
  const [change] = failover.verdict.findings;
  const back = {
    ...failover,
    phases: [first, { ...second, to: 8e6 }, { ...first, from: 9e6, to: 10e6 }],
    verdict: {
      ...failover.verdict,
      findings: [change, { ...change, replica: 0, window: { from: 8e6, to: 9e6 } }],
    },
  };
  expect(firstSides(back, 0, false)).toEqual([
    [0, 4e6],
    [6e6, 8e6],
  ]);
  const ranges = namedRanges(back, 0, null).filter(({ label }) => label.includes("switch"));
  expect(ranges.map(({ label, range }) => [label.split(" ")[0], ...range])).toEqual([
    ["Before", 0, 4e6],
    ["After", 6e6, 8e6],
    ["Before", 6e6, 8e6],
    ["After", 9e6, 10e6],
  ]);
});

test("of one phase the halves of that phase are compared, and named by its servers", () => {
  const failover = failoverOf();
  expect(firstSides(failover, 0, false, 1)).toEqual([
    [6e6, 8e6],
    [8e6, 10e6],
  ]);
  for (const { range } of namedRanges(failover, 0, null, 1)) expect(range[0]).toBeGreaterThanOrEqual(6e6);
});

test("stretches to choose from hold no empty one", () => {
  const atOnce = { ...summary, verdict: { ...summary.verdict, episodes: [{ ...episode, from: 0 }] } };
  expect(namedRanges(atOnce, 0, [1e6, 2e6]).map(({ label }) => label)).toEqual([
    "In view",
    "Covered by all files",
    "Slow network",
    "After Slow network",
    "First half",
    "Second half",
  ]);
});

const stage = (more: Partial<ComparedStage>): ComparedStage => ({
  stage: "localFlush",
  ranges: [histogramOf(), histogramOf()],
  a: 1_000,
  b: 1_000,
  change: 0,
  between: null,
  verdict: "alike",
  ...more,
});

test("the first sentence is the part that changed most in time, never a sum of parts", () => {
  const stages = [
    stage({ stage: "commit", a: 200_000, b: 20_000, change: -0.9, verdict: "smaller" }),
    stage({ stage: "remoteHarden", a: 190_000, b: 18_000, change: -0.9, verdict: "smaller" }),
    stage({ stage: "networkRoundTrip", a: 150_000, b: 600, change: -0.996, verdict: "smaller" }),
    stage({ stage: "send", a: 10, b: 30, change: 2, verdict: "larger" }),
    stage({ stage: "localFlush", a: 7_000, b: 6_800, change: -0.03 }),
  ];
  expect(comparisonSentences(stages, "p95", NAMES).map(plain)).toEqual([
    "Network round trip changed most: p95 600 µs instead of 150 ms (−99.6 %).",
    "Commits take 20.0 ms instead of 200 ms (p95, −90 %).",
    "Also different: Capture and send +200 %.",
  ]);
});

test("where chance explains everything, that is the answer", () => {
  expect(comparisonSentences([stage({}), stage({ stage: "commit" })], "p50", NAMES).map(plain)).toEqual([
    "No stage differs by more than chance explains.",
    "Commits take about as long: 1.00 ms and 1.00 ms (p50).",
  ]);
});

test("changes are whole percents, from ten times on a factor; medians that are alike have none", () => {
  expect(
    [0.119, -0.5, -0.9963, -0.9996, -1, -0.004, 0, 9, 11.4, null].map((change) => plain(changeText(change))),
  ).toEqual(["+12 %", "−50 %", "−99.6 %", "÷ 2,500", "−100.0 %", "0 %", "0 %", "× 10", "× 12", "–"]);
  expect(
    [factorText(100, 50), factorText(100, 210), factorText(100, 109), factorText(null, 1)].map(
      (each) => each && plain(each),
    ),
  ).toEqual(["÷ 2.0", "× 2.1", null, null]);
});

/** Answers of a side whose log writes all take this time; resampling changes nothing. */
function answersOf(us: number): { distribution: Distribution; spread: PercentileSpread } {
  const range: Histogram = { ...histogramOf(), n: 200, p50: us, p95: us, p99: us, max: us, counts: [200, 0] };
  const steady = Array.from({ length: 200 }, () => 1);
  const rows = [{ stage: "localFlush" as const, ranges: [range] }];
  return {
    distribution: { edges: [10, 100, 1_000], rows } as unknown as Distribution,
    spread: {
      rows: [{ stage: "localFlush", p50: steady, p95: steady, p99: steady }],
    } as unknown as PercentileSpread,
  };
}

test("the screen asks both stretches, shows the change, and keeps what is chosen in the view", async () => {
  const opened = await openCapture(<CompareScreen />, {
    answers: {
      distribution: ({ range }) => answersOf(range.from === 0 ? 100 : 50).distribution,
      spread: () => answersOf(1).spread,
    },
  });
  await settled();
  const asked = opened.source.asked.filter(([name]) => name === "distribution");
  expect(asked.map(([, options]) => (options as { range: object }).range)).toEqual([
    { from: 0, to: 5e6 },
    { from: 5e6, to: 10e6 },
  ]);
  const row = within(screen.getByRole("table", { name: "Changes" })).getByRole("row", { name: /SQL1/u });
  expect(plain(row.textContent)).toContain("−50 %");
  fireEvent.change(screen.getByRole("combobox", { name: "Range of B" }), { target: { value: "0" } });
  expect(opened.view().sideB).toEqual([0, 10e6]);
  fireEvent.click(screen.getByRole("button", { name: "p50" }));
  expect(opened.view().percentile).toBe("p50");
});

/** Rows of the table of events: kind, A, B. */
const eventRows = (): string[][] =>
  within(screen.getByRole("table", { name: "Events by kind" }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map((cell) => plain(cell.textContent)));

test("events of other files are counted in both ranges, with the failover of its range and its cause", async () => {
  const io = happenedEvent({ kind: "slowIo", at: 7e6, from: 4e6 });
  const answer = evidenceAnswer({
    events: [happenedEvent({ kind: "lease", at: 2e6, from: null }), io, { ...io, at: 12e6, from: 11e6 }],
    failovers: [failoverCause({ at: 2e6, until: 3e6 })],
  });
  await openCapture(<CompareScreen />, { answers: { evidence: () => answer } });
  await settled();
  // I/O that began in A and ended in B is in both; the last event is after the capture.
  expect(eventRows()).toEqual([
    ["Lease", "1", "0"],
    ["I/O over 15 s", "1", "1"],
  ]);
  expect(plain(screen.getByText(/because the lease expired/u).textContent)).toMatch(
    /^A: SALES-AG failed over/u,
  );
});

test("failovers of two groups at one time are listed, and those after the third are counted", async () => {
  const error = vi.spyOn(console, "error");
  const at = { at: 2e6, until: 3e6 };
  const failovers = ["SALES-AG", "HR-AG", "IT-AG", "LAW-AG", "BI-AG"].map((group) =>
    failoverCause({ ...at, group, text: `${group} failed over.` }),
  );
  const answer = evidenceAnswer({ events: [happenedEvent({ at: 2e6 })], failovers });
  await openCapture(<CompareScreen />, { answers: { evidence: () => answer } });
  await settled();
  const sentences = screen.getAllByText(/^A: /u).map(({ textContent }) => plain(textContent));
  expect(sentences).toEqual([
    "A: SALES-AG failed over.",
    "A: HR-AG failed over.",
    "A: IT-AG failed over.",
    "A: 2 more failovers.",
  ]);
  expect(error).not.toHaveBeenCalled();
});

/** The screen with another capture on side B. */
async function openTwo(ofA: EvidenceAnswer, ofB: EvidenceAnswer): Promise<void> {
  const others = { ...sourceOf({ summary: () => summary }), id: "other" };
  const other = { ...others, evidence: () => ({ key: "of other", ask: () => Promise.resolve(ofB) }) };
  const own = { ...sourceOf({ evidence: () => ofA }), beside: () => ({ ...other, scoped: () => other }) };
  await openCapture(<CompareScreen />, { page: { summary, source: own }, view: { versus: "other" } });
  await settled();
}

test("of two captures each side has the events of its own files", async () => {
  const ofA = evidenceAnswer({ events: [happenedEvent({ kind: "lease", at: 2e6, from: null })] });
  const ofB = evidenceAnswer({
    events: [1, 2, 3].map((s) => happenedEvent({ kind: "restart", at: s * 1e6, from: null })),
  });
  await openTwo(ofA, ofB);
  expect(eventRows()).toEqual([
    ["Lease", "1", "0"],
    ["Restart", "0", "3"],
  ]);
});

test("without other files on both sides there is no table of events", async () => {
  const ofA = evidenceAnswer({ events: [happenedEvent({ kind: "lease", at: 2e6, from: null })] });
  await openTwo(ofA, evidenceAnswer());
  expect(screen.queryByRole("table", { name: "Events by kind" })).toBeNull();
  expect(screen.queryByText("What happened")).toBeNull();
});

test("the secondary is chosen here too", async () => {
  const three = [
    replicaSummary({ role: "primary" }),
    replicaSummary({ name: "SQL2" }),
    replicaSummary({ name: "SQL3" }),
  ];
  const phases = [
    { databases: [0], primary: 0, from: 0, to: 10e6, commitModes: ["sync" as const, "sync" as const] },
  ];
  const opened = await openCapture(<CompareScreen />, { summary: { replicas: three, phases } });
  fireEvent.click(
    within(screen.getByRole("group", { name: "Secondary" })).getByRole("button", { name: "SQL3" }),
  );
  expect(opened.view().secondary).toBe(1);
});
