import { globSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { TEST_MS, WAIT_MS } from "./fixtures/patience.ts";
import { guidePages } from "./apps/web/guide-plugin.ts";
import { LongestFirst } from "./longest-first.ts";

// Nothing that is shown or stored may depend on the machine's time zone: here each hour differs from UTC, and often the day.
process.env["TZ"] = "Pacific/Auckland";

// Processes that tests start load the same modules over and over.
process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "aglens-compiled");

const IN_NODE = ["packages/**/*.test.ts", "apps/**/*.test.ts", "fixtures/**/*.test.ts"];

/** Tests that replace real modules by others: modules are loaded again for each of these tests. */
const mocking = globSync(IN_NODE, { exclude: ["**/node_modules/**"] }).filter((file) =>
  /\bvi\.(?:mock|doMock)\(/u.test(readFileSync(file, "utf8")),
);

/** Tests of components and hooks end in .test.tsx and have a document; all others run in Node alone. */
export default defineConfig({
  test: {
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    expect: { poll: { timeout: WAIT_MS } },
    // Some tests wait for what a live run does next: four share two cores well.
    maxWorkers: 4,
    // Files of one worker share their imports: loading them again for each file took a fifth of the total time.
    isolate: false,
    globalSetup: "apps/api/test/own-temporary.ts",
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          include: IN_NODE,
          exclude: ["**/node_modules/**", ...mocking],
          globalSetup: "apps/api/test/write-bundle.ts",
        },
      },
      { extends: true, test: { name: "mocking", include: mocking, isolate: true } },
      {
        extends: true,
        plugins: [guidePages],
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
