/** The examples of the README run, and are those of the README. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readXelBytes } from "xel-parser/format";
import { capturedBytes } from "../examples/typed-events.ts";
import { verdictOf } from "../examples/verdict.ts";

const PACKAGE = join(import.meta.dirname, "..");
const CAPTURE = join(PACKAGE, "../../fixtures/captures/slow-secondary-disk");
const fileOf = (role: string): string => join(CAPTURE, role, readdirSync(join(CAPTURE, role))[0]);

test("the README has each example as it is", () => {
  const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
  const blocks = [...readme.matchAll(/```ts\n\/\/ examples\/(.*)\n([^]*?)```/gu)];
  const files = readdirSync(join(PACKAGE, "examples"));
  expect(Object.fromEntries(blocks.map(([, name, code]) => [name, code]))).toEqual(
    Object.fromEntries(files.map((name) => [name, readFileSync(join(PACKAGE, "examples", name), "utf8")])),
  );
});

test("typed events", async () => {
  const captured = readXelBytes(readFileSync(fileOf("primary"))).events.filter(
    ({ name }) => name === "hadr_capture_log_block",
  );
  const bytes = captured.reduce((sum, { fields }) => sum + Number(fields["log_block_size"]) * 512, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(await capturedBytes(fileOf("primary"))).toBe(bytes);
});

test("a verdict", async () => {
  const verdict = await verdictOf(fileOf("primary"), fileOf("secondary"));
  expect(verdict.sentence).toContain("log write");
});
