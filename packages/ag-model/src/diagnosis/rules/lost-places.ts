/** Places of single lost events, so that a lane does not look complete where an event of a block is missing. */
import { anchorAt, perModel, type Anchor } from "../../columns/index.ts";
import { HOP_ANCHORS, isLocalAnchor, type CaptureModel } from "../../replication/shapes/tables.ts";
import { phaseWithBorders } from "./file-borders.ts";
import { lossesOf, type AnchorLoss } from "./loss.ts";
import { lostPeriods } from "./lost-periods.ts";

/** Lost events of one anchor, outside of the periods in which the server lost everything. */
export interface LostPlaces {
  /** Index into the model's replicas: the server that lost them. */
  readonly replica: number;
  readonly database: number;
  /** Slot of the way to a secondary; -1 for the block itself. */
  readonly secondary: number;
  readonly anchor: Anchor;
  readonly events: number;
  /** From the first to the last lost event of each place, µs, in order of time; most places are a single event. */
  readonly places: readonly (readonly [from: number, to: number])[];
}

/** More lost events of an anchor than this are merged into as many places at most. */
export const MOST_PLACES = 256;

/** Places by D15 (docs/contribute/model/diagnosis.md 6.6), for each server, anchor and phase. */
export const lostPlaces = perModel((model: CaptureModel): readonly LostPlaces[] => {
  const slots = model.hops.map((_, slot) => slot);
  if (model.phases.length <= 1) return placesIn(model, model, [...model.replicas.keys()], slots);
  return model.phases.flatMap((_, phase) => {
    const { model: own, replicas, slots: ofPhase } = phaseWithBorders(model, phase);
    return placesIn(model, own, replicas, ofPhase);
  });
});

function placesIn(
  model: CaptureModel,
  own: CaptureModel,
  replicas: readonly number[],
  slots: readonly number[],
): LostPlaces[] {
  return lossesOf(own).flatMap((loss) => {
    const replica = replicas[loss.replica];
    const hatched = lostPeriods(model).filter((period) => period.replica === replica);
    return loss.anchors.flatMap((each) => {
      const { database, secondary, anchor } = each;
      const times = each.rows
        .map((row) => placeOf(own, each, row))
        .filter((at) => !hatched.some(({ from, to }) => at >= from && at <= to))
        .sort((a, b) => a - b);
      if (times.length === 0) return [];
      const slot = secondary < 0 ? secondary : slots[secondary];
      return [
        { replica, database, secondary: slot, anchor, events: times.length, places: merged(times, model) },
      ];
    });
  });
}

/** The estimate of an instant, otherwise the last known one before it on the block's way. */
function placeOf(model: CaptureModel, { secondary, anchor }: AnchorLoss, row: number): number {
  const before = isLocalAnchor(anchor)
    ? [anchor]
    : HOP_ANCHORS.slice(0, HOP_ANCHORS.indexOf(anchor) + 1).toReversed();
  return (
    before.map((each) => anchorAt(model, secondary, each, row)).find((at) => !Number.isNaN(at)) ??
    model.blocks.time[row]
  );
}

function merged(times: readonly number[], { duration }: Pick<CaptureModel, "duration">): [number, number][] {
  const width = times.length > MOST_PLACES ? duration / MOST_PLACES : 0;
  const places: [number, number][] = [];
  for (const at of times) {
    const last = places.at(-1);
    if (last !== undefined && width > 0 && Math.floor(last[0] / width) === Math.floor(at / width))
      last[1] = at;
    else places.push([at, at]);
  }
  return places;
}
