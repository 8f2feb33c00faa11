import { expect, test, type Page } from "@playwright/test";
import { openSample } from "./steps.ts";

const TABS = [
  "",
  "timeline",
  "sequence",
  "distribution",
  "waiting",
  "compare",
  "what-if",
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

test("nothing that is shown moves while a screen opens", async ({ page }) => {
  await openSample(page);
  const address = page.url();
  await countMoves(page);
  await partAnswers(page);
  for (const tab of TABS) {
    await page.goto(`${address}/${tab}`);
    await page.waitForLoadState("networkidle");
    const moved = await page.evaluate(() => (window as unknown as { moved: number }).moved);
    // A letter that its own font makes wider is 0.0001; a row of a table that pushes others down 0.003.
    expect(moved, tab).toBeLessThan(0.001);
  }
});
