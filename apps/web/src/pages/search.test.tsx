import { act, fireEvent, screen } from "@testing-library/react";
import { createRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type BlockFilter, blockFilterText, parseBlockFilter } from "@aglens/contract";
import { openCapture } from "../../test/open-capture.tsx";
import { filterPreview } from "../state/filter-preview.ts";
import { Search } from "./search.tsx";

/** As many blocks as the filter's text has letters, and none of those that the primary released. */
const counted = (text: string): number => (text.includes("gate=local") ? 0 : text.length);
const answers = {
  hitCounts: (filters: readonly BlockFilter[]) => ({
    counts: filters.map((filter) => ({ blocks: counted(blockFilterText(filter)), commits: 0 })),
  }),
  findLsn: () => ({ rows: [] }),
};
const box = (): HTMLInputElement => screen.getByRole("combobox");
/** Runs an action, and the reactions to it after any pause. */
const after = (run: () => void) =>
  act(async () => {
    run();
    await vi.advanceTimersByTimeAsync(500);
  });
const type = (value: string) => after(() => fireEvent.change(box(), { target: { value } }));
const press = (key: string) => after(() => fireEvent.keyDown(box(), { key }));
const options = () =>
  screen.queryAllByRole("option").map((each) => (each.textContent ?? "").replaceAll("\u2009", " "));
const openBox = async (more: Parameters<typeof openCapture>[1] = {}) => {
  const opened = await openCapture(<Search field={createRef()} actions={{}} />, { answers, ...more });
  vi.useFakeTimers();
  await after(() => fireEvent.focus(box()));
  return opened;
};

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.useRealTimers();
  filterPreview.set(null);
});

test("before anything is typed the conditions of the capture are listed with their counts, 0 as well", async () => {
  await openBox();
  expect(screen.getByText("Conditions of this capture")).toBeTruthy();
  const listed = options();
  expect(listed).toContain("class = bad on SQL2slow log writes of SQL2, over 50 ms11 blocks");
  expect(listed).toContain("gate = SQL2released by SQL2's ack6 blocks");
  expect(listed).toContain("gate = localreleased by SQL1's own log write0 blocks");
});

test("slow finds the slow conditions as well as the orders of the slowest blocks", async () => {
  await openBox();
  await type("slow");
  const listed = options();
  expect(listed.some((each) => each.startsWith("commit > 200 ms"))).toBe(true);
  expect(listed.some((each) => each.startsWith("class = bad on SQL1"))).toBe(true);
  expect(listed.some((each) => each.startsWith("slowest by Network back"))).toBe(true);
  expect(listed.some((each) => each.startsWith("gate"))).toBe(false);
});

test("what compares is a filter with its count; Enter adds it to the conditions, and it is there the next time", async () => {
  const kept = parseBlockFilter("gate@1")!;
  const { view } = await openBox({ view: { where: kept } });
  await type("over 300 ms");
  expect(options()[0]).toBe("commit > 300 ms13 blocks");
  await press("Enter");
  expect(blockFilterText(view().where!)).toBe("gate@1,commit>300000");
  expect(box().value).toBe("");
  await after(() => fireEvent.focus(box()));
  const heads = screen.getAllByRole("presentation").map((each) => each.textContent);
  expect(heads).toContain("Used before");
});

test("a part that cannot be read is named with the nearest words, which Tab puts in its place", async () => {
  await openBox();
  await type("log write > 50 ms on SQL2, gate = SQ");
  expect(screen.getByText(/^There is no replica SQ/u).textContent).toContain("Nearest: SQL2.");
  expect(options().slice(0, 2)).toEqual([
    "SQL2 log write > 50 ms, gate = SQL2released by SQL2's ack29 blocks",
    "SQL2 log write > 50 ms22 blocks",
  ]);
  await press("Tab");
  expect(box().value).toBe("log write > 50 ms on SQL2, gate = SQL2");
  expect(box().getAttribute("aria-invalid")).toBe("false");
});

test("Escape takes back what is typed, then leaves the box", async () => {
  await openBox();
  await type("commit > 5");
  await press("Escape");
  expect([box().value, options().length > 0]).toEqual(["", true]);
  await press("Escape");
  expect(options()).toEqual([]);
});

test("what is typed is shown after a pause of 80 ms, what cannot be read leaves it, and an emptied box ends it", async () => {
  await openBox();
  const typeNow = (value: string): void => {
    fireEvent.change(box(), { target: { value } });
  };
  const wait = (ms: number): void =>
    act(() => {
      vi.advanceTimersByTime(ms);
    });
  const shown = () => filterPreview.get() && blockFilterText(filterPreview.get()!);
  typeNow("commit > 5");
  wait(79);
  expect(shown()).toBeNull();
  wait(1);
  expect(shown()).toBe("commit>5000");
  typeNow("commit > 5x");
  wait(200);
  expect(shown()).toBe("commit>5000");
  typeNow("");
  expect(shown()).toBeNull();
});
