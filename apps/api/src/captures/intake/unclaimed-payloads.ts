/** Payload bytes of received files that no column claims, by event type: a sign that the decoder is wrong. */
import { EVENTS } from "@aglens/ag-model/events";
import type { CaptureFile, UnclaimedFigures } from "@aglens/contract";

const OTHER = "other";

/** Names that are counted: a file may name any event, and neither labels nor lists may grow with that. */
export const COUNTED_EVENTS: readonly string[] = [...new Set([...EVENTS.map(({ name }) => name), OTHER])];

const isCounted = new Set(COUNTED_EVENTS);

export const NOTHING_UNCLAIMED: UnclaimedFigures = { files: 0, bytes: 0, types: [] };

/** The unclaimed payload bytes of some files. */
export function unclaimedIn(files: readonly Pick<CaptureFile, "unclaimed">[]): UnclaimedFigures {
  return sumOfUnclaimed(
    files.flatMap(({ unclaimed = [] }) => {
      if (unclaimed.length === 0) return [];
      const types = unclaimed.map(({ event, events, bytes }) => ({
        event: isCounted.has(event) ? event : OTHER,
        events,
        bytes,
      }));
      return { files: 1, bytes: sum(types, (type) => type.bytes), types };
    }),
  );
}

/** Figures together, each event type once, the one with most bytes first. */
export function sumOfUnclaimed(figures: readonly UnclaimedFigures[]): UnclaimedFigures {
  if (figures.length === 0) return NOTHING_UNCLAIMED;
  const byEvent = Map.groupBy(
    figures.flatMap(({ types }) => types),
    ({ event }) => event,
  );
  const types = [...byEvent].map(([event, same]) => ({
    event,
    events: sum(same, ({ events }) => events),
    bytes: sum(same, ({ bytes }) => bytes),
  }));
  return {
    files: sum(figures, ({ files }) => files),
    bytes: sum(figures, ({ bytes }) => bytes),
    types: types.toSorted((a, b) => b.bytes - a.bytes),
  };
}

const sum = <Item>(items: readonly Item[], value: (item: Item) => number): number =>
  items.reduce((total, item) => total + value(item), 0);
