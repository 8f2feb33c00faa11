import { describe, expect, it } from "vitest";
import { themeTokens } from "../../test/tokens.ts";
import type { TokenName } from "../lanes/palette.ts";

/** Relative luminance of `#rrggbb` as WCAG 2.2 defines it. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const TEXT: readonly (readonly [text: TokenName, ground: TokenName])[] = [
  ["--ink", "--surface"],
  ["--ink", "--bg"],
  ["--ink-2", "--surface"],
  ["--ink-2", "--bg"],
  ["--ink-2", "--sunken"],
  ["--ink-3", "--surface"],
  ["--ink-3", "--bg"],
  ["--p-ink", "--p-tint"],
  ["--n-ink", "--n-tint"],
  ["--s-ink", "--s-tint"],
  ["--n-ink", "--surface"],
  ["--bad-ink", "--surface"],
  ["--bad-ink", "--bad-tint"],
  ["--on-strong", "--p-disk"],
  ["--on-strong", "--s-disk"],
];

describe.each(["light", "dark"] as const)("the %s theme", (theme) => {
  const tokens = themeTokens(theme);

  it.each(TEXT)("has %s readable on %s (4.5)", (text, ground) => {
    expect(contrast(tokens[text], tokens[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["--p-disk", "--n-out", "--s-disk", "--wait", "--focus"] as const)(
    "has %s visible on the surface (3)",
    (color) => {
      expect(contrast(tokens[color], tokens["--surface"])).toBeGreaterThanOrEqual(3);
    },
  );
});

it("black on white has a contrast of 21", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 9);
});
