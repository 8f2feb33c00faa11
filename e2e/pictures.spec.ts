import { expect, type Page, test } from "@playwright/test";
import { openSample } from "./steps.ts";

/**
 * The main screens as pictures, in light and dark: a wrong color, a moved lane or a bar of another length changes them.
 * Text is hidden, because each build of a browser draws its edges in its own way, and other tests read it; its size
 * counts, since it moves the parts after it. docs/contribute/architecture.md describes how to renew them.
 */
const SCREENS = [
  ["overview", "", (page: Page) => page.getByRole("table").last().locator(".block-bar")],
  ["timeline", "/timeline?v=1&range=62000000_72000000", (page: Page) => page.getByRole("gridcell")],
  ["sequence", "/sequence?v=1&block=640", (page: Page) => page.locator("main svg")],
] as const;

test.use({ viewport: { width: 1280, height: 860 } });

for (const [name, address, drawn] of SCREENS) {
  test(`the ${name} looks as it did, in light and dark`, async ({ page }) => {
    await openSample(page);
    await page.goto(`${new URL(page.url()).pathname}${address}`);
    await expect(drawn(page).first()).toBeAttached();
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
      await expect(page).toHaveScreenshot(`${name}-${theme}.png`);
    }
  });
}
