import { expect, test } from "vitest";
import { v8SettingsFor } from "./memory.ts";

const GB = 2 ** 30;

test("threads may keep much garbage only where there is memory for many of them", () => {
  expect(v8SettingsFor(16 * GB)).toContain("--initial-old-space-size=400");
  expect(v8SettingsFor(16 * GB - 1)).toEqual(["--external-memory-accounted-in-global-limit"]);
});
