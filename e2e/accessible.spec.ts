/** Every screen without a finding of axe at six widths in both themes; each is loaded once. */
import { type Locator, type Page, test, expect } from "@playwright/test";
import { twoGroups } from "../apps/web/test/fleet.ts";
import { checkFirst, discard, withGroup } from "./live-steps.ts";
import {
  expectAccessible,
  expectAccessibleEverywhere,
  filesOf,
  fourSecondariesAddress,
  openSample,
  sampleAddress,
} from "./steps.ts";

test("screens before a capture at six widths in both themes", async ({ page }) => {
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(filesOf("damaged"));
  const files = page.getByRole("region", { name: "Recognized files" });
  await expect(files).toContainText("in common");
  await expectAccessibleEverywhere(page, files);
  for (const [address, state] of [
    ["/", page.getByRole("button", { name: "Choose files" })],
    ["/guide", page.getByRole("region", { name: "1. Secondaries first" })],
    ["/help/verdict/slow-network", page.getByRole("heading", { name: "Slow network" })],
    ["/captures", page.getByRole("searchbox")],
    ["/status", page.getByRole("definition").first()],
  ] as const) {
    await page.goto(address);
    await expectAccessibleEverywhere(page, state);
  }
});

test("a live run at six widths in both themes, from its form to its end", async ({ page }) => {
  await withGroup({}, async (group) => {
    await checkFirst(page, group.replicas[0]);
    const card = page.getByRole("region", { name: "Replica 1" });
    await expect(card).toContainText("may attach here");
    await expectAccessibleEverywhere(page, card);
    await page.getByRole("button", { name: "Attach", exact: true }).click();
    const lane = page.getByRole("button", { name: /Commits waiting/u });
    await expect(lane).toBeVisible();
    await expectAccessibleEverywhere(page, lane);
    await discard(page);
    await expect(page.getByRole("region", { name: "The run has ended" })).toBeVisible();
    await expectAccessible(page);
  });
});

test("fleet at six widths in both themes", async ({ page }) => {
  await page.route("**/api/v1/fleet?*", (route) => route.fulfill({ json: twoGroups() }));
  await page.goto("/fleet?b=CRM-AG");
  await expectAccessibleEverywhere(page, page.getByRole("table", { name: "A against B" }));
});

test("the sign-in page at six widths in both themes", async ({ page }) => {
  // The server of these tests has no sign-in.
  await page.route("/status", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace("<head>", '<head><meta name="aglens-access" content="">');
    await route.fulfill({ response, body });
  });
  await page.route("**/api/v1/access", (route) =>
    route.fulfill({
      json: {
        person: null,
        ways: { directory: "Contoso", token: true, proxy: false },
        failure: null,
        keepDays: 90,
      },
    }),
  );
  await page.goto("/status");
  await expectAccessibleEverywhere(page, page.getByRole("complementary", { name: "Roles and links" }));
});

type Screen = readonly [address: string, state: (page: Page) => Locator];

/** Screens of a capture by their addresses, with an element that each shows once it has its data. */
const SCREENS: readonly Screen[] = [
  // With the list of the slowest blocks.
  ["", (page) => page.getByRole("button", { name: /^Open block/u }).first()],
  ["/timeline?block=640", (page) => page.getByRole("gridcell").first()],
  ["/sequence?block=640", (page) => page.locator("main").getByText("remote harden").first()],
  ["/distribution", (page) => page.getByRole("slider", { name: /duration$/u }).first()],
  ["/waiting", (page) => page.getByRole("table", { name: "Log writers and networks" })],
  ["/compare", (page) => page.getByRole("table", { name: "Changes" })],
  ["/what-if", (page) => page.getByRole("table", { name: "Commits now and then" })],
  ["/how-read?row=units", (page) => page.getByRole("button", { name: "Units of durations", pressed: true })],
  ["/raw-events?block=640", (page) => page.getByRole("row", { selected: true })],
  [
    `/sql?sql=${encodeURIComponent("SELECT utc, replica, log_write_us FROM hops LIMIT 50")}&row=3`,
    (page) => page.getByRole("row", { selected: true }),
  ],
];

for (const [address, state] of SCREENS)
  test(`a capture's screen "${address}" at six widths in both themes`, async ({ page }) => {
    await page.goto(`${await sampleAddress(page)}${address}`);
    await expectAccessibleEverywhere(page, state(page));
  });

test("the overview of four secondaries at six widths in both themes, their lanes on a phone and a desk", async ({
  page,
}) => {
  const capture = await fourSecondariesAddress(page);
  await page.goto(capture);
  await expectAccessibleEverywhere(page, page.getByRole("region", { name: "Slowest commits" }));
  await page.goto(`${capture}/timeline`);
  await expectAccessibleEverywhere(page, page.getByRole("gridcell").first(), { widths: [360, 1440] });
});

/** The same screens with another part, next to or under the rest. */
const PARTS: readonly Screen[] = [
  ["/timeline?block=640&kept=641", (page) => page.getByRole("columnheader", { name: "Sum" })],
  [
    "/timeline?iso=hop0.secondaryFlush",
    (page) => page.getByRole("button", { name: /^Select block/u }).first(),
  ],
  ["/timeline?sel=60000000_70000000", (page) => page.getByRole("slider", { name: "Selection begins" })],
  ["/timeline?where=secondaryFlush%401%3E50000", (page) => page.getByRole("complementary", { name: "Hits" })],
  ["/raw-events?rows=commits", (page) => page.getByRole("columnheader", { name: "Waited" })],
];

test("parts of the screens on a phone and a desk, in both themes", async ({ page }) => {
  const capture = await sampleAddress(page);
  for (const [address, state] of PARTS) {
    await page.goto(`${capture}${address}`);
    await expectAccessibleEverywhere(page, state(page), { widths: [360, 1440] });
  }
});

test("dialogs of a capture at six widths in both themes", async ({ page }) => {
  await openSample(page);
  const dialog = page.getByRole("dialog");
  for (const open of [
    () => page.getByRole("button", { name: "Share" }).click(),
    ...["x", "F2", "h", "?"].map((key) => () => page.keyboard.press(key)),
  ]) {
    await open();
    await expect(dialog).toBeVisible();
    await expectAccessibleEverywhere(page, dialog, { within: "[role=dialog]" });
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
