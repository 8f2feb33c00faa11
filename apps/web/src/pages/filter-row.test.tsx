import { fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { type Hits, parseBlockFilter, type SlowBlock } from "@aglens/contract";
import { settled } from "../../test/answers.tsx";
import { openCapture } from "../../test/open-capture.tsx";
import { filterPreview } from "../state/filter-preview.ts";
import { FilterRow } from "./filter-row.tsx";

const where = parseBlockFilter("secondaryFlush@1=10000..20000,gate@1");
const hits: Hits = {
  blocks: 21,
  commits: 21,
  before: 1,
  after: 2,
  first: 1e6,
  last: 9e6,
  waitedUs: 4.2e6,
  waitedShare: 0.09,
  conditions: [
    { blocks: 107, share: 0.24, largest: 524_000 },
    { blocks: 1_022, share: null, largest: null },
  ],
};
const rows = [70, 20, 90].map((row) => ({ row, time: row * 1e5 }) as SlowBlock);
const answers = { hits: () => hits, slowest: () => ({ total: 21, rows }) };
const row = () => within(screen.getByRole("region", { name: "Filter" }));
const textOf = (element: HTMLElement): string => (element.textContent ?? "").replaceAll("\u2009", " ");

afterEach(() => filterPreview.set(null));

test("each condition is a chip with its own count, and all of them leave so many blocks", async () => {
  const { view } = await openCapture(<FilterRow tab="timeline" onAdd={() => undefined} />, {
    view: { where },
    answers,
  });
  const text = textOf(screen.getByRole("region", { name: "Filter" }));
  expect(text).toContain("SQL2 log write = 10 ms..20 ms 107");
  expect(text).toContain("released by SQL2's ack 1,022");
  expect(text).toContain("21 of 1,079 blocks 18 in view, 1 before, 2 after");
  await settled(() => fireEvent.click(row().getByRole("button", { name: /^Remove released/u })));
  expect(view().where).toEqual(where!.slice(0, 1));
  await settled(() => fireEvent.click(row().getByRole("button", { name: /^Remove SQL2/u })));
  expect(view().where).toBeNull();
  expect(screen.queryByRole("region", { name: "Filter" })).toBeNull();
});

test("a condition that is still typed is dashed and cannot be removed", async () => {
  filterPreview.set(where!.slice(1));
  await openCapture(<FilterRow tab="timeline" onAdd={() => undefined} />, { view: { where }, answers });
  const typed = row().getByText(/^released by/u);
  expect([typed.dataset["typed"], textOf(typed)]).toEqual(["true", "released by SQL2's ack 1,022, typing"]);
  expect(row().getAllByRole("button", { name: /^Remove/u })).toHaveLength(1);
});

test("the steps follow the list's order, and move the view only where the hit lies outside", async () => {
  const { view } = await openCapture(<FilterRow tab="timeline" onAdd={() => undefined} />, {
    view: { where, range: [6.5e6, 8e6] },
    answers,
  });
  const next = () => settled(() => fireEvent.click(row().getByRole("button", { name: "Next hit" })));
  await next();
  expect(view()).toMatchObject({ block: 70, range: [6.5e6, 8e6] });
  expect(row().getByText("1 of 21, slowest first")).toBeTruthy();
  await next();
  expect(view()).toMatchObject({ block: 20, range: [1.25e6, 2.75e6] });
  await settled(() => fireEvent.click(row().getByRole("button", { name: "Previous hit" })));
  expect(view().block).toBe(70);
  await settled(() => fireEvent.click(row().getByRole("button", { name: /^Fit hits/u })));
  expect(view().range).toEqual([0.84e6, 9.16e6]);
});

test("the order of the list is the server's, by the filter's own stage", async () => {
  const { source } = await openCapture(<FilterRow tab="timeline" onAdd={() => undefined} />, {
    view: { where, hitOrder: "time" },
    answers,
  });
  const asked = source.asked.filter(([name]) => name === "slowest").map(([, options]) => options);
  expect(asked).toMatchObject([{ sort: "time", descending: false, secondary: 0, where }]);
});

test("others are dimmed or left out, another condition is added, and all are cleared", async () => {
  const onAdd = vi.fn<() => void>();
  const { view } = await openCapture(<FilterRow tab="timeline" onAdd={onAdd} />, {
    view: { where },
    answers,
  });
  await settled(() => fireEvent.click(row().getByRole("button", { name: "Hits only" })));
  expect(view().others).toBe("hide");
  await settled(() => fireEvent.click(row().getByRole("button", { name: "+ Add" })));
  expect(onAdd).toHaveBeenCalledOnce();
  await settled(() => fireEvent.click(row().getByRole("button", { name: /^Clear/u })));
  expect(view().where).toBeNull();
});

test("without a filter nothing is asked", async () => {
  const { source } = await openCapture(<FilterRow tab="overview" onAdd={() => undefined} />, { answers });
  expect(source.asked).toEqual([]);
});

test("isolated lanes are chips on the timeline as long as no filter is there", async () => {
  const isolated = ["hop0.secondaryFlush", "localFlush", "gone"];
  const { view } = await openCapture(<FilterRow tab="timeline" onAdd={() => undefined} />, {
    view: { isolated },
  });
  const iso = within(screen.getByRole("region", { name: "Isolated stages" }));
  const names = iso.getAllByRole("button", { name: /among all stages$/u });
  expect(names.map((button) => button.getAttribute("aria-label"))).toEqual([
    "SQL1 log write: among all stages",
    "SQL2 log write: among all stages",
  ]);
  await settled(() => fireEvent.click(names[0]));
  expect(view().isolated).toEqual(["hop0.secondaryFlush", "gone"]);
  await settled(() => fireEvent.click(iso.getByRole("button", { name: /^All stages/u })));
  expect(view().isolated).toEqual([]);
});

test("on other screens isolated lanes are not named", async () => {
  await openCapture(<FilterRow tab="overview" onAdd={() => undefined} />, {
    view: { isolated: ["localFlush"] },
  });
  expect(screen.queryByRole("region")).toBeNull();
});
