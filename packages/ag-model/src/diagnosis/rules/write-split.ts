/** D1 and D2: the part of slow log writes that takes most of their time, where file writes show the parts. */
import { isSplit, stageColumn, writePartColumn } from "../../columns/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { partsOf, writePart, type SplitStage, type WritePart } from "../../replication/shapes/write-parts.ts";
import { formatPercent } from "../../words/words.ts";
import type { Aspect } from "../aspect.ts";
import { markedRows } from "../effect.ts";
import type { SlowPeriod } from "../excess.ts";
import { FLUSH_LIMITS_US } from "../flush-classes.ts";
import { replicaName } from "../paths.ts";
import type { Settings } from "../settings.ts";

/** The largest part of slow log writes. */
export interface LargestPart {
  readonly part: WritePart["part"];
  /** Share of the sum of these log writes, 0..1. */
  readonly share: number;
  readonly sentence: string;
}

const isSplitStage = (stage: string): stage is SplitStage =>
  stage === "localFlush" || stage === "secondaryFlush";

/**
 * The part that takes at least `partShare` of the slow log writes of an aspect; null for any other aspect, and where
 * the parts of most of its slow log writes are unknown.
 * @param periods of the blocks in which it is slow; all blocks without one
 */
export function largestPartOf(
  model: CaptureModel,
  { stage, path, replica }: Pick<Aspect, "stage" | "path" | "replica">,
  periods: readonly SlowPeriod[],
  settings: Settings,
): LargestPart | null {
  const secondary = path?.secondary ?? 0;
  if (!isSplitStage(stage) || !isSplit(model, secondary, stage)) return null;
  const slow = slowRowsOf(stageColumn(model, secondary, stage), periods);
  const parts = partsOf(stage).map((id) => ({ id, ...sumOver(writePartColumn(model, secondary, id), slow) }));
  const all = parts.reduce((sum, { us }) => sum + us, 0);
  const [most] = parts.toSorted((a, b) => b.us - a.us);
  if (most.known < settings.splitShare * slow.length || !(most.us >= settings.partShare * all)) return null;
  const { part } = writePart(most.id);
  const share = most.us / all;
  const subject = { queue: "SQL Server's queue", device: "The device", completion: "The completion" }[part];
  const sentence = `${subject} takes ${formatPercent(share)} of the time of slow log writes on ${replicaName(model, replica)}.`;
  return { part, share, sentence };
}

/** Rows of the log writes over the limit of good ones, or of all where none is over it. */
function slowRowsOf(writes: Float64Array, periods: readonly SlowPeriod[]): number[] {
  const isInside = markedRows(
    writes.length,
    periods.map(({ rows }) => rows),
  );
  const rows = Array.from(writes.keys()).filter(
    (row) => !Number.isNaN(writes[row]) && (periods.length === 0 || isInside[row] === 1),
  );
  const slow = rows.filter((row) => writes[row] > FLUSH_LIMITS_US.good);
  return slow.length > 0 ? slow : rows;
}

function sumOver(
  column: Float64Array,
  rows: readonly number[],
): { readonly us: number; readonly known: number } {
  const values = rows.map((row) => column[row]).filter((us) => !Number.isNaN(us));
  return { us: values.reduce((sum, us) => sum + us, 0), known: values.length };
}

/** Checks for log writes that wait in SQL Server's queue; null for another part. */
export const checkOfPart = ({ part }: LargestPart, name: string): string | null =>
  part === "queue"
    ? `Check sys.dm_os_schedulers of ${name} for runnable tasks and sys.dm_io_pending_io_requests for its log file`
    : null;
