/** Forced colors: the system's few colors in place of the tokens, and patterns that show the places (docs/contribute/design.md 13). */
import type { Tokens, TokenName } from "../../lanes/palette.ts";

const SYSTEM: Readonly<Partial<Record<TokenName, string>>> = {
  "--bg": "Canvas",
  "--surface": "Canvas",
  "--idle": "Canvas",
  "--line-2": "GrayText",
  "--grid": "Canvas",
  "--hatch": "GrayText",
  "--ink": "CanvasText",
  "--ink-2": "CanvasText",
  "--ink-3": "CanvasText",
  "--p-disk": "CanvasText",
  "--p-work": "GrayText",
  "--n-out": "CanvasText",
  "--n-back": "CanvasText",
  "--n-ink": "CanvasText",
  "--s-disk": "CanvasText",
  "--s-work": "GrayText",
  "--wait": "GrayText",
  "--c-bad": "LinkText",
  "--on-strong": "Canvas",
  "--select": "Highlight",
  "--focus": "Highlight",
};

/** The tokens with system colors in place of the lanes' colors. */
export const forcedTokens = (tokens: Tokens): Tokens => ({ ...tokens, ...SYSTEM });
