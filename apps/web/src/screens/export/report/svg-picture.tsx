/** Pictures of the screens as SVG, colored by the report's own style sheet. */
import type { ReactNode } from "react";
import { SvgContext } from "../../../charts/svg-context.tsx";
import { TOKEN_NAMES, type Tokens } from "../../../lanes/palette.ts";

/** Each token as CSS reads it, so that a picture follows the theme of the person who opens it. */
export const CSS_TOKENS = Object.fromEntries(TOKEN_NAMES.map((name) => [name, `var(${name})`])) as Tokens;

/** Inter's digits and letters are some 0.56 of the font's size wide; a browser measures exactly. */
const WIDTH_OF_SIZE = 0.56;

/** Width of a text, px, estimated without a browser. */
export function measured(words: string, font: string): number {
  const size = Number(/([\d.]+)px/u.exec(font)?.[1] ?? 10);
  return words.length * size * WIDTH_OF_SIZE;
}

/** A picture before it is a canvas or SVG, in CSS pixels. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Content of the picture, in a sentence. */
  readonly label: string;
  readonly draw: (context: CanvasRenderingContext2D, tokens: Tokens) => void;
}

/** Draws the output of a canvas painter as SVG. @param id prefix of the ids inside: unique in the document */
export function SvgPicture({ id, drawing }: { readonly id: string; readonly drawing: Drawing }): ReactNode {
  const { width, height, label, draw } = drawing;
  const context = new SvgContext(id, measured);
  draw(context.canvas2d, CSS_TOKENS);
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height}`}
      width="100%"
      role="img"
      aria-label={label}
    >
      {context.elements()}
    </svg>
  );
}
