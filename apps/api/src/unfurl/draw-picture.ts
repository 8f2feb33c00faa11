/** The picture of a link as a PNG file. */
import { createRequire } from "node:module";
import type { LinkFigures } from "./link-figures.ts";
import { paintClosedLink, paintLink, PICTURE, type Canvas } from "./paint-link.ts";
import { PALETTES } from "./palette.ts";

type CanvasLibrary = typeof import("@napi-rs/canvas");

const FONT = "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";

let library: Promise<CanvasLibrary | null> | null = null;

/** The library with the app's font, loaded for the first picture; null where the system does not have it. */
async function load(): Promise<CanvasLibrary | null> {
  try {
    const loaded = await import("@napi-rs/canvas");
    loaded.GlobalFonts.registerFromPath(createRequire(import.meta.url).resolve(FONT), "Inter Variable");
    return loaded;
  } catch {
    return null;
  }
}

/** PNG for a link, or for a link without a public description; null where this system cannot draw. */
export async function drawLink(figures: LinkFigures | null, theme: "light" | "dark"): Promise<Buffer | null> {
  library ??= load();
  const loaded = await library;
  if (loaded === null) return null;
  const canvas = loaded.createCanvas(PICTURE.width, PICTURE.height);
  const context = canvas.getContext("2d") as unknown as Canvas;
  if (figures === null) paintClosedLink(context, PALETTES[theme]);
  else paintLink(context, PALETTES[theme], figures);
  return canvas.encode("png");
}
