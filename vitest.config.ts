import { defineConfig } from "vitest/config";

/** Tests of components and hooks end in .test.tsx and have a document; all others run in Node alone. */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Some tests wait for what a live run does next: three share two cores well.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: ["packages/**/*.test.ts", "apps/**/*.test.ts", "fixtures/**/*.test.ts"],
          globalSetup: "apps/api/test/write-bundle.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "components",
          include: ["apps/web/**/*.test.tsx"],
          environment: "happy-dom",
          setupFiles: ["apps/web/test/document.ts"],
        },
      },
    ],
  },
});
