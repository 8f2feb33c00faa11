import { expect, type Locator, type Page, test } from "@playwright/test";
import { twoGroups } from "../apps/web/test/fleet.ts";
import { COLOR_RULES, expectAccessible, filesOf, openSample } from "./steps.ts";

/** The narrowest phone, a tablet and a wide desktop. */
const WIDTHS = [360, 1023, 2560];
/** Axe takes a second or more per page; the layout of a tablet is that of a desk with fewer columns. */
const AXE_WIDTHS = [360, 2560];
const HEIGHT = 900;
/** Up to this width the entire page scrolls. */
const PHONE_WIDTH = 719;

/**
 * Expects a page no wider than the window at every width, on a desktop also no higher, because longer parts scroll
 * within the screen, and without a serious finding of axe in the light theme. In the dark theme only colors are
 * checked, because it changes nothing else.
 */
async function expectAccessibleEverywhere(page: Page, state: Locator): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await expect(state).toBeAttached();
    if (AXE_WIDTHS.includes(width)) await expectAccessible(page);
    const { wide, high } = await overflowPx(page);
    expect(wide, `px beyond the window's side at ${width} px`).toBeLessThanOrEqual(0);
    if (width > PHONE_WIDTH) expect(high, `px below the window at ${width} px`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1440, height: HEIGHT });
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(state).toBeAttached();
  await expectAccessible(page, COLOR_RULES);
  await page.emulateMedia({ colorScheme: "light" });
}

const overflowPx = (page: Page): Promise<{ wide: number; high: number }> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return { wide: scrollWidth - clientWidth, high: scrollHeight - clientHeight };
  });

test("screens before a capture, in light and dark, at 360 to 2560 px", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(filesOf("damaged"));
  const files = page.getByRole("region", { name: "Recognized files" });
  await expect(files).toContainText("in common");
  await expectAccessibleEverywhere(page, files);
  for (const [address, state] of [
    ["/", page.getByRole("button", { name: "Choose files" })],
    ["/guide", page.getByRole("region", { name: "1. Secondaries first" })],
    ["/help/verdict/slow-network", page.getByRole("heading", { name: "Slow network" })],
    ["/help/keyboard", page.getByRole("table").first()],
    ["/captures", page.getByRole("searchbox")],
    ["/status", page.getByRole("definition").first()],
    ["/live", page.getByLabel("Server", { exact: true })],
  ] as const) {
    await page.goto(address);
    await expectAccessibleEverywhere(page, state);
  }
});

test("the fleet page, in light and dark, at 360 to 2560 px", async ({ page }) => {
  await page.route("**/api/v1/fleet?*", (route) => route.fulfill({ json: twoGroups() }));
  await page.goto("/fleet?b=CRM-AG");
  await expectAccessibleEverywhere(page, page.getByRole("table", { name: "A against B" }));
});

/** Each screen of a capture by its address, with an element that it shows once it has its data. */
const SCREENS: readonly (readonly [address: string, state: (page: Page) => Locator])[] = [
  ["", (page) => page.getByRole("region", { name: "Verdict" }).getByText("network").first()],
  ["/timeline?block=640", (page) => page.getByRole("gridcell").first()],
  ["/timeline?block=640&kept=641", (page) => page.getByRole("columnheader", { name: "Sum" })],
  [
    "/timeline?iso=hop0.secondaryFlush",
    (page) => page.getByRole("button", { name: /^Select block/u }).first(),
  ],
  ["/timeline?sel=60000000_70000000", (page) => page.getByRole("slider", { name: "Selection begins" })],
  ["/timeline?where=secondaryFlush%401%3E50000", (page) => page.getByRole("complementary", { name: "Hits" })],
  ["/sequence?block=640", (page) => page.locator("main").getByText("remote harden").first()],
  ["/distribution", (page) => page.getByRole("slider", { name: /duration$/u }).first()],
  ["/waiting", (page) => page.getByRole("table", { name: "Log writers and networks" })],
  ["/compare", (page) => page.getByRole("table", { name: "Changes" })],
  ["/what-if", (page) => page.getByRole("table", { name: "Commits now and then" })],
  ["/how-read?row=units", (page) => page.getByRole("button", { name: "Units of durations", pressed: true })],
  ["/raw-events?block=640", (page) => page.getByRole("row", { selected: true })],
  ["/raw-events?rows=commits", (page) => page.getByRole("columnheader", { name: "Waited" })],
  [
    `/sql?sql=${encodeURIComponent("SELECT utc, replica, log_write_us FROM hops LIMIT 50")}&row=3`,
    (page) => page.getByRole("row", { selected: true }),
  ],
];

for (const [address, state] of SCREENS) {
  test(`a capture's screen "${address}", in light and dark, at 360 to 2560 px`, async ({ page }) => {
    await openSample(page);
    await page.goto(`${new URL(page.url()).pathname}${address}`);
    await expectAccessibleEverywhere(page, state(page));
  });
}

test("dialogs of a capture, in light and dark, at 360 to 2560 px", async ({ page }) => {
  await openSample(page);
  const dialog = page.getByRole("dialog");
  for (const open of [
    () => page.getByRole("button", { name: "Share" }).click(),
    () => page.keyboard.press("x"),
    () => page.keyboard.press("h"),
    () => page.keyboard.press("?"),
  ]) {
    await page.setViewportSize({ width: 1440, height: HEIGHT });
    await open();
    await expect(dialog).toBeVisible();
    await expectAccessibleEverywhere(page, dialog);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  }
});

test("forced colors show the places by pattern, and what is chosen by the system's own colors", async ({
  browser,
}) => {
  const context = await browser.newContext({
    forcedColors: "active",
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  await openSample(page);
  const cut = page.locator("table .block-bar .cut.n").first();
  await expect(cut).toHaveCSS("fill", /cut-dots/u);
  await expect(page.locator("table .block-bar .cut.s").first()).toHaveCSS("fill", /cut-diagonal/u);
  const canvasText = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "CanvasText";
    return getComputedStyle(probe).color;
  });
  await expect(page.locator("table .block-bar .stage.s-disk").first()).toHaveCSS("fill", canvasText);
  await expect(page.getByRole("slider").first()).toHaveCSS("background-color", canvasText);
  await context.close();
});
