import { Notices } from "@aglens/fixtures/notices";
import react from "@vitejs/plugin-react";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { guidePages } from "./guide-plugin.ts";
import { staticZip } from "./static.ts";

const LOGO = `data:image/svg+xml,${encodeURIComponent(readFileSync(new URL("src/ui/logo.svg", import.meta.url), "utf8"))}`;

/** Marks the page as one without a server (`src/alone.ts`). */
const alone: Plugin = {
  name: "aglens-alone",
  transformIndexHtml: {
    order: "pre",
    handler: (html) => ({
      html: html.replace("./src/ui/logo.svg", LOGO),
      tags: [{ tag: "meta", attrs: { name: "aglens-alone" }, injectTo: "head" }],
    }),
  },
};

/**
 * Replacements in a page in one file for parts of the server's page: threads inside its script, fonts for Latin only,
 * and no screens that need a server.
 */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/\/local\/workers\.ts$/u, "src/local/workers-inside.ts"],
  [/\/ui\/fonts\.css$/u, "src/ui/fonts-alone.ts"],
  [/\/sql-client\.ts$/u, "src/data/no-sql.ts"],
  [/\/(?:live|attach|status|library|fleet|all-sql|sql)-screen\.tsx$/u, "src/pages/needs-server.tsx"],
];

const instead: Plugin = {
  name: "aglens-instead",
  enforce: "pre",
  resolveId(source) {
    const found = INSTEAD.find(([pattern]) => pattern.test(source));
    return found === undefined ? null : fileURLToPath(new URL(found[1], import.meta.url));
  },
};

/**
 * Content policy: the page may load nothing. Its script is named by its digest, so that no other script runs; data and
 * blobs are its own fonts, pictures and threads.
 */
function policyOf(html: string): string {
  const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/gu)].map(([, script = ""]) => script);
  const digests = scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  return [
    "default-src 'none'",
    `script-src ${digests.join(" ")} blob:`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "font-src data:",
    "img-src data: blob:",
    "connect-src data: blob:",
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
}

const root = fileURLToPath(new URL(".", import.meta.url));
const notices = new Notices(root);

/** The page may be passed on alone: it contains the licenses of its parts, where an editor shows them. */
const withNotices = (html: string): string =>
  `${html.trimEnd()}\n<!--\n${notices.text().replaceAll("-->", "-- >")}-->\n`;

const policy: Plugin = {
  name: "aglens-policy",
  enforce: "post",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== "asset" || file.fileName !== "index.html") continue;
        file.fileName = "ag-lens.html";
        const html = String(file.source);
        const meta = `<meta http-equiv="Content-Security-Policy" content="${policyOf(html)}" />`;
        const page = withNotices(
          html.replace('<meta charset="utf-8" />', (charset) => `${charset}\n    ${meta}`),
        );
        file.source = page;
        this.emitFile({ type: "asset", fileName: "ag-lens-folder.zip", source: staticZip(page) });
      }
    },
  },
};

/** The complete product except for live mode, as one HTML file that opens from a disk (`npm run build:single`). */
export default defineConfig({
  root,
  plugins: [
    guidePages,
    react(),
    alone,
    instead,
    notices.inner(),
    viteSingleFile({ removeViteModuleLoader: true }),
    policy,
  ],
  base: "./",
  build: {
    outDir: "dist/alone",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 10_000,
  },
  worker: { format: "iife", plugins: () => [notices.inner()] },
  css: { modules: { localsConvention: "camelCaseOnly" } },
});
