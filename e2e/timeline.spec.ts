import { expect, test, type Page } from "@playwright/test";
import { expectAccessible, openSample } from "./steps.ts";

/** The sample's timeline in its full length, with its lanes drawn. */
async function openTimeline(page: Page): Promise<void> {
  await openSample(page);
  await page.keyboard.press("Alt+2");
  await expect(page).toHaveURL(/\/timeline/u);
  await expect(status(page)).toContainText("blocks");
}

const status = (page: Page) => page.getByRole("contentinfo");
const emptyPeriod = (page: Page) => page.getByRole("region", { name: /^No log block between/u });

/** µs in view according to the address; null for the entire capture. */
function spanOf(page: Page): number | null {
  const range = new URL(page.url()).searchParams.get("range");
  if (range === null) return null;
  const [from, to] = range.split("_").map(Number);
  return to - from;
}

test("zooms in to less than a millisecond and back out", async ({ page }) => {
  await openTimeline(page);
  // The sample lasts 92 s; each press leaves 0.7 of the view.
  for (let presses = 0; presses < 34; presses += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    await page.keyboard.press("w");
  }
  await expect.poll(() => spanOf(page) ?? Number.POSITIVE_INFINITY).toBeLessThan(1000);
  await expect(status(page)).toContainText("µs in view");
  await page.keyboard.press("0");
  await expect.poll(() => spanOf(page)).toBeNull();
  await expect(status(page)).toContainText("1 min 3");
});

test("from a slow block to its sequence and back", async ({ page }) => {
  await openTimeline(page);
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/block=\d+/u);
  await expect(page.getByRole("complementary", { name: "Selected block" })).toContainText("Remote harden");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/sequence/u);
  await expect(page.locator("main")).toContainText("Raw events");
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/timeline.*block=\d+/u);
});

test("a note on a block is pinned above the lanes until it is deleted", async ({ page }) => {
  await openTimeline(page);
  await page.keyboard.press("n");
  await expect(page.getByRole("complementary", { name: "Selected block" })).toContainText("Remote harden");
  await page.keyboard.press("e");
  await page.getByLabel("Text").fill("SAN snapshot?");
  await page.keyboard.press("Enter");
  const flag = page
    .getByRole("list", { name: "Notes" })
    .getByRole("button", { name: "SAN snapshot?" })
    .first();
  await expect(flag).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/block=/u);
  await page.reload();
  await flag.click();
  await expect(page).toHaveURL(/block=\d+/u);
  await page.getByRole("button", { name: "Delete the note: SAN snapshot?" }).click();
  await expect(page.getByRole("button", { name: /^Note deleted/u })).toBeFocused();
  await expect(flag).toBeHidden();
});

test("folds a replica's lanes by key and by button", async ({ page }) => {
  await openTimeline(page);
  const lanes = laneButtons(page);
  const all = await lanes.count();
  await page.keyboard.press("Shift+Digit1");
  await expect(page).toHaveURL(/open=2/u);
  await expect(lanes).toHaveCount(all - 2);
  await page.getByRole("button", { name: "Unfold the lanes of SQL1" }).click();
  await expect(lanes).toHaveCount(all);
  await page.getByRole("button", { name: "Fold the lanes of SQL2" }).click();
  await expect(page).toHaveURL(/open=1/u);
  await expect(lanes).toHaveCount(4);
});

test("a link restores the view it was taken from", async ({ page, context }) => {
  await openTimeline(page);
  await page.keyboard.press("n");
  await expect(page).toHaveURL(/block=\d+/u);
  await page.keyboard.press("f");
  await expect(page).toHaveURL(/range=/u);
  await page.keyboard.press("Shift+Digit2");
  await expect(page).toHaveURL(/open=1/u);
  await page.keyboard.press("g");
  await expect(status(page)).toContainText("commits colored by what released them");
  await expect(page).toHaveTitle(/^Block 00000022:[0-9a-f]{8}, Timeline, Sample: slow network/u);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(status(other)).toContainText("blocks");
  await expect(status(other)).toHaveText((await status(page).textContent()) ?? "");
  await expect(laneButtons(other)).toHaveCount(4);
  await expect(other.getByRole("complementary", { name: "Selected block" })).toContainText("Remote harden");
  expect(other.url()).toBe(page.url());
});

/** Names of the lanes in their order: buttons that make them tall or thin. */
const laneButtons = (page: Page) => page.getByRole("group", { name: "Lanes" }).locator("[aria-pressed]");

/** The canvas with the lanes; its picture changes with the drawn data. */
const lanes = (page: Page) => page.getByTestId("lanes").locator("canvas").first();

/** Puts the pointer to a share of the plot's width at the middle of the nth lane (0 is the top one). */
async function pointAt(page: Page, share: number, lane: number): Promise<{ x: number; y: number }> {
  const plot = (await page.getByTestId("lanes").boundingBox())!;
  const row = (await laneButtons(page).nth(lane).boundingBox())!;
  return { x: plot.x + plot.width * share, y: row.y + row.height - 6 };
}

/**
 * Shows a range of the open capture, seconds; its blocks, or the message that there are no blocks, can be seen
 * afterwards.
 */
async function show(page: Page, from: number, to: number): Promise<void> {
  const url = new URL(page.url());
  url.searchParams.set("range", `${from * 1e6}_${to * 1e6}`);
  await page.goto(url.toString());
  await expect(status(page)).toContainText("in view");
  await expect(page.getByRole("grid").or(emptyPeriod(page)).first()).toBeAttached();
}

test("the keyboard walks blocks and lanes with a ring in the canvas, and selects one", async ({ page }) => {
  await openTimeline(page);
  await show(page, 62, 72);
  const grid = page.getByRole("grid");
  await expect(grid).toBeAttached();
  const before = await lanes(page).screenshot();
  await grid.locator('[tabindex="0"]').focus();
  await expect(page.getByRole("tooltip")).toContainText("SQL1 log write");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(page.locator(":focus")).toHaveText(
    /^SQL2 log write, .+\sms, (good|reasonable|busy|bad), \+6\d/u,
  );
  await expect(page.getByRole("tooltip")).toContainText("SQL2 log write");
  expect(await lanes(page).screenshot()).not.toEqual(before);
  // Arrows belong to the grid while it has the focus: the view stays.
  expect(spanOf(page)).toBe(10e6);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/block=\d+/u);
});

test("hovering names the stage, clicking selects its block, Escape lets it go", async ({ page }) => {
  await openTimeline(page);
  await show(page, 62, 72);
  const { x, y } = await pointAt(page, 0.3, 0);
  await page.mouse.move(x, y);
  await expect(page.getByRole("tooltip")).toContainText("Commit");
  await page.mouse.click(x, y);
  await expect(page.getByRole("complementary", { name: "Selected block" })).toContainText("Released by");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("complementary", { name: "In view" })).toBeVisible();
});

test("a range dragged on the axis gets its own figures, and a double click zooms to it", async ({ page }) => {
  await openTimeline(page);
  await show(page, 62, 72);
  const axis = (await page.getByTestId("axis").boundingBox())!;
  const y = axis.y + axis.height / 2;
  await page.mouse.move(axis.x + axis.width * 0.2, y);
  await page.mouse.down();
  await page.mouse.move(axis.x + axis.width * 0.4, y, { steps: 5 });
  await page.mouse.up();
  await expect(page.getByRole("complementary")).toContainText(/(1\.9|2\.[01])\d\s+s, /u);
  await expect(page).toHaveURL(/sel=/u);
  await page.reload();
  await expect(page.getByRole("complementary", { name: "In selection" })).toContainText(
    /(1\.9|2\.[01])\d\s+s, /u,
  );
  await expect(page.getByRole("grid").first()).toBeAttached();
  const { x, y: laneY } = await pointAt(page, 0.3, 0);
  await page.mouse.dblclick(x, laneY);
  await expect.poll(() => spanOf(page) ?? 0).toBeLessThan(2.2e6);
});

test("wheel with Ctrl zooms at the pointer, a drag pans", async ({ page }) => {
  await openTimeline(page);
  await show(page, 62, 72);
  const { x, y } = await pointAt(page, 0.5, 0);
  await page.mouse.move(x, y);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await expect.poll(() => spanOf(page) ?? 0).toBeLessThan(8e6);
  const span = spanOf(page)!;
  const url = page.url();
  await page.mouse.down();
  await page.mouse.move(x - 200, y, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => page.url()).not.toBe(url);
  expect(spanOf(page)).toBeCloseTo(span, -3);
});

test("a lane becomes tall by its number or a click, and the link keeps it", async ({ page }) => {
  await openTimeline(page);
  const send = laneButtons(page).filter({ hasText: "Capture and send" });
  await expect(send).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("3");
  await expect(send).toHaveAttribute("aria-pressed", "true");
  await page.reload();
  await expect(send).toHaveAttribute("aria-pressed", "true");
  await send.click();
  await expect(send).toHaveAttribute("aria-pressed", "false");
});

test("below a second in view the ladder shows the place in the capture", async ({ page }) => {
  await openTimeline(page);
  await show(page, 62, 72);
  await expect(page.getByText("4 s around the view")).toHaveCount(0);
  await show(page, 70, 70.06);
  await expect(page.getByText("4 s around the view")).toBeVisible();
  await expect(status(page)).toContainText("60.0 ms in view");
});

for (const media of [{ forcedColors: "active" }, { contrast: "more" }] as const) {
  test(`draws lanes with ${Object.keys(media)[0]}`, async ({ page }) => {
    await openTimeline(page);
    await show(page, 62, 72);
    const plain = await lanes(page).screenshot();
    await page.emulateMedia(media);
    await expect.poll(async () => (await lanes(page).screenshot()).equals(plain)).toBe(false);
  });
}

test("in a low window thin lanes hide behind one row, and come when asked for", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 660 });
  await openTimeline(page);
  const rows = laneButtons(page);
  await expect(rows).toHaveCount(5);
  const quiet = page.getByRole("button", { name: /^4 (quiet|thin) lanes/u });
  await expect(quiet).toHaveAttribute("aria-expanded", "false");
  await quiet.click();
  await expect(rows).toHaveCount(9);
  await quiet.click();
  // A number key reaches a lane that hides, and makes it tall.
  await page.keyboard.press("3");
  await expect(laneButtons(page).filter({ hasText: "Capture and send" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

test("on a phone the lanes have more room than their names", async ({ page }) => {
  await openTimeline(page);
  await page.setViewportSize({ width: 360, height: 740 });
  const plotWidth = async (): Promise<number> => (await page.getByTestId("lanes").boundingBox())?.width ?? 0;
  await expect.poll(plotWidth).toBeGreaterThan(180);
});

test("raw UTC says so at the lanes, and gives no duration to what it turns around", async ({ page }) => {
  await openTimeline(page);
  await show(page, 70, 70.06);
  await page.keyboard.press("r");
  await expect(page).toHaveURL(/clock=raw/u);
  await expect(page.getByRole("group", { name: "Lanes" }).getByText("raw UTC")).toBeVisible();
  await expect(status(page)).toContainText("figures stay aligned");
  const back = page.getByRole("gridcell", { name: /^Network back, arrives .* before it leaves/u });
  await expect(back.first()).toBeAttached();
});

test("where nothing was written the lanes say so, and lead to the next block", async ({ page }) => {
  await openTimeline(page);
  await show(page, 5, 25);
  const empty = emptyPeriod(page);
  await expect(empty).toContainText("Nothing was lost");
  await expect(page.getByRole("complementary", { name: "In view" })).toContainText("Percentiles need blocks");
  await expectAccessible(page);
  await page.keyboard.press("]");
  await expect(page).toHaveURL(/block=\d+/u);
  await expect(empty).toHaveCount(0);
  await expect(page.getByRole("complementary", { name: "Selected block" })).toContainText("Remote harden");
});

test("the clock chip moves a secondary's bars by what its uncertainty allows, while it is held", async ({
  page,
}) => {
  await openTimeline(page);
  await show(page, 70, 70.06);
  await expect(page.getByRole("grid")).toBeAttached();
  const chip = page.getByRole("region", { name: "Replicas" }).getByRole("button", { name: "Aligned" });
  const { x, y, width, height } = (await chip.boundingBox())!;
  const aligned = await lanes(page).screenshot();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 200, y + height / 2, { steps: 4 });
  await expect(status(page)).toContainText(/SQL2 .+ later, as its clock allows/u);
  await expect.poll(async () => (await lanes(page).screenshot()).equals(aligned)).toBe(false);
  await page.mouse.up();
  // Releasing the button ends it, and does not count as a click: the clock stays aligned.
  await expect(status(page)).toContainText("Times on the primary's clock");
  await expect(chip).toHaveText("Aligned");
  expect(page.url()).not.toContain("clock=raw");
  await chip.focus();
  await page.keyboard.down("ArrowLeft");
  await expect(status(page)).toContainText("earlier");
  await page.keyboard.up("ArrowLeft");
  await expect(status(page)).toContainText("Times on the primary's clock");
});

test.describe("with fingers", () => {
  test.use({ hasTouch: true });

  type Place = readonly [x: number, y: number];

  /** Puts fingers on the page, moves them step by step, and lifts them. */
  async function moveFingers(page: Page, from: readonly Place[], to: readonly Place[]): Promise<void> {
    const browser = await page.context().newCDPSession(page);
    const points = (share: number) =>
      from.map(([x, y], id) => ({ x: x + (to[id][0] - x) * share, y: y + (to[id][1] - y) * share, id }));
    await browser.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: points(0) });
    for (const share of [0.25, 0.5, 0.75, 1]) {
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      await browser.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: points(share) });
    }
    await browser.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }

  test("one pans, two zoom, a tap selects, and the page itself stays", async ({ page }) => {
    await openTimeline(page);
    await show(page, 62, 72);
    const plot = (await page.getByTestId("lanes").boundingBox())!;
    const y = plot.y + plot.height / 2;
    const x = (share: number): number => plot.x + plot.width * share;

    await moveFingers(page, [[x(0.5), y]], [[x(0.3), y]]);
    // A fifth of 10 s further on.
    await expect.poll(() => new URL(page.url()).searchParams.get("range") ?? "").toMatch(/^6[34]\d{6}/u);
    expect(spanOf(page)).toBeCloseTo(10e6, -4);

    await moveFingers(
      page,
      [
        [x(0.45), y],
        [x(0.55), y],
      ],
      [
        [x(0.3), y],
        [x(0.7), y],
      ],
    );
    await expect.poll(() => spanOf(page) ?? 0).toBeLessThan(2.7e6);
    expect(spanOf(page)!).toBeGreaterThan(2.3e6);
    expect(await page.evaluate(() => visualViewport?.scale)).toBe(1);

    await show(page, 62, 72);
    const tap = await pointAt(page, 0.3, 0);
    await page.touchscreen.tap(tap.x, tap.y);
    await expect(page.getByRole("complementary", { name: "Selected block" })).toContainText("Released by");
  });

  test("a finger on the axis chooses a range, on the minimap another view", async ({ page }) => {
    await openTimeline(page);
    await show(page, 62, 72);
    const axis = (await page.getByTestId("axis").boundingBox())!;
    const y = axis.y + axis.height / 2;
    await moveFingers(page, [[axis.x + axis.width * 0.2, y]], [[axis.x + axis.width * 0.4, y]]);
    await expect(page.getByRole("complementary")).toContainText(/(1\.9|2\.[01])\d\s+s, /u);

    const map = (await page.locator(".minimap").first().boundingBox())!;
    const middle = map.y + map.height / 2;
    await moveFingers(page, [[map.x + map.width * 0.1, middle]], [[map.x + map.width * 0.3, middle]]);
    // A fifth of the sample's 92 s.
    await expect.poll(() => spanOf(page) ?? 0).toBeGreaterThan(18e6);
    expect(spanOf(page)!).toBeLessThan(19.5e6);
  });
});
