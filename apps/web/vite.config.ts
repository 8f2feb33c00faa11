import react from "@vitejs/plugin-react";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

/** The screen that an address of a capture opens. */
const FIRST_SCREEN = "/screens/overview/overview-screen.tsx";

/** Fonts of an English page. */
const FIRST_FONT = /-latin-wght-normal-[^/]*\.woff2$/u;

/** Names the overview's scripts and styles and the fonts in the page, so that they come beside the app's own and not after it has run. */
const loadsOverviewAhead: Plugin = {
  name: "loads-overview-ahead",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {}, chunk: entry }) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const screen = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(FIRST_SCREEN) === true);
      const scripts = new Set<string>();
      const styles = new Set<string>();
      const add = (name: string): void => {
        const chunk = byName.get(name);
        if (chunk === undefined || scripts.has(name) || name === entry?.fileName) return;
        scripts.add(name);
        for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
        for (const imported of chunk.imports) add(imported);
      };
      if (screen !== undefined) add(screen.fileName);
      const fonts = Object.keys(bundle).filter((name) => FIRST_FONT.test(name));
      const isNew = (name: string): boolean => !html.includes(name);
      return [
        ...[...scripts]
          .filter(isNew)
          .map((name) => link({ rel: "modulepreload", crossorigin: true, href: `./${name}` })),
        ...[...styles]
          .filter(isNew)
          .map((name) => link({ rel: "preload", as: "style", crossorigin: true, href: `./${name}` })),
        ...fonts.map((name) => link({ rel: "preload", as: "font", crossorigin: true, href: `./${name}` })),
      ];
    },
  },
};

const link = (attrs: Record<string, string | boolean>) => ({ tag: "link", attrs, injectTo: "head" as const });

/** Fonts are compressed already. */
const COMPRESSIBLE = /^assets\/.*\.(?:js|css|svg)$/u;

/** The highest quality but one: the last takes twice the time for 2 %. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** Writes each script and style compressed beside itself, once and well, so that no request waits for its compression. */
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
 * Few scripts: over HTTP/1.1 a browser asks for six files at once, and dozens of small ones would come before the answers. What every
 * page needs at its start is one; what several screens share is another, without the parts of pages that are opened more rarely.
 */
const CHUNKS = [
  { name: "app", tags: ["$initial" as const], priority: 2 },
  {
    name: "shared",
    test: (id: string) => !/[\\/](?:charts[\\/]timeline|screens[\\/]live|local)[\\/]/u.test(id),
    minShareCount: 2,
    priority: 1,
  },
];

/** The web app is static files; in development (`npm run dev`) `/api` is answered by the API. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), loadsOverviewAhead, compressesFiles],
  // Files find each other wherever a proxy puts the app; the server writes the base path into the page.
  base: "./",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // The content policy allows files of the same origin only: nothing may be inlined as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
    chunkSizeWarningLimit: 1000,
  },
  // Classes are kebab-case in CSS and camelCase in TypeScript; css-modules.test.ts holds the two together.
  css: { modules: { localsConvention: "camelCaseOnly" } },
  server: { port: 4701, proxy: { "/api": `http://127.0.0.1:${process.env["PORT"] ?? 4700}` } },
});
