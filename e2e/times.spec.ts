import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { filesOf, topologyOf } from "./steps.ts";

/** Opens a new capture of the sample's files, whose servers' clocks are two hours ahead of UTC. */
async function openCapture(page: Page): Promise<void> {
  const events = filesOf("slow-network").map((path) => ({
    name: basename(path),
    mimeType: "application/octet-stream",
    buffer: readFileSync(path),
  }));
  const rows = readFileSync(topologyOf("slow-network"), "utf8").replaceAll(
    " replica_server_name=",
    ' utc_offset_minutes="120" replica_server_name=',
  );
  const topology = { name: "topology.xml", mimeType: "text/xml", buffer: Buffer.from(rows) };
  await page.goto("/");
  await page.getByLabel("Capture files").setInputFiles([...events, topology]);
  await page.getByRole("button", { name: /^Analy[sz]e/u }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();
}

const verdictOf = (page: Page) => page.getByRole("region", { name: "Verdict" }).getByRole("heading").first();

/** The verdict in the time zone of a reader, and the control's text. */
async function readIn(
  browser: Browser,
  timezoneId: string,
  link: string,
): Promise<readonly [string, string]> {
  const context = await browser.newContext({ timezoneId });
  const page = await context.newPage();
  await page.goto(link);
  const verdict = await verdictOf(page).innerText();
  const control = await page.getByRole("button", { name: /^Times:/u }).innerText();
  await context.close();
  return [/between [\d:]+ and [\d:]+/u.exec(verdict.replaceAll(/\s/gu, " "))?.[0] ?? verdict, control];
}

test("a link shows times in the reader's own zone, in the servers' to both, or in UTC", async ({
  page,
  browser,
}) => {
  await openCapture(page);
  await expect(verdictOf(page)).toContainText("between 02:17:28 and 02:18:03");
  const readers = ["Asia/Kolkata", "America/New_York"];
  const at = (time: string): string => `${new URL(page.url()).href.split("?")[0]}?v=1&time=${time}`;
  const read = async (time: string) =>
    Promise.all(readers.map(async (zone) => readIn(browser, zone, at(time))));

  expect(await read("browser")).toEqual([
    ["between 07:47:28 and 07:48:03", "Times: UTC+5:30, this browser"],
    ["between 22:17:28 and 22:18:03", "Times: UTC−4, this browser"],
  ]);
  const server = ["between 04:17:28 and 04:18:03", "Times: UTC+2, server"];
  expect(await read("server")).toEqual([server, server]);
  const utc = ["between 02:17:28 and 02:18:03", "Times: UTC"];
  expect(await read("utc")).toEqual([utc, utc]);
});

test("t goes through the clocks, the address has the choice, and the next capture begins with it", async ({
  page,
}) => {
  await openCapture(page);
  const control = page.getByRole("button", { name: /^Times:/u });
  for (const shown of ["UTC+2, server", "UTC+12, this browser", "From the start", "UTC", "UTC+2, server"]) {
    await page.keyboard.press("t");
    await expect(control).toHaveText(`Times: ${shown}`);
  }
  await expect(page).toHaveURL(/time=server/u);
  await page.goto(new URL(page.url()).pathname);
  await expect(control).toHaveText("Times: UTC+2, server");
  await control.click();
  await page.getByRole("radio", { name: "UTC", exact: true }).check();
  await expect(page).toHaveURL(/time=utc/u);
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.type("04:17:42+02:00");
  await expect(page.getByRole("option").first()).toContainText("02:17:42.000");
});

test("a report is in the zone that is shown", async ({ page }) => {
  await openCapture(page);
  await page.goto(`${new URL(page.url()).pathname}?v=1&time=server`);
  await page.getByRole("button", { name: "Export" }).click();
  const dialog = page.getByRole("dialog");
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: /^(Export|Save|Write)/u }).click();
  const html = readFileSync(await (await download).path(), "utf8");
  expect(html).toContain("04:16:55");
  expect(html).toContain("UTC+2");
  expect(html).not.toContain("02:17:");
});
