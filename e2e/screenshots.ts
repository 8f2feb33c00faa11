/** Takes README's pictures anew from the sample capture: `npm run screenshots [DIRECTORY [WIDTH [THEME]]]`. Needs `npm run build`. */
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";

const [directory = "docs/images", width = "1440", theme = "light"] = process.argv.slice(2);
const PORT = "4796";
const BASE = `http://localhost:${PORT}`;
const ORIGIN_VIEWS = {
  overview: "",
  timeline: "/timeline?v=1&range=62000000_72000000",
  sequence: "/sequence?v=1&sort=wireOut",
};

const server = spawn(process.execPath, ["apps/api/src/main.ts"], {
  env: { ...process.env, PORT, AGLENS_DATA: mkdtempSync(join(tmpdir(), "aglens-pictures-")) },
  stdio: "ignore",
});
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
try {
  const page = await browser.newPage({
    viewport: { width: Number(width), height: 900 },
    colorScheme: theme === "dark" ? "dark" : "light",
  });
  await page.waitForTimeout(1500);
  await page.goto(BASE);
  await page.getByRole("button", { name: "Open the sample capture" }).click();
  await page.getByRole("region", { name: "Verdict" }).waitFor();
  const capture = new URL(page.url()).pathname;
  for (const [name, view] of Object.entries(ORIGIN_VIEWS)) {
    await page.goto(`${BASE}${capture}${view}`);
    await page.waitForTimeout(2000);
    await page.screenshot({ path: join(directory, `${name}.png`) });
  }
} finally {
  await browser.close();
  server.kill();
}
