/** Places of single lost events, so that a lane does not look complete where an event of a block is missing. */
import { anchorAt, perModel, type Anchor } from "../../columns/index.ts";
import { slotOfReplica } from "../../replication/shapes/slots.ts";
import {
  HOP_ANCHORS,
  isLocalAnchor,
  type CaptureModel,
  type CountedLoss,
  type LossPlace,
} from "../../replication/shapes/tables.ts";
import { phaseWithBorders } from "./file-borders.ts";
import { lossesOf, type AnchorLoss } from "./loss.ts";
import { lostPeriods } from "./lost-periods.ts";

/** Lost events of one anchor, or counted events of any kind, outside of the periods in which the server lost everything. */
export interface LostPlaces {
  /** Index into the model's replicas: the server that lost them. */
  readonly replica: number;
  /** -1 for counted events. */
  readonly database: number;
  /** Slot of the way to a secondary; -1 for the block itself. For counted events it is the server's role: -1 for the primary. */
  readonly secondary: number;
  /** Null for counted events: their kinds are unknown. */
  readonly anchor: Anchor | null;
  readonly events: number;
  /**
   * From the first to the last lost event of each place, µs, in order of time; most places are a single event. A
   * counted place is from the event before to the one after.
   */
  readonly places: readonly (readonly [from: number, to: number])[];
}

/** More lost events of an anchor than this are merged into as many places at most. */
export const MOST_PLACES = 256;

/** Places by D15 (docs/contribute/model/diagnosis.md 6.6), for each server, anchor and phase. */
export const lostPlaces = perModel((model: CaptureModel): readonly LostPlaces[] => [
  ...(model.countedLosses ?? []).flatMap((loss) => countedPlaces(model, loss)),
  ...uncountedPlaces(model),
]);

/** Counted places by the role that the server had then; servers of several groups may have several. */
function countedPlaces(model: CaptureModel, loss: CountedLoss): LostPlaces[] {
  const { replica, places } = loss;
  const hatched = lostPeriods(model).filter((period) => period.replica === replica);
  const isHatched = ({ from, to }: LossPlace): boolean =>
    hatched.some((period) => from >= period.from && to <= period.to);
  const slotsAt = (us: number): number[] => {
    const now = model.phases.filter(({ from, to }) => from <= us && us <= to);
    const last = model.phases.findLast(({ from }) => from <= us) ?? model.phases[0];
    return (now.length > 0 ? now : [last]).map(({ primary }) =>
      primary === replica ? -1 : slotOfReplica(primary, replica),
    );
  };
  const byRole = new Map<number, LossPlace[]>();
  for (const place of places.filter((each) => !isHatched(each)))
    for (const slot of new Set(slotsAt(place.from))) byRole.set(slot, [...(byRole.get(slot) ?? []), place]);
  return [...byRole].map(([secondary, own]) => ({
    replica,
    database: -1,
    secondary,
    anchor: null,
    events: own.reduce((sum, { events }) => sum + events, 0),
    places: merged(
      own.map(({ from, to }) => [from, to]),
      model,
    ),
  }));
}

function uncountedPlaces(model: CaptureModel): LostPlaces[] {
  const slots = model.hops.map((_, slot) => slot);
  if (model.phases.length <= 1) return placesIn(model, model, [...model.replicas.keys()], slots);
  return model.phases.flatMap((_, phase) => {
    const { model: own, replicas, slots: ofPhase } = phaseWithBorders(model, phase);
    return placesIn(model, own, replicas, ofPhase);
  });
}

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
        {
          replica,
          database,
          secondary: slot,
          anchor,
          events: times.length,
          places: merged(
            times.map((at) => [at, at]),
            model,
          ),
        },
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

function merged(
  all: readonly (readonly [from: number, to: number])[],
  { duration }: Pick<CaptureModel, "duration">,
): [number, number][] {
  const width = all.length > MOST_PLACES ? duration / MOST_PLACES : 0;
  const places: [number, number][] = [];
  for (const [from, to] of all) {
    const last = places.at(-1);
    if (last !== undefined && width > 0 && Math.floor(last[0] / width) === Math.floor(from / width))
      last[1] = Math.max(last[1], to);
    else places.push([from, to]);
  }
  return places;
}
