import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { screenTags } from "./screen-files.ts";

const folder = mkdtempSync(join(tmpdir(), "aglens-screens-"));
const screen = (path: string, more: object = {}) => ({
  [`src/screens/${path}-screen.tsx`]: { file: `assets/${path.split("/").at(-1)}-1.js`, ...more },
});

beforeAll(() => {
  mkdirSync(join(folder, ".vite"));
  const manifest = {
    "index.html": { file: "assets/index-1.js", css: ["assets/index-1.css"] },
    "_shared-1.js": { file: "assets/shared-1.js", imports: ["index.html"], css: ["assets/shared-1.css"] },
    "_charts-1.js": { file: "assets/charts-1.js", imports: ["_shared-1.js"], css: ["assets/shared-1.css"] },
    "node_modules/inter/inter-latin-wght-normal.woff2": { file: "assets/inter-latin-1.woff2" },
    "node_modules/inter/inter-greek-wght-normal.woff2": { file: "assets/inter-greek-1.woff2" },
    ...screen("overview/overview", { imports: ["index.html", "_shared-1.js", "_charts-1.js"] }),
    ...screen("captures/captures"),
    ...screen("captures/library/library"),
    ...screen("what-if/what-if"),
    ...screen("live/live"),
    ...screen("live/attach"),
    ...screen("status/status"),
  };
  writeFileSync(join(folder, ".vite", "manifest.json"), JSON.stringify(manifest));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filesOf = (path: string): string[] =>
  screenTags(folder, path).map((tag) => /href="\.\/assets\/([^"]*)"/u.exec(tag)?.[1] ?? "");

test("an overview's page names each file of its screen once, and not the app's own", () => {
  const files = ["overview-1.js", "shared-1.js", "charts-1.js", "shared-1.css", "inter-latin-1.woff2"];
  for (const path of ["/captures/a", "/captures/a/", "/l/b"]) expect(filesOf(path)).toEqual(files);
});

test.each([
  ["/", "captures-1.js"],
  ["/captures", "library-1.js"],
  ["/captures/a/what-if", "what-if-1.js"],
  ["/l/b/what-if", "what-if-1.js"],
  ["/live", "attach-1.js"],
  ["/live/a", "live-1.js"],
  ["/status", "status-1.js"],
])("%s names the script of its own screen", (path, script) => {
  expect(filesOf(path)).toEqual([script, "inter-latin-1.woff2"]);
});

test("an address without a screen names fonts alone, a folder without a build nothing", () => {
  expect(filesOf("/nowhere/at/all")).toEqual(["inter-latin-1.woff2"]);
  expect(screenTags(join(folder, "none"), "/captures/a")).toEqual([]);
});
