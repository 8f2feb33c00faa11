import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { BusyPicture } from "./busy-picture.tsx";

function heightsOf(busy: readonly number[]): number[] {
  render(<BusyPicture busy={busy} color="var(--s-disk)" label="Busy" />);
  return [...screen.getByRole("img", { name: "Busy" }).querySelectorAll("rect")].map((bar) =>
    Number(bar.getAttribute("height")),
  );
}

test("each second has a bar, one in which nothing ran has none", () => {
  expect(heightsOf([0.25, 0, 1])).toEqual([0.25, 1]);
});

test("a day has no more bars than can be seen, and its busiest second is one of them", () => {
  const heights = heightsOf(Array.from({ length: 86_400 }, (_, second) => (second === 50_000 ? 0.97 : 0.1)));
  // 144 seconds each.
  expect(heights).toHaveLength(600);
  expect(heights.filter((height) => height > 0.1)).toEqual([0.97]);
});
