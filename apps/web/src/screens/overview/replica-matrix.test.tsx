import { hasReplicaMatrix } from "@aglens/contract";
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { overviewOf } from "../../../test/overview.ts";
import { commitWindow } from "../../../test/window.ts";
import { BEHIND, replicaRows } from "../../../test/replica-rows.ts";
import { rangeStatistics, replicaSummary, summaryOf } from "../../../test/summary.ts";
import { ProblemError } from "../../data/problem.ts";
import { behindScale } from "../../charts/overview/behind-bars.tsx";
import { behindLabels } from "./charts/asynchronous-rows.tsx";
import { HasGuide } from "../../ui/term.tsx";
import { OverviewScreen } from "./overview-screen.tsx";
import { asynchronousOf, candidatesOf, highestRate } from "./replica-candidates.ts";

const replicas = [
  replicaSummary({ role: "primary", name: "SQL1" }),
  replicaSummary({ name: "SQL2" }),
  replicaSummary({ name: "SQL3" }),
  replicaSummary({ name: "SQL4", commitMode: "async" }),
];
const phases = [
  { databases: [0], primary: 0, from: 0, to: 2e6, commitModes: ["sync", "sync", "async"] as const },
];
const summary = {
  replicas,
  phases: phases.map((phase) => ({ ...phase, commitModes: [...phase.commitModes] })),
  verdict: { ...summaryOf().verdict, checkNext: [] },
};

beforeEach(() => {
  fakeScreen({ width: 1_000, height: 400 });
  logCanvases();
});

const open = (page = <OverviewScreen />) =>
  openCapture(page, {
    summary,
    answers: {
      replicaRows: () => replicaRows(),
      overview: () => overviewOf({ blocks: [4, 4] }),
      statistics: () => rangeStatistics(),
    },
  });
const matrix = () => screen.getByRole("region", { name: "Replicas on one scale" });
const names = () =>
  within(matrix())
    .getAllByRole("rowheader")
    .map(({ textContent }) => textContent);

test("a row per replica: those that release by their share, the local log write, then the asynchronous ones", async () => {
  await open();
  const [latency, ...rows] = names();
  expect(latency).toContain("Commit latency");
  expect(rows).toEqual(["SQL3's ack", "SQL2's ack", "Local log write", "SQL4", "bytes"]);
  const released = within(matrix()).getByRole("row", { name: /^SQL3's ack/u });
  expect(released.textContent).toContain("30");
  expect(released.textContent).toContain("75.0\u2009%");
  expect(within(matrix()).getByRole("img", { name: "Commits that SQL3 released, over time" })).toBeTruthy();
  expect(screen.queryByRole("group", { name: "Secondary" })).toBeNull();
});

test("rows that cannot be read are waited for no more: what stands below is shown", async () => {
  await openCapture(<OverviewScreen />, { summary });
  expect(matrix().getAttribute("aria-busy")).toBe("true");
  cleanup();
  await openCapture(<OverviewScreen />, {
    summary,
    answers: { replicaRows: () => new ProblemError("internal", 500, "The disk of the server is full.") },
  });
  expect(matrix().textContent).toContain("The disk of the server is full.");
  expect(matrix().getAttribute("aria-busy")).toBe("false");
});

test("databases have a row of latencies each on one scale, and figures side by side under the replicas", async () => {
  const database = (name: string) => ({ id: name, name, group: 0, replicaIds: [], localIds: [] });
  const opened = await openCapture(<OverviewScreen />, {
    summary: {
      ...summary,
      phases: summary.phases.map((phase) => ({ ...phase, databases: [0, 1] })),
      databases: [database("Sales2"), database("Sales1")],
    },
    answers: {
      replicaRows: () => replicaRows(),
      overview: () => overviewOf({ blocks: [4, 4] }),
      statistics: () => rangeStatistics(),
      commits: () => commitWindow([[1_000_000, 1_008_000, 0]]),
    },
  });
  const plots = within(matrix()).getAllByRole("img", { name: /^Commit latency/u });
  expect(plots.map((plot) => plot.getAttribute("aria-label"))).toEqual([
    "Commit latency, Sales1",
    "Commit latency, Sales2",
  ]);
  const figures = within(screen.getByRole("complementary", { name: "Averages" }));
  const [byDatabase] = await figures.findAllByRole("table");
  expect(
    within(byDatabase)
      .getAllByRole("columnheader")
      .slice(1)
      .map(({ textContent }) => textContent),
  ).toEqual(["Sales1", "Sales2", "Both"]);
  const scopes = opened.source.asked.filter(([ask]) => ask === "scoped").map(([, scope]) => scope);
  for (const index of [0, 1]) expect(scopes).toContainEqual({ database: index, phase: null });
});

test("names and percentiles of the table have their definitions", async () => {
  await open(
    <HasGuide value={true}>
      <OverviewScreen />
    </HasGuide>,
  );
  const termsIn = (element: HTMLElement): (string | null)[] =>
    Array.from(element.querySelectorAll("[data-term]"), (term) => term.textContent);
  expect(termsIn(matrix())).toEqual([
    "Commit latency",
    " p50",
    " to p95",
    " to p99",
    " one commit",
    "p50",
    "p95",
    "p99",
    "max",
    "Primary log write",
    "Primary handling",
    "Network out",
    "Network back",
    "Secondary log write",
    "Secondary handling",
    "Released the commits",
    "share",
    "Synchronous path, mean",
    "p50",
    "p95",
    "Local log write",
    "lag: oldest log block not acknowledged, and bytes",
    "p50",
    "max",
    "Asynchronous path, mean, own scale",
    "p50",
    "p95",
  ]);
});

test("what no commit waits for stands beside the verdict, with how far it is behind", async () => {
  await open();
  const verdict = screen.getByRole("region", { name: "Verdict" });
  expect(verdict.textContent).toContain("lag 60.0\u2009ms p50");
});

test("what no commit waits for has its place before it is known how far it is behind", async () => {
  const rows = Promise.withResolvers<ReturnType<typeof replicaRows>>();
  await openCapture(<OverviewScreen />, {
    summary,
    answers: { replicaRows: () => rows.promise, overview: () => overviewOf({ blocks: [4, 4] }) },
  });
  const verdict = within(screen.getByRole("region", { name: "Verdict" }));
  const lines = () => verdict.getAllByRole("listitem", { hidden: true }).length;
  const before = lines();
  expect(verdict.queryByRole("listitem", { name: /lag/u })).toBeNull();
  await settled(() => rows.resolve(replicaRows()));
  expect(verdict.getByText(/lag .* p50/u)).toBeTruthy();
  expect(lines()).toBe(before);
});

test("asynchronous paths have a scale of their own, and nothing is enlarged", async () => {
  await open();
  expect(matrix().textContent).toContain("Asynchronous path, mean, own scale");
  expect(matrix().textContent).not.toContain("enlarged");
});

test("how far a replica is behind has round labels: powers of ten up to a second, then seconds on an even scale", () => {
  const texts = (most: number) =>
    behindLabels(behindScale(most, 44)).map(({ text }) => text.replaceAll("\u2009", " "));
  expect(texts(600_000)).toEqual(["10 ms", "100 ms", "1 s"]);
  expect(texts(2_300_000)).toEqual(["0", "1 s", "2 s", "3 s"]);
  expect(texts(6_100_000)).toEqual(["0", "5 s", "10 s"]);
  expect(texts(13_500_000)).toEqual(["0", "5 s", "10 s", "15 s"]);
  // Half as long is half as high.
  expect([5_000_000, 10_000_000].map(behindScale(10_000_000, 44).heightOf)).toEqual([22, 44]);
});

test("a row's name chooses the secondary that other screens are about", async () => {
  const { view } = await open();
  await settled(() => fireEvent.click(within(matrix()).getByRole("button", { name: "SQL3's ack" })));
  expect(view().secondary).toBe(1);
});

test("only several secondaries of one primary have rows", () => {
  expect(hasReplicaMatrix(summary)).toBe(true);
  expect(hasReplicaMatrix({ ...summary, replicas: replicas.slice(0, 2) })).toBe(false);
  const moved = {
    replicas,
    phases: [...summary.phases, ...summary.phases.map((phase) => ({ ...phase, primary: 1 }))],
  };
  expect(hasReplicaMatrix(moved)).toBe(false);
});

test("an undetermined secondary is a candidate, and shares are of the commits whose release is known", () => {
  const undetermined = replicas.map((replica, i) =>
    i === 1 ? { ...replica, commitMode: "undetermined" as const } : replica,
  );
  const candidates = candidatesOf(replicaRows(), { replicas: undetermined });
  expect(candidates.map(({ name, share }) => [name, share])).toEqual([
    ["SQL3", 0.75],
    ["SQL2", 9 / 40],
    ["Local log write", 1 / 40],
  ]);
  expect(candidates.map(({ isUndetermined }) => isUndetermined)).toEqual([false, true, false]);
  expect(highestRate(candidates, 1_000_000)).toBe(20);
  expect(highestRate(candidates, 500_000)).toBe(40);
  expect(candidatesOf({ ...replicaRows(), commits: 0 }, summary)[0]?.share).toBeNull();
  expect(asynchronousOf(replicaRows(), summary)).toMatchObject([{ name: "SQL4", behind: BEHIND }]);
});

test("paths of which only the secondary's part is known are on a scale that holds them", async () => {
  const { replicas: all, ...rows } = replicaRows();
  const known = { ...all[0].stages, wireOut: null, remoteHarden: null, secondaryFlush: 2_300 };
  await openCapture(<OverviewScreen />, {
    summary,
    answers: {
      replicaRows: () => ({
        ...rows,
        local: { ...rows.local, write: { ...rows.local.write, mean: null } },
        replicas: all.map((row) => ({ ...row, stages: known, behind: null })),
      }),
      overview: () => overviewOf({ blocks: [4, 4] }),
      statistics: () => rangeStatistics(),
    },
  });
  const widths = [...matrix().querySelectorAll(".block-bar .s-disk")].map((bar) => bar.getAttribute("width"));
  expect(widths.length).toBeGreaterThan(0);
  for (const width of widths) expect(Number.parseFloat(width ?? "")).toBeLessThanOrEqual(100);
});
