import { statisticsOf, type Statistics } from "../numbers/statistics.ts";
import { isLocalStage, stageDefinition, type StageId } from "../replication/shapes/stages.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { anchorColumn, type Anchor, type BlockColumns } from "./anchors.ts";
import { perModelBy } from "./per-model.ts";
import { releaseColumns, releasedAt } from "./release.ts";

type ByRow = (row: number) => number;

const unknown: ByRow = () => Number.NaN;
const valueOf = (column: Float64Array | undefined): ByRow => (column ? (row) => column[row] : unknown);
const difference =
  (end: ByRow, start: ByRow): ByRow =>
  (row) =>
    end(row) - start(row);

/**
 * Duration of one stage for one secondary by block row, µs; NaN when an anchor is missing. `secondary` is ignored by
 * stages of the primary alone.
 */
function durationOf(tables: BlockColumns, secondary: number, id: StageId): ByRow {
  const { blocks, hops } = tables;
  const at = (name: Anchor): ByRow => valueOf(anchorColumn(tables, secondary, name));
  switch (id) {
    case "compression":
    case "decompression":
      return valueOf(hops[secondary]?.[id]);
    case "networkRoundTrip":
      // Each difference is of one server's counter, so no clock fit affects it.
      return difference(
        difference(at("ackReceived"), at("sendEnd")),
        difference(at("ackSent"), at("received")),
      );
    case "commitWakeUp":
      return difference(at("commitEnd"), (row) => releasedAt(tables, row, blocks.gate[row]));
    default: {
      const { from, to } = stageDefinition(id);
      return difference(at(to!), at(from!));
    }
  }
}

/** Stages that are not simply the time between two instants. */
const MEASURED_OTHERWISE: ReadonlySet<StageId> = new Set<StageId>([
  "compression",
  "decompression",
  "networkRoundTrip",
  "commitWakeUp",
]);

/**
 * Time between two instants of each block, µs: a plain loop, because captures of millions of blocks have dozens of
 * these columns.
 */
function differences(
  starts: Float64Array | undefined,
  ends: Float64Array | undefined,
  length: number,
): Float64Array {
  const column = new Float64Array(length);
  if (!starts || !ends) return column.fill(Number.NaN);
  for (let row = 0; row < length; row++) column[row] = ends[row] - starts[row];
  return column;
}

/** The columns of MEASURED_OTHERWISE, as in `durationOf`: in loops, for the same reason. */
function measuredOtherwise(model: CaptureModel, secondary: number, id: StageId): Float64Array {
  const { blocks, hops } = model;
  const column = new Float64Array(blocks.length);
  const hop = hops[secondary];
  if (id === "commitWakeUp") {
    const { commitEnd, gate } = blocks;
    const released = releaseColumns(model);
    for (let row = 0; row < column.length; row++)
      column[row] = commitEnd[row] - (released[gate[row]]?.[row] ?? Number.NaN);
  } else if (hop === undefined) column.fill(Number.NaN);
  else if (id === "networkRoundTrip") {
    const { ackReceived, sendEnd, ackSent, received } = hop;
    for (let row = 0; row < column.length; row++)
      column[row] = ackReceived[row] - sendEnd[row] - (ackSent[row] - received[row]);
  } else column.set(hop[id as "compression" | "decompression"]);
  return column;
}

/** Duration of one stage of one block for one secondary, µs; NaN when an anchor is missing. */
export const stageDuration = (tables: BlockColumns, secondary: number, id: StageId, row: number): number =>
  durationOf(tables, secondary, id)(row);

/** Stages of the primary alone have one column for all secondaries. */
const ownerOf = (id: StageId, secondary: number): number => (isLocalStage(id) ? 0 : secondary);

const keyOf = (secondary: number, id: StageId): string => `${ownerOf(id, secondary)} ${id}`;

/** Durations of one stage for one secondary, µs, one per block; NaN where an anchor is missing. */
export const stageColumn = perModelBy(
  keyOf,
  (model: CaptureModel, secondary: number, id: StageId): Float64Array => {
    const owner = ownerOf(id, secondary);
    const { from, to } = stageDefinition(id);
    if (MEASURED_OTHERWISE.has(id)) return measuredOtherwise(model, owner, id);
    return differences(
      anchorColumn(model, owner, from!),
      anchorColumn(model, owner, to!),
      model.blocks.length,
    );
  },
);

/** Statistics of one stage over the complete capture, µs. */
export const stageStatistics = perModelBy(
  keyOf,
  (model: CaptureModel, secondary: number, id: StageId): Statistics =>
    statisticsOf(stageColumn(model, secondary, id)),
);
