/** One block of the buffer, by its position there: data for the components around the canvas. */
import { stageDuration } from "@aglens/ag-model/columns";
import { recordOf, REMOTE_STAGE_IDS, type StageId } from "@aglens/ag-model/replication";
import { chartsTexts as texts } from "../../messages/charts.ts";
import { formatCount } from "../../ui/words.ts";
import type { BarStages } from "../block-pieces.ts";
import type { Heat } from "./layout.ts";
import type { Buffer, LaneSpans } from "./spans.ts";

/** Instants, µs. */
type Period = readonly [from: number, to: number];

/** From a block's first event to its last; null for a position that is not loaded. */
export function blockSpan(buffer: Buffer | null, position: number): Period | null {
  if (position < 0 || !buffer?.blocks || position >= buffer.blocks.blocks.length) return null;
  const { time, timeEnd } = buffer.blocks.blocks;
  return [time[position], timeEnd[position]];
}

/** From start to end of a block's bar in a lane; null where the lane has none for it. NaN for an unknown instant. */
export function barSpan(buffer: Buffer | null, lane: string, position: number): Period | null {
  const spans = buffer?.spans.get(lane);
  if (!spans || position < 0 || position >= spans.start.length) return null;
  return [spans.start[position], spans.end[position]];
}

/** Row in the capture of a loaded block. */
export const rowAt = (buffer: Buffer, position: number): number => buffer.blocks!.row[position];

/** Cause that released the commits of a loaded block, as `Gate`. */
export const gateOf = (buffer: Buffer, position: number): number => buffer.blocks!.blocks.gate[position];

/** Index of the phase of a loaded block, in `Summary.phases`. */
export const phaseIn = (buffer: Buffer, position: number): number => buffer.blocks!.blocks.phase[position];

/** log_block_id of a loaded block. */
export const blockIdOf = (buffer: Buffer, position: number): bigint =>
  buffer.blocks!.blocks.blockId[position];

/** Stages of a block of the buffer towards one secondary, and its remote harden, for the block bar. */
export function blockStages(buffer: Buffer, secondary: number, position: number): BarStages {
  const ids = ["localFlush", "remoteHarden", ...REMOTE_STAGE_IDS] as const;
  return recordOf(ids, (id) => known(stageDuration(buffer.blocks!, secondary, id, position)));
}

const known = (us: number | null): number | null => (us === null || Number.isNaN(us) ? null : us);

/**
 * Rank of a value in its lane, largest first: "Rank 3 of 1,108". Null where the window does not contain the entire
 * capture: a rank among the loaded blocks would be wrong.
 */
export function rankSentence(spans: LaneSpans | undefined, value: number, whole: boolean): string | null {
  if (!spans || !whole) return null;
  let count = 0;
  let larger = 0;
  for (let i = 0; i < spans.start.length; i++) {
    const other = spans.end[i] - spans.start[i];
    if (Number.isNaN(other)) continue;
    count++;
    if (other > value) larger++;
  }
  return texts.rankOf(formatCount(larger + 1), formatCount(count));
}

/** Figures of the nth interval of a lane while the window has bins, µs; NaN where the interval has no block. */
export const heatAt = (heat: Heat, period: number): { readonly p50: number; readonly max: number } => ({
  p50: heat.p50[period],
  max: heat.max[period],
});

/** Duration of a block's stage towards one secondary, µs; null where it is unknown. */
export const stageAt = (buffer: Buffer, secondary: number, id: StageId, position: number): number | null =>
  known(stageDuration(buffer.blocks!, secondary, id, position));
