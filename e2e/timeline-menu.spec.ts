import { expect, test } from "@playwright/test";
import { openSample } from "./steps.ts";

test("the menu of a bar copies its times and LSN, by pointer and by keyboard", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openSample(page);
  const url = new URL(page.url());
  await page.goto(`${url.pathname}/timeline?range=62000000_72000000`);
  await expect(page.getByRole("grid")).toBeAttached();
  const plot = (await page.getByTestId("lanes").boundingBox())!;
  // At the lower right end of the window: the menu opens inside it.
  await page.mouse.click(plot.x + plot.width - 20, plot.y + 40, { button: "right" });
  const menu = page.getByRole("menu");
  await expect(menu).toContainText("Commit of block 0000002");
  const box = (await menu.boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(1440);
  await menu.getByRole("menuitem", { name: /^LSN, decimal/u }).click();
  await expect(menu).toContainText("copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^3[45]:\d+$/u);
  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);

  await page.getByRole("grid").locator('[tabindex="0"]').focus();
  await page.keyboard.press("Shift+F10");
  await expect(page.getByRole("menu", { name: /^SQL1 log write of block 00000022:/u })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(menu).toContainText("copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^2016-05-06 02:1\d:\d\d\.\d{6}$/u,
  );
  await page.keyboard.press("Escape");
  await expect(page.locator(":focus")).toHaveText(/^SQL1 log write/u);
});

test("a ruler is placed by two clicks, stays with the link, and goes with Escape", async ({ page }) => {
  await openSample(page);
  await page.goto(`${new URL(page.url()).pathname}/timeline?range=67500000_70000000`);
  await expect(page.getByRole("grid")).toBeAttached();
  const plot = (await page.getByTestId("lanes").boundingBox())!;
  await page.keyboard.press("q");
  await expect(page.getByRole("contentinfo")).toContainText("choose where it begins");
  await page.mouse.click(plot.x + plot.width * 0.2, plot.y + 150);
  await expect(page.getByRole("contentinfo")).toContainText("choose where it ends");
  await page.mouse.click(plot.x + plot.width * 0.6, plot.y + 150);
  const ruler = page.getByRole("region", { name: "Ruler" });
  // 0.4 of 2.5 s, within the distance of a snap.
  await expect(ruler).toContainText(/(1\.0\d\s+s|9\d\d\s+ms)/u);
  await page.reload();
  await expect(ruler).toContainText("to 02:18:0");
  await page.keyboard.press("Escape");
  await expect(ruler).toHaveCount(0);
  await expect(page).not.toHaveURL(/ruler=/u);
});
