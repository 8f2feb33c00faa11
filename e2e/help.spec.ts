import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { expectAccessible, openSample } from "./steps.ts";

const PAGE = fileURLToPath(new URL("../apps/web/dist/alone/ag-lens.html", import.meta.url));

test("a stage's name says what it is, with its source, and leads to the guide; back is the same view", async ({
  page,
}) => {
  await openSample(page);
  const stage = page.getByRole("button", { name: "SQL2 log write" }).first();
  const tip = page.getByRole("tooltip");

  await stage.hover();
  await expect(tip).toContainText("The secondary writes the log block to its log disk.");
  await expect(tip).toContainText("log_flush_start to log_flush_complete");
  await expectAccessible(page);
  // The definition stays while the pointer is on it.
  await tip.hover();
  await tip.getByRole("link", { name: "Help" }).click();
  await expect(page).toHaveURL(/\/help\/stages\/secondary-log-write$/u);
  await expect(page.getByRole("heading", { name: "Secondary log write" })).toBeInViewport();
  await page.goBack();
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
});

test("without a pointer: the focus shows a definition, Esc closes it, F1 opens the guide", async ({
  page,
}) => {
  await openSample(page);
  await page.getByRole("button", { name: "SQL2 log write" }).first().focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  const tip = page.getByRole("tooltip");
  await expect(tip).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(tip).toBeHidden();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  await expect(tip).toBeVisible();
  await page.keyboard.press("F1");
  await expect(page).toHaveURL(/\/help\/stages\//u);
});

test("the verdict leads to how its cause is checked, and a search finds pages by their words", async ({
  page,
}) => {
  await openSample(page);
  await page.getByRole("region", { name: "Verdict" }).getByRole("link", { name: "How to check" }).click();
  await expect(page.getByRole("heading", { name: "Slow network" })).toBeInViewport();
  await expectAccessible(page);
  await page.keyboard.press("/");
  await page.keyboard.type("flow control");
  const pages = page.getByRole("navigation", { name: "Pages of the guide" });
  await pages.getByRole("link", { name: /What does the verdict mean/u }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("What does the verdict mean");
});

test("the single file has the guide too, without a request", async ({ browser }) => {
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  await page.goto(pathToFileURL(PAGE).href);
  await page.getByRole("contentinfo").getByRole("link", { name: "Help" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "How do I record events?" })).toBeVisible();
  await page.getByRole("link", { name: "What are the stages of a log block?" }).click();
  await expect(page.getByRole("heading", { name: "Secondary log write" })).toBeVisible();
  await context.close();
});

test("a first visit is offered a tour of the sample, step by step to its raw events, and once only", async ({
  page,
}) => {
  const tour = page.getByRole("dialog", { name: /^Tour of the sample/u });
  await page.goto("/");
  await page.getByRole("button", { name: /^Open the sample/u }).click();
  await expect(tour).toContainText("step 1 of 6");
  await expectAccessible(page);
  for (const title of [
    "When commits waited",
    "Where the time goes",
    "Every log block in time",
    "One log block, to scale",
    "The events behind it",
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    await page.keyboard.press("Enter");
    // oxlint-disable-next-line no-await-in-loop
    await expect(tour.getByRole("heading", { name: title })).toBeVisible();
  }
  await expect(page).toHaveURL(/\/raw-events\?.*tour=6/u);
  await page.goBack();
  await expect(tour).toContainText("step 5 of 6");
  await page.keyboard.press("Escape");
  await expect(tour).toHaveCount(0);
  await page.goto("/");
  await page.getByRole("button", { name: /^Open the sample/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
  await expect(tour).toHaveCount(0);
});
