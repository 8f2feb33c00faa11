/** Design tokens for tests: named by themselves, or as a theme of the style sheet has them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tokens } from "../src/lanes/palette.ts";

/** Every token is its own name, so that a log of draw calls shows the used one. */
export const NAMED = new Proxy({}, { get: (_, name) => name }) as Tokens;

const sheet = readFileSync(join(import.meta.dirname, "../src/ui/tokens.css"), "utf8");

function declaredIn(selector: string): Record<string, string> {
  const rule = sheet.slice(sheet.indexOf(selector));
  const body = rule.slice(rule.indexOf("{") + 1, rule.indexOf("}")).replaceAll(/\/\*.*?\*\//gsu, "");
  return Object.fromEntries(
    Array.from(body.matchAll(/(--[\w-]+):\s*([^;]+);/gu), ([, name, value]) => [name, value.trim()]),
  );
}

/** The tokens of a theme, as the style sheet declares them. */
export function themeTokens(theme: "light" | "dark"): Tokens {
  const light = declaredIn('[data-theme="light"]');
  return { ...light, ...(theme === "dark" ? declaredIn('[data-theme="dark"]') : {}) } as Tokens;
}
