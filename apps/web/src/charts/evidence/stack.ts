/** Vertical places of the lanes "What happened" and of the samples, under the lanes of log blocks. */
import type { HappenedLane } from "./happened-lanes.ts";
import type { MetricLane } from "./metric-lanes.ts";
import { ROW_PX } from "./place-ticks.ts";

/** Height of the heading under the rule, px. */
export const HEADING_PX = 26;
/** Height of the row "n quiet lanes", px. */
export const FOLD_PX = 24;
const BAND_PX = 18;
const METRIC_PX = 32;
const GAP_PX = 6;
const PAD_PX = 3;
/** With more kinds of lanes than this, each lane is thin; with twice as many lanes, the rest is folded. */
export const MOST_HIGH = 8;
/** Share of the height that high lanes may take from the lanes of log blocks. */
const MOST_OF_ROOM = 0.66;
const MOST_LANES = 2 * MOST_HIGH;

/** A lane in its place; `top` is in px from the rule. */
export interface EvidenceBox {
  readonly lane: HappenedLane | MetricLane;
  readonly top: number;
  readonly height: number;
  /** Rows of ticks; 0 for bands and samples. */
  readonly rows: number;
}

export interface EvidenceStack {
  readonly boxes: readonly EvidenceBox[];
  /** Lanes without an event in view, and those for which there are too many lanes. */
  readonly quiet: number;
  readonly folded: number;
  /** Top of the row that says so, px; null without one. */
  readonly foldTop: number | null;
  readonly height: number;
}

export const isMetric = (lane: HappenedLane | MetricLane): lane is MetricLane => "metric" in lane;

interface StackOptions {
  /** Lanes without an event in view and folded lanes are shown, too. */
  readonly showsAll: boolean;
  /** Height for all lanes of the timeline, px. */
  readonly room: number;
  /** Height of each lane's name above it, px; 0 where names are in the gutter. */
  readonly head: number;
}

/** Stacks the lanes for a range in view, µs. A kind without an event in view is in the row "n quiet lanes". */
export function stackEvidence(
  lanes: readonly (HappenedLane | MetricLane)[],
  range: readonly [number, number],
  { showsAll, room, head }: StackOptions,
): EvidenceStack {
  const inView = lanes.filter((lane) => isMetric(lane) || hasEventIn(lane, range));
  const fitting = inView.slice(0, MOST_LANES);
  const shown = showsAll ? lanes : fitting;
  const high = boxesOf(shown, range, { isThin: false, head });
  const isThin = kindsOf(shown) > MOST_HIGH || high.height > MOST_OF_ROOM * room;
  const { boxes, height: top } = isThin ? boxesOf(shown, range, { isThin, head }) : high;
  const quiet = lanes.length - inView.length;
  const folded = inView.length - fitting.length;
  const foldTop = quiet + folded > 0 ? top : null;
  return { boxes, quiet, folded, foldTop, height: top + (foldTop === null ? 0 : FOLD_PX) };
}

function boxesOf(
  lanes: readonly (HappenedLane | MetricLane)[],
  range: readonly [number, number],
  { isThin, head }: { readonly isThin: boolean; readonly head: number },
): { readonly boxes: EvidenceBox[]; readonly height: number } {
  let top = HEADING_PX;
  const boxes = lanes.map((lane): EvidenceBox => {
    const rows = isMetric(lane) || lane.bands.length > 0 ? 0 : isThin ? 1 : rowsOf(lane, range);
    const thick = isMetric(lane) && !isThin ? METRIC_PX : BAND_PX;
    const height = rows === 0 ? thick : rows * ROW_PX + PAD_PX;
    top += head;
    const box = { lane, top, height, rows };
    top += height + GAP_PX;
    return box;
  });
  return { boxes, height: top };
}

/** Lanes of roles and of databases are one kind each. */
const kindsOf = (lanes: readonly (HappenedLane | MetricLane)[]): number =>
  new Set(lanes.map((lane) => (isMetric(lane) ? lane.key : lane.kind))).size;

/** A second row has room for the text of a second tick. */
const rowsOf = ({ ticks }: HappenedLane, [from, to]: readonly [number, number]): number =>
  ticks.filter((tick) => tick.at >= from && tick.at <= to).length > 1 ? 2 : 1;

const hasEventIn = ({ bands, ticks }: HappenedLane, [from, to]: readonly [number, number]): boolean =>
  bands.some((band) => band.from < to && band.to > from) ||
  ticks.some((tick) => tick.at >= from && (tick.from ?? tick.at) <= to);
