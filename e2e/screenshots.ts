/**
 * Takes README's pictures again: the first screen with the views of the sample capture, a live run of two stand-ins,
 * simulated nights, and watches with the answers of their tests. `npm run screenshots [DIRECTORY [WIDTH [THEME]]]`, some minutes long. Needs `npm run build`.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { chromium, type Page } from "@playwright/test";
import { chromiumOptions } from "../fixtures/browser.ts";
import { startGroup, type StandIn } from "../fixtures/replica-standin/index.ts";
import { WATCH_NOW, watchAnswer, watches as exampleWatches } from "../apps/web/test/watch.ts";
import { CAPTURE_QUERIES } from "@aglens/contract/ready-queries";
import { filesOf, topologyOf } from "./steps.ts";

const [directory = "docs/images", width = "1440", theme = "light"] = process.argv.slice(2);
const PORT = "4796";
const temporary = mkdtempSync(join(tmpdir(), "aglens-pictures-"));
const BASE = `http://localhost:${PORT}`;
const ORIGIN_VIEWS = {
  overview: "",
  timeline: "/timeline?v=1&range=62000000_72000000",
  sequence: "/sequence?v=1&sort=wireOut",
  "raw-events": "/raw-events?v=1&block=640",
  distribution: "/distribution?v=1&stage=networkRoundTrip",
  compare: "/compare?v=1",
  filter: "/timeline?v=1&where=secondaryFlush%401%3E50000&block=164",
  sql: `/sql?v=1&sql=${encodeURIComponent(readyQuery("Log writes per 5 s and replica"))}&row=9`,
};

function readyQuery(wanted: string): string {
  return CAPTURE_QUERIES.find(({ title }) => title === wanted)?.sql ?? "";
}

async function take(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(directory, `${name}.png`) });
}

/** Files of a capture with two secondaries; the file of one is missing. */
async function firstScreen(page: Page): Promise<void> {
  await page.goto(BASE);
  const capture = "two-secondaries";
  await page.getByLabel("Capture files").setInputFiles([...filesOf(capture), topologyOf(capture)]);
  await page.getByText("The primary sends to this replica too").waitFor();
  await page.getByText("Names from").waitFor();
  await page.waitForTimeout(1000);
  await take(page, "first");
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await page.getByRole("region", { name: "Verdict" }).waitFor();
  await page.waitForTimeout(2000);
  await take(page, "replicas");
}

/** The first screen shows the choice where the analysis runs. */
async function ways(page: Page): Promise<void> {
  await page.goto(BASE);
  await page.getByText("Run on this computer, single file, and other options").click();
  await page.getByRole("radio", { name: "On this computer" }).check();
  await page.waitForTimeout(2500);
  await take(page, "ways");
  await page.getByRole("radio", { name: "On this server" }).check();
}

/** The page that needs no server, opened from the disk. */
async function alone(page: Page): Promise<void> {
  await page.goto(pathToFileURL("apps/web/dist/alone/ag-lens.html").href);
  const capture = "slow-secondary-disk";
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([...filesOf(capture), topologyOf(capture)]);
  await page.getByRole("button", { name: /^Analyze/u }).click();
  await page.getByRole("region", { name: "Verdict" }).waitFor();
  await page.waitForTimeout(2000);
  await take(page, "alone");
}

async function sample(page: Page): Promise<void> {
  await page.goto(BASE);
  await page.getByRole("button", { name: /^Open the sample/u }).click();
  await page.getByRole("region", { name: "Verdict" }).waitFor();
  const capture = new URL(page.url()).pathname;
  for (const [name, view] of Object.entries(ORIGIN_VIEWS)) {
    await page.goto(`${BASE}${capture}${view}`);
    await page.waitForTimeout(2000);
    await take(page, name);
  }
  await page.goto(`${BASE}${capture}`);
  await page.getByRole("button", { name: "Export" }).click();
  await page
    .getByRole("dialog", { name: "Export" })
    .locator("output")
    .getByText(/\d\skB/u)
    .waitFor();
  const saved = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  const report = join(temporary, "report.html");
  await (await saved).saveAs(report);
  await page.goto(pathToFileURL(report).href);
  await page.screenshot({ path: join(directory, "report.png"), fullPage: true });
}

/** Ninety nights of two groups, recorded by the script that also fills a demo. */
async function fleet(page: Page): Promise<void> {
  await promisify(execFile)(process.execPath, ["fixtures/record-nights.ts", BASE]);
  await page.goto(`${BASE}/fleet?a=SALES-AG&b=CRM-AG`);
  await page.getByRole("table", { name: "A against B" }).waitFor();
  await page.waitForTimeout(500);
  await take(page, "fleet");
}

/** A week of polls takes a week: the answers are those of the tests. */
async function watches(page: Page): Promise<void> {
  const list = exampleWatches();
  await page.clock.setFixedTime(WATCH_NOW);
  await page.route(/\/api\/v1\/watches/u, (route) =>
    route.fulfill({ json: watchAnswer(route.request().url(), list) }),
  );
  await page.goto(`${BASE}/watches`);
  await page.getByRole("link", { name: "SALES-AG", exact: true }).waitFor();
  await page.waitForTimeout(2_000);
  await take(page, "watches");
}

/** The network becomes slow, then the secondary cannot be reached for some seconds. */
async function live(page: Page): Promise<void> {
  const group = await startGroup({ blocksPerSecond: 60, commitsPerBlock: 1.5 });
  try {
    const [primary, secondary] = group.replicas;
    await page.goto(`${BASE}/live`);
    const card = page.getByRole("region", { name: "Replica 1" });
    await card.getByText("Certificate: must be trusted").click();
    await card.getByLabel("trust server certificate").check();
    await card.getByLabel("User").fill(primary.user);
    await card.getByLabel("Password").fill(primary.password);
    await check(page, 1, primary);
    await page.getByRole("button", { name: `Add ${secondary.name}` }).click();
    await check(page, 2, secondary);
    await page.getByLabel("Name", { exact: true }).fill("Load test, run 3");
    await page.getByRole("button", { name: "Attach to 2 replicas" }).click();
    await page.getByText(/^Recording \d/u).waitFor();
    await page.waitForTimeout(18_000);
    group.network(150);
    await page.waitForTimeout(2_000);
    await page.keyboard.press("m");
    await page.waitForTimeout(4_000);
    secondary.fault({ kind: "down", seconds: 3 });
    await page.waitForTimeout(10_000);
    await take(page, "live");
    await page.getByRole("button", { name: "Stop and discard" }).click();
    await page.getByRole("button", { name: "Discard permanently" }).click();
    await page.getByRole("region", { name: "The run has ended" }).waitFor();
  } finally {
    await group.close();
  }
}

async function check(page: Page, number: number, { host, port }: StandIn): Promise<void> {
  const card = page.getByRole("region", { name: `Replica ${number}` });
  await card.getByLabel("Server", { exact: true }).fill(`${host},${port}`);
  await card.getByRole("button", { name: "Check" }).click();
  await card.getByText("may attach here").waitFor();
}

// The browser starts before the server: if it can't be started, no server is left running, which the next pictures
// would show.
const browser = await chromium.launch(chromiumOptions());
const server = spawn(process.execPath, ["apps/api/dist/main.js"], {
  env: {
    ...process.env,
    PORT,
    AGLENS_DATA: join(temporary, "data"),
    AGLENS_WRITES_PER_MINUTE: "100000",
  },
  stdio: "ignore",
});
const ended = once(server, "exit");
try {
  const page = await browser.newPage({
    viewport: { width: Number(width), height: 900 },
    colorScheme: theme === "dark" ? "dark" : "light",
  });
  await page.waitForTimeout(1500);
  await ways(page);
  await sample(page);
  await firstScreen(page);
  await alone(page);
  await live(page);
  await fleet(page);
  await watches(page);
} finally {
  await browser.close();
  server.kill();
  await ended;
  rmSync(temporary, { recursive: true, force: true });
}
