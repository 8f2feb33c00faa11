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

/** Movements on a page without any input: their share of the window, and the elements. */
interface Moves {
  share: number;
  readonly elements: string[];
}

async function countMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moves: Moves = { share: 0, elements: [] };
    (window as unknown as { moves: Moves }).moves = moves;
    interface Shift extends PerformanceEntry {
      readonly value: number;
      readonly sources: readonly { readonly node: Node | null }[];
    }
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[]) {
        moves.share += value;
        for (const { node } of sources) {
          const words = (node?.textContent ?? "").slice(0, 40);
          const name = node instanceof Element ? `${node.tagName} ${node.className}` : "text";
          moves.elements.push(`${name} "${words}" ${value.toFixed(4)}`);
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Delays answers in turn, so that a part of the page above others does not get its data first. */
async function partAnswers(page: Page): Promise<void> {
  let asked = 0;
  await page.route("**/api/**", async (route) => {
    asked++;
    // The list of commits is last: the parts below it are shown together with it.
    const late = route.request().url().includes("/slow-commits") ? 800 : 0;
    await page.waitForTimeout(((asked * 170) % 500) + late);
    await route.continue();
  });
}

/**
 * The usual width, and one at which the parts next to lanes and charts are below them, and texts take one more line.
 */
const WIDTHS = [1440, 1000];

/** Opens screens of a capture again, at each width. @param address of the capture's overview */
async function expectStill(page: Page, address: string, tabs: readonly string[]): Promise<void> {
  await countMoves(page);
  await partAnswers(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const tab of tabs) {
      await page.goto(`${address}/${tab}`);
      await page.waitForLoadState("networkidle");
      const { share, elements } = await page.evaluate(() => (window as unknown as { moves: Moves }).moves);
      // A letter that its own font makes wider is 0.0001; a row of a table that pushes others down 0.003.
      expect(share, `${tab} at ${width} px: ${elements.join(", ")}`).toBeLessThan(0.001);
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
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
  await expectStill(page, new URL(page.url()).pathname, ["", "timeline"]);
});
