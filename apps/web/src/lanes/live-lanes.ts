/** Lanes of a running picture as the timeline's painters know them, and their bins as one column per pixel. */
import type { LiveLane } from "@aglens/contract";
import type { StageId } from "@aglens/ag-model/replication";
import { stageDefinition } from "@aglens/ag-model/replication";
import { stageToken } from "./palette.ts";
import type { Lane } from "./captured-lanes.ts";

const CAPS: Readonly<Record<string, number>> = {
  localFlush: 50_000,
  secondaryFlush: 50_000,
  unseen: 50_000,
  wireOut: 20_000,
  wireBack: 20_000,
};
const LIMITS: Readonly<Record<string, number>> = { commit: 20_000, unseen: 12_000, acknowledge: 1_000 };
const TALL = new Set(["commit", "localFlush", "wireOut", "secondaryFlush", "wireBack", "unseen"]);

/** What a lane measures: its key without the hop. */
export const figureOf = (key: string): string => key.replace(/^hop\d+\./u, "");

function colourOf(figure: string): Lane["colour"] {
  return figure === "acknowledge" ? "--s-work" : stageToken(figure);
}

function limitOf(figure: string): number {
  return (
    LIMITS[figure] ??
    (figure === "commit" ? Number.NaN : (stageDefinition(figure as StageId)?.limitUs ?? Number.NaN))
  );
}

/** What is known of a secondary that decides how its lanes are drawn. */
export interface DrawnSecondary {
  /** No commit waits for it. */
  readonly asynchronous: boolean;
  /** Least round trip that was seen, µs; NaN when it is not known. */
  readonly roundTripUs: number;
}

const isNetwork = (figure: string): boolean => figure === "wireOut" || figure === "wireBack";

/** A lane as the timeline draws it. A network leg may take half the round trip that the distance costs (design section 8). */
function drawnLane(lane: LiveLane, secondary: DrawnSecondary | null, opensPlace: boolean): Lane {
  const figure = figureOf(lane.key);
  const distance = isNetwork(figure) ? (secondary?.roundTripUs ?? Number.NaN) / 2 : Number.NaN;
  const limitUs = Math.max(limitOf(figure), Number.isNaN(distance) ? 0 : distance);
  const asynchronous = secondary?.asynchronous ?? false;
  return {
    key: lane.key,
    label: lane.label,
    heading: lane.heading,
    place: lane.place,
    shape: figure === "commit" ? "commits" : "bar",
    colour: colourOf(figure),
    secondary: lane.secondary,
    replica: lane.secondary + 1,
    from: null,
    to: null,
    figure,
    limitUs,
    capUs: figure === "commit" ? Number.NaN : Math.max(limitUs, CAPS[figure] ?? limitUs),
    tall: TALL.has(figure),
    opensPlace,
    asynchronous,
  };
}

/** All lanes in drawing order; a new place or another secondary opens with a wider gap. */
export function drawnLanes(
  lanes: readonly LiveLane[],
  secondaryOf: (secondary: number) => DrawnSecondary | null,
): Lane[] {
  return lanes.map((lane, i) => {
    const before = lanes[i - 1];
    const opens = before === undefined || before.place !== lane.place || before.secondary !== lane.secondary;
    return drawnLane(lane, lane.secondary < 0 ? null : secondaryOf(lane.secondary), opens);
  });
}

export interface Columns {
  readonly p50: Float64Array;
  readonly max: Float64Array;
}

/** A pause this short is the rhythm of commits and no idle time, µs. */
const BRIDGED_US = 150_000;

/**
 * Bins as `width` columns of `usPerPx` µs, the first one beginning at `firstColumn * usPerPx`. A column has the median of
 * the bin at its middle and the largest maximum of all bins that touch it, so that no outlier vanishes. Over a pause
 * between two log blocks the median goes on: a slit in every lane would look like a loss.
 */
export function columnsOf(
  bins: { readonly width: number; readonly firstBin: number; readonly length: number },
  p50: Float64Array | undefined,
  max: Float64Array | undefined,
  firstColumn: number,
  width: number,
  usPerPx: number,
): Columns {
  const columns = {
    p50: new Float64Array(width).fill(Number.NaN),
    max: new Float64Array(width).fill(Number.NaN),
  };
  if (!p50 || !max) return columns;
  const binAt = (us: number): number => Math.floor(us / bins.width) - bins.firstBin;
  for (let x = 0; x < width; x++) {
    const from = (firstColumn + x) * usPerPx;
    const middle = binAt(from + usPerPx / 2);
    if (middle >= 0 && middle < bins.length) columns.p50[x] = p50[middle];
    const last = Math.min(bins.length - 1, binAt(from + usPerPx - 1e-6));
    for (let i = Math.max(0, binAt(from)); i <= last; i++) {
      if (max[i] > columns.max[x] || Number.isNaN(columns.max[x])) columns.max[x] = max[i];
      if (Number.isNaN(columns.p50[x])) columns.p50[x] = p50[i];
    }
  }
  bridge(columns, Math.floor(BRIDGED_US / usPerPx));
  return columns;
}

/** Goes on with the median over at most `most` empty columns that lie between two known ones. */
function bridge({ p50, max }: Columns, most: number): void {
  let known = -1;
  for (let x = 0; x < p50.length; x++) {
    if (Number.isNaN(p50[x])) continue;
    if (known >= 0 && x - known - 1 <= most) {
      p50.fill(p50[known], known + 1, x);
      max.fill(p50[known], known + 1, x);
    }
    known = x;
  }
}
