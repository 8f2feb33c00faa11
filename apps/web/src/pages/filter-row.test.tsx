import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { settled } from "../../test/answers.tsx";
import { openCapture } from "../../test/open-capture.tsx";
import { FilterRow } from "./filter-row.tsx";

const where = { stage: "secondaryFlush", secondary: 0, least: 10_000, limit: 20_000 } as const;
const answers = { slowest: () => ({ total: 107, rows: [] }) };

test("the filter says what it leaves, leads to it, and is cleared", async () => {
  const { view, open } = await openCapture(<FilterRow tab="timeline" />, { view: { where }, answers });
  const row = await screen.findByRole("region", { name: "Filter" });
  expect(row.textContent?.replaceAll("\u2009", " ")).toContain("Log write, SQL2 10.0 ms to 20.0 ms");
  expect(await screen.findByText("107 of 1,079 blocks")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Timeline" })).toBeNull();
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Distribution" })));
  expect(open).toHaveBeenCalledWith("distribution", { stage: "secondaryFlush", secondary: 0 });
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Clear the filter" })));
  expect(view().where).toBeNull();
  expect(screen.queryByRole("region", { name: "Filter" })).toBeNull();
});

test("without a filter nothing is asked", async () => {
  const { source } = await openCapture(<FilterRow tab="overview" />, { answers });
  expect(source.asked).toEqual([]);
});
