import { expect, test } from "@playwright/test";
import { openSample } from "./steps.ts";

test("the episode is compared with the time after it, and the link keeps what was chosen", async ({
  page,
}) => {
  await openSample(page);
  await page.keyboard.press("c");
  const changes = page.getByRole("table", { name: "Changes" });
  await expect(changes.getByRole("row", { name: /^Network round trip/u })).toContainText("−99");
  await expect(page.locator("main")).toContainText("Network round trip changed most: p95");
  await page.getByRole("button", { name: "p50", exact: true }).click();
  await page.getByRole("combobox", { name: "Range of B" }).selectOption("Second half");
  await expect(page).toHaveURL(/percentile=p50/u);
  await expect(page.locator("main > [aria-busy]")).toHaveAttribute("aria-busy", "false");
  const answer = await changes.textContent();
  await page.reload();
  await expect(page.getByRole("combobox", { name: "Range of B" })).toHaveValue(/\d/u);
  await expect(changes).toHaveText(answer ?? "");
});
