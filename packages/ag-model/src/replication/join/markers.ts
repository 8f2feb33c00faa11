import { EventKind } from "../../events/index.ts";
import { fireAt, type Server } from "../prepare/server.ts";
import { clockSteps } from "./clock-steps.ts";
import { phaseBorders } from "../shapes/phase-borders.ts";
import type { ServerPause } from "../prepare/pauses.ts";
import {
  MARKER_KINDS,
  type ClockFit,
  type MarkerKind,
  type MarkerTable,
  type Phase,
} from "../shapes/tables.ts";

const KIND_OF_EVENT = new Map<number, MarkerKind>([
  [EventKind.vlfHeader, "vlfSwitch"],
  [EventKind.databaseFlowControl, "databaseFlowControl"],
  [EventKind.transportFlowControl, "transportFlowControl"],
  [EventKind.stillWaiting, "stillWaiting"],
]);

const isFlowControl = (kind: MarkerKind): boolean =>
  kind === "databaseFlowControl" || kind === "transportFlowControl";

/**
 * The events of one server that become markers, in the order in which they were published. They are few, so that they
 * may stay in memory after the others.
 */
export interface MarkedEvents {
  /** Their numbers among single events. */
  readonly events: Uint32Array;
  readonly kind: readonly number[];
  /** Whether flow control begins with it. */
  readonly isSet: readonly boolean[];
  /** When each fired, µs of the server's counter, and the duration that it reports. */
  readonly fire: Float64Array;
  readonly processing: Float64Array;
}

/** Each secondary has an event for a VLF switch: the first of those that name one log block counts. */
export function markedEvents(server: Server): MarkedEvents {
  const { columns, action, blockOf, rowsOf } = server;
  const begun = new Set<number>();
  const events = rowsOf.ofAny([...KIND_OF_EVENT.keys()]).filter((i) => {
    if (columns.kind[i] !== EventKind.vlfHeader || blockOf[i] < 0) return true;
    const isFirst = !begun.has(blockOf[i]);
    begun.add(blockOf[i]);
    return isFirst;
  });
  return {
    events,
    kind: Array.from(events, (i) => columns.kind[i]),
    isSet: Array.from(
      events,
      (i) =>
        isFlowControl(KIND_OF_EVENT.get(columns.kind[i])!) &&
        columns.texts[action.at(i)].toLowerCase() === "set",
    ),
    fire: Float64Array.from(events, (i) => fireAt(server, i)),
    processing: Float64Array.from(events, (i) => columns.processing[i]),
  };
}

/** Changes that the events of several servers show together; instants are µs from the capture's start. */
export interface Changes {
  readonly phases: readonly Phase[];
  readonly clocks: readonly ClockFit[];
  readonly pauses: readonly ServerPause[];
}

/**
 * Collects VLF switches, flow control, commits that keep waiting, changes of roles and of modes, steps of clocks and
 * pauses of servers, ordered by time. Flow control is drawn from its Cleared event, which carries the duration; a Set
 * counts only when no Cleared follows.
 * @param fires by server: when its marked events fired, on the capture's clock
 */
export function collectMarkers(
  marked: readonly MarkedEvents[],
  fires: readonly Float64Array[],
  replicaOfServer: readonly number[],
  start: number,
  { phases, clocks, pauses }: Changes,
): MarkerTable {
  const found = [
    ...marked.flatMap((events, s) => markersOf(events, fires[s], replicaOfServer[s])),
    ...[...phaseChanges(phases), ...steps(clocks), ...pauses.map(pauseMarker)].map((m) => ({
      ...m,
      time: m.time + start,
    })),
  ];
  found.sort((a, b) => a.time - b.time);
  return {
    length: found.length,
    kind: Uint8Array.from(found, (m) => MARKER_KINDS.indexOf(m.kind)),
    replica: Uint8Array.from(found, (m) => m.replica),
    time: Float64Array.from(found, (m) => m.time - start),
    duration: Float64Array.from(found, (m) => m.duration),
  };
}

interface Marker {
  readonly kind: MarkerKind;
  readonly replica: number;
  readonly time: number;
  readonly duration: number;
}

/** A change of roles lasts from the last block under one primary of a database to the first under the next; a change of mode is an instant. */
const phaseChanges = (phases: readonly Phase[]): Marker[] =>
  phaseBorders(phases).flatMap((border): Marker[] => {
    const [last, next] = [phases[border.before], phases[border.after]];
    if (border.kind === "roleChange") {
      const duration = Math.max(0, next.from - last.to);
      return [{ kind: "roleChange", replica: next.primary, time: last.to, duration }];
    }
    return border.changed.map(({ replica }) => ({
      kind: "modeChange",
      replica,
      time: next.from,
      duration: 0,
    }));
  });

const steps = (clocks: readonly ClockFit[]): Marker[] =>
  clocks.flatMap((clock) =>
    clockSteps(clock).map(({ at }) => ({
      kind: "clockStep",
      replica: clock.secondary + 1,
      time: at,
      duration: 0,
    })),
  );

const pauseMarker = ({ replica, from, to }: ServerPause): Marker => ({
  kind: "pause",
  replica,
  time: from,
  duration: to - from,
});

function markersOf({ isSet, kind, processing }: MarkedEvents, fire: Float64Array, replica: number): Marker[] {
  const markers: Marker[] = [];
  const set = new Map<MarkerKind, number>();
  for (const [k, event] of kind.entries()) {
    const marker = KIND_OF_EVENT.get(event)!;
    if (isSet[k]) {
      set.set(marker, fire[k]);
      continue;
    }
    const duration = isFlowControl(marker) && processing[k] > 0 ? processing[k] : 0;
    set.delete(marker);
    markers.push({ kind: marker, replica, time: fire[k] - duration, duration });
  }
  for (const [kind, time] of set) markers.push({ kind, replica, time, duration: 0 });
  return markers;
}
