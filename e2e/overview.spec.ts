import { expect, test } from "@playwright/test";
import { expectAccessible, filesOf, openSample, withOwnIds } from "./steps.ts";
import { countsInView } from "./word-count.ts";

test("a time or an LSN leads to its place, without a pointer", async ({ page }) => {
  await openSample(page);
  const search = page.getByRole("combobox", { name: "Filter, time, LSN or command" });
  const first = page
    .getByRole("table")
    .getByRole("button", { name: /^Open block/u })
    .first();
  const lsn = await first.innerText();

  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.type("nowhere");
  await expect(page.getByRole("search")).toContainText("No such time, block or command");
  await page.keyboard.press("Escape");
  await expect(search).not.toBeFocused();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("+45.9 s");
  await expect(page.getByRole("option").first()).toContainText("timeline, +45.90");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/timeline\?.*range=44900000_46900000/u);

  await page.keyboard.press("/");
  await page.keyboard.type(lsn);
  await expect(page.getByRole("option", { selected: true })).toContainText("sequence");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(lsn);
});

test("a command is found by its words in the search box", async ({ page }) => {
  await openSample(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("slow net");
  const options = page.getByRole("search").getByRole("option");
  await expect(options).toHaveText([
    /round trip > 20/u,
    /slowest by Network out/u,
    /slowest by Network back/u,
    /slowest by Network round trip/u,
  ]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/sort=wireOut/u);
  await expect(page.getByRole("columnheader", { name: "Network out", exact: true })).toBeVisible();

  await page.keyboard.press("/");
  await page.keyboard.type("raw clock");
  await expect(options).toHaveText([/raw and aligned clock/u]);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Raw UTC" })).toBeVisible();
});

test("y copies the link to this view, Shift+Y the verdict", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openSample(page);
  await page.keyboard.press("r");
  await expect(page).toHaveURL(/clock=raw/u);
  await page.keyboard.press("y");
  await expect(page.locator("footer")).toContainText("Link to this view copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${page.url()}&time=utc`);
  await page.keyboard.press("Shift+Y");
  await expect(page.locator("footer")).toContainText("Verdict copied");
  const verdict = await page
    .getByRole("region", { name: "Verdict" })
    .getByRole("heading", { level: 1 })
    .innerText();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.replaceAll(/\s/gu, " ")).toBe(verdict.replaceAll(/\s/gu, " "));
});

test("the slowest blocks can be ordered by a stage, either way", async ({ page }) => {
  await openSample(page);
  const order = page.getByLabel("Order by");
  await expect(order.locator("option").nth(10)).toBeAttached();
  // Every stage's order is proven without a browser; here one of each kind.
  for (const id of ["remoteHarden", "wireOut", "localFlush"]) {
    // oxlint-disable no-await-in-loop -- one order after the other
    await order.selectOption(id);
    const answer = page.waitForResponse((response) => response.url().includes(`sort=${id}&descending=false`));
    await page.locator("th[aria-sort=descending] button").click();
    const { rows } = (await (await answer).json()) as { rows: { stages: Record<string, number | null> }[] };
    const values = rows.map((row) => row.stages[id]).filter((us) => us !== null);
    expect(values, id).toEqual(values.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    await expect(page.locator("th[aria-sort=ascending]")).toHaveCount(1);
    // oxlint-enable no-await-in-loop
  }
});

test("app bar and replica strip stay on one row at 1280", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openSample(page);
  await page.keyboard.press("r");
  await expect(page.getByRole("button", { name: "Raw UTC" })).toBeVisible();
  for (const [part, height] of [
    [page.getByRole("banner"), 44],
    [page.getByRole("region", { name: "Replicas" }), 34],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await part.evaluate((element) => [element.clientHeight, element.scrollWidth])).toEqual([
      height - 1,
      1280,
    ]);
  }
});

test("n and p walk the slowest blocks and say where they are", async ({ page }) => {
  await openSample(page);
  const table = page.getByRole("region", { name: "Slowest blocks" });
  await expect(table.getByRole("row").nth(1)).toBeVisible();
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  await expect(table.getByRole("status")).toContainText(/, 2 of 1,\d{3}$/u);
  await expect(table.locator("tr[aria-selected=true]")).toHaveCount(1);
  await page.keyboard.press("p");
  await expect(table.getByRole("status")).toContainText(/, 1 of 1,\d{3}$/u);
});

test("a secondary's file alone says what is missing, and orders its blocks by their log write", async ({
  page,
}) => {
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(withOwnIds(filesOf("slow-network").slice(-1)));
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText(
    "there is no file of the primary",
  );
  await expect(page.getByRole("region", { name: "Replicas" })).toContainText("Primary, no file");
  await expect(page.getByRole("region", { name: "Charts" })).toContainText("there are no commits");
  const table = page.getByRole("region", { name: "Slowest blocks" });
  await expect(table.locator("th[aria-sort=descending]")).toContainText("log write");
  await expect(table.getByRole("row").nth(1)).toBeVisible();
  // No bar is longer than its cell.
  const widths = await table.locator("td:has(svg)").evaluateAll((cells) =>
    cells.map((cell) => {
      const bars = [...cell.querySelectorAll("rect.stage")].map((bar) => bar.getBoundingClientRect().right);
      return Math.max(...bars) <= cell.getBoundingClientRect().right;
    }),
  );
  expect(widths.length).toBeGreaterThan(0);
  expect(widths).not.toContain(false);
});

test("a stretch without blocks says why, and the whole capture stays below", async ({ page }) => {
  await openSample(page);
  await page.goto(`${page.url().split("?")[0]}?v=1&range=5000000_25000000`);
  const charts = page.getByRole("region", { name: "Charts" });
  await expect(page.getByRole("heading", { name: "No log block between +5.0 s and +25.0 s" })).toBeVisible();
  await expect(page.locator("main")).toContainText("Nothing was lost");
  await expect(charts.getByRole("slider", { name: "Start of what is in view" })).toBeVisible();
  await page.getByRole("button", { name: /^Next block, \+32\.\d\d s/u }).click();
  await expect(page.getByRole("heading", { name: /^No log block/u })).toHaveCount(0);
});

test("on a laptop the slowest blocks begin above the fold, and the cursor's figures move nothing", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  await openSample(page);
  const row = page.getByRole("region", { name: "Slowest blocks" }).getByRole("row").nth(1);
  await expect(row).toBeInViewport({ ratio: 1 });
  const choice = page.getByRole("group", { name: "Latency of" });
  const before = await choice.boundingBox();
  const plot = page.getByRole("img", { name: "Commit latency" });
  await plot.hover();
  await expect(page.getByRole("region", { name: "Charts" })).toContainText(/02:17:\d\d\.\d{3}/u);
  expect(await choice.boundingBox()).toEqual(before);
});

/** Words and figures above the fold of a window of 1440 x 900 px (decision 325). */
const MOST = { words: 355, figures: 105 };

test("the overview says no more at once than can be taken in", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openSample(page);
  await expect(page.getByRole("region", { name: "Charts" })).toContainText("Slow network");
  await expect(page.getByRole("button", { name: /^Open block/u }).first()).toBeVisible();
  const { words, figures } = await countsInView(page);
  expect(words).toBeGreaterThan(200);
  expect(words).toBeLessThanOrEqual(MOST.words);
  expect(figures).toBeGreaterThan(50);
  expect(figures).toBeLessThanOrEqual(MOST.figures);
});
