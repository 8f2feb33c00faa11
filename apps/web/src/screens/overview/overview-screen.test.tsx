import type { SlowBlock, SlowBlocks } from "@aglens/contract";
import { PATH_STAGES, recordOf, REMOTE_STAGE_IDS, STAGE_IDS, STAGES } from "@aglens/ag-model/replication";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { checkOf, ROUNDED } from "../../../test/check.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { type Answers, openCapture } from "../../../test/open-capture.tsx";
import { overviewOf } from "../../../test/overview.ts";
import { SLOW_BLOCK } from "../../../test/sequence.ts";
import {
  failoverOf,
  rangeStatistics,
  replicaSummary,
  secondaryPart,
  statisticsOfValue,
  summaryOf,
} from "../../../test/summary.ts";
import { blockWindow, commitWindow } from "../../../test/window.ts";
import { ProblemError } from "../../data/problem.ts";
import type { View } from "../../state/view.ts";
import { OverviewScreen } from "./overview-screen.tsx";

const slowBlock = (row: number): SlowBlock => ({
  row,
  database: 0,
  lsn: `00000022:${row.toString(16).padStart(8, "0")}`,
  equalLsns: [],
  time: row * 1_000,
  commits: 1,
  gate: 2,
  largest: "wireOut",
  paused: null,
  matched: null,
  localStart: 0,
  stages: {
    ...(Object.fromEntries(STAGES.map(({ id }) => [id, 1_000])) as SlowBlock["stages"]),
    remoteHarden: 8_000 - row,
    commit: 9_000,
  },
});

const slowBlocks = (limit: number, total = 1_079): SlowBlocks => ({
  total,
  rows: Array.from({ length: Math.min(limit, total) }, (_, i) => slowBlock(i + 1)),
});

const ANSWERS: Answers = {
  overview: () => overviewOf({ blocks: [0, 4, 4, 4, 4, 4, 4, 4, 4, 4] }),
  commits: () => commitWindow([[1_000_000, 1_008_000, 0]]),
  window: () => blockWindow([{ commitStart: 1_000_000, commitEnd: 1_008_000, hops: [{}, {}] }]),
  statistics: () => rangeStatistics(),
  slowest: ({ limit }) => slowBlocks(limit),
};

const down = new ProblemError("internal", 500, "The disk of the server is full.");
const open = (answers: Answers = ANSWERS, view: Partial<View> = {}, summary = {}) =>
  openCapture(<OverviewScreen />, { answers, view, summary });
/** Requests that wait for a pause of the pointer are sent after it. */
const charted = () => screen.findByRole("region", { name: "Charts" });
const slowest = () => screen.getByRole("region", { name: "Slowest blocks" });
const rowsOf = (table: HTMLElement) => within(table).getAllByRole("button", { name: /^Open block/u });
const press = (key: string, more: KeyboardEventInit = {}) =>
  settled(() => fireEvent.keyDown(document.body, { key, ...more }));

beforeEach(() => {
  fakeScreen({ width: 1_000, height: 400 });
  logCanvases();
});

describe("the overview", () => {
  test("has its verdict at once, and its charts as soon as they are answered", async () => {
    await open({});
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(
      "The network to SQL2 takes 72 % of remote harden time.",
    );
    expect(screen.getByRole("complementary", { name: "Averages" }).textContent).toContain(
      "Mean remote harden",
    );
    expect(screen.queryByRole("region", { name: "Charts" })).toBeNull();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("has the shares that the verdict is of, not those of each stage's own blocks", async () => {
    const shares = [recordOf(REMOTE_STAGE_IDS, (id) => (id === "wireOut" ? 0.301 : 0.1))];
    await open({}, {}, { shares });
    const row = screen.getByRole("row", { name: /^Network out/u });
    // The means are 1 ms each.
    expect(row.textContent?.replaceAll("\u2009", " ")).toContain("30.1 %");
    expect(screen.getByRole("row", { name: /^SQL2 ack/u }).textContent).toContain("20.0");
  });

  test("keeps the place of what is not answered yet, without rows that somebody could take for blocks", async () => {
    await open({});
    expect(screen.getByText(/^Reading [\d,]+ log blocks$/u).closest("[aria-busy=true]")).not.toBeNull();
    expect(slowest().getAttribute("aria-busy")).toBe("true");
    expect(within(slowest()).queryAllByRole("button", { name: /^Open block/u })).toEqual([]);
    expect(slowest().querySelectorAll("tbody tr[aria-hidden=true]")).toHaveLength(25);
  });

  test("shows charts with a sentence each, and the slowest blocks", async () => {
    await open();
    const charts = await charted();
    expect(within(charts).getByRole("img", { name: "Log blocks per second" })).toBeTruthy();
    await waitFor(() => expect(charts.textContent).toContain("36 log blocks in view, at most 4 per second."));
    expect(charts.textContent).toContain(
      "Commit latency over 10.0\u2009s: p50 8.02\u2009ms, p95 8.02\u2009ms, max 8.02\u2009ms of 100 commits.",
    );
    expect(rowsOf(slowest())).toHaveLength(25);
  });

  test("shows the figures of the charts as tables and back", async () => {
    await open();
    const charts = await charted();
    fireEvent.click(within(charts).getByRole("button", { name: "Show as table" }));
    expect(within(charts).getByRole("region", { name: "Log blocks" }).textContent).toContain("02:16:56.000");
    expect(within(charts).queryByRole("img", { name: "Commit latency" })).toBeNull();
    // As the legend of the chart names them; a single commit has no percentiles.
    const heads = within(within(charts).getByRole("region", { name: /^Share of/u })).getAllByRole(
      "columnheader",
    );
    expect(heads.map(({ textContent }) => textContent)).toEqual([
      "From, UTC",
      "SQL2 log write",
      "SQL2 handling",
      "Network out",
      "Network back",
      "SQL1 handling",
    ]);
    const latency = within(charts).getByRole("region", { name: "Latency" });
    expect(
      within(latency)
        .getAllByRole("cell")
        .slice(-4)
        .map(({ textContent }) => textContent),
    ).toEqual(["–", "–", "–", "8.00\u2009ms"]);
    fireEvent.click(within(charts).getByRole("button", { name: "Show as charts" }));
    expect(within(charts).getByRole("img", { name: "Commit latency" })).toBeTruthy();
  });

  test("says what a server was unresponsive for beside the means and the shares that it fell in", async () => {
    const paused = [{ replica: 1, stages: { wireOut: 600, wireBack: 150 } }];
    const { container } = await open(
      { ...ANSWERS, statistics: () => rangeStatistics({ paused }) },
      {},
      { pauses: [{ replica: 1, from: 1e6, to: 3e6 }] },
    );
    const charts = await charted();
    // Each of the eight stages of the path takes 1 ms: 750 µs of 8 ms.
    await waitFor(() => expect(charts.textContent).toContain("SQL2 was unresponsive for 9\u2009% of it"));
    const averages = screen.getByRole("complementary", { name: "Averages" });
    await waitFor(() =>
      expect(averages.textContent).toContain("SQL2 was unresponsive for 750\u00a0\u00b5s (9\u00a0%) of"),
    );
    expect(container.querySelectorAll(".block-bar .stage.wait").length).toBeGreaterThanOrEqual(2);
  });

  test("compares an episode with what is outside of it: a standstill in it is no part of otherwise", async () => {
    const means = recordOf(PATH_STAGES, () => 1_000);
    const inside = { from: 2e6, to: 4e6 };
    const episode = {
      label: "Slow network",
      cause: "network" as const,
      ...inside,
      blocks: 200,
      stage: "networkRoundTrip" as const,
      secondary: 0,
      inside: means,
      outside: means,
    };
    // Within the episode a server was unresponsive for 600 µs of a mean block, outside of it for 0 µs.
    const pausedFor = (us: number) => rangeStatistics({ paused: [{ replica: 1, stages: { wireOut: us } }] });
    const asked: unknown[] = [];
    await open(
      {
        ...ANSWERS,
        statistics: (range, where, except) => {
          asked.push([range, where, except]);
          const isEpisode = range.from === inside.from && range.to === inside.to;
          return isEpisode ? pausedFor(600) : except === undefined ? pausedFor(60) : rangeStatistics();
        },
      },
      {},
      {
        pauses: [{ replica: 1, ...inside }],
        verdict: { ...summaryOf().verdict, episodes: [episode] },
      },
    );
    await waitFor(() => expect(asked).toContainEqual([inside, null, undefined]));
    expect(asked).toContainEqual([{ from: 0, to: 10e6 }, null, inside]);
    const averages = screen.getByRole("complementary", { name: "Averages" });
    const barOf = (label: string): number =>
      within(averages).getByTitle(label).parentElement!.querySelectorAll(".block-bar .stage.wait").length;
    await waitFor(() => expect(barOf(episode.label)).toBe(1));
    expect([barOf("Otherwise"), barOf("Whole")]).toEqual([0, 1]);
  });

  test("says nothing of a standstill where no server was unresponsive, and asks no more for it", async () => {
    const { source } = await open();
    const charts = await charted();
    await waitFor(() => expect(charts.textContent).toContain("Commit latency over"));
    expect(document.body.textContent).not.toContain("was unresponsive");
    expect(source.asked.filter(([name]) => name === "statistics")).toHaveLength(1);
  });

  test("asks for blocks instead of commits when the remote harden is wanted", async () => {
    const { source } = await open();
    const charts = await charted();
    fireEvent.click(within(charts).getByRole("button", { name: "Remote harden" }));
    await within(charts).findByRole("img", { name: "Remote harden" });
    await waitFor(() => expect(source.asked.filter(([name]) => name === "window")).toHaveLength(2));
  });
});

describe("what is not answered", () => {
  test("says so where it would be, and is asked again from there", async () => {
    let isDown = true;
    const broken = (): Error => down;
    const { source } = await open({
      ...ANSWERS,
      overview: () => (isDown ? down : overviewOf({ blocks: [0, 4] })),
      slowest: broken,
    });
    await waitFor(() => expect(screen.getAllByRole("alert")).toHaveLength(2));
    expect(within(slowest()).getByRole("alert").textContent).toContain("The disk of the server is full.");
    isDown = false;
    // The charts are before the table.
    fireEvent.click(screen.getAllByRole("button", { name: "Try again" })[0]);
    await charted();
    expect(source.asked.filter(([name]) => name === "overview")).toHaveLength(2);
  });

  test("leaves the other parts alone: dots, minimap and figures each say it for themselves", async () => {
    await open(
      { ...ANSWERS, commits: () => down, window: () => down, statistics: () => down },
      { range: [1_000_000, 2_000_000] },
    );
    const charts = await charted();
    await waitFor(() => expect(within(charts).getAllByRole("alert")).toHaveLength(2));
    expect(within(screen.getByRole("complementary", { name: "Averages" })).getByRole("alert")).toBeTruthy();
    expect(rowsOf(slowest())).toHaveLength(25);
  });

  test("keeps the table of before, marked, while another order is asked for", async () => {
    const { promise, resolve } = Promise.withResolvers<SlowBlocks>();
    await open({
      ...ANSWERS,
      slowest: ({ sort, limit }) => (sort === "commit" ? promise : slowBlocks(limit)),
    });
    expect(slowest().getAttribute("aria-busy")).toBe("false");
    fireEvent.change(within(slowest()).getByRole("combobox"), { target: { value: "commit" } });
    await settled();
    expect(slowest().getAttribute("aria-busy")).toBe("true");
    expect(rowsOf(slowest())).toHaveLength(25);
    await settled(() => resolve(slowBlocks(1, 1)));
    expect(slowest().getAttribute("aria-busy")).toBe("false");
    expect(rowsOf(slowest())).toHaveLength(1);
  });
});

describe("the slowest blocks", () => {
  const more = () => within(slowest()).queryByRole("button", { name: /^Show more/u });

  test("come 25 at a time", async () => {
    const { source } = await open();
    expect(more()?.textContent).toBe("Show more, 25 of 1,079");
    await settled(() => fireEvent.click(more()!));
    expect(rowsOf(slowest())).toHaveLength(50);
    expect(source.asked.filter(([name]) => name === "slowest").at(-1)).toMatchObject([
      "slowest",
      { limit: 50 },
    ]);
  });

  test("end where the server gives no more, and say how to see the others", async () => {
    const few = { ...slowBlocks(3), total: 1_079 };
    const { source } = await open({ ...ANSWERS, slowest: () => few });
    for (let press = 0; press < 39; press++) {
      // oxlint-disable-next-line no-await-in-loop -- one press after the other
      await settled(() => fireEvent.click(more()!));
    }
    expect(source.asked.filter(([name]) => name === "slowest").at(-1)).toMatchObject([
      "slowest",
      { limit: 1_000 },
    ]);
    expect(more()).toBeNull();
    expect(slowest().textContent).toContain(
      "The first 3 of 1,079. Zoom in or change the order to see others.",
    );
  });

  test("end silently where all are shown", async () => {
    await open({ ...ANSWERS, slowest: ({ limit }) => slowBlocks(limit, 20) });
    expect(more()).toBeNull();
    expect(slowest().textContent).not.toContain("The first");
  });

  test.each([
    [
      "another order",
      () => fireEvent.change(within(slowest()).getByRole("combobox"), { target: { value: "commit" } }),
    ],
    [
      "the other direction",
      () => fireEvent.click(within(slowest()).getByRole("button", { name: /^Remote harden/u })),
    ],
  ])("begin anew with %s", async (_, change) => {
    const { source } = await open();
    await settled(() => fireEvent.click(more()!));
    await settled(change);
    expect(source.asked.filter(([name]) => name === "slowest").at(-1)).toMatchObject([
      "slowest",
      { limit: 25 },
    ]);
    expect(rowsOf(slowest())).toHaveLength(25);
  });

  test("begin anew with another range", async () => {
    const { source } = await open(ANSWERS, { range: [1_000_000, 9_000_000] });
    await settled(() => fireEvent.click(more()!));
    await settled(() => fireEvent.click(screen.getByRole("button", { name: "Whole capture" })));
    expect(source.asked.filter(([name]) => name === "slowest").at(-1)).toMatchObject([
      "slowest",
      { limit: 25, range: { from: 0, to: 10_000_000 } },
    ]);
  });

  test("are sorted by the head of a column, and turned around by a second press", async () => {
    const { view } = await open(ANSWERS, { sort: "wireOut" });
    const head = within(slowest()).getByRole("button", { name: /^Remote harden/u });
    await settled(() => fireEvent.click(head));
    expect(view()).toMatchObject({ sort: "remoteHarden", descending: true });
    await settled(() => fireEvent.click(within(slowest()).getByRole("button", { name: /^Remote harden/u })));
    expect(view()).toMatchObject({ sort: "remoteHarden", descending: false });
    expect(slowest().textContent).toContain("Fastest blocks");
  });

  test("without the primary's file are ordered by the secondary's log write, unless the view says otherwise", async () => {
    const replicas = [
      replicaSummary({ role: "primary", name: "SQL1", hasCapture: false }),
      replicaSummary({ name: "SQL2" }),
    ];
    const none = { ...summaryOf().commits, latency: statisticsOfValue(null) };
    const stages = [recordOf(STAGE_IDS, () => statisticsOfValue(null))];
    const { source } = await open(ANSWERS, {}, { replicas, commits: none, stages });
    expect(source.asked).toContainEqual(["slowest", expect.objectContaining({ sort: "secondaryFlush" })]);
    await open(ANSWERS, { sort: "wireOut" }, { replicas, commits: none, stages });
    await screen.findAllByText("Without a file of the primary there are no commits and no remote harden.");
  });
});

test("blocks of which no remote harden is known are ordered by the secondary's log write", async () => {
  const stages = [recordOf(STAGE_IDS, () => statisticsOfValue(null))];
  const { source } = await open(ANSWERS, {}, { stages });
  expect(source.asked).toContainEqual(["slowest", expect.objectContaining({ sort: "secondaryFlush" })]);
});

describe("keys of the overview", () => {
  test("n and p walk the table and stop at its ends; what they reach is said", async () => {
    const { view } = await open({ ...ANSWERS, slowest: ({ limit }) => slowBlocks(limit, 3) });
    await press("p");
    expect(view().block).toBe(3);
    await press("n");
    expect(view().block).toBe(3);
    await press("p");
    expect(view().block).toBe(2);
    const said = within(slowest()).getByRole("status").textContent;
    expect(said).toBe("Block 00000022:00000002, remote harden 8.00\u2009ms, 2 of 3");
    await press("p");
    await press("p");
    expect(view().block).toBe(1);
  });

  test("Enter before the blocks are there is left to them: n may have been pressed before it", async () => {
    const { open: opened } = await open({ ...ANSWERS, slowest: () => new Promise<never>(() => undefined) });
    expect(fireEvent.keyDown(document.body, { key: "Enter" })).toBe(true);
    expect(opened).not.toHaveBeenCalled();
  });

  test("Enter opens the selected block only; Escape lets it go, then shows the whole capture", async () => {
    const { view, open: opened } = await open(ANSWERS, { range: [1_000_000, 2_000_000] });
    await press("Enter");
    expect(opened).not.toHaveBeenCalled();
    await press("n");
    await press("Enter");
    expect(opened).toHaveBeenCalledExactlyOnceWith("sequence");
    await press("Escape");
    expect(view()).toMatchObject({ block: null, range: [1_000_000, 2_000_000] });
    await press("Escape");
    expect(view().range).toBeNull();
  });
});

describe("a stretch without blocks", () => {
  const EMPTY: Answers = {
    ...ANSWERS,
    overview: () => overviewOf({}),
    findAt: (at) => ({
      rows: [{ row: at === 0 ? 4 : 5, database: 0, lsn: "", time: at === 0 ? 0 : 9_000_000 }],
    }),
    sequence: (row) => ({ ...SLOW_BLOCK, row, time: row * 1_000_000 }),
  };

  test("says why, and leads to the blocks beside it", async () => {
    const { view } = await open(EMPTY, { range: [6_000_000, 8_000_000] });
    const card = await screen.findByRole("heading", { name: /^No log block between/u });
    const next = await screen.findByRole("button", { name: /^Next block/u });
    expect(card.textContent).toBe("No log block between +6.0\u2009s and +8.0\u2009s");
    expect(screen.getByText(/the database wrote no log here/u)).toBeTruthy();
    await settled(() => fireEvent.click(next));
    expect(view().range).toEqual([4_000_000, 6_000_000]);
  });

  test.each([
    [
      "that a file does not cover",
      { replicas: [replicaSummary({ role: "primary" }), replicaSummary({ name: "SQL2", to: 7_000_000 })] },
    ],
    ["of which a server lost every event", { missing: [{ replica: 1, from: 7_000_000, to: 7_500_000 }] }],
  ])("%s says that blocks may be missing", async (_what, summary) => {
    await open(EMPTY, { range: [6_000_000, 8_000_000] }, summary);
    expect(await screen.findByText(/^Not every server has events of this time/u)).toBeTruthy();
  });

  test.each([
    ["continue", 8n, /here\. Nothing was lost\.$/u],
    ["have a hole", 9n, /^Block ids have a hole here/u],
    ["are of another VLF", 8n + (1n << 32n), /wrote no log here\.$/u],
  ])("whose blocks' ids %s says what is known of it", async (_what, units, words) => {
    const first = { ...SLOW_BLOCK, blockId: String(0x22n << 32n), size: 8 * 512 };
    const second = { ...SLOW_BLOCK, blockId: String((0x22n << 32n) + units) };
    const sequence = (row: number) => ({ ...(row === 4 ? first : second), row, time: row * 1_000_000 });
    await open({ ...EMPTY, sequence }, { range: [6_000_000, 8_000_000] });
    expect(await screen.findByText(words)).toBeTruthy();
  });

  test("is the whole capture where it holds no block at all: there is nothing to look beside", async () => {
    const { source } = await open(EMPTY, {}, { blocks: { total: 0 } });
    expect(await screen.findByText("This capture holds no log block")).toBeTruthy();
    expect(source.asked.map(([name]) => name)).not.toContain("findAt");
  });
});

describe("figures that do not follow the view", () => {
  const heads = async (view: Partial<View>) => {
    const database = (name: string) => ({ id: name, name, group: 0, replicaIds: [], localIds: [] });
    // Rows by database have no classes. The classes of a database appear as soon as it is selected.
    const names = view.database === undefined ? ["Sales1"] : ["Sales1", "Sales2"];
    await open(ANSWERS, view, { databases: names.map(database) });
    const rail = screen.getByRole("complementary", { name: "Averages" });
    const cards = [
      within(rail).getByRole("heading", { name: "Log writes by class" }),
      screen.getByRole("heading", { name: "Averages as SSMS reports them" }),
    ];
    return [screen.getByRole("region", { name: "Verdict" }), ...cards.map((head) => head.parentElement!)];
  };

  test("say that they are of the whole capture beside those of a range", async () => {
    for (const head of await heads({ range: [1_000_000, 9_000_000] }))
      expect(head.textContent).toMatch(/whole capture/iu);
  });

  test("say which database they are of", async () => {
    const range = [1_000_000, 9_000_000] as const;
    for (const head of await heads({ range, database: "Sales2" }))
      expect(head.textContent).toMatch(/whole capture, Sales2/iu);
  });

  test("are of what is in view as soon as that is judged, and say so", async () => {
    const { commits, stages, shares, verdict } = summaryOf();
    const flushClasses = [{ good: 7, reasonable: 0, busy: 0, bad: 0 }, null];
    const sentence = "Commits finish in 5.00 ms (p95).";
    const own = { commits, stages, shares, flushClasses, verdict: { ...verdict, sentence } };
    const asked: unknown[] = [];
    const scopeSummary: Answers["scopeSummary"] = (range) => {
      asked.push(range);
      return own;
    };
    await open({ ...ANSWERS, scopeSummary }, { range: [1_000_000, 9_000_000] });
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(sentence));
    expect(asked).toEqual([{ from: 1_000_000, to: 9_000_000 }]);
    const band = screen.getByRole("region", { name: "Verdict" });
    expect(band.textContent).toMatch(/8\.00.s in view:/u);
    expect(band.textContent).not.toMatch(/whole capture/iu);
    const head = screen.getByRole("heading", { name: "Log writes by class" }).parentElement!;
    expect(head.textContent).toMatch(/8\.00.s in view, 7 writes each/u);
  });

  test.each([
    ["few", { blocks: 19 }],
    ["many", { blocks: 50_001 }],
    ["many commits", { commits: 50_001 }],
  ])("stay those of the whole capture where a range has too %s", async (_, more) => {
    const answers = { ...ANSWERS, statistics: () => rangeStatistics(more) };
    const opened = await open(answers, { range: [1_000_000, 9_000_000] });
    expect(screen.getByRole("region", { name: "Verdict" }).textContent).toMatch(/whole capture:/iu);
    expect(opened.source.asked.some(([ask]) => ask === "scopeSummary")).toBe(false);
  });

  test("say nothing of it where the whole capture is in view", async () => {
    for (const head of await heads({ database: "Sales2" }))
      expect(head.textContent).not.toMatch(/whole capture/iu);
  });
});

describe("a capture of two databases", () => {
  const database = (name: string) => ({ id: name, name, group: 0, replicaIds: [], localIds: [] });
  const summary = { databases: [database("Sales1"), database("Sales2")] };
  const also = { row: 9, database: 1, time: 901_000 };
  const answers: Answers = {
    ...ANSWERS,
    slowest: () => ({ total: 1, rows: [{ ...slowBlock(1), equalLsns: [also] }] }),
  };

  test("names each block by its database, and leads to the other block of an LSN", async () => {
    const opened = await open(answers, { database: "Sales1" }, summary);
    const table = slowest();
    expect(within(table).getByRole("columnheader", { name: "Database" })).toBeTruthy();
    expect(within(table).getByRole("button", { name: "Open block Sales1 00000022:00000001" })).toBeTruthy();
    const chip = within(table).getByRole("button", { name: /^also in/u });
    expect(chip.textContent?.replaceAll(/[\u2009\u00a0\u202f]/gu, " ")).toBe("also in Sales2, +900 ms");
    fireEvent.click(chip);
    // The filter would hide the block of the other database.
    expect(opened.open).toHaveBeenCalledExactlyOnceWith("sequence", { block: 9, database: null });
  });

  test("one of one database has neither column nor chip", async () => {
    await open(answers, {}, { databases: [database("Sales1")] });
    expect(within(slowest()).queryByRole("columnheader", { name: "Database" })).toBeNull();
    expect(within(slowest()).getByRole("button", { name: "Open block 00000022:00000001" })).toBeTruthy();
  });
});

describe("several databases", () => {
  const [first] = summaryOf().databases;
  const databases = ["Sales2", "Sales1"].flatMap((name) => (first ? [{ ...first, id: name, name }] : []));

  test("have a row each on one scale, in the order of their names, and figures beside those of both", async () => {
    const opened = await open(ANSWERS, {}, { databases });
    const charts = await charted();
    const rows = within(charts).getAllByRole("img", { name: /^(Commit latency|Log blocks per second)/u });
    expect(rows.map((row) => row.getAttribute("aria-label"))).toEqual([
      "Commit latency, Sales1",
      "Commit latency, Sales2",
      "Log blocks per second, Sales1",
      "Log blocks per second, Sales2",
    ]);
    const rail = screen.getByRole("complementary", { name: "Averages" });
    const byDatabase = within(rail).getAllByRole("table")[0];
    expect(
      within(byDatabase)
        .getAllByRole("columnheader")
        .slice(1)
        .map(({ textContent }) => textContent),
    ).toEqual(["Sales1", "Sales2", "Both"]);
    expect(rail.textContent).toContain("SQL2, Sales1");
    const scopes = opened.source.asked.filter(([ask]) => ask === "scoped").map(([, scope]) => scope);
    for (const database of [0, 1, null]) expect(scopes).toContainEqual({ database, phase: null });
  });

  test("whose paths are known on the secondary alone have a mean of that", async () => {
    const answers = { ...ANSWERS, statistics: () => rangeStatistics({ stages: [secondaryPart()] }) };
    await open(answers, {}, { databases, stages: [secondaryPart()] });
    await charted();
    const rail = screen.getByRole("complementary", { name: "Averages" });
    expect(within(rail).getByRole("heading", { name: "Mean of SQL2's part" })).toBeTruthy();
    expect(rail.textContent).not.toContain("Mean remote harden");
  });

  test("have no rate of blocks over less than a second", async () => {
    const rate = async (to: number) => {
      const answers = { ...ANSWERS, statistics: () => rangeStatistics({ from: 0, to, blocks: 300 }) };
      const { unmount } = await open(answers, {}, { databases });
      await charted();
      const row = screen.getByRole("rowheader", { name: "Log blocks per second" }).parentElement;
      const words = row?.querySelector("td")?.textContent;
      unmount();
      return words;
    };
    expect(await rate(3_000_000)).toBe("100");
    expect(await rate(500_000)).toBe("\u2013");
  });

  test("of which one is looked at are drawn as a capture with one", async () => {
    await open(ANSWERS, { database: "Sales1" }, { databases });
    const charts = await charted();
    expect(within(charts).getByRole("img", { name: "Commit latency" })).toBeTruthy();
    expect(screen.queryByText("By database")).toBeNull();
  });
});

describe("a failover", () => {
  const { phases, verdict } = failoverOf();
  const summary = { phases, verdict };

  test("has a role for each server and phase, and figures of both phases by role and by server", async () => {
    const opened = await open(ANSWERS, {}, summary);
    const charts = await charted();
    expect(within(charts).getByRole("button", { name: "SQL2, primary: after alone" })).toBeTruthy();
    expect(within(charts).getByText("switch")).toBeTruthy();
    const rail = screen.getByRole("complementary", { name: "Averages" });
    expect(rail.textContent).toContain("Mean remote harden per phase");
    expect(within(rail).getByText("The same log disk in both roles")).toBeTruthy();
    // The names of servers would be those of two servers.
    expect(charts.textContent).toContain("Secondary log write");
    expect(charts.textContent).not.toContain("\u203A");
    expect(opened.source.asked.filter(([ask]) => ask === "scoped").map(([, scope]) => scope)).toContainEqual({
      database: null,
      phase: 1,
    });
    fireEvent.click(within(charts).getByRole("button", { name: "SQL2, primary: after alone" }));
    expect(opened.view().phase).toBe(1);
  });

  test("has means of each secondary's part where that is all that is known", async () => {
    const answers = { ...ANSWERS, statistics: () => rangeStatistics({ stages: [secondaryPart()] }) };
    await open(answers, {}, { ...summary, stages: [secondaryPart()] });
    await charted();
    const rail = screen.getByRole("complementary", { name: "Averages" });
    expect(within(rail).getByRole("heading", { name: "Mean of the known stages per phase" })).toBeTruthy();
    expect(rail.textContent).toContain("Before: mean of SQL2's part. After: mean of SQL1's part.");
    expect(rail.textContent).not.toContain("Mean remote harden");
  });

  test("says who commits beside a switch, but not in a phase that has no room for it", async () => {
    const [first, second] = phases;
    const [change] = verdict.findings;
    const back = { ...change, replica: 0, window: { from: 6.4e6, to: 7e6 } };
    await open(
      ANSWERS,
      {},
      {
        phases: [first, { ...second, to: 6.4e6 }, { ...first, from: 7e6, to: 10e6 }],
        verdict: { ...verdict, findings: [change, back] },
      },
    );
    const charts = await charted();
    expect(within(charts).getAllByText("SQL1 commits")).toHaveLength(2);
    expect(within(charts).queryByText("SQL2 commits")).toBeNull();
  });

  test("asks for the figures of a range that is dragged only when it rests", async () => {
    const { source } = await open(ANSWERS, { range: [1_000_000, 9_000_000] }, summary);
    await charted();
    const asked = (): number => source.asked.filter(([ask]) => ask === "statistics").length;
    const before = asked();
    fireEvent.click(screen.getByRole("button", { name: "Whole capture" }));
    // Runs all work that needs no timer: the end of a pause cannot happen in between, however busy the machine is.
    for (let turn = 0; turn < 50; turn++) await Promise.resolve(); // oxlint-disable-line no-await-in-loop
    expect(asked()).toBe(before);
    await waitFor(() => expect(asked()).toBeGreaterThan(before));
  });

  test("names the largest stage of a block by the servers of its own phase", async () => {
    const late = { ...slowBlock(1), time: 7e6, largest: "secondaryFlush" as const };
    await open({ ...ANSWERS, slowest: () => ({ total: 1, rows: [late] }) }, {}, summary);
    const row = within(slowest()).getAllByRole("row")[1];
    expect(row?.textContent).toContain("SQL1 log write");
    expect(within(slowest()).getByRole("columnheader", { name: "Primary" })).toBeTruthy();
  });

  test("names the server that was unresponsive instead of the stage that its time falls into", async () => {
    const paused = { replica: 1, stages: { wireOut: 1_500 } };
    await open({ ...ANSWERS, slowest: () => ({ total: 1, rows: [{ ...slowBlock(1), paused }] }) });
    const row = within(slowest()).getAllByRole("row")[1];
    expect(row?.textContent).toContain("SQL2 was unresponsive");
    expect(row?.textContent).not.toContain("Network out");
  });

  test("shows one phase alone as a capture in which no role changed", async () => {
    await open(ANSWERS, { phase: 1 }, summary);
    await charted();
    const rail = screen.getByRole("complementary", { name: "Averages" });
    expect(rail.textContent).toContain("SQL1 log write");
    expect(rail.textContent).not.toContain("per phase");
  });

  test("of which one phase is alone says that verdict and log writes are of the whole phase", async () => {
    await open(ANSWERS, { phase: 1, range: [1_000_000, 9_000_000] }, summary);
    for (const region of [
      screen.getByRole("region", { name: "Verdict" }),
      screen.getByRole("complementary", { name: "Averages" }),
    ]) {
      expect(region.textContent).toMatch(/whole phase/iu);
      expect(region.textContent).not.toMatch(/whole capture/iu);
    }
  });
});

describe("the way to how a capture was read", () => {
  const verdictOf = (sentence: string) => ({ ...summaryOf().verdict, sentence });
  const link = () => screen.getByRole("button", { name: "How this was read" });
  const other = "The network to SQL2 takes 72 % of remote harden time.";

  test("is behind the first sentence where an expectation isn't met, and selects that", async () => {
    const summary = { check: ROUNDED, verdict: verdictOf(`${ROUNDED.sentence} ${other}`) };
    const opened = await open({}, {}, summary);
    const heading = screen.getByRole("heading", { level: 1 });
    expect(heading.textContent).toBe(`${ROUNDED.sentence} How this was read ${other}`);
    expect(within(heading).getByRole("button")).toBe(link());
    fireEvent.click(link());
    expect(opened.open).toHaveBeenCalledExactlyOnceWith("how-read", { expectation: "fractions" });
  });

  test.each([
    ["everything is met", checkOf()],
    ["an earlier version analyzed the capture", undefined],
    ["the verdict is of a part of the capture and begins with something else", ROUNDED],
  ])("is with how it was measured where %s", async (_, check) => {
    const opened = await open({}, {}, { check });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(other);
    fireEvent.click(screen.getByText("How this was measured"));
    fireEvent.click(link());
    expect(opened.open).toHaveBeenCalledExactlyOnceWith("how-read", { expectation: null });
  });
});
