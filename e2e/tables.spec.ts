import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { openSample } from "./steps.ts";

test("a table is copied and saved as CSV where it is", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openSample(page);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV: slowest blocks" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe("sample-slow-network-slowest-blocks.csv");
  const lines = readFileSync(await file.path(), "utf8").split("\r\n");
  expect(lines[0]).toMatch(
    /^\uFEFF"slowest_blocks","utc","lsn","remote_harden_us","largest_stage","duration_us"$/u,
  );
  // The slowest block of the sample took 783 ms.
  expect(lines[1]).toMatch(/^1,"02:17:40\.876","00000022:000001e6",783000,"SQL2 log write",629000$/u);
  expect(lines).toHaveLength(27);
  await page.getByRole("button", { name: "Copy: slowest blocks" }).click();
  await expect(page.getByText("Copied")).toBeVisible();
  const copied = await page.evaluate(async () => await navigator.clipboard.readText());
  expect(copied.split("\n")[1]).toContain("\t783000\t");
});

for (const [tab, table] of [
  ["distribution", "percentiles"],
  ["compare", "changes of p95"],
  ["waiting", "waiting"],
  ["what-if", "prediction SQL2 asynchronous"],
] as const)
  test(`the table of ${tab} is saved as CSV`, async ({ page }) => {
    await openSample(page);
    await page.goto(`${new URL(page.url()).pathname}/${tab}`);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: `Save as CSV: ${table}` }).click();
    const lines = readFileSync(await (await saved).path(), "utf8").split("\r\n");
    expect(lines[0]).toMatch(/_us|_percent|"change"/u);
    expect(lines.length).toBeGreaterThan(3);
  });

test("screens are printed whole: what they draw is inside of the page, and nothing is there to press", async ({
  page,
}) => {
  await openSample(page);
  const capture = new URL(page.url()).pathname;
  for (const screen of ["", "/timeline", "/sequence", "/distribution", "/waiting", "/what-if", "/compare"]) {
    await page.goto(capture + screen);
    await expect(page.locator("main svg, main canvas").first()).toBeAttached();
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    const seen = await page.evaluate(() => {
      const inSight = (element: Element): boolean => element.checkVisibility();
      const width = document.body.getBoundingClientRect().right;
      return {
        buttons: [...document.querySelectorAll("main .button, .status-bar")].filter(inSight).length,
        beyond: [...document.querySelectorAll("main table, main canvas")].filter(
          (element) => inSight(element) && element.getBoundingClientRect().right > width + 1,
        ).length,
      };
    });
    expect(seen, screen).toEqual({ buttons: 0, beyond: 0 });
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: "screen" });
  }
  await page.goto(`${capture}/timeline`);
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("complementary", { name: "In view" }).getByRole("table")).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  await page.goto(`${capture}/raw-events`);
  await expect(page.getByRole("grid", { name: /events/iu })).toBeVisible();
  // 28,060 rows would be a thousand pages.
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/gu)?.length).toBeLessThan(5);
});

test("the list of captures and a help page are printed with all that they show", async ({ page }) => {
  await openSample(page);
  for (const [path, part] of [
    ["/captures", "main td"],
    ["/help", "main pre"],
  ] as const) {
    await page.goto(path);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await expect(page.locator(part).first()).toBeVisible();
    const cut = await page.evaluate(
      () =>
        [...document.querySelectorAll("main pre, .virtual-rows")].filter(
          ({ clientHeight, scrollHeight }) => clientHeight < Math.min(scrollHeight, 600),
        ).length,
    );
    expect(cut, path).toBe(0);
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: "screen" });
  }
});
