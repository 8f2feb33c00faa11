import { expect, test } from "@playwright/test";
import { filesOf, topologyOf } from "./steps.ts";

test("files that are read on this computer are on every screen, and no byte of them leaves it", async ({
  page,
}) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== "GET" || pathname.includes("local"))
      sent.push(`${request.method()} ${pathname}`);
  });
  await page.goto("/");
  await page.getByText("Run on this computer, single file, and other options").click();
  await page.getByRole("radio", { name: "On this computer" }).check();
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([...filesOf("slow-network"), topologyOf("slow-network")]);
  await page.getByRole("button", { name: "Analyze" }).click();
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText("network");

  await page.getByRole("link", { name: "Timeline" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
  await page.keyboard.press("n");
  await page.keyboard.press("Enter");
  // Raw events are read from the file again, by their offset.
  await expect(page.getByText("hadr_capture_log_block").first()).toBeVisible();

  await page.getByRole("link", { name: "AG Lens, all captures" }).click();
  await expect(page.getByRole("heading", { name: "Recent on this page" })).toBeVisible();
  expect(sent.filter((request) => !request.includes("/assets/"))).toEqual([]);
});

test("a capture of this computer opens again without its files, and a link asks others for the same ones", async ({
  page,
  browser,
}) => {
  const files = filesOf("slow-network");
  await page.addInitScript(() => {
    const kept = window as unknown as { copied: string };
    navigator.clipboard.writeText = (text) => Promise.resolve(void (kept.copied = text));
  });
  await page.goto("/");
  await page.getByText("Run on this computer, single file, and other options").click();
  await page.getByRole("radio", { name: "On this computer" }).check();
  await page.locator("input[type=file]").first().setInputFiles(files);
  await page.getByRole("button", { name: "Analyze" }).click();
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText("network");
  // The key copies once the page has recognized the files.
  await expect(async () => {
    await page.keyboard.press("y");
    await expect(page.getByText("It names the files")).toBeVisible({ timeout: 1000 });
  }).toPass();
  const link = await page.evaluate(() => (window as unknown as { copied: string }).copied);

  // Waits until the capture is kept: then the list of another page of the same browser shows it.
  const again = await page.context().newPage();
  await expect(async () => {
    await again.goto("/");
    await expect(again.getByRole("region", { name: "Recent in this browser" })).toContainText(
      `${files.length} files`,
    );
    await expect(again.getByText("to be given again")).toHaveCount(0);
  }).toPass();
  await again.getByRole("region", { name: "Recent in this browser" }).getByRole("link").click();
  await expect(again.getByRole("region", { name: "Verdict" })).toContainText("network");

  const colleague = await (await browser.newContext()).newPage();
  await colleague.goto(link);
  const asked = colleague.getByRole("region", { name: "The files that this view is of" });
  await expect(asked.getByText("missing")).toHaveCount(files.length);
  const input = colleague.locator("input[type=file]").first();
  await input.setInputFiles(filesOf("two-secondaries").slice(0, 1));
  await expect(colleague.getByText("does not belong to this view")).toBeVisible();
  await input.setInputFiles(files);
  await expect(asked.getByText("given")).toHaveCount(files.length);
  await colleague.getByRole("button", { name: "Analyze" }).click();
  await expect(colleague.getByRole("region", { name: "Verdict" })).toContainText("network");
  await colleague.context().close();
});
