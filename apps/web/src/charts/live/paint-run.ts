/**
 * The entire run at a glance: one column per pixel, as high as its slowest commit, colored by the place that took most
 * of the time.
 */
import { FOLDED_LANE, laneDefinition, laneFigure, laneSecondary } from "@aglens/ag-model/lanes";
import { placeToken, type Place, type Tokens } from "../../lanes/palette.ts";
import { logHeight } from "../duration-scale.ts";
import { hatch, type UnknownTime } from "../hatch.ts";
import { PlacedBars } from "../place-patterns.ts";
import type { LaneBins } from "./paint-live.ts";

/** Time of a run that is not known, µs, and the reason. */
export interface UnknownPart {
  readonly from: number;
  readonly to: number;
  readonly state: UnknownTime;
}

/** Contents of the strip; instants are µs of the run. */
export interface Run {
  readonly bins: LaneBins | null;
  readonly now: number;
  /** Range that the lanes show: from, to. */
  readonly view: readonly [number, number];
  /** Time without bars in the order of drawing: a later part covers an earlier one. */
  readonly gaps: readonly UnknownPart[];
  /** Dotted for a mark of a rule, solid for a mark of a person. */
  readonly marks: readonly { readonly at: number; readonly byRule: boolean }[];
  /** Numbers of the secondaries that no commit waits for: their paths are not in the strip. */
  readonly unawaited: ReadonlySet<number>;
}

/** Least width of a gap, px. */
const LEAST_GAP_PX = 2;
/** Least width of the frame around the range of the lanes, px. */
const LEAST_FRAME_PX = 6;
const DASH_PX = 3;

/** Draws the strip into a cleared context of that size. */
export function paintRun(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  width: number,
  height: number,
  { bins, now, view, gaps, marks, unawaited }: Run,
): void {
  const x = (at: number): number => (Math.max(0, Math.min(now, at)) / Math.max(1, now)) * width;
  context.fillStyle = tokens["--sunken"];
  context.fillRect(0, 0, width, height);
  for (const { from, to, state } of gaps) {
    const area = [x(from), 0, Math.max(LEAST_GAP_PX, x(to) - x(from)), height] as const;
    context.fillRect(...area);
    hatch(context, tokens, area, state);
  }
  if (bins !== null)
    paintColumns(context, tokens, width, height, stripColumns(bins, now, Math.ceil(width), unawaited));
  context.fillStyle = tokens["--ink"];
  for (const { at, byRule } of marks)
    for (let top = 0; top < height; top += byRule ? 2 * DASH_PX : height)
      context.fillRect(Math.round(x(at)), top, 1, byRule ? Math.min(DASH_PX, height - top) : height);
  const left = Math.min(Math.round(x(view[0])), width - LEAST_FRAME_PX);
  const right = Math.max(Math.round(x(view[1])), left + LEAST_FRAME_PX);
  context.strokeStyle = tokens["--ink"];
  context.lineWidth = 1.5;
  context.strokeRect(left + 0.75, 0.75, right - left - 1.5, height - 1.5);
}

function paintColumns(
  context: CanvasRenderingContext2D,
  tokens: Tokens,
  width: number,
  height: number,
  columns: readonly StripColumn[],
): void {
  const bars = new PlacedBars();
  for (const { x, us, place } of columns) {
    const tall = Math.max(1.5, logHeight(us) * (height - 2));
    context.fillStyle = tokens[placeToken(place)];
    context.fillRect(x, height - tall, 1, tall);
    bars.add(place, x, height - tall, 1, tall);
  }
  bars.cut(context, tokens, width, height);
}

interface StripColumn {
  readonly x: number;
  readonly us: number;
  readonly place: Place;
}

/**
 * Slowest commit (otherwise remote harden) of each pixel and the place with the largest median part in that bin.
 * @param unawaited numbers of the secondaries that no commit waits for
 */
export function stripColumns(
  bins: LaneBins,
  now: number,
  width: number,
  unawaited: ReadonlySet<number>,
): StripColumn[] {
  const columns = new Map<number, StripColumn>();
  const slowest = bins.max.get("commit");
  const isAwaited = (key: string): boolean => !unawaited.has(laneSecondary(key));
  const parts = new Map([...bins.p50].filter(([key]) => isAwaited(key)));
  const hardens = [...bins.max]
    .filter(([key]) => key.endsWith(".remoteHarden") && isAwaited(key))
    .map(([, values]) => values);
  for (let i = 0; i < bins.length; i++) {
    const whole = [slowest, ...hardens]
      .map((values) => values?.[i] ?? Number.NaN)
      .filter((v) => !Number.isNaN(v));
    if (whole.length === 0) continue;
    const us = Math.max(...whole);
    const from = Math.floor(((bins.firstBin + i) * bins.width * width) / Math.max(1, now));
    const to = Math.ceil(((bins.firstBin + i + 1) * bins.width * width) / Math.max(1, now));
    const place = placeAt(parts, i);
    for (let x = Math.max(0, from); x < Math.min(width, to); x++)
      if (us > (columns.get(x)?.us ?? -1)) columns.set(x, { x, us, place });
  }
  return [...columns.values()];
}

/** The place with the largest part of a bin's median block. */
function placeAt(p50: LaneBins["p50"], i: number): Place {
  let found: Place = "none";
  let most = 0;
  const sums = new Map<string, number>();
  for (const [key, values] of p50) {
    const us = values[i];
    const place = stripPlace(key);
    if (place === null || Number.isNaN(us)) continue;
    // For a secondary with events the parts of its path are known; otherwise the path is one part of unknown place.
    if (place === "none" && !Number.isNaN(p50.get(key.replace("unseen", "wireOut"))?.[i] ?? Number.NaN))
      continue;
    // Both directions of one secondary's network are one part.
    const part = `${place} ${laneSecondary(key)}`;
    const sum = (sums.get(part) ?? 0) + us;
    sums.set(part, sum);
    if (sum > most) [most, found] = [sum, place];
  }
  return found;
}

/** Place of a key's bins; null for keys that are no part of a block's path: commits, and the entire path. */
function stripPlace(key: string): Place | null {
  const figure = laneFigure(key);
  if (figure === null || figure === "commit" || figure === FOLDED_LANE) return null;
  const { place } = laneDefinition(figure);
  return place === "unknown" ? "none" : place;
}
