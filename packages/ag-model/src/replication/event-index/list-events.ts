/** Makes the index of the events of all servers. */
import { eventIndexOf, type EventIndex } from "../shapes/event-runs.ts";
import { movedEvents, type FireExtent, type ServerEvents } from "./moved-events.ts";
import { packEvents } from "./pack-events.ts";

/** The events of one server. */
interface ServerToList {
  /** Index into `CaptureModel.replicas`. */
  readonly replica: number;
  /** Offset from the number of a file to an index into `CaptureModel.files`. */
  readonly fileBase: number;
  readonly events: ServerEvents;
  readonly extent: FireExtent;
}

interface EventsToList {
  readonly servers: readonly ServerToList[];
  /** Row of each block in the capture, by the row that events have it. */
  readonly rowOfBlock: Int32Array;
  /** The capture's origin, µs of the reference's counter. */
  readonly start: number;
}

/** @param onListed called when the events of a server are no longer needed */
export function listEvents(
  { servers, rowOfBlock, start }: EventsToList,
  onListed: (server: number) => void = () => {},
): EventIndex {
  const runs = servers.map(({ replica, fileBase, events, extent }, server) => {
    const run = packEvents({ replica, fileBase, events: movedEvents(events), extent, rowOfBlock, start });
    onListed(server);
    return run;
  });
  return eventIndexOf(runs);
}
