/** Each screen begins with the time that all files cover, and has a link to the complete capture. */
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { DistributionScreen } from "../distribution/distribution-screen.tsx";
import { exportRanges } from "../export/export-choice.ts";
import { RawEventsScreen } from "../raw/raw-events-screen.tsx";
import { shownRangeText } from "../share/share-text.ts";
import { DEFAULT_VIEW, type View } from "../../state/view.ts";
import { settled } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { distributionOf } from "../../../test/distribution.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { type Answers, openCapture } from "../../../test/open-capture.tsx";
import { primaryRow, waitingRow } from "../../../test/replay.ts";
import { rangeStatistics, replicaSummary, summaryOf } from "../../../test/summary.ts";
import { WaitingScreen } from "../waiting/waiting-screen.tsx";

// SQL1's file begins after 2 of 10 seconds, SQL2's ends after 8.
const replicas = [replicaSummary({ role: "primary", from: 2e6 }), replicaSummary({ name: "SQL2", to: 8e6 })];
const COMMON = { from: 2e6, to: 8e6 };
const WHOLE = { from: 0, to: 10e6 };

const ANSWERS: Answers = {
  distribution: () => distributionOf(),
  slowest: () => ({ total: 0, rows: [] }),
  slowCommits: () => ({ total: 0, waitedUs: 0, half: 0, rows: [] }),
  statistics: () => rangeStatistics(),
  waiting: () => ({ rows: [{ ...primaryRow, busy: busyOf() }, waitingRow({ busy: busyOf() })], worst: 1 }),
};

const busyOf = (): number[] => Array.from({ length: 10 }, () => 0.5);

beforeEach(() => {
  logCanvases();
  fakeScreen({ width: 900, height: 400 });
});

const open = (which: React.ReactNode, view: Partial<View> = {}) =>
  openCapture(which, { summary: { replicas }, answers: ANSWERS, view });
const press = (name: string) => settled(() => fireEvent.click(screen.getByRole("button", { name })));

test.each([
  ["the distribution", DistributionScreen, "distribution", {}, "Whole capture"],
  ["raw events", RawEventsScreen, "rawEvents", { rows: "events" as const }, "Show whole capture"],
  ["the slowest blocks", RawEventsScreen, "slowest", { rows: "blocks" as const }, "Show whole capture"],
  ["the slowest commits", RawEventsScreen, "slowCommits", { rows: "commits" as const }, "Show whole capture"],
])("%s: the common time first, all of the capture on demand", async (_, Screen, question, shown, whole) => {
  const { source, view: left } = await open(<Screen />, shown);
  const asked = () => source.asked.filter(([name]) => name === question).at(-1)?.[1];
  await waitFor(() => expect(asked()).toMatchObject({ range: COMMON }));
  await waitFor(() => expect(document.body.textContent).toContain("Common time"));
  await press(whole);
  expect(left().range).toEqual([0, 10e6]);
  await waitFor(() => expect(asked()).toMatchObject({ range: WHOLE }));
});

/** Where bars of the first log writer begin, % of its picture. */
const barsAt = (): number[] => {
  const [picture] = screen.getAllByRole("img", { name: /^Busy/u });
  return [...(picture?.querySelectorAll('rect:not([fill="url(#hatch)"])') ?? [])].map((bar) =>
    Math.round(Number.parseFloat(bar.getAttribute("x") ?? "")),
  );
};

test("pictures of waiting are of the common time or of all of the capture, whatever is in view", async () => {
  const { view, unmount } = await open(<WaitingScreen />, { range: [4e6, 5e6] });
  // A second is a sixth of 2 to 8 s.
  expect(barsAt()).toEqual([1, 17, 34, 51, 67, 84]);
  expect(screen.queryByRole("columnheader", { name: /hatched/u })).toBeNull();
  await press("Whole capture");
  expect(view().range).toEqual([0, 10e6]);
  expect(barsAt()).toHaveLength(10);
  screen.getByRole("columnheader", { name: /hatched: no events/u });
  await press("Common time");
  expect(view().range).toBeNull();
  unmount();
});

test("what is exported and what a link shows begin with the common time too", () => {
  const summary = summaryOf({ replicas });
  const ranges = exportRanges(summary, DEFAULT_VIEW);
  expect(ranges.map(({ label, range }) => [label, range])).toEqual([
    ["Whole capture", WHOLE],
    ["Common time", COMMON],
  ]);
  expect(shownRangeText(summary, DEFAULT_VIEW)).toBe("common time");
  expect(shownRangeText(summary, { ...DEFAULT_VIEW, range: [0, 10e6] })).toBe("whole capture");
});
