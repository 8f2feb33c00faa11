import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Sequence } from "@aglens/contract";
import { openCapture } from "../../../../test/open-capture.tsx";
import { SLOW_BLOCK } from "../../../../test/sequence.ts";
import { failoverOf } from "../../../../test/summary.ts";
import { InTimeline } from "../../../../test/timeline.tsx";
import { BlocksPane } from "./blocks-pane.tsx";

const block = (row: number, more: Partial<Sequence> = {}): Sequence => ({
  ...SLOW_BLOCK,
  row,
  time: row * 1_000,
  lsn: `00000022:0000000${row}`,
  ...more,
});

async function pane(blocks: readonly [Sequence, ...Sequence[]], summary = {}, isAtHandKept = false) {
  const [atHand, ...others] = blocks;
  const answered = { isStale: false, error: null, code: null, retry: vi.fn() };
  const toggle = vi.fn<(row: number) => void>();
  const timeline = {
    sequence: { ...answered, value: atHand },
    kept: { ...answered, value: others },
    selection: { toggle, select: vi.fn() },
  };
  const opened = await openCapture(
    <InTimeline parts={timeline}>
      <BlocksPane />
    </InTimeline>,
    { summary, view: { block: atHand.row, kept: (isAtHandKept ? blocks : others).map(({ row }) => row) } },
  );
  const words = (opened.container.textContent ?? "").replaceAll(/[\u2009\u00a0]/gu, " ");
  return { ...opened, words, toggle };
}

test("two blocks stand side by side in the order of time, with their difference and their sum", async () => {
  const { words } = await pane([block(7), block(3)]);
  expect(words).toContain("2 blocks selected");
  expect(words.indexOf("A00000022:00000003")).toBeGreaterThan(0);
  expect(words.indexOf("B00000022:00000007")).toBeGreaterThan(words.indexOf("A00000022:00000003"));
  const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(heads).toEqual(["Stage", "A", "B", "B \u2212 A", "Sum"]);
});

test("more than two have a spread in the place of the difference", async () => {
  await pane([block(7), block(3), block(5)]);
  const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(heads).toEqual(["Stage", "A", "B", "C", "Spread", "Sum"]);
});

test("a press on a block makes it the one at hand, another takes it out", async () => {
  const { view, toggle } = await pane([block(7), block(3)]);
  fireEvent.click(screen.getByRole("button", { name: "Select without 00000022:00000003" }));
  expect(toggle).toHaveBeenCalledWith(3);
  fireEvent.click(screen.getByRole("button", { name: "00000022:00000003" }));
  expect([view().block, view().kept]).toEqual([3, [7]]);
});

test("a block that is kept already is not kept twice when another one is taken to hand", async () => {
  const { view } = await pane([block(7), block(3)], {}, true);
  fireEvent.click(screen.getByRole("button", { name: "00000022:00000003" }));
  expect([view().block, view().kept]).toEqual([3, [7]]);
});

test("blocks on both sides of a change of roles say so", async () => {
  const { words } = await pane([block(7, { phase: 1 }), block(3, { phase: 0 })], failoverOf());
  expect(words).toContain("Roles changed between them.");
  expect((await pane([block(7), block(3)])).words).not.toContain("Roles changed");
});
