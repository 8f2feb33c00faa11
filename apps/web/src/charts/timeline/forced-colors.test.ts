import { expect, test } from "vitest";
import { themeTokens } from "../../../test/tokens.ts";
import { areForced } from "../place-patterns.ts";
import { forcedTokens } from "./forced-colors.ts";

const SYSTEM = new Set(["Canvas", "CanvasText", "GrayText", "LinkText", "Highlight"]);

test("what the lanes draw with becomes colors of the system, in either theme", () => {
  for (const theme of ["light", "dark"] as const) {
    const own = themeTokens(theme);
    const forced = forcedTokens(own);
    const changed = Object.entries(forced).filter(([name, value]) => value !== own[name as "--ink"]);
    expect(changed.filter(([, value]) => !SYSTEM.has(value))).toEqual([]);
    expect(changed).toHaveLength(21);
    expect([forced["--font"], forced["--raised"]]).toEqual([own["--font"], own["--raised"]]);
  }
});

test("grounds become the system's ground, strong colors its text, marks what it highlights", () => {
  const forced = forcedTokens(themeTokens("light"));
  expect(["--surface", "--idle", "--bg", "--grid"].map((name) => forced[name as "--bg"])).toEqual([
    "Canvas",
    "Canvas",
    "Canvas",
    "Canvas",
  ]);
  expect(
    ["--p-disk", "--n-out", "--n-back", "--s-disk", "--ink"].map((name) => forced[name as "--ink"]),
  ).toEqual(Array.from({ length: 5 }, () => "CanvasText"));
  expect(["--p-work", "--s-work", "--wait", "--hatch"].map((name) => forced[name as "--wait"])).toEqual(
    Array.from({ length: 4 }, () => "GrayText"),
  );
  expect([forced["--c-bad"], forced["--select"], forced["--focus"]]).toEqual([
    "LinkText",
    "Highlight",
    "Highlight",
  ]);
  // Figures on strong bars keep their contrast.
  expect(forced["--on-strong"]).toBe("Canvas");
});

test("forced tokens are known as such, and the product's own are not", () => {
  expect([areForced(forcedTokens(themeTokens("dark"))), areForced(themeTokens("dark"))]).toEqual([
    true,
    false,
  ]);
});
