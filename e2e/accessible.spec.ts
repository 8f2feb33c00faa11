import { expect, test } from "@playwright/test";
import { expectAccessible, filesOf, openSample } from "./steps.ts";

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test("captures screen, guide and keys", async ({ page }) => {
      await page.goto("/");
      await page.getByLabel("Capture files").setInputFiles(filesOf("damaged"));
      await expect(page.getByRole("region", { name: "Recognised files" })).toContainText("in common");
      await expectAccessible(page);
      await page.getByRole("button", { name: "Capture guide" }).click();
      await expect(page.getByRole("dialog")).toContainText("CREATE EVENT SESSION");
      await expectAccessible(page);
    });

    test("library and status", async ({ page }) => {
      await page.goto("/captures");
      await expect(page.getByRole("table", { name: "Captures" })).toBeVisible();
      await expect(page.getByRole("searchbox")).toBeVisible();
      await expectAccessible(page);
      await page.goto("/status");
      await expect(page.getByRole("definition").first()).toBeVisible();
      await expectAccessible(page);
    });

    test("overview, timeline, sequence and share", async ({ page }) => {
      await openSample(page);
      await expect(page.getByRole("region", { name: "Verdict" })).toContainText("network");
      await expectAccessible(page);
      await page.getByRole("button", { name: "Share" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press("x");
      await expect(page.getByRole("dialog", { name: "Export" })).toContainText("kB");
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Alt+2");
      await expect(page.locator("main canvas").first()).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press("n");
      await expect(page).toHaveURL(/block=/u);
      await page.keyboard.press("Alt+3");
      await expect(page.locator("main")).toContainText("remote harden");
      await expectAccessible(page);
      await page.keyboard.press("Alt+8");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(/events/iu);
      await expect(page.locator("main")).toContainText("log_flush_start");
      await expectAccessible(page);
    });
  });
}

test("forced colours show the places by pattern, and what is chosen by the system's own colours", async ({
  browser,
}) => {
  const context = await browser.newContext({
    forcedColors: "active",
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  await openSample(page);
  const cut = page.locator("table .block-bar .cut.n").first();
  await expect(cut).toHaveCSS("fill", /cut-dots/u);
  await expect(page.locator("table .block-bar .cut.s").first()).toHaveCSS("fill", /cut-diagonal/u);
  const canvasText = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "CanvasText";
    return getComputedStyle(probe).color;
  });
  await expect(page.locator("table .block-bar .stage.s-disk").first()).toHaveCSS("fill", canvasText);
  await expect(page.getByRole("slider").first()).toHaveCSS("background-color", canvasText);
  await context.close();
});
