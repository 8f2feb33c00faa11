import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { fakeScreen } from "../../../test/fake-screen.ts";
import { openCapture } from "../../../test/open-capture.tsx";
import type { Summary } from "@aglens/contract";
import { summaryOf } from "../../../test/summary.ts";
import { crumbsOf, periodName, ZoomRow } from "./zoom-row.tsx";

test("of more than four steps the middle ones are one", () => {
  expect(crumbsOf(1)).toEqual([0]);
  expect(crumbsOf(4)).toEqual([0, 1, 2, 3]);
  expect(crumbsOf(5)).toEqual([0, null, 3, 4]);
  expect(crumbsOf(9)).toEqual([0, null, 7, 8]);
});

test("a step is named by the episode that it shows, else by its length", () => {
  const episode = { secondary: 0, label: "Slow network", from: 2_000_000, to: 6_000_000 };
  const summary = summaryOf({
    verdict: { ...summaryOf().verdict, episodes: [episode] as unknown as Summary["verdict"]["episodes"] },
  });
  const name = (from: number, to: number, secondary = 0): string =>
    periodName([from, to], summary, secondary);
  expect(periodName(null, summary, 0)).toBe("Whole capture");
  expect(name(2_000_000, 6_000_000)).toBe("Slow network 4.00\u2009s");
  // Four of five seconds are the episode's, four of six are not enough.
  expect(name(1_500_000, 6_500_000)).toBe("Slow network 5.00\u2009s");
  expect(name(1_000_000, 7_000_000)).toBe("6.00\u2009s");
  expect(name(2_000_000, 6_000_000, 1)).toBe("4.00\u2009s");
});

test("all of the row is a landmark: the zooms and the range that is selected", async () => {
  fakeScreen().setMedia("(min-width: 720px) and (min-height: 700px)", true);
  await openCapture(<ZoomRow onCopyLink={() => undefined} />, { view: { selected: [0, 2_000_000] } });
  const row = within(screen.getByRole("region", { name: "Zooms and selection" }));
  expect(row.getByRole("navigation", { name: "Zooms" })).toBeTruthy();
  expect(row.getByText(/^Selection 2.00/u)).toBeTruthy();
});
