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
  await page.getByRole("radio", { name: "On this computer" }).check();
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([...filesOf("slow-network"), topologyOf("slow-network")]);
  await page.getByRole("button", { name: "Analyse" }).click();
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
