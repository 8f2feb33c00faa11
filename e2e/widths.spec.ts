/** Timeline and overview of one and of several secondaries, from a phone to a wide desk. */
import { expect, type Locator, type Page, test } from "@playwright/test";
import { fourSecondariesAddress, openSample } from "./steps.ts";

async function openFourSecondaries(page: Page): Promise<void> {
  await page.goto(await fourSecondariesAddress(page));
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
}

const CAPTURES = [
  ["one secondary", openSample],
  ["four secondaries", openFourSecondaries],
] as const;

const plot = (page: Page): Locator => page.getByTestId("lanes");
/** Height of the lanes that is visible at once. */
const laneRoom = (page: Page): Locator => plot(page).locator("xpath=../..");
const laneNames = (page: Page): Locator => page.getByRole("group", { name: "Lanes" });

const addressOf = (page: Page, screen: string): string =>
  `${new URL(page.url()).pathname.split("/").slice(0, 3).join("/")}/${screen}`;

async function showTimeline(page: Page): Promise<void> {
  await page.goto(addressOf(page, "timeline"));
  await expect(page.getByRole("gridcell").first()).toBeAttached();
}

async function bottomOf(place: Locator): Promise<number> {
  const box = (await place.boundingBox())!;
  return box.y + box.height;
}

for (const [name, openIt] of CAPTURES) {
  test(`lanes of ${name} have half of a small window, and the secondary's log write is among them`, async ({
    page,
  }) => {
    await openIt(page);
    for (const { width, height } of [
      { width: 1024, height: 768 },
      { width: 768, height: 1024 },
    ]) {
      await page.setViewportSize({ width, height });
      await showTimeline(page);
      const room = (await laneRoom(page).boundingBox())!;
      expect(room.height, `${width} x ${height}`).toBeGreaterThanOrEqual(height / 2);
      // The log write of the replica that releases most commits, whose lanes are open, is among the first lanes.
      const writes = laneNames(page).getByRole("button", { name: /^(?:\S+, .*)?Log write/u });
      expect(await bottomOf(writes.nth(1))).toBeLessThanOrEqual(room.y + room.height);
    }
  });
}

test("lanes below the edge are counted there, and a press leads to them", async ({ page }) => {
  await openFourSecondaries(page);
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.goto(`${addressOf(page, "timeline")}?open=1_2_3_4_5`);
  const more = page.getByRole("button", { name: /^\d+ more lanes?$/u });
  await more.click();
  await expect.poll(() => laneRoom(page).evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
});

test("under its lanes the pane is one line until it is opened", async ({ page }) => {
  await openSample(page);
  await page.setViewportSize({ width: 1024, height: 768 });
  await showTimeline(page);
  const pane = page.getByRole("complementary", { name: "In view" });
  await expect(pane.getByText("p95").first()).toBeVisible();
  await expect(pane.getByRole("table")).toBeHidden();
  await pane.getByRole("button", { name: "Stages" }).click();
  await expect(pane.getByRole("table")).toBeVisible();
});

test("the list of hits has its last column inside of the pane", async ({ page }) => {
  await openSample(page);
  for (const width of [1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${addressOf(page, "timeline")}?v=1&where=secondaryFlush%401%3E50000`);
    const pane = page.getByRole("complementary", { name: "Hits" });
    const last = (await pane.getByRole("columnheader", { name: "Commit" }).boundingBox())!;
    const { x, width: room } = (await pane.boundingBox())!;
    expect(last.x + last.width, `${width}`).toBeLessThanOrEqual(x + room - 8);
  }
});

test("no chart of several replicas is under 240 px wide, and no figure is cut off on a phone", async ({
  page,
}) => {
  await openFourSecondaries(page);
  const matrix = page.getByRole("region", { name: "Replicas on one scale" });
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const widths = await matrix
      .locator("svg[viewBox], canvas")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
    expect(widths.length).toBeGreaterThan(6);
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(240);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  for (const table of [matrix, page.getByRole("region", { name: "Slowest commits" })])
    expect(
      await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    ).toBeLessThanOrEqual(0);
});

test("on a phone on its side a sequence is seen from commit to log write, and its buttons in full", async ({
  page,
}) => {
  await openSample(page);
  await page.setViewportSize({ width: 844, height: 390 });
  await page.goto(addressOf(page, "sequence"));
  const picture = page.getByTestId("sequence-picture");
  expect(await bottomOf(picture.getByText(/^log write \d/u))).toBeLessThanOrEqual(390);
  const scale = page.getByRole("group", { name: "Scale" });
  expect(
    await scale.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBeLessThanOrEqual(0);
});

test.describe("with fingers", () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });

  test("two zoom the time from a lane's name too, and a tap on a thin lane selects its block", async ({
    page,
  }) => {
    await openSample(page);
    await showTimeline(page);
    const name = (await laneNames(page)
      .getByRole("button", { name: /Network out/u })
      .boundingBox())!;
    const browser = await page.context().newCDPSession(page);
    const fingers = (apart: number) =>
      [-1, 1].map((side, id) => ({ x: 180 + (side * apart) / 2, y: name.y + name.height / 2, id }));
    await browser.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: fingers(60) });
    for (const apart of [80, 100, 120])
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      await browser.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: fingers(apart) });
    await browser.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect(page).toHaveURL(/range=/u);
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);

    const thin = (await laneNames(page)
      .getByRole("button", { name: /Receive and append/u })
      .boundingBox())!;
    expect(thin.height).toBeLessThan(20);
    // In the middle of the slow network, where blocks are side by side, under the lane's name.
    await page.touchscreen.tap(150, thin.y + thin.height + 8);
    await expect(page.getByRole("region", { name: "Selected block" })).toBeVisible();
    await expect(laneNames(page).getByRole("button", { name: /Receive and append/u })).toHaveAttribute(
      "aria-pressed",
      "false",
    );
  });
});
