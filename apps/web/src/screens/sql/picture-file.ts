/** The picture of a query's rows as a separate file. */
import { renderToStaticMarkup } from "react-dom/server";
import { paintPicture } from "../../charts/query/paint-picture.ts";
import { panelColors } from "../../charts/query/query-picture.tsx";
import type { Picture } from "../../charts/query/picture.ts";
import { SvgContext } from "../../charts/svg-context.tsx";
import { fileName, saveFile } from "../../frame/save-file.ts";
import type { Tokens } from "../../lanes/palette.ts";

const WIDTH_PX = 960;
const PANEL_PX = 260;
const PADDING_PX = 16;
const TITLE_PX = 28;
/** Pixels of a PNG per CSS pixel. */
const SHARPNESS = 2;
/** Inter's digits and letters are some 0.56 of the font's size wide. */
const WIDTH_OF_SIZE = 0.56;

export type PictureFormat = "png" | "svg";

/** Saves a picture in the colors that are on screen. */
export async function savePicture(
  picture: Picture,
  title: string,
  format: PictureFormat,
  tokens: Tokens,
): Promise<void> {
  const height = picture.panels.length * PANEL_PX + TITLE_PX + 2 * PADDING_PX;
  const draw = (context: CanvasRenderingContext2D): void => paint(context, tokens, height, picture, title);
  const name = `${fileName(title)}.${format}`;
  if (format === "png") {
    const canvas = new OffscreenCanvas(WIDTH_PX * SHARPNESS, height * SHARPNESS);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("This browser gives no canvas to draw a picture on.");
    context.scale(SHARPNESS, SHARPNESS);
    // Painters only use functions that a canvas of the page and an offscreen canvas both have.
    draw(context as unknown as CanvasRenderingContext2D);
    saveFile({ name, type: "image/png", content: await canvas.convertToBlob({ type: "image/png" }) });
    return;
  }
  const context = new SvgContext("query", (words, font) => words.length * WIDTH_OF_SIZE * sizeOf(font));
  draw(context.canvas2d);
  const inside = renderToStaticMarkup(context.elements());
  const content = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH_PX}" height="${height}" viewBox="0 0 ${WIDTH_PX} ${height}">${inside}</svg>`;
  saveFile({ name, type: "image/svg+xml", content });
}

const sizeOf = (font: string): number => Number(/([\d.]+)px/u.exec(font)?.[1] ?? 10);

function paint(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  height: number,
  picture: Picture,
  title: string,
): void {
  context.fillStyle = tokens["--surface"];
  context.fillRect(0, 0, WIDTH_PX, height);
  context.save();
  context.translate(PADDING_PX, PADDING_PX);
  context.font = `600 14px ${tokens["--font"]}`;
  context.fillStyle = tokens["--ink"];
  context.fillText(title, 0, 14);
  context.translate(0, TITLE_PX);
  const look = { colors: panelColors(picture, tokens), selected: null };
  const size = { width: WIDTH_PX - 2 * PADDING_PX, height: height - TITLE_PX - 2 * PADDING_PX };
  paintPicture(context, tokens, size, picture, look);
  context.restore();
}
