import { expect, test } from "@playwright/test";
import { openSample } from "./steps.ts";

test("from the first screen to a sequence without a pointer", async ({ page }) => {
  await page.goto("/");
  const sample = page.getByRole("button", { name: /^Open the sample/u });
  for (let presses = 0; presses < 20; presses += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.keyboard.press("Tab");
    // oxlint-disable-next-line no-await-in-loop
    if (await sample.evaluate((element) => element === document.activeElement)) break;
  }
  await expect(sample).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText("network");

  // A first visit is offered the tour, which has the focus.
  await expect(page.getByRole("dialog", { name: "Tour of the sample, step 1 of 6" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toContainText("Go to the next slow block");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("Alt+2");
  await expect(page).toHaveURL(/\/timeline/u);
  await expect(page.locator("main canvas").first()).toBeVisible();
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/block=/u);
  await page.keyboard.press("Alt+3");
  await expect(page).toHaveURL(/\/sequence/u);
  await expect(page.locator("main")).toContainText("remote harden");
  await page.keyboard.press("Alt+1");
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
});

test("from the search box the focus goes on to what follows it, and back", async ({ page }) => {
  await openSample(page);
  const search = page.getByRole("combobox", { name: "Filter, time, LSN or command" });
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Export" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await expect(search).toBeFocused();
});
