import { expect, type Locator, type Page, test } from "@playwright/test";
import { openSample } from "./steps.ts";
import { undefinedNames } from "./undefined-names.ts";

/** Each screen of a capture by its address, with an element that it shows once it has its data. */
const SCREENS: readonly (readonly [address: string, state: (page: Page) => Locator])[] = [
  ["", (page) => page.getByRole("region", { name: "Verdict" }).getByText("network").first()],
  ["/timeline?block=640", (page) => page.getByRole("gridcell").first()],
  ["/timeline?block=640&kept=641", (page) => page.getByRole("columnheader", { name: "Sum" })],
  ["/sequence?block=640", (page) => page.getByTestId("sequence-picture")],
  ["/distribution", (page) => page.getByRole("slider", { name: /duration$/u }).first()],
  ["/waiting", (page) => page.getByRole("table", { name: "Log writers and networks" })],
  ["/compare", (page) => page.getByRole("table", { name: "Changes" })],
  ["/what-if", (page) => page.getByRole("table", { name: "Commits now and then" })],
  ["/raw-events?block=640", (page) => page.getByRole("row", { selected: true })],
  ["/raw-events?rows=commits", (page) => page.getByRole("columnheader", { name: "Waited" })],
  ["/raw-events?rows=blocks", (page) => page.getByRole("columnheader", { name: "LSN" })],
];

test("each stage, percentile, LSN, bound and release on a screen has its definition", async ({ page }) => {
  await openSample(page);
  const capture = new URL(page.url()).pathname;
  for (const [address, state] of SCREENS) {
    await page.goto(capture + address);
    await expect(state(page)).toBeVisible();
    expect.soft(await undefinedNames(page), address).toEqual([]);
  }
});
