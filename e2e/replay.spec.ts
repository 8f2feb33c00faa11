import { expect, test } from "@playwright/test";
import { openSample } from "./steps.ts";

test("what if: a change is chosen from the list, arrows change it, the address keeps it", async ({
  page,
}) => {
  await openSample(page);
  await page.keyboard.press("Alt+7");
  await page.getByRole("button", { name: /^SQL2 asynchronous/u }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(
    "With SQL2 asynchronous, commits would finish in",
  );
  await expect(page).toHaveURL(/change=async:SQL2/u);
  await expect(page.getByRole("table", { name: "Commits now and then" })).toContainText("Then, predicted");
  await expect(page.getByRole("button", { name: /^Network to SQL2/u })).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("heading", { level: 1 })).not.toContainText("With SQL2 asynchronous");
  await page.getByRole("textbox", { name: "ms" }).fill("500");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("log write 500");
  const address = page.url();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("log write 500");
  expect(page.url()).toBe(address);
});

test("what if: changes without effect are one sentence, which the keyboard opens", async ({ page }) => {
  await openSample(page);
  await page.keyboard.press("Alt+7");
  const changes = page.getByRole("list", { name: "Changes" }).getByRole("button");
  const fold = page.getByRole("button", { name: "Show them" });
  await expect(fold).toBeVisible();
  const shown = await changes.count();
  // Without the network the sample's p95 is much shorter; the compression of its blocks changes nothing.
  await expect(changes.filter({ hasText: "no change" })).toHaveCount(0);
  await fold.focus();
  await page.keyboard.press("Enter");
  await expect(changes.filter({ hasText: "No compression cost" })).toBeVisible();
  expect(await changes.count()).toBeGreaterThan(shown + 1);
});

test("waiting: log writers and networks with what they waited and were served", async ({ page }) => {
  await openSample(page);
  await page.keyboard.press("Alt+5");
  const rows = page.getByRole("table", { name: "Log writers and networks" });
  await expect(rows.getByRole("button", { name: /SQL1, primary/u })).toBeVisible();
  await expect(rows.getByRole("button", { name: /SQL2 to SQL1/u })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/slow|queued/u);
  await page.keyboard.press("1");
  await expect(rows.getByRole("button", { pressed: true })).toContainText("SQL1, primary");
});
