import { expect, test } from "@playwright/test";
import { filesOf, openSample } from "./steps.ts";

test("a block's raw events are those of all replicas, each with all its fields", async ({ page }) => {
  await openSample(page);
  await page.keyboard.press("Alt+3");
  const events = page.getByRole("table", { name: "Raw events" });
  await expect(events.getByText("SQL1", { exact: true }).first()).toBeVisible();
  await expect(events.getByText("SQL2", { exact: true }).first()).toBeVisible();
  const received = events.getByRole("button", { name: "hadr_transport_receive_log_block_message" }).first();
  await received.click();
  await expect(received).toHaveAttribute("aria-expanded", "true");
  for (const field of ["file, offset", "log_block_id", "processing_time", "mode"])
    // oxlint-disable-next-line no-await-in-loop
    await expect(events.getByRole("term").filter({ hasText: field }).first()).toBeVisible();

  const stages = page.getByRole("table", { name: "Stages of this block" });
  await expect(stages.getByRole("row", { name: /^Network out/u })).toContainText(/aligned ±/u);
  await expect(stages.getByRole("row", { name: /^Network round trip/u })).toContainText("exact");
});

test("on a narrow screen the lenses become a list", async ({ page }) => {
  await openSample(page);
  await page.keyboard.press("Alt+3");
  await expect(page.getByTestId("sequence-picture")).toContainText("SQL2 receives");
  await page.setViewportSize({ width: 900, height: 900 });
  await expect(page.getByTestId("sequence-picture")).not.toContainText("SQL2 receives");
  await expect(page.getByRole("heading", { name: /^SQL2 receives/u })).toBeVisible();
});

test("a secondary without a file is one bar, and says why", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(filesOf("two-secondaries"));
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
  await page.keyboard.press("Alt+3");
  await page.getByRole("group", { name: "Secondary" }).getByRole("button").nth(1).click();
  await expect(page.getByTestId("sequence-picture")).toContainText("no file of");
  const stages = page.getByRole("table", { name: "Stages of this block" });
  await expect(stages.getByRole("row", { name: /^Network and /u })).toContainText("measured");
  await expect(stages.getByRole("row", { name: /^Network out/u })).toHaveCount(0);
});

test("a block that the primary's file does not hold says so", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(filesOf("damaged"));
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await page.getByRole("button", { name: /Open the capture with/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
  // The primary's file is damaged before the last block of all; the secondary's file continues.
  const { origin, pathname } = new URL(page.url());
  await page.goto(`${origin}${pathname}/sequence?v=1&block=153`);
  await expect(page.getByTestId("sequence-picture")).toContainText("file does not hold this block");
  await expect(page.locator("main")).toContainText("remote harden is not known");
});
