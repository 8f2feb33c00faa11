import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).map((name) => join(source, name));
const isTest = (file: string): boolean => /\.test\.tsx?$/u.test(file);

/** Files that a file imports by a statement; a screen that is loaded when it is opened is not among them. */
function importsOf(file: string): string[] {
  const statements = readFileSync(file, "utf8").matchAll(/\bfrom "(\.[^"]+\.tsx?)"/gu);
  return Array.from(statements, ([, path = ""]) => join(dirname(file), path)).filter((path) =>
    existsSync(path),
  );
}

/** All files that unit tests import, directly or through others. */
function reached(): Set<string> {
  const found = new Set(files.filter(isTest));
  for (const file of found) for (const imported of importsOf(file)) found.add(imported);
  return found;
}

/** From this number of lines on, a component file must be reached by a test of its screen or by its own test. */
const LONG = 110;

test("a unit test reaches every component file of more than 110 lines", () => {
  const byTests = reached();
  const long = files.filter(
    (file) => file.endsWith(".tsx") && readFileSync(file, "utf8").split("\n").length - 1 > LONG,
  );
  expect(long.length).toBeGreaterThan(50);
  expect(long.filter((file) => !byTests.has(file)).map((file) => relative(source, file))).toEqual([]);
});
