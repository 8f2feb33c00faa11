/** Before each test file: a test that hangs is red after 20 s of an idle machine, unless its file is known to be long. */
import { relative } from "node:path";
import { expect, vi } from "vitest";
import { LONG_TEST_MS, testMs } from "@aglens/fixtures/patience";

/** Files with tests that take many seconds for their work: large files, many worlds, several processes, a run's minutes. */
const LONG = new Set([
  "apps/api/src/service/any-server.test.ts",
  "apps/api/src/service/behind-caddy.test.ts",
  "apps/api/src/captures/analysis/analyzer.test.ts",
  "apps/api/src/captures/beginning.test.ts",
  "apps/api/src/captures/work/shared-work.test.ts",
  "apps/api/src/dataset/dataset.test.ts",
  "apps/api/src/http/routes/aglens-file.test.ts",
  "apps/api/src/http/routes/links.test.ts",
  "apps/api/src/http/openapi-answers.test.ts",
  "apps/api/src/http/routes/sql.test.ts",
  "apps/api/src/live/run/keep.test.ts",
  "apps/api/src/live/run/run.test.ts",
  "apps/api/src/service/several-servers.test.ts",
  "apps/api/src/service/shared-stores.test.ts",
  "apps/api/src/sql/sql-processes.test.ts",
  "fixtures/fuzz/fuzz.test.ts",
  "fixtures/judge/lost-periods.test.ts",
  "fixtures/judge/worlds.test.ts",
  "fixtures/src/live-model.test.ts",
  "fixtures/src/same-tables.test.ts",
  "packages/cli/bin/program.test.ts",
  "packages/xel-parser/src/format/big-file.test.ts",
]);

const file = relative(import.meta.dirname, expect.getState().testPath ?? "").replaceAll("\\", "/");
vi.setConfig({ testTimeout: LONG.has(file) ? LONG_TEST_MS : testMs() });
