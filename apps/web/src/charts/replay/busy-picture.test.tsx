import { cleanup, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { BusyPicture } from "./busy-picture.tsx";

/** Percent of its picture for each bar that is drawn. */
function barsOf(
  attribute: "x" | "height",
  busy: readonly number[],
  to = busy.length * 1_000_000,
  entryUs?: number,
  from = 0,
): number[] {
  const axis = { range: [from, to] as const, entryUs, uncovered: [] };
  render(<BusyPicture busy={busy} {...axis} color="var(--s-disk)" label="Busy" />);
  return [...screen.getByRole("img", { name: "Busy" }).querySelectorAll("rect")].map((bar) =>
    Number.parseFloat(bar.getAttribute(attribute) ?? ""),
  );
}

test("each second has a bar, one in which nothing ran has none", () => {
  expect(barsOf("height", [0.25, 0, 1])).toEqual([25, 100]);
});

test("a day has no more bars than can be seen, and its busiest second is one of them", () => {
  const heights = barsOf(
    "height",
    Array.from({ length: 86_400 }, (_, second) => (second === 50_000 ? 0.97 : 0.1)),
  );
  // 144 seconds each.
  expect(heights).toHaveLength(600);
  expect(heights.filter((height) => height > 10)).toEqual([97]);
});

test("a bar stands at its second on the capture's axis, also where the last second is a part of one", () => {
  // 2.5 s: the third second begins at 80 % of the axis; a bar begins 0.04 of a second later.
  expect(barsOf("x", [1, 1, 1], 2_500_000)[2]).toBeCloseTo(81.6);
});

test("a bar of several seconds stands at these", () => {
  // 8 s split into four entries is 2 s per entry: the third entry begins at half of the axis, and its bar 0.04 of an
  // entry later.
  expect(barsOf("x", [1, 1, 1, 1], 8_000_000, 2_000_000)[2]).toBeCloseTo(51);
});

test("a part of the capture has its own seconds alone, each at its place in the part", () => {
  // From 1.5 to 3.5 s: half of the second second, the third, and half of the fourth.
  const part = [[1, 0.2, 0.4, 0.6, 1], 3_500_000, undefined, 1_500_000] as const;
  expect(barsOf("height", ...part)).toEqual([20, 40, 60]);
  cleanup();
  // A second is half of the part, and a bar begins 0.04 of a second later.
  expect(barsOf("x", ...part)).toEqual([-23, 27, 77]);
});

test("a part of a day has as many bars as it has seconds", () => {
  const day = Array.from({ length: 86_400 }, () => 0.5);
  expect(barsOf("height", day, 3_660_000_000, undefined, 3_600_000_000)).toHaveLength(60);
});

test("what the files of two servers lack alike is hatched for each of them", () => {
  const complaint = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const uncovered = [
    [3_000_000, 4_000_000],
    [3_000_000, 4_000_000],
  ] as const;
  render(
    <BusyPicture busy={[1]} range={[0, 4_000_000]} uncovered={uncovered} color="var(--n-out)" label="Busy" />,
  );
  expect(complaint).not.toHaveBeenCalled();
  complaint.mockRestore();
});

test("what no file covers is hatched from edge to edge", () => {
  render(
    <BusyPicture
      busy={[1, 1, 1, 0]}
      range={[0, 4_000_000]}
      uncovered={[[3_000_000, 4_000_000]]}
      color="var(--s-disk)"
      label="Busy"
    />,
  );
  const [hatch] = screen.getByRole("img", { name: "Busy" }).querySelectorAll('rect[fill="url(#hatch)"]');
  expect([hatch?.getAttribute("x"), hatch?.getAttribute("width")]).toEqual(["75%", "25%"]);
});
