import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { writeLarge, type LargeCapture } from "../fixtures/src/large.ts";
import { nearSecondary } from "../fixtures/src/scenarios.ts";

/** More than the timeline loads one by one (MOST_BLOCKS in screens/timeline/use-buffer.ts). */
const BLOCKS = 40_000;
/**
 * Events of a block of this capture on the primary: two of its log write, two of its capture, two of its
 * acknowledgment.
 */
const SESSION_EVENTS = [
  "log_flush_start",
  "log_flush_complete",
  "hadr_capture_log_block",
  "hadr_receive_harden_lsn_message",
];
const EVENTS_PER_BLOCK = 6;

let directory: string;
let capture: LargeCapture;
test.beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "aglens-e2e-large-"));
  capture = writeLarge(directory, BLOCKS * EVENTS_PER_BLOCK, {
    engine: "2016+",
    sessionEvents: SESSION_EVENTS,
    secondaries: [{ ...nearSecondary, capture: false }],
  });
});
test.afterAll(() => rmSync(directory, { recursive: true }));

const status = (page: Page) => page.getByRole("contentinfo");
const grid = (page: Page) => page.getByRole("grid");

/** The ranges that the page requests in the end, as "from to" in whole seconds. */
function askedPeriods(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (!pathname.endsWith("/window")) return;
    const seconds = ["from", "to"].map((name) => Math.round(Number(searchParams.get(name)) / 1e6));
    asked.push(seconds.join(" "));
  });
  return asked;
}

/** Names of the cells of the grid, as a screen reader gets them. */
const cells = (page: Page): Promise<string[]> =>
  grid(page)
    .getByRole("gridcell")
    .evaluateAll((all) => all.map((cell) => cell.textContent));

/** The first and last place of the grid's blocks, seconds into the capture. */
async function blocksAt(page: Page): Promise<[number, number]> {
  const places = (await cells(page)).map((text) => Number(/, \+([\d.]+)\ss$/u.exec(text)?.[1]));
  const known = places.filter((seconds) => !Number.isNaN(seconds));
  return [Math.min(...known), Math.max(...known)];
}

/** The range in view according to the address, seconds. */
function inView(page: Page): [number, number] {
  const [from, to] = (new URL(page.url()).searchParams.get("range") ?? "").split("_").map(Number);
  return [from / 1e6, to / 1e6];
}

/**
 * Presses a key, `presses` times between two looks, until the wanted range is in view; the address follows the view.
 */
async function pressUntil(
  page: Page,
  key: string,
  wanted: (from: number, to: number) => boolean,
  presses = 1,
) {
  await expect(async () => {
    for (let press = 0; press < presses; press++) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await page.keyboard.press(key);
    }
    expect(wanted(...inView(page))).toBe(true);
  }).toPass({ intervals: [150], timeout: 60_000 });
}

/** Waits until the blocks of the grid are around the range in view. */
async function expectBlocksInView(page: Page): Promise<void> {
  await expect(async () => {
    const [from, to] = inView(page);
    const [first, last] = await blocksAt(page);
    expect(first).toBeLessThan(to);
    expect(last).toBeGreaterThan(from);
    expect(last - first).toBeLessThan(3 * (to - from));
  }).toPass({ timeout: 20_000 });
}

test("more blocks than are loaded at once come in bins, as blocks where one looks closer, and again where one pans to", async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles(capture.files.map(({ path }) => path));
  await page.getByRole("button", { name: /^Analyze/u }).click({ timeout: 60_000 });
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText(/\S/u, { timeout: 90_000 });
  const asked = askedPeriods(page);

  await page.keyboard.press("Alt+2");
  await expect(status(page)).toContainText("median and maximum per pixel");
  await expect
    .poll(() => cells(page))
    .toContainEqual(expect.stringMatching(/ log write, p50 .*, maximum .* to /u));
  const whole = asked.at(-1)!;
  expect(asked).toEqual(asked.map(() => whole));

  await pressUntil(page, "w", (from, to) => to - from < 6);
  await expect(status(page)).toContainText("every block drawn");
  await expectBlocksInView(page);
  // A part of the capture, around where the view rested; its blocks serve every closer look.
  const [from, to] = asked.at(-1)!.split(" ").map(Number);
  expect(to - from).toBeLessThan(300);
  const closer = asked.length;

  // A range that was loaded as blocks may be minutes wide, a hundred times the range in view.
  await pressUntil(page, "d", (start) => start > to, 20);
  await expectBlocksInView(page);
  await expect(status(page)).toContainText("every block drawn");
  expect(asked.length).toBeGreaterThan(closer);
  expect(Number(asked.at(-1)!.split(" ")[1])).toBeGreaterThan(to);

  await page.keyboard.press("0");
  await expect(status(page)).toContainText("median and maximum per pixel");
  await expect
    .poll(() => cells(page))
    .toContainEqual(expect.stringMatching(/ log write, p50 .*, maximum .* to /u));
});
