import { expect, test, type Page } from "@playwright/test";
import { filesOf, openSample } from "./steps.ts";

const TABS = [
  "",
  "timeline",
  "sequence",
  "distribution",
  "waiting",
  "compare",
  "what-if",
  "how-read",
  "raw-events",
  "sql",
];

/** Has the page count by how much of the window what is visible moves without anybody having done anything. */
async function countMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown = window as unknown as { moved: number };
    shown.moved = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        shown.moved += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Answers come after one another, in turn early and late: what stands above others is not what comes first. */
async function partAnswers(page: Page): Promise<void> {
  let asked = 0;
  await page.route("**/api/**", async (route) => {
    asked++;
    await page.waitForTimeout((asked * 170) % 500);
    await route.continue();
  });
}

/** The usual width, and one at which what stands beside lanes and charts is below them, and words take a line more. */
const WIDTHS = [1440, 1000];

/** Opens screens of a capture anew, at each width. @param address of the capture's overview */
async function expectStill(page: Page, address: string, tabs: readonly string[]): Promise<void> {
  await countMoves(page);
  await partAnswers(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const tab of tabs) {
      await page.goto(`${address}/${tab}`);
      await page.waitForLoadState("networkidle");
      const moved = await page.evaluate(() => (window as unknown as { moved: number }).moved);
      // A letter that its own font makes wider is 0.0001; a row of a table that pushes others down 0.003.
      expect(moved, `${tab} at ${width} px`).toBeLessThan(0.001);
    }
  }
}

test("nothing that is shown moves while a screen opens", async ({ page }) => {
  await openSample(page);
  await expectStill(page, page.url(), TABS);
});

test("nothing moves where two secondaries have rows of their own", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(filesOf("two-secondaries"));
  await page.getByRole("button", { name: /^Analyse/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
  await expectStill(page, new URL(page.url()).pathname, ["", "timeline"]);
});
