import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { openCapture } from "../../../../test/open-capture.tsx";
import { summaryOf } from "../../../../test/summary.ts";
import { InTimeline } from "../../../../test/timeline.tsx";
import { EqualLsnsLane } from "./equal-lsns-lane.tsx";

const LSN = "0000017b:00000031";
const [database] = summaryOf().databases;
const databases = ["Sales1", "Sales2"].map((name) => ({ ...database, id: name, name }));

async function lane(range: readonly [number, number] = [0, 10e6]) {
  const select = vi.fn<(row: number | null) => void>();
  const timeline = {
    equalLsns: [
      { row: 41, database: 0, lsn: LSN, time: 2e6 },
      { row: 43, database: 1, lsn: LSN, time: 6e6 },
    ],
    range,
    sequence: { value: null },
    selection: { select },
  };
  const opened = await openCapture(
    <InTimeline parts={timeline}>
      <EqualLsnsLane width={1_000} />
    </InTimeline>,
    { summary: { databases } },
  );
  return { ...opened, select };
}

test("an LSN of two databases has a mark for each of its blocks, with the database's name", async () => {
  const { container, select } = await lane();
  expect(container.textContent).toContain("Equal LSNs1 in two databases");
  expect(container.textContent).toContain(`${LSN} Sales1`);
  fireEvent.click(screen.getByRole("button", { name: /Sales2, \+6\.00/u }));
  expect(select).toHaveBeenCalledWith(43);
});

test("one of the marks is reached with Tab, the others with the arrows", async () => {
  await lane();
  const marks = screen.getAllByRole("button");
  expect(marks.map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
  marks[0].focus();
  fireEvent.keyDown(marks[0], { key: "ArrowRight" });
  expect(document.activeElement).toBe(marks[1]);
  fireEvent.keyDown(marks[1], { key: "ArrowLeft" });
  expect(document.activeElement).toBe(marks[0]);
});

test("there is no row where no LSN is in view twice", async () => {
  expect((await lane([0, 5e6])).container.textContent).toBe("");
});
