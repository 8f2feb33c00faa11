import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { openSample } from "./steps.ts";

/** A table in the list of those that a query can read. */
const tableOf = (page: Page, name: string): Locator =>
  page.getByRole("button", { name: new RegExp(`^${name}`, "u") });

test("SQL: a ready query, a row's blocks, a file, and the same again by its link", async ({ page }) => {
  await openSample(page);
  await page.keyboard.press("Alt+9");
  await page.getByRole("button", { name: "Slowest 20 commits" }).click();
  const rows = page.getByRole("grid", { name: "Result" }).getByRole("row");
  await expect(rows).toHaveCount(21);
  await expect(page.getByText("20 rows in")).toContainText("from commits");
  await page.keyboard.press("j");
  await expect(page.getByRole("row", { selected: true })).toHaveCount(1);

  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  const csv = await readFile(await (await saving).path(), "utf8");
  expect(csv.split("\r\n")[0]).toBe('\uFEFF"utc","database","gate","block","latency_us","wake_up_us"');
  expect(csv.trimEnd().split("\r\n")).toHaveLength(21);

  await page.reload();
  await expect(rows).toHaveCount(21);
  await expect(page.getByRole("row", { selected: true })).toHaveCount(1);
  const block = await page.getByRole("row", { selected: true }).getByRole("gridcell").nth(3).textContent();
  await page.locator("main").focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/sequence\\?.*block=${block}(?:&|$)`, "u"));
});

test("SQL: what is typed is completed, and a mistake is named where it is", async ({ page }) => {
  await openSample(page);
  await page.keyboard.press("Alt+9");
  // Completions are known once the tables are, which are written after the analysis.
  await expect(tableOf(page, "hops")).toBeVisible();
  const editor = page.getByRole("textbox", { name: "Query" });
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("SELECT max(log_w) AS x FROM hops");
  for (let i = 0; i < ") AS x FROM hops".length; i++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Control+Space");
  const offer = page.getByRole("option", { name: /log_write_us/u });
  await expect(offer).toContainText("DOUBLE");
  await expect(offer).toContainText("hops, µs");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Control+Enter");
  // The rows of the first query of the page are no longer shown.
  await expect(page.getByRole("gridcell")).toHaveCount(1);
  await expect(page.getByRole("gridcell")).toHaveText(/ms$/u);

  await page.keyboard.press("Control+a");
  await page.keyboard.type("SELECT nosuch FROM hops");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText('Referenced column "nosuch" not found')).toBeVisible();
  // The cursor is before it.
  await page.keyboard.type("block, ");
  await expect(editor).toContainText("SELECT block, nosuch");
});

test("SQL over all captures names the capture of each row", async ({ page }) => {
  await openSample(page);
  // Tables of the first capture may not be written yet.
  await expect(async () => {
    await page.goto("/sql");
    await expect(tableOf(page, "hops")).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await page.getByRole("button", { name: "Captures, slowest first" }).click();
  await expect(page.getByRole("grid", { name: "Result" })).toContainText("Sample: slow network");
});
