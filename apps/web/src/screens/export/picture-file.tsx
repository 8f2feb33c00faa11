/** A picture of the capture as a separate file that contains its caption. */
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { SvgContext } from "../../charts/svg-context.tsx";
import type { Tokens } from "../../lanes/palette.ts";
import { durationText, formatCount, formatRange } from "../../ui/words.ts";
import {
  isPartOfCapture,
  latencyDrawing,
  minimapDrawing,
  PICTURE_PX,
  sharesDrawing,
} from "./report/overview-drawings.ts";
import type { ReportData } from "./report/report-data.ts";
import { captureText } from "./report/report.tsx";
import { fontFaces } from "./report/style-sheet.ts";
import { type Drawing, measured } from "./report/svg-picture.tsx";
import { heightText, timelineDrawing } from "./report/timeline-drawing.ts";
import { fileName, type WrittenFile } from "../../frame/save-file.ts";
import { exportTexts as texts } from "../../messages/export.ts";

export type PictureOf = "timeline" | "overview";
/** SVG, or PNG with one or two pixels for one CSS pixel. */
export type PictureFormat = "svg" | "png1" | "png2";

const PADDING_PX = 20;
const CAPTION_PX = 48;
const NOTE_PX = 15;
const GAP_PX = 14;

/** Writes a picture in the colors that are on screen. */
export async function writePicture(
  data: ReportData,
  of: PictureOf,
  format: PictureFormat,
  tokens: Tokens,
  signal: AbortSignal,
): Promise<WrittenFile> {
  const drawing = captioned(data, of);
  const name = `${fileName(`${data.summary.name} ${of}`)}.${format === "svg" ? "svg" : "png"}`;
  if (format !== "svg")
    return { name, type: "image/png", content: await pngOf(drawing, tokens, format === "png2" ? 2 : 1) };
  const context = new SvgContext("picture", measured);
  drawing.draw(context.canvas2d, tokens);
  const markup = renderToStaticMarkup(
    <StandaloneSvg drawing={drawing} css={await fontFaces(signal)}>
      {context.elements()}
    </StandaloneSvg>,
  );
  return { name, type: "image/svg+xml", content: markup };
}

interface StandaloneProps {
  readonly drawing: Drawing;
  readonly css: string;
  readonly children: ReactNode;
}

function StandaloneSvg({ drawing: { width, height, label }, css, children }: StandaloneProps): ReactNode {
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
    >
      <title>{label}</title>
      <style>{css}</style>
      {children}
    </svg>
  );
}

async function pngOf({ width, height, draw }: Drawing, tokens: Tokens, scale: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("This browser gives no canvas to draw a picture on.");
  context.scale(scale, scale);
  // Painters only use functions that a canvas of the page and an offscreen canvas both have.
  draw(context as unknown as CanvasRenderingContext2D, tokens);
  return canvas.convertToBlob({ type: "image/png" });
}

/** The drawings one below the other on their background, with the subject and the scale above them. */
function captioned(data: ReportData, of: PictureOf): Drawing {
  const parts =
    of === "timeline"
      ? [timelineDrawing(data)]
      : [latencyDrawing(data), sharesDrawing(data), minimapDrawing(data)];
  const [title, ...notes] = captionOf(data, of);
  const captionPx = CAPTION_PX + (notes.length - 1) * NOTE_PX;
  const height = parts.reduce((sum, part) => sum + part.height + GAP_PX, 2 * PADDING_PX + captionPx - GAP_PX);
  return {
    width: PICTURE_PX + 2 * PADDING_PX,
    height,
    label: `${title}. ${parts.map(({ label }) => label).join(" ")}`,
    draw: (context, tokens) => {
      context.fillStyle = tokens["--surface"];
      context.fillRect(0, 0, PICTURE_PX + 2 * PADDING_PX, height);
      context.save();
      context.translate(PADDING_PX, PADDING_PX);
      context.font = `600 14px ${tokens["--font"]}`;
      context.fillStyle = tokens["--ink"];
      context.fillText(title, 0, 14);
      context.font = `400 11px ${tokens["--font"]}`;
      context.fillStyle = tokens["--ink-2"];
      for (const [line, note] of notes.entries()) context.fillText(note, 0, 32 + line * NOTE_PX);
      context.translate(0, captionPx);
      for (const part of parts) {
        context.save();
        part.draw(context, tokens);
        context.restore();
        context.translate(0, part.height + GAP_PX);
      }
      context.restore();
    },
  };
}

/** The subject and the scale of the picture, and a note that the current filter does not apply to it. */
function captionOf(data: ReportData, of: PictureOf): [title: string, ...notes: string[]] {
  const { choice, summary, statistics, names, filter } = data;
  const unfiltered = filter === null ? [] : [texts.allBlocksAreDrawnAlso(filter.words)];
  const { from, to } = choice.range;
  const times = formatRange(summary, from, to, to - from < 10e6 ? 3 : 0);
  if (of === "timeline")
    return [
      `${summary.name}: ${times}`,
      texts.logBlocksP50(durationText(to - from), formatCount(statistics.blocks), heightText(data)),
      ...unfiltered,
    ];
  return [
    captureText(data),
    texts.commitLatencyDotsP50(isPartOfCapture(data), names.secondary),
    ...unfiltered,
  ];
}
