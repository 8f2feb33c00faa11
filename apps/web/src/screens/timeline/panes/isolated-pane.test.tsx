import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { SlowBlock } from "@aglens/contract";
import { openCapture } from "../../../../test/open-capture.tsx";
import { LANES } from "../../../../test/scene.ts";
import { rangeStatistics, statisticsOfValue } from "../../../../test/summary.ts";
import { InTimeline } from "../../../../test/timeline.tsx";
import { IsolatedPane } from "./isolated-pane.tsx";

const slowBlock = (row: number, us: number | null) =>
  ({
    row,
    database: 0,
    time: row * 1_000,
    lsn: `00000022:0000000${row}`,
    paused: null,
    stages: { wireOut: us },
  }) as SlowBlock;

async function pane(isolated: readonly string[], paused: number | null = null) {
  const select = vi.fn<(row: number | null) => void>();
  const timeline = {
    lanes: { all: LANES },
    isolated,
    ofDatabases: new Map(),
    buffer: { value: null },
    selection: { select, selectSlowest: vi.fn() },
  };
  const given = rangeStatistics();
  const stages = {
    ...given.stages[0],
    remoteHarden: statisticsOfValue(8_000),
    wireOut: statisticsOfValue(6_000),
  } as (typeof given.stages)[number];
  const value = {
    ...given,
    stages: [stages],
    paused: [paused === null ? null : { replica: 1, stages: { wireOut: paused } }],
  };
  const opened = await openCapture(
    <InTimeline parts={timeline}>
      <IsolatedPane
        answer={{ value, isStale: false, error: null, code: null, retry: vi.fn() }}
        range={[0, 10e6]}
      />
    </InTimeline>,
    {
      view: { isolated },
      answers: {
        slowest: ({ sort }) => ({
          total: 2,
          rows: sort === "wireOut" ? [slowBlock(4, 9_000), slowBlock(2, 3_000), slowBlock(1, null)] : [],
        }),
      },
    },
  );
  const words = (opened.container.textContent ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");
  return { ...opened, words, select };
}

test("an isolated stage has its percentiles, its part of remote harden and its slowest blocks", async () => {
  const { words, select } = await pane(["hop0.wireOut"]);
  const stage = screen.getByRole("region", { name: "Network out" });
  expect(stage.textContent?.replaceAll(/[\u2009\u00a0]/gu, " ")).toContain("6.00 ms");
  // 6 of 8 ms.
  expect(words).toContain("Part of remote harden75.0 %");
  const slowest = within(stage).getAllByRole("button", { name: /^Select block/u });
  expect(slowest.map((button) => button.getAttribute("aria-label"))).toEqual([
    "Select block 00000022:00000004, 02:16:55.004",
    "Select block 00000022:00000002, 02:16:55.002",
  ]);
  fireEvent.click(slowest[1]);
  expect(select).toHaveBeenCalledWith(2);
});

test("what a server was unresponsive for is no part of the stage", async () => {
  const { words } = await pane(["hop0.wireOut"], 5_000);
  // 1 of 8 ms, and 5 of 8 that are SQL2's.
  expect(words).toContain("Part of remote harden12.5 %");
  expect(words).toContain("SQL2 was unresponsive for 62.5 % more, which is no part of the stage.");
});

test("several stages stand one after the other, and all come back with one press", async () => {
  const { view } = await pane(["localFlush", "hop0.wireOut"]);
  expect(screen.getByRole("heading", { name: "2 lanes" })).toBeTruthy();
  expect(screen.getAllByRole("region").map((each) => each.getAttribute("aria-label"))).toEqual([
    "SQL1 log write",
    "Network out",
  ]);
  fireEvent.click(screen.getByRole("button", { name: /All stages/u }));
  expect(view().isolated).toEqual([]);
});
