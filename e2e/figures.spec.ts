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

test("distribution: a stage's name leads there, a brushed bar leaves only its blocks, the address keeps both", async ({
  page,
}) => {
  await openSample(page);
  await page
    .getByRole("complementary", { name: "Averages" })
    .getByRole("button", { name: "SQL2 log write" })
    .click();
  await expect(page).toHaveURL(/distribution\?.*stage=secondaryFlush/u);
  const bars = page.getByRole("slider", { name: "SQL2 log write: duration" });
  await expect(bars).toBeVisible();

  await page.getByRole("button", { name: "Linear" }).click();
  await expect(page.getByText("linear time")).toBeVisible();
  await page.getByRole("button", { name: "Log", exact: true }).click();
  await expect(page.getByText("log time")).toBeVisible();

  // Selects all values from the fullest bar on.
  await bars.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Enter");
  const filter = page.getByRole("region", { name: "Filter" });
  await expect(filter.getByText(/^[\d,]+ of [\d,]+ blocks$/u)).toBeVisible();
  const count = await filter.getByText(/ of [\d,]+ blocks$/u).textContent();
  await filter.getByRole("button", { name: "Timeline" }).click();
  const pane = page.getByRole("complementary", { name: "Hits" });
  await expect(
    pane.getByRole("heading", { name: new RegExp(`^${count?.split(" ")[0]} hits?`, "u") }),
  ).toBeVisible();
  await page.reload();
  await expect(filter.getByText(String(count))).toBeVisible();
  await filter.getByRole("button", { name: /^Clear/u }).click();
  await expect(filter).toHaveCount(0);
  await expect(page).not.toHaveURL(/where=/u);
});
