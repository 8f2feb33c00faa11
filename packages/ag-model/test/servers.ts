/** Servers of events that were written by hand, for tests of the steps after their preparation. */
import { prepareEvents } from "../src/replication/prepare/prepared-events.ts";
import { prepareServer, type Server } from "../src/replication/prepare/server.ts";
import { eventRunsOf, type EventPlaces } from "../src/replication/prepare/event-places.ts";
import { eventColumns, type EventSpec } from "./events.ts";

/** @param baseTicks time 0 of publish times; the first event's without */
export function serverOf(events: readonly EventSpec[], baseTicks?: bigint): Server {
  const columns = eventColumns(events);
  return prepareServer(prepareEvents(columns), baseTicks ?? columns.ticks[0]);
}

/** The places of all events, in the order of publish time. */
export function placesOf(places: EventPlaces) {
  const all = { block: [] as number[], fire: [] as number[], file: [] as number[], isSingle: [] as number[] };
  for (const period of eventRunsOf(places)) {
    all.block.push(...period.block);
    all.fire.push(...period.fire);
    all.file.push(...period.file);
    all.isSingle.push(...period.isSingle);
  }
  return all;
}
