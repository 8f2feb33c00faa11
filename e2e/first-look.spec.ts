import { expect, test } from "@playwright/test";
import { openSample, openSampleByButton } from "./steps.ts";

test("the sample leads from the verdict over the timeline to one block's sequence", async ({ page }) => {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });

  await openSampleByButton(page);
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText("network");
  await expect(page.getByRole("region", { name: "Replicas" })).toContainText("SQL2 clock 32.5");

  await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Timeline" }).click();
  await expect(page).toHaveURL(/\/timeline/u);
  await expect(page.locator("main canvas").first()).toBeVisible();

  await page.keyboard.press("n");
  await expect(page).toHaveURL(/block=\d+/u);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/sequence\?.*block=\d+/u);
  await expect(page.locator("main")).toContainText("remote harden");
  expect(complaints).toEqual([]);
});

test("the theme follows the browser, can be changed, and is kept", async ({ browser }) => {
  const context = await browser.newContext({ colorScheme: "dark" });
  const page = await context.newPage();
  await page.goto("/");
  const html = page.locator("html");
  await expect(html).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: "Light or dark" }).click();
  await expect(html).toHaveAttribute("data-theme", "light");
  await page.goto("/");
  await expect(html).toHaveAttribute("data-theme", "light");
  await context.close();
});

test("the clock can be shown raw, and the address says so", async ({ page }) => {
  await openSample(page);
  await page.getByRole("button", { name: "Aligned" }).click();
  await expect(page).toHaveURL(/clock=raw/u);
  await expect(page.getByRole("button", { name: "Raw UTC" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("button", { name: "Aligned" })).toBeVisible();
});
