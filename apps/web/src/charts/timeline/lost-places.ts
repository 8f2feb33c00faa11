/** Places in a lane where an event of a bar was lost. */
import { firstAtOrAfter } from "@aglens/ag-model/numbers";
import { hasEvent, obtainedAt, type Anchor } from "@aglens/ag-model/columns";
import type { BlockWindow, Summary } from "@aglens/contract";
import type { Lane } from "../../lanes/lanes.ts";
import type { LostPlace } from "../lost-marks.ts";
import type { Buffer } from "./spans.ts";

export type LostEvents = Summary["lost"];

/**
 * The lost events of the ends of a lane's bars; a lane of an entire path has those of each step. Counted events of a
 * server are in each lane of its own work, because their kinds are unknown.
 */
export const lostInLane = (lost: LostEvents, lane: Lane): LostEvents =>
  lost.filter(({ secondary, anchor, database }) => {
    if (anchor === null)
      return lane.place !== "network" && secondary === (lane.place === "primary" ? -1 : lane.secondary);
    return (
      (lane.database === null || lane.database === database) &&
      (lane.whenFolded || lane.figure === "unseen"
        ? secondary === lane.secondary
        : (secondary < 0 || secondary === lane.secondary) && lane.anchors?.includes(anchor))
    );
  });

/**
 * Places of a lane's lost events. A place of many is replaced by its single blocks where they are loaded, so that a block
 * with all its events has no mark.
 */
export const lostPlaces = (lost: LostEvents, lane: Lane, { blocks }: Pick<Buffer, "blocks">): LostPlace[] =>
  lostInLane(lost, lane).flatMap((each) =>
    each.places.flatMap((place) => {
      const isLoaded = blocks !== null && place[0] < blocks.to && place[1] >= blocks.from;
      return each.anchor !== null && place[0] < place[1] && isLoaded
        ? singleBlocks(blocks, { ...each, anchor: each.anchor }, place)
        : [place];
    }),
  );

function singleBlocks(
  window: BlockWindow,
  { anchor, secondary, database }: LostEvents[number] & { readonly anchor: Anchor },
  [from, to]: LostPlace,
): LostPlace[] {
  const { time, length, database: databases } = window.blocks;
  const found: LostPlace[] = [];
  for (let row = firstAtOrAfter(time, from); row < length && time[row] <= to; row++)
    if (databases[row] === database && !hasEvent(anchor, obtainedAt(window, secondary, anchor, row)))
      found.push([time[row], time[row]]);
  return found;
}
