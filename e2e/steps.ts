import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, type Locator, type Page } from "@playwright/test";
import axe from "axe-core";
import { CONDITIONS } from "../fixtures/world/conditions.ts";
import { simulateWorld } from "../fixtures/world/world.ts";

const fixtures = fileURLToPath(new URL("../fixtures/captures/", import.meta.url));

/** Paths of the .xel files of a committed capture, primary first. */
export function filesOf(capture: string): string[] {
  return ["primary", "secondary"].flatMap((role) => {
    const directory = join(fixtures, capture, role);
    return readdirSync(directory)
      .sort()
      .map((name) => join(directory, name));
  });
}

/** Ids that all committed captures have in common, as `fixtures/src/options.ts` writes them: two servers and two databases. */
const COMMON_IDS = [
  "f3400915-bb03-42a0-8c5e-26d35506a893",
  "20944245-5a76-41ac-8cc7-985ab3b4e068",
  "7d0c7c1e-5a57-4a4e-9d0b-41a3b6a1c5d2",
  "a9c1f1b4-1b57-4f39-8d8f-0f7f3b8fd0aa",
];

/**
 * Event files of committed captures with ids that no other test has: the server uses the known names of an id in all
 * captures.
 * @param paths of `filesOf`
 */
export function withOwnIds(
  paths: readonly string[],
): { name: string; mimeType: string; buffer: Buffer<ArrayBuffer> }[] {
  const start = randomUUID().slice(0, 8);
  return paths.map((path) => {
    let text = readFileSync(path).toString("latin1");
    for (const id of COMMON_IDS) {
      const own = bytesOf(start + id.slice(8));
      text = text.replaceAll(bytesOf(id), () => own);
    }
    return {
      name: basename(path),
      mimeType: "application/octet-stream",
      buffer: Buffer.from(text, "latin1"),
    };
  });
}

/** A GUID as events have it: its first three numbers in the order of little-endian bytes. */
function bytesOf(guid: string): string {
  const bytes = Buffer.from(guid.replaceAll("-", ""), "hex");
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes.toString("latin1");
}

/** Path of the topology XML of a committed capture. */
export function topologyOf(capture: string): string {
  return join(fixtures, capture, "topology.xml");
}

/** Addresses of overviews once a test of this worker has analyzed their captures. */
const opened: { sample: string | null; fourSecondaries: string | null } = {
  sample: null,
  fourSecondaries: null,
};

/** Address of the sample's overview, which is waited for once. */
export async function sampleAddress(page: Page): Promise<string> {
  if (opened.sample === null) await openSampleByButton(page);
  return opened.sample!;
}

/**
 * Goes from the first screen to the sample's overview; only the first test waits for its analysis, later ones open its
 * address.
 */
export async function openSample(page: Page): Promise<void> {
  if (opened.sample === null) await openSampleByButton(page);
  else await page.goto(opened.sample);
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
}

/** Address of the overview of two synchronous and two asynchronous secondaries, whose analysis is waited for once. */
export async function fourSecondariesAddress(page: Page): Promise<string> {
  if (opened.fourSecondaries === null) {
    const { options, expected } = CONDITIONS.find(({ name }) => name === "four_secondaries")!.build(7);
    const { files } = simulateWorld(options, "four_secondaries", expected);
    await page.goto("/");
    await page.getByLabel("Capture files").setInputFiles(
      files.map(({ path, bytes }) => ({
        name: basename(path),
        mimeType: "application/octet-stream",
        buffer: Buffer.from(bytes),
      })),
    );
    await page.getByRole("button", { name: /^Analyze/u }).click();
    await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
    opened.fourSecondaries = new URL(page.url()).pathname;
  }
  return opened.fourSecondaries;
}

/** Opens the sample as a new user does. */
export async function openSampleByButton(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("button", { name: /^Open the sample/u }).click();
  // The analysis takes its time on a machine that does other work too.
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
  await page.getByRole("button", { name: "Leave tour" }).click();
  opened.sample = new URL(page.url()).pathname;
}

/** Rules that axe checks: those of WCAG, and practice that axe calls best. */
const ALL_RULES = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
} as const;

/** The rules that depend on colors: all that a theme can break. */
const COLOR_RULES = { type: "rule", values: ["color-contrast"] } as const;

/** Phones, tablet, laptop over remote desktop, and desks. */
const WIDTHS = [360, 768, 1024, 1280, 1440, 1920];
const HEIGHT = 900;
/** Up to this width the entire page scrolls. */
const PHONE_WIDTH = 719;

/**
 * Fails on any finding of axe. Axe works within the page alone: no screen has frames, and the second page that axe's own
 * builder opens to put the frames' results together takes three times as long.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoFinding(page, ":root", ALL_RULES);
}

/**
 * Expects a state without a finding of axe at six widths in both themes, no wider than the window, and on a desktop also no
 * higher, because longer parts scroll within the screen. In the dark theme only colors are checked, because it changes
 * nothing else.
 * @param state an element that is there at every width
 * @param options `within` is the selector of the part that axe checks
 */
export async function expectAccessibleEverywhere(
  page: Page,
  state: Locator,
  {
    within = ":root",
    widths = WIDTHS,
  }: { readonly within?: string; readonly widths?: readonly number[] } = {},
): Promise<void> {
  for (const [i, width] of widths.entries()) {
    await page.setViewportSize({ width, height: HEIGHT });
    await expect(state).toBeAttached();
    await expect
      .poll(() => beyondWindow(page), `px beyond a window of ${width} px`)
      .toEqual({ wide: 0, high: 0 });
    // Each width begins with the theme of the previous one.
    for (const theme of i % 2 === 0 ? (["light", "dark"] as const) : (["dark", "light"] as const)) {
      await page.emulateMedia({ colorScheme: theme });
      await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
      await expectNoFinding(page, within, theme === "dark" ? COLOR_RULES : ALL_RULES);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** How far a page is wider than the window, and on a desktop higher. */
const beyondWindow = (page: Page): Promise<{ wide: number; high: number }> =>
  page.evaluate((phone) => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return {
      wide: scrollWidth - clientWidth,
      high: clientWidth > phone ? scrollHeight - clientHeight : 0,
    };
  }, PHONE_WIDTH);

async function expectNoFinding(
  page: Page,
  within: string,
  runOnly: typeof ALL_RULES | typeof COLOR_RULES,
): Promise<void> {
  await expect(page.locator("iframe")).toHaveCount(0);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const found = await page.evaluate(
    async ({ part, rules }) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(part, {
        resultTypes: ["violations"],
        runOnly: { type: rules.type, values: [...rules.values] },
        // Tips and notices over a page belong to no landmark.
        rules: { region: { enabled: false } },
      });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
      );
    },
    { part: within, rules: runOnly },
  );
  const { width = 0 } = page.viewportSize() ?? {};
  expect.soft(found, `axe at ${width} px`).toEqual([]);
}
