import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { writeStatic } from "@aglens/web/static";
import { readPerfetto } from "../packages/contract/test/perfetto-reader.ts";
import { expectAccessible, filesOf, topologyOf } from "./steps.ts";

const PAGE = fileURLToPath(new URL("../apps/web/dist/alone/ag-lens.html", import.meta.url));

test("one HTML file from a disk, without a network: files to verdict, raw events and a report", async ({
  browser,
}, info) => {
  const context = await browser.newContext({ offline: true });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));

  await page.goto(pathToFileURL(PAGE).href);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Which step");
  await expectAccessible(page);
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([...filesOf("slow-network"), topologyOf("slow-network")]);
  await page.getByRole("button", { name: "Analyze" }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText("network");
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(page.getByText("Files stay on this computer")).toBeVisible();

  await page.keyboard.press("n");
  // The view is in the address.
  await expect(page).toHaveURL(/block=\d/u);
  await page.keyboard.press("Enter");
  await expect(page.getByText("hadr_capture_log_block").first()).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("region", { name: "Verdict" })).toBeVisible();

  await page.keyboard.press("x");
  await expect(page.getByRole("dialog", { name: "Export" })).toContainText(/\d\skB/u);
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  const path = info.outputPath(download.suggestedFilename());
  await download.saveAs(path);
  const report = await context.newPage();
  await report.goto(pathToFileURL(path).href);
  await expect(report.getByRole("heading", { level: 1 })).toContainText("The network to SQL2 takes");

  await page.keyboard.press("x");
  await page.getByRole("radio", { name: /^Perfetto trace/u }).check();
  await page.getByRole("radio", { name: /^Whole capture/u }).check();
  await page.getByRole("button", { name: "Create trace" }).click();
  const save = page.getByRole("button", { name: "Save trace" });
  await expect(save).toHaveAttribute("aria-disabled", "false");
  const [trace] = await Promise.all([page.waitForEvent("download"), save.click()]);
  expect(trace.suggestedFilename()).toMatch(/\.pftrace$/u);
  const { slices } = readPerfetto(readFileSync(await trace.path()));
  expect(slices.filter(({ name }) => name === "Network out").length).toBe(1_079);

  // Fonts and threads are inside the page.
  expect(asked.filter((url) => !/^(?:data|blob):/u.test(url))).toEqual([pathToFileURL(PAGE).href]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a folder on any web server, opened once, opens again without a network", async ({ browser }, info) => {
  const folder = info.outputPath("static");
  writeStatic(readFileSync(PAGE, "utf8"), folder);
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://localhost").pathname.slice(1) || "index.html";
    response.setHeader("content-type", TYPES[name.split(".").at(-1) ?? ""] ?? "text/plain");
    response.end(readFileSync(join(folder, name)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const context = await browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Which step");
  expect(complaints).toEqual([]);
  await context.close();
});

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
};
