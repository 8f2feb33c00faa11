import { expect, test } from "vitest";
import { collectGarbage, v8SettingsFor } from "./memory.ts";

const GB = 2 ** 30;

test("threads may keep much garbage only where there is memory for many of them", () => {
  expect(v8SettingsFor(16 * GB)).toContain("--initial-old-space-size=400");
  expect(v8SettingsFor(16 * GB - 1)).toEqual(["--external-memory-accounted-in-global-limit"]);
});

test("garbage is collected when asked", async () => {
  const collected = Promise.withResolvers<string>();
  const registry = new FinalizationRegistry<string>((name) => collected.resolve(name));
  (() => registry.register({}, "garbage"))();
  // Objects of the running job stay until it is over.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(await collected.promise).toBe("garbage");
});
