/** Paints the picture of a link, 1200 x 630: the sentence, two means on one scale, where in the capture. */
import type { LinkFigures } from "./link-figures.ts";
import { MINIMAP_PX } from "./link-figures.ts";
import type { Palette } from "./palette.ts";

export const PICTURE = { width: 1_200, height: 630 } as const;

/** Canvas functions that the picture uses. */
export type Canvas = Pick<
  CanvasRenderingContext2D,
  "fillRect" | "fillText" | "measureText" | "strokeRect" | "beginPath" | "moveTo" | "lineTo" | "stroke"
> & {
  fillStyle: unknown;
  strokeStyle: unknown;
  lineWidth: number;
  font: string;
  textAlign: string;
};

const LEFT = 48;
const RIGHT = LEFT + MINIMAP_PX;
const FAMILY = '"Inter Variable", sans-serif';
/** Sizes of the sentence, with the number of lines; the first size that fits is used. */
const SENTENCE = [
  { size: 42, line: 53, lines: 2 },
  { size: 32, line: 39, lines: 3 },
  { size: 27, line: 34, lines: 3 },
] as const;
const BARS_TOP = 228;
const BAR_LEFT = 274;
const BAR_PX = 736;
const MAP = { top: 408, height: 146 } as const;
/** Durations from 0.1 ms to 1 s, on a logarithmic scale, as on every minimap of the app. */
const LEAST_US = 100;
const DECADES = 4;

const font = (weight: number, size: number): string => `${weight} ${size}px ${FAMILY}`;

/** The complete picture of a link's view. */
export function paintLink(canvas: Canvas, palette: Palette, figures: LinkFigures): void {
  ground(canvas, palette, figures.severity === "slow" ? palette["c-bad"] : palette.ink);
  head(canvas, palette, figures.where);
  sentence(canvas, palette, figures.sentence);
  bars(canvas, palette, figures);
  minimap(canvas, palette, figures);
}

/** The picture of a link without a public description: it has a passphrase, or has ended. */
export function paintClosedLink(canvas: Canvas, palette: Palette): void {
  ground(canvas, palette, palette.ink);
  head(canvas, palette, "");
  sentence(canvas, palette, "A capture shared with AG Lens");
}

function ground(canvas: Canvas, palette: Palette, edge: string): void {
  canvas.fillStyle = palette.surface;
  canvas.fillRect(0, 0, PICTURE.width, PICTURE.height);
  canvas.fillStyle = edge;
  canvas.fillRect(0, 0, 14, PICTURE.height);
}

function head(canvas: Canvas, palette: Palette, where: string): void {
  for (const [color, x, y] of [
    ["p-disk", 0, 40],
    ["n-out", 11, 52],
    ["s-disk", 20, 64],
  ] as const) {
    canvas.fillStyle = palette[color];
    canvas.fillRect(LEFT + x, y, 23, 7);
  }
  canvas.textAlign = "left";
  canvas.fillStyle = palette.ink;
  canvas.font = font(500, 30);
  canvas.fillText("AG Lens", LEFT + 60, 67);
  canvas.fillStyle = palette["ink-2"];
  canvas.font = font(400, 24);
  canvas.textAlign = "right";
  canvas.fillText(fitted(canvas, where, MINIMAP_PX - 240), RIGHT, 65);
  canvas.textAlign = "left";
}

function sentence(canvas: Canvas, palette: Palette, words: string): void {
  canvas.fillStyle = palette.ink;
  const tried = SENTENCE.map((each) => {
    canvas.font = font(600, each.size);
    return { ...each, wrapped: wrapped(canvas, words, MINIMAP_PX) };
  });
  const fits = tried.find(({ wrapped: lines, lines: most }) => lines.length <= most) ?? tried.at(-1)!;
  canvas.font = font(600, fits.size);
  for (const [i, line] of fits.wrapped.slice(0, fits.lines).entries()) {
    const isCut = i === fits.lines - 1 && fits.wrapped.length > fits.lines;
    canvas.fillText(
      isCut ? fitted(canvas, `${line} …`, MINIMAP_PX) : line,
      LEFT,
      104 + fits.size * 0.8 + i * fits.line,
    );
  }
}

/** Words in lines of at most so many px. */
function wrapped(canvas: Canvas, words: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && canvas.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Words cut at the end to so many px. */
function fitted(canvas: Canvas, words: string, width: number): string {
  if (canvas.measureText(words).width <= width) return words;
  let kept = words;
  while (kept.length > 1 && canvas.measureText(`${kept}…`).width > width) kept = kept.slice(0, -1);
  return `${kept.trimEnd()}…`;
}

function bars(canvas: Canvas, palette: Palette, { bars: all, legend }: LinkFigures): void {
  const longest = Math.max(1, ...all.map(({ totalUs }) => totalUs));
  for (const [i, { label, pieces, total }] of all.entries()) {
    const top = BARS_TOP + 55 * i;
    canvas.font = font(400, 27);
    canvas.fillStyle = palette["ink-2"];
    canvas.fillText(fitted(canvas, label, BAR_LEFT - LEFT - 12), LEFT, top + 32);
    let x = BAR_LEFT;
    for (const { color, us } of pieces) {
      const width = (us / longest) * BAR_PX;
      canvas.fillStyle = palette[color];
      canvas.fillRect(x, top, width, 46);
      x += width;
    }
    canvas.font = font(600, 34);
    canvas.fillStyle = palette.ink;
    canvas.fillText(total, x + 15, top + 35);
  }
  let x = BAR_LEFT;
  canvas.font = font(400, 22);
  for (const { color, words } of legend) {
    const width = canvas.measureText(words).width;
    if (x + 27 + width > RIGHT) return;
    canvas.fillStyle = palette[color];
    canvas.fillRect(x, 344, 17, 17);
    canvas.fillStyle = palette["ink-2"];
    canvas.fillText(words, x + 27, 360);
    x += width + 57;
  }
}

const PLACES = { primary: "p-disk", network: "n-out", secondary: "s-disk", none: "wait" } as const;

function minimap(canvas: Canvas, palette: Palette, { minimap: columns, framed, times }: LinkFigures): void {
  canvas.fillStyle = palette.sunken;
  canvas.fillRect(LEFT, MAP.top, MINIMAP_PX, MAP.height);
  for (const [i, us] of columns.slowest.entries()) {
    if (!(us > 0)) continue;
    const share = Math.min(1, Math.max(0, Math.log10(us / LEAST_US) / DECADES));
    const tall = Math.max(1, share * (MAP.height - 4));
    canvas.fillStyle = palette[PLACES[columns.place[i] ?? "none"]];
    canvas.fillRect(LEFT + i, MAP.top + MAP.height - tall, 1, tall);
  }
  const x = (us: number): number => LEFT + (us / (columns.to - columns.from)) * MINIMAP_PX;
  canvas.font = font(400, 24);
  canvas.fillStyle = palette["ink-2"];
  const base = MAP.top + MAP.height + 31;
  canvas.fillText(times.ends[0], LEFT, base);
  canvas.textAlign = "right";
  canvas.fillText(times.ends[1], RIGHT, base);
  if (framed !== null && times.framed !== null)
    frame(canvas, palette, [x(framed[0]), x(framed[1])], times.framed, base);
  canvas.textAlign = "left";
}

/** Width of a time of day, px. */
const TIME_PX = 96;

function frame(
  canvas: Canvas,
  palette: Palette,
  [left, right]: readonly [number, number],
  [from, to]: readonly [string, string],
  base: number,
): void {
  canvas.strokeStyle = palette["bad-ink"];
  canvas.lineWidth = 3;
  canvas.beginPath();
  canvas.moveTo(left, 401);
  canvas.lineTo(left, 395);
  canvas.lineTo(right, 395);
  canvas.lineTo(right, 401);
  canvas.stroke();
  canvas.fillStyle = palette["bad-ink"];
  canvas.textAlign = "center";
  // Times that would overlap those at the ends, or each other, are not drawn: the head has them.
  const isFree = (at: number): boolean => at > LEFT + 1.6 * TIME_PX && at < RIGHT - 1.6 * TIME_PX;
  if (isFree(left)) canvas.fillText(from, left, base);
  if (isFree(right) && right - left > TIME_PX + 12) canvas.fillText(to, right, base);
}
