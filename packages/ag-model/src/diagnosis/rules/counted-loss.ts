/** Lost events that are counted by event_sequence, for rules that find lost events otherwise by what blocks lack. */
import type { CaptureModel, CountedLoss, LossPlace } from "../../replication/shapes/tables.ts";

/** The counted loss of a server; undefined where its events are not numbered. */
export const countedLoss = ({ countedLosses }: CaptureModel, replica: number): CountedLoss | undefined =>
  countedLosses?.find((loss) => loss.replica === replica);

/**
 * Places at which a server lost all events of so many log blocks, or a complete file: they are periods without its
 * events.
 * @param blocks least number
 */
export function longPlaces(
  { blocks: { length } }: CaptureModel,
  { events, places }: CountedLoss,
  blocks: number,
): LossPlace[] {
  const perBlock = events / Math.max(length, 1);
  return places.filter(
    ({ from, to, cause, events: lost, isJoined }) =>
      to > from && (cause === "missingFile" || (isJoined !== true && lost >= blocks * perBlock)),
  );
}
