/** The second channel of a place's color on canvases where colors are forced: solid, dots, diagonal (docs/contribute/design.md 13). */
import type { Place, Tokens } from "../lanes/palette.ts";
import { paintCut } from "./timeline/paint-patterns.ts";

const CUTS: Readonly<Partial<Record<Place, "dots" | "diagonal">>> = {
  network: "dots",
  secondary: "diagonal",
};

/** True when the tokens are the system's colors, which do not distinguish places. */
export const areForced = (tokens: Tokens): boolean => tokens["--n-out"] === "CanvasText";

type Box = readonly [x: number, y: number, width: number, height: number];

/** Bars of a drawing by their place, which are cut by its pattern once all of them are drawn. */
export class PlacedBars {
  readonly #boxes = new Map<Place, Box[]>();

  add(place: Place, ...box: Box): void {
    if (CUTS[place] === undefined) return;
    const boxes = this.#boxes.get(place) ?? [];
    boxes.push(box);
    this.#boxes.set(place, boxes);
  }

  /** Cuts the bars where colors are forced; elsewhere their color is enough. */
  cut(context: CanvasRenderingContext2D, tokens: Tokens, width: number, height: number): void {
    if (!areForced(tokens)) return;
    for (const [place, boxes] of this.#boxes) {
      context.save();
      context.beginPath();
      for (const box of boxes) context.rect(...box);
      context.clip();
      context.globalAlpha = 1;
      paintCut(context, tokens["--surface"], CUTS[place]!, { top: 0, width, height });
      context.restore();
    }
  }
}
