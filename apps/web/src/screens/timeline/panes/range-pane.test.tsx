import { fireEvent, screen } from "@testing-library/react";
import { SPAN_IDS } from "@aglens/ag-model/columns";
import { PATH_STAGES, recordOf, STAGE_IDS } from "@aglens/ag-model/replication";
import type { Episode, EvidenceAnswer, RangeStatistics, Summary } from "@aglens/contract";
import { expect, test, vi } from "vitest";
import { settled } from "../../../../test/answers.tsx";
import { evidenceAnswer, happenedEvent } from "../../../../test/evidence.ts";
import { replicaNamed } from "../../../../test/replicas.ts";
import { captureLanes, type Lane } from "../../../lanes/lanes.ts";
import { openCapture } from "../../../../test/open-capture.tsx";
import { rangeStatistics, statisticsOfValue, summaryOf } from "../../../../test/summary.ts";
import { blockWindow, type BlockInput } from "../../../../test/window.ts";
import { InTimeline } from "../../../../test/timeline.tsx";
import { RangePane } from "./range-pane.tsx";

const NO_MEANS = recordOf(PATH_STAGES, () => null);

/** A block that is sent at `at`, received `out` later, and 1 ms of log write later acknowledged at once, µs. */
const block = (at: number, out: number): BlockInput => {
  const received = at + out;
  const written = received + 1_000;
  return {
    hops: [
      {
        sendStart: at,
        sendEnd: at,
        received,
        secondaryFlushStart: received,
        secondaryFlushEnd: written,
        ackBuilt: written,
        ackDeparted: written,
        ackSent: written,
        ackReceived: written,
        ackProcessed: written,
      },
    ],
  };
};

const episode = (from: number, to: number, more: Partial<Episode> = {}): Episode => ({
  label: "SQL2 was unresponsive",
  cause: "server_pause",
  from,
  to,
  blocks: 6,
  stage: "networkRoundTrip",
  secondary: 0,
  inside: NO_MEANS,
  outside: NO_MEANS,
  ...more,
});

/** The pane of ten seconds. */
function openPane(
  value: RangeStatistics,
  lanes: readonly Lane[] = [],
  blocks: readonly BlockInput[] = [],
  more: Partial<Summary> = {},
  answer: EvidenceAnswer | null = null,
): ReturnType<typeof openCapture> {
  const timeline = {
    buffer: { value: { blocks: blockWindow(blocks, { to: 10e6, secondaries: 1 }) } },
    parted: null,
    ofDatabases: new Map(),
    equalLsns: [],
    range: [0, 10e6],
    sequence: { value: null },
    lanes: { all: lanes },
    isolated: [],
    happened: answer === null ? null : { answer },
    selection: { toSlow: vi.fn() },
  };
  const figures = { value, isStale: false, error: null, code: null, retry: vi.fn() };
  return openCapture(
    <InTimeline parts={timeline}>
      <RangePane answer={figures} range={[0, 10e6]} />
    </InTimeline>,
    { summary: { ...summaryOf(), ...more } },
  );
}

/** Text of the pane for these blocks. */
async function paneText(
  blocks: readonly BlockInput[],
  verdict: Partial<Summary["verdict"]>,
  pauses: Summary["pauses"] = [],
  commits = summaryOf().commits.count,
  unreleased = 0,
  answer: EvidenceAnswer | null = null,
): Promise<string> {
  const summary = summaryOf();
  const { container } = await openPane(
    rangeStatistics({ commits, gates: [0, commits - unreleased] }),
    [],
    blocks,
    {
      verdict: { ...summary.verdict, ...verdict },
      pauses,
      commits: { ...summary.commits, count: commits },
    },
    answer,
  );
  return container.textContent?.replaceAll(/[\u2009\u00a0]/gu, " ") ?? "";
}

test("the pane's two regimes name the server that was unresponsive, not the network, and what was slow otherwise", async () => {
  // The network out takes nine hundred milliseconds twice, while SQL2 was unresponsive; before, between and after them
  // it takes a tenth of one.
  const starts = (from: number) => Array.from({ length: 6 }, (_, i) => from + i * 1_000);
  const blocks = [
    ...starts(1e6).map((at) => block(at, 100)),
    ...starts(3e6).map((at) => block(at, 900_000)),
    ...starts(5e6).map((at) => block(at, 100)),
    ...starts(7e6).map((at) => block(at, 900_000)),
  ];
  const episodes = [episode(2_999_000, 3_910_000), episode(6_999_000, 7_910_000)];
  const words = await paneText(blocks, { episodes }, [
    { replica: 1, from: 3_000_000, to: 3_900_000 },
    { replica: 1, from: 7_000_000, to: 7_900_000 },
  ]);
  expect(words).toContain("In 2 periods between 02:16:58 and 02:17:03 SQL2");
  // 900 of 901 ms; 1,000 of 1,100 µs.
  expect(words).toContain("SQL2 was unresponsive for 900 ms, 100 % of remote harden");
  expect(words).toContain("otherwise SQL2's log write takes 1.00 ms, 91 %");
});

test("where commits wait for what is no part of remote harden, its parts are not what sets two regimes apart", async () => {
  const starts = (from: number) => Array.from({ length: 6 }, (_, i) => from + i * 1_000);
  const blocks = [...starts(1e6), ...starts(3e6), ...starts(5e6)].map((at) => block(at, 100));
  const { verdict } = summaryOf();
  const flowControl: Summary["verdict"]["findings"][number] = {
    ...verdict.findings[0],
    cause: "flow_control",
    effect: { p50Inside: 55_400, p50Outside: 3_260, p95Inside: 367_000, p95Outside: 5_300 },
  };
  const words = await paneText(blocks, {
    cause: "flow_control",
    findings: [flowControl],
    episodes: [
      episode(2_400_000, 3_900_000, { label: "Flow control", cause: "flow_control", stage: "captureLag" }),
    ],
  });
  expect(words).toContain(
    "From 02:16:57 to 02:16:59 flow control: commits took 367 ms instead of 5.30 ms (p95). Mean remote harden:",
  );
  expect(words).not.toContain("of remote harden;");
});

test("an episode cites what evidence files report of its server in its time", async () => {
  const starts = (from: number) => Array.from({ length: 6 }, (_, i) => from + i * 1_000);
  const blocks = [...starts(1e6), ...starts(3e6), ...starts(5e6)].map((at) => block(at, 100));
  const { verdict } = summaryOf();
  const times = { from: 2_400_000, to: 3_900_000 };
  const finding = { ...verdict.findings[0], cause: "server_pause" as const, replica: 0, window: times };
  const worker = (server: string, at: number) =>
    happenedEvent({
      kind: "scheduler",
      server,
      at,
      plusMinusUs: 1,
      text: `A worker didn't yield on ${server}.`,
    });
  const answer = evidenceAnswer({
    events: [worker("SQL1", 1e6), worker("sql1", 3e6), worker("SQL2", 3e6)],
  });
  const words = await paneText(
    blocks,
    { findings: [finding], episodes: [episode(times.from, times.to, { stage: "localFlush" })] },
    [],
    undefined,
    0,
    answer,
  );
  expect(words).toContain("A worker didn't yield on sql1.");
  expect(words).not.toContain("yield on SQL");
});

test("an episode of one of two slow servers cites that one's report", async () => {
  const starts = (from: number) => Array.from({ length: 6 }, (_, i) => from + i * 1_000);
  const blocks = [...starts(1e6), ...starts(3e6), ...starts(5e6)].map((at) => block(at, 100));
  const { verdict } = summaryOf();
  const window = { from: 2_400_000, to: 3_900_000 };
  const findings = [2, 1].map((replica) => ({
    ...verdict.findings[0],
    cause: "secondary_cpu" as const,
    replica,
    window,
  }));
  const { from, to } = window;
  const slow = episode(from, to, { label: "Slow outside the log write, SQL2", cause: "secondary_cpu" });
  const worker = happenedEvent({ kind: "scheduler", server: "SQL2", at: 3e6, text: "A worker on SQL2." });
  const answer = evidenceAnswer({ events: [worker] });
  const words = await paneText(blocks, { findings, episodes: [slow] }, [], undefined, 0, answer);
  expect(words).toContain("A worker on SQL2.");
});

test("a server that was unresponsive beside remote harden keeps the letters of its name", async () => {
  const starts = (from: number) => Array.from({ length: 6 }, (_, i) => from + i * 1_000);
  const blocks = [...starts(1e6), ...starts(3e6), ...starts(5e6)].map((at) => block(at, 100));
  const stoodStill = episode(2_400_000, 3_900_000, { label: "SQL1 was unresponsive", stage: "localFlush" });
  expect(await paneText(blocks, { episodes: [stoodStill] })).toContain("02:16:59 SQL1 was unresponsive");
});

test("where no commit of the capture is known their number is not 0", async () => {
  expect(await paneText([], {}, [], 0)).toContain("1,079 blocks, no commit known");
});

test("commits of which it is not known what released them are said, so that all add up", async () => {
  const words = await paneText([], {}, [], 1_286, 1);
  expect(words).toContain("1,079 blocks, 1,286 commits");
  expect(words).toContain("Released by SQL2's ack1,285 commitsRelease not known1 commit");
});

test("under 20 blocks no column is empty: p95 and p99 have neither heads nor dashes", async () => {
  const few = statisticsOfValue(1_000, 19);
  const stages = [recordOf([...STAGE_IDS, ...SPAN_IDS], () => few)];
  const shown = async (values: RangeStatistics): Promise<(string | null)[]> => {
    const { unmount } = await openPane(values);
    const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
    const readouts = screen.getAllByText(/^(?:p\d\d|max)$/u, { selector: "span" });
    unmount();
    return [...heads, ...readouts.map(({ textContent }) => textContent)];
  };
  expect(await shown(rangeStatistics({ blocks: 19, commitLatency: few, stages }))).toEqual([
    "Stage in view",
    "p50",
    "max",
    "p50",
    "max",
  ]);
  expect(await shown(rangeStatistics())).toEqual([
    "Stage in view",
    "p50",
    "p95",
    "max",
    "p50",
    "p95",
    "p99",
    "max",
  ]);
});

test("color and name of a stage are one button, which isolates its lane", async () => {
  const { view } = await openPane(
    rangeStatistics(),
    captureLanes([replicaNamed("SQL1"), replicaNamed("SQL2")]),
  );
  const stage = screen.getByRole("button", { name: /Network out/u });
  expect(stage.querySelector(".swatch")).not.toBeNull();
  await settled(() => fireEvent.click(stage));
  expect(view().isolated).toEqual(["hop0.wireOut"]);
});
