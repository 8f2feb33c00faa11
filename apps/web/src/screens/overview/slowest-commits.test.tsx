import { fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { overviewOf } from "../../../test/overview.ts";
import { slowCommit } from "../../../test/slow-commits.ts";
import type { View } from "../../state/view.ts";
import { OverviewScreen } from "./overview-screen.tsx";
import { halfSentence } from "../slowest/commit-columns.tsx";

beforeEach(() => {
  fakeScreen({ width: 1_000, height: 400 });
  logCanvases();
});

const COMMITS = {
  total: 40,
  waitedUs: 90_000,
  half: 2,
  rows: [
    slowCommit({ row: 1, block: 7, commitsOfBlock: 2 }),
    slowCommit({ row: 2, block: 7, commitsOfBlock: 2 }),
    slowCommit({ row: 3, block: 9, gate: 1, largest: "localFlush", localEnd: 11_900, ends: [4_000] }),
    slowCommit({ row: 4, waited: 20_000, block: null, lsn: null, gate: 0, largest: null, ends: [] }),
  ],
};
const open = (view: Partial<View>) =>
  openCapture(<OverviewScreen />, {
    view,
    answers: { overview: () => overviewOf({ blocks: [4] }), slowCommits: () => COMMITS },
  });
const commits = () => screen.getByRole("region", { name: "Slowest commits" });
const press = (key: string) => settled(() => fireEvent.keyDown(document.body, { key }));

test("each commit has what released it, its largest stage and who was ready next", async () => {
  await open({ list: "commits" });
  const [, first, , third, unknown] = within(commits()).getAllByRole("row");
  expect(first?.textContent).toContain("releases 2 commits");
  expect(first?.textContent).toContain("Network out");
  expect(first?.textContent).toContain("local, 3.00\u2009ms earlier");
  expect(third?.textContent).toContain("local log write");
  expect(third?.textContent).toContain("SQL2, 7.90\u2009ms earlier");
  expect(unknown?.textContent).toContain("not known");
  expect(commits().textContent).toContain("The 2 slowest commits hold half of all waiting.");
});

test("a server that was unresponsive is named instead of the stage that its time falls into", async () => {
  const commit = slowCommit();
  const paths = commit.paths.map((path) => ({
    ...path,
    paused: { replica: 1, stages: { wireOut: 11_900 } },
  }));
  await openCapture(<OverviewScreen />, {
    view: { list: "commits" },
    answers: {
      overview: () => overviewOf({ blocks: [4] }),
      slowCommits: () => ({ ...COMMITS, rows: [{ ...commit, paths }] }),
    },
  });
  const row = within(commits()).getAllByRole("row")[1];
  expect(row?.textContent).toContain("SQL2 was unresponsive");
  expect(row?.textContent).not.toContain("Network out");
});

test("n goes to the block of the next commit, once for commits of one block; a link opens its sequence", async () => {
  const { view, open: opened } = await open({ list: "commits" });
  await press("n");
  expect(view().block).toBe(7);
  await press("n");
  expect(view().block).toBe(9);
  await press("n");
  expect(view().block).toBe(9);
  fireEvent.click(within(commits()).getAllByRole("button", { name: "Open block 00000022:00000167" })[0]);
  expect(opened).toHaveBeenCalledWith("sequence", { block: 7 });
});

test("a row is a button for the keyboard, which selects the commit's block", async () => {
  const { view, open: opened } = await open({ list: "commits", event: { file: 0, offset: 100 } });
  const press3 = within(commits()).getByRole("button", { name: /^Select commit 3, / });
  press3.focus();
  expect(document.activeElement).toBe(press3);
  await settled(() => fireEvent.click(press3));
  expect(view()).toMatchObject({ block: 9, event: null });
  expect(opened).not.toHaveBeenCalled();
  expect(press3.closest("tr")?.getAttribute("aria-selected")).toBe("true");
});

test("only what is listed is asked for, and the switch is in the link", async () => {
  const { source, view } = await open({});
  expect(source.asked.map(([name]) => name)).not.toContain("slowCommits");
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Commits" })));
  expect(view().list).toBe("commits");
  expect(source.asked.map(([name]) => name)).toContain("slowCommits");
});

test("how few commits hold half of all waiting is said only where they are under a fifth of all", () => {
  expect(halfSentence({ half: 117, total: 1_102 })).toBe("The 117 slowest commits hold half of all waiting.");
  expect(halfSentence({ half: 1, total: 6 })).toBe("The slowest commit holds half of all waiting.");
  expect(halfSentence({ half: 199, total: 1_000 })).not.toBeNull();
  expect(halfSentence({ half: 200, total: 1_000 })).toBeNull();
  expect(halfSentence({ half: 1, total: 1 })).toBeNull();
});
