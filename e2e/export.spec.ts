import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { openSample } from "./steps.ts";

test("a report is saved by keyboard and opens without the app or a network", async ({
  page,
  browser,
}, info) => {
  await openSample(page);
  await page.keyboard.press("x");
  const dialog = page.getByRole("dialog", { name: "Export" });
  await expect(dialog.getByRole("radio", { name: /^Report/u })).toBeFocused();
  await dialog.getByRole("checkbox", { name: /^Replace names/u }).check();
  await expect(dialog).toContainText(/\d\skB/u);
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  await expect(dialog).toHaveCount(0);
  const path = info.outputPath(download.suggestedFilename());
  await download.saveAs(path);

  const context = await browser.newContext({ offline: true });
  const report = await context.newPage();
  const complaints: string[] = [];
  report.on("console", (message) => complaints.push(message.text()));
  const asked: string[] = [];
  report.on("request", (request) => asked.push(request.url()));
  await report.goto(pathToFileURL(path).href);
  await expect(report.getByRole("heading", { level: 1 })).toContainText("The network to Replica 2 takes");
  await expect(report.getByRole("img", { name: /^Timeline of/u })).toBeVisible();
  await expect(report.locator("body")).not.toContainText("SQL1");
  expect(asked).toHaveLength(1);
  expect(complaints).toEqual([]);
  await context.close();
});
