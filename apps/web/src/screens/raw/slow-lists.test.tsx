import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { slowCommit } from "../../../test/slow-commits.ts";
import { rangeStatistics, statisticsOfValue } from "../../../test/summary.ts";
import * as saving from "../../frame/save-file.ts";
import type { View } from "../../state/view.ts";
import { RawEventsScreen } from "./raw-events-screen.tsx";

beforeEach(() => {
  fakeScreen({ width: 1_000, height: 400 });
});

const WHERE = [
  {
    kind: "duration" as const,
    stage: "secondaryFlush" as const,
    secondary: 0,
    comparison: { sign: ">" as const, amount: 50_000 },
  },
];
const COMMITS = {
  total: 3,
  waitedUs: 40_000,
  half: 1,
  rows: [
    slowCommit({ row: 1, block: 7, waited: 20_000, ends: [19_960] }),
    slowCommit({ row: 2, block: 9, gate: 1, largest: "localFlush", localEnd: 11_900, ends: [4_000] }),
  ],
};
const open = (view: Partial<View>, commits = COMMITS) =>
  openCapture(<RawEventsScreen />, {
    view: { rows: "commits", ...view },
    answers: {
      slowCommits: () => commits,
      slowest: () => ({ total: 0, rows: [] }),
      statistics: () => rangeStatistics({ commitLatency: statisticsOfValue(8_000), gates: [1, 2] }),
      table: () => new Blob(["utc"]),
    },
  });
const table = () => within(screen.getByRole("region", { name: "Slowest commits" })).getByRole("table");
const plain = (node: Element | null | undefined): string =>
  (node?.textContent ?? "").replaceAll(/[\u2009\u00a0\u202f]/gu, " ");
const press = (key: string) => settled(() => fireEvent.keyDown(document.body, { key }));

test("commits have a line each: what they waited for, what released them and how much earlier the other was done", async () => {
  await open({});
  const [, first, second] = within(table()).getAllByRole("row");
  expect(plain(first)).toContain("20.0 ms");
  expect(plain(first)).toContain("SQL2");
  // From 100 to 19,960 \u00b5s on the network to the secondary.
  expect(plain(first)).toContain("Network out19.9 ms");
  expect(plain(second)).toContain("local log write");
  expect(plain(second)).toContain("SQL1 log write11.8 ms");
  const waiting = plain(screen.getByText(/^The 2 listed hold/u).closest("div"));
  // 20 and 12 ms of 40.
  expect(waiting).toContain("The 2 listed hold 80 % of 40.0 ms.");
  expect(waiting).toContain("Released by an ack2");
  expect(waiting).toContain("by the local write1");
});

test("beside a server that was unresponsive is how long it did, not the longest of the stages that this fell in", async () => {
  const { paths, ...commit } = slowCommit({ ends: [11_900] });
  const still = { replica: 1, stages: { wireOut: 9_000, secondaryAppend: 2_000 } };
  const rows = paths.map((path) => ({
    ...commit,
    paths: [{ ...path, stages: { ...path.stages, ...still.stages, wireBack: 800 }, paused: still }],
  }));
  await open({}, { ...COMMITS, total: 1, rows });
  expect(plain(within(table()).getAllByRole("row")[1])).toContain("SQL2 was unresponsive11.0 ms");
});

test("order, range and filter of the view are asked for; another order is a press away and in the link", async () => {
  const { source, view } = await open({ range: [1e6, 2e6], where: WHERE, commitOrder: "queued" });
  const asked = () => source.asked.filter(([name]) => name === "slowCommits").at(-1)?.[1];
  expect(asked()).toMatchObject({ range: { from: 1e6, to: 2e6 }, order: "queued", where: WHERE });
  expect(within(table()).getByRole("columnheader", { name: "Queued" }).getAttribute("aria-sort")).toBe(
    "descending",
  );
  expect(plain(screen.getAllByRole("status")[0])).toBe("3 commits of the filter's blocks");
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Time" })));
  expect(view().commitOrder).toBe("time");
  expect(asked()).toMatchObject({ order: "time" });
});

test("n and J go to the next row's block, Enter opens it, L its place on the timeline, Esc the overview", async () => {
  const opened = await open({ event: { file: 0, offset: 100 } });
  await press("n");
  expect(opened.view()).toMatchObject({ block: 7, event: null });
  await press("j");
  expect(opened.view().block).toBe(9);
  await press("Enter");
  expect(opened.open).toHaveBeenLastCalledWith("sequence");
  await press("l");
  // Its commit begins at 5 s.
  expect(opened.open).toHaveBeenLastCalledWith("timeline", { range: [4_970_000, 5_030_000] });
  await press("Escape");
  expect(opened.open).toHaveBeenLastCalledWith("overview");
});

test("a commit's row is a button for the keyboard, which selects its block", async () => {
  const { view } = await open({});
  await settled(() => fireEvent.click(within(table()).getByRole("button", { name: /^Select commit 2, / })));
  expect(view().block).toBe(9);
});

test("Esc lets the filter go before the screen, as the filter's row says", async () => {
  const opened = await open({ where: WHERE });
  await press("Escape");
  expect(opened.view().where).toBeNull();
  expect(opened.open).not.toHaveBeenCalled();
});

test.each([
  ["blocks", "No log block in this range."],
  ["commits", "No commit in this range."],
] as const)("a stretch without %s says so, and has no row", async (rows, sentence) => {
  await open({ rows }, { total: 0, waitedUs: 0, half: 0, rows: [] });
  expect(screen.getAllByText(/^No .* in this range/u).map(plain)).toEqual([sentence]);
  expect(screen.queryAllByRole("row")).toEqual([]);
});

test("the table of the stretch is saved, and its name says the filter", async () => {
  const save = vi.spyOn(saving, "saveFile").mockImplementation(() => undefined);
  const { source } = await open({ where: WHERE });
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "CSV" })));
  expect(source.asked).toContainEqual(["table", "commits", "csv", { from: 0, to: 10_000_000 }, WHERE]);
  expect(save.mock.calls[0]?.[0].name).toBe("slow-network-commits-where-sql2-log-write-50-ms.csv");
  save.mockRestore();
});

test("events, blocks and commits are a press from each other", async () => {
  const { view, source } = await open({});
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Slowest blocks" })));
  expect(view().rows).toBe("blocks");
  expect(source.asked.map(([name]) => name)).toContain("slowest");
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Events" })));
  expect(view().rows).toBe("events");
  expect(source.asked.map(([name]) => name)).toContain("rawEvents");
});
