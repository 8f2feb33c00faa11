import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { openCapture } from "../../../../test/open-capture.tsx";
import { failoverOf, rangeStatistics, secondaryPart, statisticsOfValue } from "../../../../test/summary.ts";
import { InTimeline } from "../../../../test/timeline.tsx";
import { roleSwitches } from "../../capture-view/phases.ts";
import { PartedPane } from "./phases-pane.tsx";
import { SelectionPane } from "./selection-pane.tsx";

const failover = failoverOf();
const timeline = { switches: roleSwitches(failover) };
const sides = [
  rangeStatistics({ blocks: 249, commits: 250, commitLatency: statisticsOfValue(5_000), gates: [3, 247] }),
  rangeStatistics({ blocks: 449, commits: 450, commitLatency: statisticsOfValue(6_000), gates: [0, 450] }),
];
const answer = {
  value: sides.map((statistics, phase) => ({ phase, statistics })),
  isStale: false,
  error: null,
  code: null,
  retry: vi.fn(),
};
const parted = { phases: [0, 1], answer };
const plain = (words: string | null | undefined): string => (words ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");

const pane = (shown = timeline) =>
  openCapture(
    <InTimeline parts={shown}>
      <PartedPane range={[0, 10e6]} parted={parted} where="in view" />
    </InTimeline>,
    { summary: failover },
  );

test("figures stand side by side with who released in which phase, and the instants of the change", async () => {
  const { container } = await pane();
  const rows = within(screen.getAllByRole("table")[0]).getAllByRole("row");
  expect(rows.map((row) => plain(row.textContent))).toEqual([
    "Commitp50p95p99max",
    "Before, 2505.00 ms5.00 ms5.00 ms5.00 ms",
    "After, 4506.00 ms6.00 ms6.00 ms6.00 ms",
  ]);
  expect(plain(container.textContent)).toContain("249 blocks before, 449 after");
  expect(plain(container.textContent)).toContain(
    "SQL1 released its last commit at 02:16:59.000, SQL2 its first at 02:17:01.000: 2.00 s without commits.",
  );
  expect(container.textContent).toContain("Released by local log write, before3 of 250");
  expect(container.textContent).toContain("Primary log write");
  expect(container.textContent).toContain("Secondary log write");
  expect(container.textContent).toContain("Released by SQL2's ack, before247 of 250");
  expect(container.textContent).toContain("Released by SQL1's ack, after450 of 450");
});

test("a mean of what is known of a path is not called remote harden", async () => {
  const [before, after] = sides;
  const value = [before, { ...after, stages: [secondaryPart()] }].map((statistics, phase) => ({
    phase,
    statistics,
  }));
  await openCapture(
    <InTimeline parts={timeline}>
      <PartedPane range={[0, 10e6]} parted={{ ...parted, answer: { ...answer, value } }} where="in view" />
    </InTimeline>,
    { summary: failover },
  );
  expect(screen.getByText("Before, SQL1 to SQL2")).toBeTruthy();
  expect(screen.getByText("After, SQL2 to SQL1: SQL1's part")).toBeTruthy();
  expect(screen.getAllByRole("img").map((bar) => plain(bar.getAttribute("aria-label")))).toEqual([
    "Before, SQL1 to SQL2: mean remote harden 8.00 ms",
    "After, SQL2 to SQL1: mean of SQL1's part 4.00 ms",
  ]);
});

test.each([
  [
    true,
    false,
    "SQL1 released its last commit at 02:16:59.000, the first log block of SQL2 began at 02:17:01.000",
  ],
  [
    false,
    true,
    "The last log block of SQL1 ended at 02:16:59.000, SQL2 released its first commit at 02:17:01.000",
  ],
  [
    false,
    false,
    "The last log block of SQL1 ended at 02:16:59.000, the first log block of SQL2 began at 02:17:01.000",
  ],
])(
  "with the commit known before: %s, after: %s, it is said what the change lies between",
  async (before, after, words) => {
    const switches = timeline.switches.map((each) => ({ ...each, known: { before, after } }));
    const { container } = await pane({ ...timeline, switches });
    expect(plain(container.textContent)).toContain(
      `${words}: 2.00 s without a known commit. Some events of this time are missing.`,
    );
  },
);

test("one phase alone is a press away", async () => {
  const opened = await pane();
  fireEvent.click(screen.getByRole("button", { name: "Only after" }));
  expect(opened.view().phase).toBe(1);
});

test("of three phases the one that is named is opened, also where the first one is not in view", async () => {
  const [first, second] = failover.phases;
  const three = {
    ...failover,
    phases: [
      { ...first, to: 2e6 },
      { ...second, from: 3e6, to: 6e6 },
      { ...first, from: 7e6, to: 10e6 },
    ],
  };
  const value = [1, 2].map((phase) => ({ phase, statistics: sides[phase - 1] }));
  const opened = await openCapture(
    <InTimeline parts={timeline}>
      <PartedPane
        range={[3e6, 10e6]}
        parted={{ phases: [1, 2], answer: { ...answer, value } }}
        where="in view"
      />
    </InTimeline>,
    { summary: three },
  );
  expect(screen.getAllByRole("button", { name: /^Only/u }).map(({ textContent }) => textContent)).toEqual([
    "Only phase 2",
    "Only phase 3",
  ]);
  fireEvent.click(screen.getByRole("button", { name: "Only phase 2" }));
  expect(opened.view().phase).toBe(1);
  fireEvent.click(screen.getByRole("button", { name: "Only phase 3" }));
  expect(opened.view().phase).toBe(2);
});

test("a selection across the change says so, and has figures for each side instead of a rest to compare with", async () => {
  const selecting = {
    ...timeline,
    parted,
    selection: { fit: vi.fn(), toSlow: vi.fn() },
  };
  const { container, source } = await openCapture(
    <InTimeline parts={selecting}>
      <SelectionPane selected={[3e6, 7e6]} />
    </InTimeline>,
    { summary: failover },
  );
  const words = plain(container.textContent);
  expect(words).toContain("4.00 s selected, two phases");
  expect(words).toContain("The selection reaches across a change of roles.");
  expect(words).toContain("The primary moved.");
  expect(words).not.toContain("Rest");
  expect(source.asked).toEqual([]);
  expect(screen.getByRole("button", { name: /Zoom/u })).toBeTruthy();
});
