import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { settled } from "../../../test/answers.tsx";
import { logCanvases } from "../../../test/canvas.ts";
import { countsOf, distributionOf, histogramOf } from "../../../test/distribution.ts";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import { ProblemError } from "../../data/problem.ts";
import type { View } from "../../state/view.ts";
import { DistributionScreen } from "./distribution-screen.tsx";

beforeEach(() => {
  logCanvases();
  fakeScreen({ width: 800, height: 100 });
});

const open = async (answer: Parameters<typeof distributionOf> | Error = [], view: Partial<View> = {}) => {
  const opened = await openCapture(<DistributionScreen />, {
    answers: { distribution: () => (answer instanceof Error ? answer : distributionOf(...answer)) },
    view,
  });
  await waitFor(() => expect(opened.source.asked).not.toHaveLength(0));
  await settled();
  return opened;
};
const press = (key: string, target: Element = document.body, more = {}) =>
  settled(() => fireEvent.keyDown(target, { key, ...more }));
const plot = (name: RegExp) => screen.getByRole("slider", { name });
const text = (element: Element): string => (element.textContent ?? "").replaceAll("\u2009", " ");

describe("the stages", () => {
  test("are chosen by number, by arrows and by their names", async () => {
    const { view } = await open();
    await press("3");
    expect(view().stage).toBe("secondaryFlush");
    await press("ArrowUp");
    expect(view().stage).toBe("networkRoundTrip");
    const list = screen.getByRole("list", { name: "Stages" });
    await settled(() => fireEvent.click(within(list).getByRole("button", { name: /^SQL1 log write/u })));
    expect(view().stage).toBe("localFlush");
  });

  test("have their percentiles and classes in tables", async () => {
    await open();
    expect(text(screen.getByRole("table", { name: "Percentiles" }))).toContain(
      "Network round trip600 µs158 ms166 ms206 ms",
    );
    expect(text(screen.getByRole("table", { name: "Log writes by class" }))).toContain("SQL170 70.0 %");
    expect(screen.getByText(/Network round trip has 2 humps/u)).toBeTruthy();
  });

  test("are asked for on the view's range, replica, second range and scale", async () => {
    const { source } = await open([], {
      range: [1, 9],
      other: [2, 3],
      axis: "linear",
      stage: "send",
      secondary: 0,
    });
    expect(source.asked[0]?.[1]).toEqual({
      range: { from: 1, to: 9 },
      other: { from: 2, to: 3 },
      secondary: 0,
      axis: "linear",
      stage: "send",
    });
  });
});

describe("bars", () => {
  test("chosen by keys leave only their blocks", async () => {
    const { view } = await open();
    const slider = plot(/^Commit/u);
    // The keys begin at the fullest bin, number 44.
    await press("ArrowRight", slider);
    await press("ArrowRight", slider, { shiftKey: true });
    expect(slider.getAttribute("aria-valuetext")).toContain("631");
    await press("Enter", slider);
    expect(view().where).toMatchObject([{ stage: "commit", comparison: { sign: ".." } }]);
    const { comparison } = view().where![0] as { comparison: { amount: number; limit: number } };
    expect(comparison.amount).toBeCloseTo(10 ** (1 + 44 / 25), 6);
    expect(comparison.limit).toBeCloseTo(10 ** (1 + 46 / 25), 6);
  });

  test("are given up with Escape, which else leads back to the overview", async () => {
    const { view, open: opened } = await open();
    const slider = plot(/^Commit/u);
    await press("ArrowRight", slider);
    await press("Escape", slider);
    await press("Enter", slider);
    expect(view().where).toBeNull();
    await press("Escape");
    expect(opened).toHaveBeenCalledWith("overview");
  });
});

test("the chosen stage is a table on demand, with what lies outside the bins", async () => {
  await open([{}, { counts: countsOf({ 44: 80, 104: 17 }), under: 2, over: 1 }]);
  await settled(() => fireEvent.click(screen.getByRole("button", { name: "Show as table" })));
  const table = within(screen.getByRole("region", { name: "Commit by duration" })).getByRole("table");
  const rows = within(table).getAllByRole("row").map(text);
  expect(rows.slice(1)).toEqual([
    "under the first bin2",
    "575 µs631 µs8080.0 %82.0 %",
    "145 ms158 ms1717.0 %99.0 %",
    "over the last bin1",
  ]);
});

test("a second range has its own figures, and is chosen from those of the capture", async () => {
  const rows = [{ stage: "commit" as const, ranges: [histogramOf(), histogramOf({ n: 40, p50: 900 })] }];
  const { view } = await open([{ rows, other: { from: 0, to: 10_000_000 } }], {
    range: [2e6, 4e6],
    other: [0, 1e7],
  });
  expect(text(screen.getByRole("table", { name: "Percentiles" }))).toContain("second range, 40900 µs");
  const choice = screen.getByRole("combobox", { name: "Outline" });
  await settled(() => fireEvent.change(choice, { target: { value: "keep" } }));
  expect(view().other).toEqual([2e6, 4e6]);
  await settled(() => fireEvent.change(choice, { target: { value: "none" } }));
  expect(view().other).toBeNull();
});

describe("without values", () => {
  test("a stage says that of none both ends are known", async () => {
    await open([
      {},
      { n: 0, missing: 12, p50: null, p95: null, p99: null, max: null, counts: countsOf({}), classes: null },
    ]);
    expect(screen.getAllByText(/not known for the 12 in the range/u)).toHaveLength(4);
  });

  test("an empty range says so and leads to the whole capture", async () => {
    const { view } = await open([{}, { n: 0, counts: countsOf({}) }], { range: [1, 2] });
    expect(screen.getByText(/No log block and no commit is in this range/u)).toBeTruthy();
    await settled(() => fireEvent.click(screen.getAllByRole("button", { name: "Whole capture" })[1]));
    expect(view().range).toBeNull();
  });

  test("a refusal is said, and asked again on demand", async () => {
    await open(new ProblemError("unavailable", 503, "The server is busy."));
    expect(screen.getByRole("alert").textContent).toContain("The server is busy.");
    expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  });
});

test("says how many blocks and commits there are once that is known", async () => {
  const { status } = await openCapture(<DistributionScreen />);
  expect(status()).toBeNull();
});

describe("parts of log writes", () => {
  const rows = (["secondaryFlush", "secondaryQueue", "secondaryDevice"] as const).map((stage) => ({
    stage,
    ranges: [histogramOf()],
  }));
  const splits = [
    {
      stage: "secondaryFlush" as const,
      writes: 100,
      split: 100,
      sums: { queue: 10, device: 85, completion: 5 },
    },
  ];
  const names = (): string[] =>
    within(screen.getByRole("list", { name: "Stages" }))
      .getAllByRole("button")
      .map((button) => text(button.firstChild as Element));

  test("are shown while log writes are split, which s changes", async () => {
    const { view } = await open([{ rows, splits }]);
    expect(names()).toEqual(["SQL2 log write"]);
    expect(screen.queryByRole("table", { name: "Log write on SQL2, split" })).toBeNull();
    await press("s");
    expect(view().split).toBe("log");
    expect(names()).toEqual([
      "SQL2 log write",
      "SQL2 log write: SQL Server's queue",
      "SQL2 log write: Device",
    ]);
    expect(text(screen.getByRole("table", { name: "Log write on SQL2, split" }))).toContain("85 %");
  });

  test("are offered as stages only where the answer has them", async () => {
    const options = (): string[] =>
      within(screen.getByRole("combobox", { name: "Stage" }))
        .getAllByRole("option")
        .map(({ textContent }) => textContent ?? "");
    const { unmount } = await open();
    expect(options().filter((name) => name.includes("Device"))).toEqual([]);
    unmount();
    await open([{ rows, splits }], { split: "log" });
    expect(options().filter((name) => name.includes("Device"))).toEqual(["SQL2 log write: Device"]);
  });
});
