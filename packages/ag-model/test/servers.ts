/** Servers of events that were written by hand, for tests of what comes after their preparation. */
import { prepareEvents } from "../src/replication/prepared-events.ts";
import { prepareServer, type Server } from "../src/replication/server.ts";
import { eventColumns, type EventSpec } from "./events.ts";

/** @param baseTicks time 0 of publish times; the first event's without */
export function serverOf(events: readonly EventSpec[], baseTicks?: bigint): Server {
  const columns = eventColumns(events);
  return prepareServer(prepareEvents(columns), baseTicks ?? columns.ticks[0]);
}
