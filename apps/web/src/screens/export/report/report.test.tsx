/**
 * Tests the report as a reader opens it: its content, the data that it must not contain, and that it sends no requests.
 */
import type { SlowBlock, Summary } from "@aglens/contract";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { sourceOf, type Answers } from "../../../../test/open-capture.tsx";
import { evidenceAnswer, failoverCause, happenedEvent, leaseFailover } from "../../../../test/evidence.ts";
import { overviewOf } from "../../../../test/overview.ts";
import { SLOW_BLOCK } from "../../../../test/sequence.ts";
import {
  failoverOf,
  rangeStatistics,
  replicaSummary,
  secondaryPart,
  statisticsOfValue,
  summaryOf,
} from "../../../../test/summary.ts";
import { binWindow, blockWindow, commitWindow } from "../../../../test/window.ts";
import { typicalRow, worstRows } from "./chosen-blocks.ts";
import { largestOfParts, partSizes } from "./part-sizes.ts";
import { readReport, REPORT_PARTS, type ReportChoice } from "./report-data.ts";
import { Report } from "./report.tsx";
import { withDarkByPreference } from "./style-sheet.ts";
import { fileName } from "../../../frame/save-file.ts";

const WINDOW = blockWindow(
  [1_000, 9_000, 3_000].map((us, i) => ({
    localFlushStart: 1e6 * i,
    localFlushEnd: 1e6 * i + 500,
    hops: [{ sendStart: 1e6 * i, ackProcessed: 1e6 * i + us }],
  })),
  { to: 10e6, secondaries: 1 },
);

const slowBlock = (row: number, more: Partial<SlowBlock["stages"]>): SlowBlock => ({
  row,
  database: 0,
  lsn: `00000022:0000000${row}`,
  equalLsns: [],
  time: 1e6 * row,
  commits: 1,
  gate: 2,
  largest: "wireOut",
  paused: null,
  matched: null,
  localStart: 0,
  stages: { wireOut: null, wireBack: null, remoteHarden: null, ...more } as SlowBlock["stages"],
});

const SLOWEST = [
  slowBlock(1, { wireOut: 1_000, wireBack: 1_000, secondaryFlush: 7_000, remoteHarden: 9_000 }),
  slowBlock(2, { wireOut: 1_500, wireBack: 1_400, remoteHarden: 3_000 }),
];

/** From the second second of the capture to the fourth. */
const NOTE = {
  fromTicks: String(BigInt(summaryOf().originTicks) + 20_000_000n),
  toTicks: String(BigInt(summaryOf().originTicks) + 40_000_000n),
  lsn: null,
  written: "2026-11-21T14:32:00.000Z",
};

const ANSWERS: Answers = {
  overview: () => overviewOf({ idle: [[4e6, 8e6]] }),
  window: () => WINDOW,
  commits: () => commitWindow([[0, 1_100, 0]], { to: 10e6 }),
  statistics: () => ({
    from: 0,
    to: 10e6,
    blocks: 3,
    commits: 1,
    commitLatency: statisticsOfValue(1_100),
    gates: [0, 3],
    stages: summaryOf().stages as never,
    paused: [],
  }),
  slowest: () => ({ total: 2, rows: SLOWEST }),
  rawEvents: () => ({
    total: 9,
    position: 0,
    read: 1,
    next: 1,
    events: [],
    names: [],
    unreadable: 0,
    unlisted: { ofNoBlock: [0, 36], withoutInstant: 0 },
  }),
  evidence: () => evidenceAnswer(),
  notes: () => ({
    notes: [
      { ...NOTE, id: "a", text: "SQL1: backup of payroll", author: "Ann" },
      { ...NOTE, id: "b", lsn: "00000022:000001f7", text: "Snapshot?" },
    ],
  }),
  sequence: (row) => ({ ...SLOW_BLOCK, row, lsn: `00000022:0000000${row}` }),
};

const CHOICE: ReportChoice = {
  range: { from: 0, to: 10e6 },
  secondary: 0,
  database: null,
  phase: null,
  parts: new Set(REPORT_PARTS),
  slowest: 10,
  where: null,
  replacesNames: false,
};

async function written(
  choice: Partial<ReportChoice> = {},
  answers: Answers = {},
  summary: Partial<Summary> = {},
): Promise<Document> {
  const source = sourceOf({ ...ANSWERS, ...answers });
  const signal = new AbortController().signal;
  const data = await readReport(source, summaryOf(summary), { ...CHOICE, ...choice }, signal);
  const markup = renderToStaticMarkup(<Report data={data} css="" madeAt="2026-11-21 14:52 UTC" />);
  return new DOMParser().parseFromString(`<!doctype html>${markup}`, "text/html");
}

const plain = (part: Element | null): string => (part?.textContent ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");

const headings = (report: Document): (string | null | undefined)[] =>
  [...report.querySelectorAll("h2")].map((each) => each.firstChild?.textContent);

test("the report has its parts in order, each an anchor", async () => {
  const report = await written();
  expect(headings(report)).toEqual([
    "Check next",
    "Commit latency over the capture",
    "Share of remote harden by stage",
    "Where remote harden goes",
    "Timeline, 02:16:55 to 02:17:05 UTC",
    "Notes",
    "Sequences",
    "Slowest blocks",
    "Stages",
    "Log writes by class",
    "As SSMS reports them",
    "All blocks of the timeline",
    "Clock",
    "Completeness",
    "How this was made",
  ]);
  for (const heading of report.querySelectorAll("h2")) expect(heading.parentElement?.id).not.toBe("");
});

test("beside mean stages it says what a server was unresponsive for, and nothing where none did", async () => {
  const still = {
    ...ANSWERS,
    statistics: () => rangeStatistics({ paused: [{ replica: 1, stages: { wireOut: 600, wireBack: 200 } }] }),
  };
  const report = await written({}, still, { pauses: [{ replica: 1, from: 1e6, to: 3e6 }] });
  // 800 µs of eight stages of 1 ms.
  expect((report.body.textContent ?? "").replaceAll(/[\u2009\u00a0]/gu, " ")).toContain(
    "SQL2 was unresponsive for 800 µs (10 %) of this mean",
  );
  expect((await written({}, still)).body.textContent).not.toContain("was unresponsive");
});

test("of one phase and database the report names both, that phase's servers, and what is counted in whole", async () => {
  const failover = failoverOf();
  const [database] = failover.databases;
  const two = [database, { ...database, id: "b", name: "Sales1" }];
  const report = await written({ database: 1, phase: 1 }, {}, { ...failover, databases: two });
  const words = (selector: string): string => report.querySelector(selector)?.textContent ?? "";
  expect(words(".head")).toContain(", Sales1, After");
  // After the failover SQL2 is the primary.
  expect(words("#stages")).toContain("towards SQL1");
  expect(words("#timeline")).not.toContain("\u203A");
  expect(words("#averages")).toContain("averages of the whole phase, Sales1");
  expect(words("#completeness")).toContain("Whole capture: ");
  expect(words("#completeness")).toMatch(/Sales1, After: [\d,]+ commits\./u);
  expect(words("#harden")).toContain("Whole phase, Sales1");
  const whole = await written({}, {}, failover);
  expect(whole.querySelector("#completeness")?.textContent).not.toContain("Whole capture");
});

test("parts that were not chosen are not written; clock and completeness always are", async () => {
  expect(headings(await written({ parts: new Set(["slowest"]) }))).toEqual([
    "Slowest blocks",
    "Clock",
    "Completeness",
    "How this was made",
  ]);
});

test("the report loads nothing and runs nothing", async () => {
  const report = await written();
  expect(report.querySelectorAll("script, link, img, iframe, object, [src]")).toHaveLength(0);
  for (const way of report.querySelectorAll("[href]")) expect(way.getAttribute("href")).toMatch(/^#/u);
  expect(report.querySelector("meta[http-equiv]")?.getAttribute("content")).toMatch(/^default-src 'none';/u);
});

test("the way to each part leads to a heading that is there", async () => {
  const waysIn = async (choice: Partial<ReportChoice>, answers: Answers = {}): Promise<string[]> => {
    const report = await written(choice, answers);
    const ways = [...report.querySelectorAll("nav a")].map((way) => way.getAttribute("href") ?? "");
    for (const way of ways) expect([way, report.querySelector(way)?.tagName]).toEqual([way, "SECTION"]);
    return ways;
  };
  expect(await waysIn({})).toHaveLength(11);
  expect(await waysIn({}, { notes: () => ({ notes: [] }) })).not.toContain("#notes");
  expect(await waysIn({ parts: new Set(["notes"]) })).toEqual(["#notes", "#clock", "#completeness", "#made"]);
});

test("notes say what they are on, with the names that the report has", async () => {
  const lines = async (replacesNames: boolean): Promise<(string | null)[]> =>
    [...(await written({ replacesNames })).querySelectorAll("#notes li")].map((line) => line.textContent);
  expect(await lines(false)).toEqual([
    "Note on 02:16:57.000 to 02:16:59.000 UTC. SQL1: backup of payroll Ann, 21 Nov 14:32 UTC",
    "Note on block 00000022:000001f7, 02:16:57.000 UTC. Snapshot? Unnamed, 21 Nov 14:32 UTC",
  ]);
  expect((await lines(true))[0]).toContain("Replica 1: backup of Database 1");
});

const SECOND = 1e6;
const AGREES = {
  rule: "logDisk",
  agrees: false,
  server: "SQL2",
  text: "By counters a write took 2 ms.",
  sources: [],
  from: 0,
  to: 60 * SECOND,
};

test("evidence files give the cause of the failover, events by time with sources, and what agrees", async () => {
  const evidence = () => ({ ...leaseFailover(), agreement: [AGREES] });
  const report = await written({}, { evidence });
  expect(headings(report).slice(0, 3)).toEqual(["Check next", "What happened", "Do the sources agree?"]);
  const words = plain(report.querySelector("#happened"));
  expect(words).toContain(
    "SALES-AG failed over from SQL1 to SQL2 at 02:17:10 UTC, because the lease expired.",
  );
  const rows = [...report.querySelectorAll("#happened tbody tr")].map(plain);
  // SQL2 is the primary replica at 22.5 s, which is after the range of the timeline but part of the failover.
  expect(rows).toHaveLength(3);
  expect(rows[0]).toContain("02:17:05.0±1 µs19407: The lease of SALES-AG expired on SQL1");
  expect(rows[0]).toContain("AlwaysOn_health event 3; ERRORLOG line 19");
  expect(rows[2]).toContain("02:17:17.5");
  expect(plain(report.querySelector("#agreement"))).toContain("Contradicts: By counters a write took 2 ms.");
  expect(report.querySelector('nav a[href="#happened"]')).not.toBeNull();
});

test("a report has at most 60 events, those of failovers first, and counts the others", async () => {
  const failover = leaseFailover();
  const many = Array.from({ length: 100 }, (_, i) => happenedEvent({ at: i * 10_000 }));
  const evidence = () => ({ ...failover, events: [...failover.events, ...many], eventsLeftOut: 7 });
  const report = await written({}, { evidence });
  expect(report.querySelectorAll("#happened tbody tr")).toHaveLength(60);
  expect(plain(report.querySelector("#happened"))).toContain("SQL2 is primary");
  // 3 of the failover, of 2 + 100 others in the range the 57 first, and 7 that the answer lacks.
  expect(plain(report.querySelector("#happened"))).toContain("50 more events aren't shown.");
});

test("failovers of the range are before earlier ones, which have their day, and a duration counts where it overlaps", async () => {
  const DAY = 86_400 * SECOND;
  // 20 events each, on the six days before.
  const days = [6, 5, 4, 3, 2, 1];
  const before = days.flatMap((day) =>
    Array.from({ length: 20 }, (_, i) => happenedEvent({ at: i - day * DAY, text: `Before ${day}.` })),
  );
  const own = [
    happenedEvent({ at: 5 * SECOND, text: "Of the failover." }),
    happenedEvent({ at: 90 * SECOND, from: 9 * SECOND, text: "Long I/O." }),
    happenedEvent({ at: 90 * SECOND, text: "After it." }),
  ];
  const failovers = [
    ...days.map((day, i) =>
      failoverCause({
        at: -day * DAY,
        until: null,
        text: `Failover ${day}.`,
        events: Array.from({ length: 20 }, (_, k) => 20 * i + k),
      }),
    ),
    failoverCause({ at: 5 * SECOND, until: null, text: "In it.", events: [120] }),
  ];
  const report = await written(
    {},
    { evidence: () => evidenceAnswer({ events: [...before, ...own], failovers }) },
  );
  // The capture is of 2016-05-06.
  expect([...report.querySelectorAll("#happened > p")].map(plain)).toEqual([
    "In it.",
    "2016-04-30: Failover 6.",
    "2016-05-01: Failover 5.",
    "2016-05-02: Failover 4.",
    "2016-05-03: Failover 3.",
    "2 more failovers.",
    // There are 120 earlier ones and 2 in the range, and 60 rows.
    "62 more events aren't shown.",
  ]);
  const rows = [...report.querySelectorAll("#happened tbody tr")].map(plain);
  expect(rows).toHaveLength(60);
  expect(rows[0]).toMatch(/^2016-04-30 02:16:55\.0/u);
  expect(rows.slice(-2)).toEqual([
    expect.stringMatching(/^02:17:00\.0.*Of the failover/u),
    expect.stringMatching(/Long I\/O/u),
  ]);
});

test("without evidence files, and with replaced names, the report has nothing of them", async () => {
  expect((await written()).querySelector("#happened")).toBeNull();
  const hidden = await written({ replacesNames: true }, { evidence: leaseFailover });
  expect(hidden.querySelector("#happened")).toBeNull();
  expect(hidden.documentElement.outerHTML).not.toContain("SALES-AG");
});

test("what the files do not hold is listed with how long it is missing", async () => {
  const [primary, secondary] = summaryOf().replicas;
  const replicas = [
    { ...primary, from: 0, to: 10e6 },
    { ...secondary, from: 0, to: 7e6 },
  ];
  const words = (await written({}, {}, { replicas })).querySelector("#completeness")?.textContent ?? "";
  expect(words).toContain("Events of no log block, in no figure: SQL2 36.");
  expect(words).toContain(
    "The files have no events of SQL2 from 02:17:02 to 02:17:05 UTC, 3.00\u2009s: nothing is known",
  );
  expect(words).not.toContain("no events of SQL1");
});

test("with replaced names no text of the report has a real one", async () => {
  const files = [{ name: "sql1_trace_0.xel", size: 1, replica: 0, events: 1, gaps: [] }];
  const report = await written({ replacesNames: true }, {}, { files });
  const whole = report.documentElement.outerHTML.toLowerCase();
  for (const name of ["sql1", "sql2", "payroll", "slow network"]) expect(whole).not.toContain(name);
  expect(report.querySelector("#clock")?.textContent).toContain("Replica 2's clock");
});

test("a name that holds markup is words in the report", async () => {
  const source = sourceOf(ANSWERS);
  const summary = { ...summaryOf(), name: "<img src=x onerror=alert(1)>" };
  const data = await readReport(source, summary, CHOICE, new AbortController().signal);
  const markup = renderToStaticMarkup(<Report data={data} css="" madeAt="" />);
  expect(markup).not.toContain("<img");
});

test("a block that is chosen for two reasons is drawn once, for the first", async () => {
  const captions = [...(await written()).querySelectorAll("figcaption")].map((each) => each.textContent);
  expect(captions.map((words) => words.split(":")[0])).toEqual([
    "Slowest block",
    "Slowest on the network alone",
  ]);
});

test("the network's block is the first of which over 90 % were network; none without such a block", () => {
  expect(worstRows(SLOWEST)).toEqual([
    { row: 1, why: "Slowest block" },
    { row: 2, why: "Slowest on the network alone" },
  ]);
  const nearly = slowBlock(3, { wireOut: 900, wireBack: 1_800, remoteHarden: 3_000 });
  expect(worstRows([nearly])).toEqual([{ row: 3, why: "Slowest block" }]);
  // The secondary was unresponsive for most of the block's network time to it.
  const paused = slowBlock(4, { wireOut: 2_900, wireBack: 50, remoteHarden: 3_000 });
  const still = { ...paused, paused: { replica: 1, stages: { wireOut: 2_900 } } };
  expect(worstRows([still])).toEqual([{ row: 4, why: "Slowest block" }]);
});

test("a typical block is the one in the middle of those whose harden is known; bins have none", () => {
  expect(typicalRow(WINDOW, 0)).toEqual({ row: 2, why: "A typical block" });
  expect(typicalRow(binWindow({}), 0)).toBeNull();
  expect(typicalRow(WINDOW, 3)).toBeNull();
});

test("under a filter lists of blocks have its blocks alone, and the head says what is of all", async () => {
  const where = [
    {
      kind: "duration" as const,
      stage: "secondaryFlush" as const,
      secondary: 0,
      comparison: { sign: ">" as const, amount: 5_000 },
    },
  ];
  const asked: unknown[] = [];
  const report = await written(
    { where },
    {
      // The second of three blocks matches.
      window: (_, __, ___, filter) =>
        filter ? { ...WINDOW, row: WINDOW.row.slice(1, 2), length: 1 } : WINDOW,
      hits: () => ({
        blocks: 1,
        commits: 1,
        before: 0,
        after: 0,
        first: 0,
        last: 1,
        waitedUs: 0,
        waitedShare: null,
        conditions: [],
      }),
      slowest: (options) => {
        asked.push(options.where);
        return { total: 1, rows: SLOWEST.slice(0, 1) };
      },
    },
  );
  expect(asked).toEqual([where]);
  const plain = (node: Element | null): string =>
    (node?.textContent ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");
  expect(plain(report.querySelector("p.filter"))).toBe(
    "Filter: SQL2 log write > 5 ms, 1 of 1,079 log blocks. The slowest blocks, their sequences and the table of all blocks are of these alone. Verdict, charts and figures are of all blocks.",
  );
  expect(plain(report.querySelector("#slowest"))).toContain("1 of 1 of the filter");
  expect(plain(report.querySelector("#blocks"))).toContain("1 block of the filter");
  expect(report.querySelectorAll("#blocks tbody tr")).toHaveLength(1);
});

test("where the stretch comes in bins the timeline is drawn from them, and there is no table of all blocks", async () => {
  const bins = binWindow({ localFlush: { max: [500, 700], p50: [400, 500] } }, { to: 10e6 });
  const report = await written({}, { window: () => bins });
  expect(report.querySelector("#timeline svg path")).not.toBeNull();
  expect(report.querySelector("#blocks")).toBeNull();
});

test("percentiles need values enough: one block shows its maximum only", async () => {
  const one = summaryOf({
    stages: [{ ...summaryOf().stages[0], localFlush: statisticsOfValue(500, 1) }],
  });
  const data = await readReport(sourceOf(ANSWERS), one, CHOICE, new AbortController().signal);
  const markup = renderToStaticMarkup(<Report data={data} css="" madeAt="" />);
  const row = [...new DOMParser().parseFromString(markup, "text/html").querySelectorAll("#stages tr")].find(
    (each) => each.textContent.includes("SQL1 log write"),
  );
  const cells = [...(row?.querySelectorAll("td") ?? [])].slice(0, 5).map((cell) => cell.textContent);
  expect(cells).toEqual(["1", "–", "–", "–", "500\u2009µs"]);
});

test("the dark theme holds for readers who prefer it on a screen, however the rule is written", () => {
  for (const dark of ['[data-theme="dark"] {', "[data-theme=dark]{"])
    expect(withDarkByPreference(`:root { --bg: #fff; } ${dark} --bg: #000; }`)).toMatch(
      /--bg: #fff; \} @media screen and \(prefers-color-scheme: dark\) \{ :root \{\s*--bg: #000;\s*\} \}$/u,
    );
});

test("a part takes what its sections take, and what every report has is of no part", () => {
  const of = (id: string, text: string): string => `<section id="${id}">${text}</section>`;
  const sizes = partSizes(
    `<main>${of("verdict", "a")}${of("check", "bb")}${of("timeline", "\u00b5")}${of("clock", "ccc")}</main>`,
  );
  // Markup around the texts: 32, 30 and 33 characters. The micro sign takes two bytes.
  expect([...sizes]).toEqual([
    ["verdict", 33 + 32],
    ["timeline", 35],
  ]);
  expect(largestOfParts(sizes)).toBe("verdict");
  expect(largestOfParts(new Map())).toBeNull();
});

test("each part of a report that is chosen has a size", async () => {
  const report = await written({}, { evidence: leaseFailover });
  const sizes = partSizes(report.documentElement.outerHTML);
  expect([...sizes.keys()].toSorted()).toEqual([...REPORT_PARTS].toSorted());
});

test("on paper the pictures' network and secondary have a pattern each, the primary is solid", async () => {
  const report = await written();
  const css = report.querySelector('style[media="print"]')?.textContent ?? "";
  const found = css.matchAll(/^(?<shapes>path[^{]*)\{ fill: url\((?<pattern>#[\w-]+)\)/gmu);
  const rules = Array.from(found, ([, shapes = "", pattern = ""]) => ({ shapes, pattern }));
  const patternOf = (token: string): (string | undefined)[] => {
    const shapes = [...report.querySelectorAll(`svg [fill="var(${token})"]`)];
    expect(shapes.length, token).toBeGreaterThan(0);
    const groups = shapes.map((shape) => rules.find((rule) => shape.matches(rule.shapes))?.pattern);
    return [...new Set(groups)];
  };
  const patterns = ["--n-out", "--n-back", "--s-disk"].flatMap(patternOf);
  expect(new Set(patterns).size).toBe(3);
  for (const pattern of patterns) expect(report.querySelector(`pattern${pattern}`)).not.toBeNull();
  expect(patternOf("--p-disk")).toEqual([undefined]);
});

test("a file's name is made of letters, digits and hyphens", () => {
  expect(fileName("SQL1, SQL2 - Sales/1: 02:16")).toBe("sql1-sql2-sales-1-02-16");
  expect(fileName("...")).toBe("capture");
});

test("what is known of the secondary's part alone is not called remote harden", async () => {
  const report = await written({}, {}, { stages: [secondaryPart()] });
  expect(headings(report)).toContain("Mean of SQL2's part");
  expect(report.body.textContent).toContain("of remote harden, which is not known, there are no shares");
  expect(report.body.textContent).not.toContain("Mean remote harden");
});

test("latency, shares and the slowest blocks are of the time that all files cover, the minimap of all of the capture", async () => {
  const replicas = [
    replicaSummary({ role: "primary", from: 2e6 }),
    replicaSummary({ name: "SQL2", to: 8e6 }),
  ];
  const asked = async (range: ReportChoice["range"]) => {
    const source = sourceOf(ANSWERS);
    const signal = new AbortController().signal;
    const data = await readReport(source, summaryOf({ replicas }), { ...CHOICE, range }, signal);
    const markup = renderToStaticMarkup(<Report data={data} css="" madeAt="2026-11-21 14:52 UTC" />);
    const of = (name: string) => source.asked.filter(([each]) => each === name);
    return { of, report: new DOMParser().parseFromString(`<!doctype html>${markup}`, "text/html") };
  };
  const part = await asked({ from: 3e6, to: 4e6 });
  expect(part.of("overview")).toMatchObject([["overview", { from: 2e6, to: 8e6 }, 120, 0]]);
  expect(part.of("slowest")).toMatchObject([["slowest", { range: { from: 2e6, to: 8e6 } }]]);
  expect(part.of("window").map(([, range]) => range)).toEqual([
    { from: 0, to: 10e6 },
    { from: 3e6, to: 4e6 },
  ]);
  expect(headings(part.report)).toContain("Commit latency over the common time");
  const whole = await asked({ from: 0, to: 10e6 });
  expect(whole.of("overview")).toMatchObject([["overview", { from: 0, to: 10e6 }, 100, 0]]);
  expect(headings(whole.report)).toContain("Commit latency over the capture");
});
