import { expect, test, type Page } from "@playwright/test";
import { openSample } from "./steps.ts";

/** The sample's timeline at its whole length, with its lanes drawn. */
async function openTimeline(page: Page): Promise<void> {
  await openSample(page);
  await page.keyboard.press("Alt+2");
  await expect(page).toHaveURL(/\/timeline/u);
  await expect(status(page)).toContainText("blocks");
}

const status = (page: Page) => page.getByRole("contentinfo");

/** µs in view as the address says; null for the whole capture. */
function spanOf(page: Page): number | null {
  const range = new URL(page.url()).searchParams.get("range");
  if (range === null) return null;
  const [from, to] = range.split("_").map(Number);
  return to - from;
}

test("zooms in to less than a millisecond and back out", async ({ page }) => {
  await openTimeline(page);
  // The sample lasts 92 s; each press leaves 0.7 of the view.
  for (let presses = 0; presses < 34; presses += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.keyboard.press("w");
  }
  await expect.poll(() => spanOf(page) ?? Number.POSITIVE_INFINITY).toBeLessThan(1000);
  await expect(status(page)).toContainText("µs in view");
  await page.keyboard.press("0");
  await expect.poll(() => spanOf(page)).toBeNull();
  await expect(status(page)).toContainText("1 min 3");
});

test("from a slow block to its sequence and back", async ({ page }) => {
  await openTimeline(page);
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/block=\d+/u);
  await expect(page.getByRole("complementary", { name: "Selected block" })).toContainText("Remote harden");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/sequence/u);
  await expect(page.locator("main")).toContainText("Raw events");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/timeline.*block=\d+/u);
});

test("folds a replica's lanes by key and by button", async ({ page }) => {
  await openTimeline(page);
  const lanes = page.locator(".tl-lane");
  const all = await lanes.count();
  await page.keyboard.press("Shift+Digit1");
  await expect(page).toHaveURL(/collapsed=0/u);
  await expect(lanes).toHaveCount(all - 2);
  await page.getByRole("button", { name: "Unfold the lanes of SQL1" }).click();
  await expect(lanes).toHaveCount(all);
  await page.getByRole("button", { name: "Fold the lanes of SQL2" }).click();
  await expect(page).toHaveURL(/collapsed=1/u);
  await expect(lanes).toHaveCount(4);
});

test("a link restores the view it was taken from", async ({ page, context }) => {
  await openTimeline(page);
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/block=\d+/u);
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/range=/u);
  await page.keyboard.press("Shift+Digit2");
  await expect(page).toHaveURL(/collapsed=1/u);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(status(other)).toContainText("blocks");
  await expect(status(other)).toHaveText((await status(page).textContent()) ?? "");
  await expect(other.locator(".tl-lane")).toHaveCount(4);
  await expect(other.getByRole("complementary", { name: "Selected block" })).toContainText("Remote harden");
  expect(other.url()).toBe(page.url());
});
