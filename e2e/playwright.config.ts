import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import { chromiumOptions } from "../fixtures/browser.ts";

const PORT = Number(process.env["AGLENS_E2E_PORT"] ?? 4790);
const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Directory of the server's captures. Workers read this file too: they find the directory of the first process, which
 * ends last.
 */
function dataDirectory(): string {
  const given = process.env["AGLENS_E2E_DATA"];
  if (given !== undefined) return given;
  const own = mkdtempSync(join(tmpdir(), "aglens-e2e-"));
  process.env["AGLENS_E2E_DATA"] = own;
  process.on("exit", () => rmSync(own, { recursive: true, force: true, maxRetries: 3 }));
  return own;
}

/** The built web app served by the real API, with a data directory that only this run uses. */
export default defineConfig({
  testDir: ".",
  // A run empties it when it begins, and downloads of another one would go with it.
  outputDir: join(tmpdir(), `aglens-e2e-results-${PORT}`),
  // Far above the need of a test: on a busy machine every wait takes several times as long, and no wait is for a fixed
  // time.
  timeout: 180_000,
  expect: {
    timeout: 45_000,
    toHaveScreenshot: {
      stylePath: join(root, "e2e/pictures.css"),
      // A color that is little darker is found too.
      threshold: 0.02,
      // Edges of text in a canvas may differ: the limit is below a lane's bar with another color or place.
      maxDiffPixels: 400,
    },
  },
  // One picture for every machine; a missing one is a failure, not a new picture.
  snapshotPathTemplate: "{testDir}/pictures/{arg}{ext}",
  updateSnapshots: "none",
  // A test that passes only at the second try is a defect of the test or of the product.
  retries: 0,
  // Many of the tests wait for a live run. The server has at most four of them, and a test may still be ending its own.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  reporter: "list",
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    // As in unit tests: each hour differs from UTC, so that a time in the browser's zone in place of UTC is found.
    timezoneId: "Pacific/Auckland",
    // A live picture that moves with each frame takes a core; specs about movement ask for it.
    contextOptions: { reducedMotion: "reduce" },
    screenshot: "only-on-failure",
    launchOptions: chromiumOptions(),
  },
  webServer: {
    command: `"${process.execPath}" --enable-source-maps apps/api/dist/main.js`,
    cwd: root,
    url: `http://127.0.0.1:${PORT}/`,
    timeout: 20_000,
    reuseExistingServer: false,
    env: {
      PORT: String(PORT),
      AGLENS_DATA: dataDirectory(),
      AGLENS_WRITES_PER_MINUTE: "100000",
      // The login of stand-ins.
      AGLENS_WATCH_FILE: join(root, "e2e/watch-file.json"),
    },
  },
});
