import { Notices } from "@aglens/fixtures/notices";
import react from "@vitejs/plugin-react";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import { guidePages } from "./guide-plugin.ts";

/** Fonts are compressed already. */
const COMPRESSIBLE = /^assets\/.*\.(?:js|css|svg)$/u;

/** The second highest quality: the highest takes twice the time for 2 %. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/**
 * Writes each script and style compressed next to the original, once and well, so that no request waits for its
 * compression.
 */
const compressesFiles: Plugin = {
  name: "compresses-files",
  apply: "build",
  async writeBundle({ dir = "" }, bundle) {
    const files = Object.values(bundle).filter(({ fileName }) => COMPRESSIBLE.test(fileName));
    await Promise.all(
      files.map(async (file) => {
        const bytes = Buffer.from(file.type === "chunk" ? file.code : file.source);
        const path = join(dir, file.fileName);
        await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, BROTLI));
        await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
      }),
    );
  },
};

/**
 * Few scripts: over HTTP/1.1 a browser requests six files at once, and dozens of small ones would delay the answers.
 * One script has the code that every page needs at its start, another one all further code of an overview, which is the
 * screen that a link opens. Shared code of other screens is split by the set of screens that use it; small parts (under
 * 100 kB of sources) are joined with others.
 */
const CHUNKS = [
  { name: "app", tags: ["$initial" as const], priority: 3 },
  // The screen itself stays a separate script, by which the manifest finds it.
  { name: "overview", test: /[\\/]screens[\\/]overview[\\/](?!overview-screen\.)/u, priority: 2 },
  // Schemas are computed from each other while they load, so that no circle of joined scripts may have them.
  { name: "contract", test: /[\\/]packages[\\/]contract[\\/]src[\\/]/u, minShareCount: 2, priority: 2 },
  { name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 100_000, priority: 1 },
];

/** Without the names of all screens that share it. */
const fileName = (name: string, type: string): string => `assets/${name.split("~", 1)[0]}-[hash]${type}`;

const root = fileURLToPath(new URL(".", import.meta.url));
const notices = new Notices(root);

/** The web app is static files; in development (`npm run dev`) `/api` is answered by the API. */
export default defineConfig({
  root,
  plugins: [react(), guidePages, notices.outer(), compressesFiles],
  worker: { plugins: () => [notices.inner()] },
  // Files refer to each other relatively, on any path of a proxy; the server writes the base path into the page.
  base: "./",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // The content policy allows files of the same origin only: nothing may be inlined as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The server reads the manifest to name the files of an address in a page's head
    // (apps/api/src/http/screen-files.ts).
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: CHUNKS },
        chunkFileNames: ({ name }) => fileName(name, ".js"),
        assetFileNames: ({ names: [name = ""] }) => fileName(name.replace(/\.[^.]*$/u, ""), "[extname]"),
      },
    },
    chunkSizeWarningLimit: 1000,
  },
  // Classes are kebab-case in CSS and camelCase in TypeScript; css-modules.test.ts verifies that they match.
  css: { modules: { localsConvention: "camelCaseOnly" } },
  server: { port: 4701, proxy: { "/api": `http://127.0.0.1:${process.env["PORT"] ?? 4700}` } },
});
