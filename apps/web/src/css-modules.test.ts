/**
 * Checks that TypeScript cannot do: whether a class that a component takes from its sheet exists, and whether a class
 * is unused.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const source = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).map((name) => join(source, name));

const camelCase = (name: string): string =>
  name.replace(/-([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());

/** Classes of a sheet as components name them. */
function classesOf(sheet: string): Set<string> {
  const text = readFileSync(sheet, "utf8").replace(/\/\*.*?\*\//gsu, "");
  const selectors = Array.from(text.matchAll(/([^{}]*)\{/gu), ([, selector = ""]) => selector).join("\n");
  return new Set(Array.from(selectors.matchAll(/\.([a-z][a-z0-9-]*)/gu), ([, name = ""]) => camelCase(name)));
}

/** Classes that a sheet composes from `ui/shared.css`. */
function composedIn(sheet: string): string[] {
  const lists = readFileSync(sheet, "utf8").matchAll(/composes: ([^;]*) from global;/gu);
  return Array.from(lists, ([, names = ""]) => names.split(" ")).flat();
}

interface Use {
  readonly component: string;
  readonly sheet: string;
  readonly name: string;
}

/** Every `styles.name` in a component, with the sheet that `styles` is. */
function usesIn(component: string): Use[] {
  const text = readFileSync(component, "utf8");
  const body = text.replace(/^import .*$/gmu, "");
  const imports = Array.from(text.matchAll(/import (\w+) from "(\.[^"]*\.module\.css)";/gu));
  return imports.flatMap(([, alias = "", path = ""]) =>
    Array.from(body.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, "gu")), ([, name = ""]) => ({
      component: relative(source, component),
      sheet: join(dirname(component), path),
      name,
    })),
  );
}

const sheets = files.filter((name) => name.endsWith(".module.css"));
const uses = files.filter((name) => /(?<!\.test)\.tsx?$/u.test(name)).flatMap(usesIn);

test("every class that a component names is in its sheet", () => {
  const unknown = uses.filter(({ sheet, name }) => !classesOf(sheet).has(name));
  expect(unknown.map(({ component, name }) => `${component}: ${name}`)).toEqual([]);
  expect(uses.length).toBeGreaterThan(200);
});

test("every shared class that a sheet composes exists, and each is used", () => {
  const shared = classesOf(join(source, "ui/shared.css"));
  const composed = new Set(sheets.flatMap(composedIn).map(camelCase));
  expect([...composed].filter((name) => !shared.has(name))).toEqual([]);
  expect([...shared].filter((name) => !composed.has(name))).toEqual([]);
});

test.each(sheets.map((sheet) => [relative(source, sheet), sheet]))(
  "%s has no class that nobody names",
  (_, sheet) => {
    const named = new Set(uses.filter((use) => use.sheet === sheet).map(({ name }) => name));
    expect([...classesOf(sheet)].filter((name) => !named.has(name))).toEqual([]);
  },
);
