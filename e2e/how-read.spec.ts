import { readFileSync } from "node:fs";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { Summary } from "@aglens/contract";
import { rewritten } from "../fixtures/test/rewritten.ts";
import { expectAccessibleEverywhere, filesOf } from "./steps.ts";

type Files = Parameters<Locator["setInputFiles"]>[0];

/** Uploads files and waits for the overview of their capture. */
async function analyze(page: Page, files: Files): Promise<void> {
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(files);
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
}

const selected = (page: Page): Locator =>
  page.getByRole("table", { name: "Expectations" }).getByRole("button", { pressed: true });

/** Text of the file that is saved by an action. */
async function savedText(page: Page, save: () => Promise<void>): Promise<string> {
  const download = page.waitForEvent("download");
  await save();
  const file = await download;
  expect(file.suggestedFilename()).toBe("ag-lens-check.txt");
  return readFileSync(await file.path(), "utf8");
}

test("a capture's check opens by its key, restores a selected row, and is saved as the summary has it", async ({
  page,
  browser,
}) => {
  await analyze(page, filesOf("slow-secondary-disk"));
  const capture = new URL(page.url()).pathname;
  const { check } = Summary.parse(await (await page.request.get(`/api/v1${capture}/summary`)).json());
  await page.keyboard.press("i");
  await expect(page).toHaveURL(`${capture}/how-read`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("All 15 expectations are met.");
  await expect(page.getByRole("row", { name: /Actions present/u })).toContainText("Not in these files");

  await page.keyboard.press("j");
  await expect(selected(page)).toHaveText("Sizes of types");
  await page.getByRole("row", { name: /Units of durations/u }).click();
  await expect(page).toHaveURL(/\/how-read\?.*row=units/u);
  await page.reload();
  await expect(selected(page)).toHaveText("Units of durations");
  await expect(page.getByRole("region", { name: "Selected expectation" })).toContainText("684 log writes");

  expect(await savedText(page, () => page.keyboard.press("s"))).toBe(check?.report);
  await page.getByRole("button", { name: "Preview" }).click();
  const dialog = page.getByRole("dialog", { name: "Report without names" });
  expect(await dialog.locator("pre").textContent()).toBe(check?.report);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  // The row is no part of a link to another screen.
  await page.keyboard.press("Alt+2");
  await expect(page).toHaveURL(/\/timeline/u);
  expect(new URL(page.url()).searchParams.has("row")).toBe(false);
  await page.goto(`${capture}/how-read?v=1&row=units`);
  await page.getByRole("button", { name: "Share" }).click();
  const share = page.getByRole("dialog", { name: "Share this view" });
  await expect(share).toContainText('How this was read, whole capture, "Units of durations" selected');
  await share.getByRole("button", { name: "Make and copy link" }).click();
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(await share.getByRole("textbox", { name: "Link" }).inputValue());
  await expect(other).toHaveURL(/\/l\/[\w-]+\/how-read\?.*row=units/u);
  await expect(selected(other)).toHaveText("Units of durations");
  await context.close();
});

test("durations in another unit are the overview's first sentence, which leads to them", async ({ page }) => {
  const [primary = "", secondary = ""] = filesOf("slow-secondary-disk");
  const bytes = rewritten(readFileSync(secondary), {
    values: (event, values) =>
      event === "log_flush_complete"
        ? { ...values, duration: (values["duration"] as bigint) * 1000n }
        : values,
  });
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: "application/octet-stream", buffer });
  await analyze(page, [
    file("primary.xel", readFileSync(primary)),
    file("secondary.xel", Buffer.from(bytes)),
  ]);
  const sentence = page.getByRole("heading", { level: 1 });
  await expect(sentence).toContainText("isn't met: Units of durations. Don't trust: Log write times");
  await sentence.getByRole("button", { name: "How this was read" }).click();
  await expect(page).toHaveURL(/\/how-read\?.*row=units/u);
  await expect(selected(page)).toHaveText("Units of durations");
  await expect(page.getByRole("region", { name: "Check" })).toHaveAttribute("data-severity", "slow");
  await expect(page.getByRole("region", { name: "Selected expectation" })).toContainText(
    /[\d,]+ log writes took another time by their own duration/u,
  );
  await expectAccessibleEverywhere(page, sentence, { widths: [1440] });
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
  await expectAccessibleEverywhere(page, sentence, { widths: [1440] });
});

test("files that are read on this computer are checked there", async ({ page }) => {
  await page.goto("/");
  await page.getByText("Run on this computer, single file, and other options").click();
  await page.getByRole("radio", { name: "On this computer" }).check();
  await page.locator("input[type=file]").first().setInputFiles(filesOf("slow-secondary-disk"));
  await page.getByRole("button", { name: "Analyze" }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
  await page.keyboard.press("i");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("All 15 expectations are met.");
  expect(await savedText(page, () => page.keyboard.press("s"))).toContain("8,192 events in 2 files");
});
