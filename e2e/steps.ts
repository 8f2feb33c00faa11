import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

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

/** Address of the sample's overview once a test of this worker has analyzed it. */
const opened: { sample: string | null } = { sample: null };

/**
 * Goes from the first screen to the sample's overview; only the first test waits for its analysis, later ones open its
 * address.
 */
export async function openSample(page: Page): Promise<void> {
  if (opened.sample === null) await openSampleByButton(page);
  else await page.goto(opened.sample);
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
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

/** WCAG rules that axe checks. */
const WCAG = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] } as const;

/** The rules that depend on colors: all that a theme can break. */
export const COLOR_RULES = { type: "rule", values: ["color-contrast"] } as const;

/**
 * Fails on any violation that axe calls serious or critical. Axe works within the page alone: no screen has frames, and the
 * second page that axe's own builder opens to put the frames' results together takes three times as long.
 */
export async function expectAccessible(
  page: Page,
  runOnly: typeof WCAG | typeof COLOR_RULES = WCAG,
): Promise<void> {
  await expect(page.locator("iframe")).toHaveCount(0);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const serious = await page.evaluate(async (rules) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ["violations"],
      runOnly: { type: rules.type, values: [...rules.values] },
    });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  }, runOnly);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(serious, `axe at ${width} px`).toEqual([]);
}
