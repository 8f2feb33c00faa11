import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** The web app is static files; in development (`npm run dev`) `/api` is answered by the API. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react()],
  // Files find each other wherever a proxy puts the app; the server writes the base path into the page.
  base: "./",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    // The content policy allows files of the same origin only: nothing may be inlined as data.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  // Classes are kebab-case in CSS and camelCase in TypeScript; css-modules.test.ts holds the two together.
  css: { modules: { localsConvention: "camelCaseOnly" } },
  server: { port: 4701, proxy: { "/api": `http://127.0.0.1:${process.env["PORT"] ?? 4700}` } },
});
