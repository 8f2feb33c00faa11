/**
 * Notes on how the figures of a capture were measured, and on their limits: they apply to nearly every capture, and are
 * no findings.
 */
import { stageColumn, stageStatistics } from "../../columns/index.ts";
import { largest } from "../../numbers/index.ts";
import { largestOneWayUncertainty } from "../../replication/shapes/one-way-uncertainty.ts";
import { hasCoarseTimes, type CaptureModel } from "../../replication/shapes/tables.ts";
import { replicaName } from "../paths.ts";
import { formatCount, formatDuration, formatUncertainty, plural } from "../../words/words.ts";

/**
 * Returns a sentence for each fact about how a capture was measured, with any number of phases. @param ofPhases results
 * of `howPhaseMeasured` for the phases
 */
export const howMeasured = (model: CaptureModel, ofPhases: readonly string[]): string[] => [
  ...new Set([...ofPhases, ...vlfStarts(model), ...redo(model)]),
];

/**
 * For one phase: the uncertainty of the split of a round trip into its two ways, where that is over a quarter of the
 * round trip.
 */
export function howPhaseMeasured(model: CaptureModel): string[] {
  if (hasCoarseTimes(model) || !model.replicas[0].hasCapture) return [];
  const bounds = model.clocks.flatMap((clock) => {
    if (clock.status === "cannotAlign" || !model.replicas[clock.secondary + 1].hasCapture) return [];
    const { p50 } = stageStatistics(model, clock.secondary, "networkRoundTrip");
    const uncertainty = largestOneWayUncertainty(clock);
    if (!(2 * uncertainty > p50 / 2)) return [];
    return [`${formatUncertainty(uncertainty)} (${replicaName(model, clock.secondary + 1)})`];
  });
  if (bounds.length === 0) return [];
  return [`Round trips are exact. How each splits into out and back is uncertain by ${bounds.join(", ")}.`];
}

/** The first block of a VLF is written after the VLF's header. */
function vlfStarts(model: CaptureModel): string[] {
  const { vlfStart } = model.blocks;
  const starts = vlfStart.reduce((sum, flag) => sum + flag, 0);
  if (starts === 0) return [];
  const longest = largest(stageColumn(model, 0, "localFlush").filter((_, row) => vlfStart[row] === 1));
  const writes = longest > 0 ? ` The longest such write took ${formatDuration(longest)}.` : "";
  const what = plural(starts, "log block starts a VLF", "log blocks start a VLF");
  return [`${formatCount(starts)} ${what}: its header is one more log write.${writes}`];
}

/** These events do not show redo, which readers often look for. */
const redo = ({ hops }: CaptureModel): string[] =>
  hops.length === 0
    ? []
    : [
        "Commits wait for hardening, not for redo. These events do not show redo: see redo_queue_size and redo_rate.",
      ];
