import { EventKind } from "../events/index.ts";
import type { Server } from "./server.ts";
import { clockSteps } from "./clock-steps.ts";
import type { ServerPause } from "./pauses.ts";
import { MARKER_KINDS, type ClockFit, type MarkerKind, type MarkerTable, type Phase } from "./tables.ts";

const KIND_OF_EVENT = new Map<number, MarkerKind>([
  [EventKind.vlfHeader, "vlfSwitch"],
  [EventKind.databaseFlowControl, "databaseFlowControl"],
  [EventKind.transportFlowControl, "transportFlowControl"],
  [EventKind.stillWaiting, "stillWaiting"],
]);

/** What the events of several servers show together; instants are µs from the capture's start. */
export interface Changes {
  readonly phases: readonly Phase[];
  readonly clocks: readonly ClockFit[];
  readonly pauses: readonly ServerPause[];
}

/**
 * VLF switches, flow control, commits that keep waiting, changes of roles, clocks that stepped and servers that stood still,
 * ordered by time. Flow control is drawn from its Cleared event, which carries the duration; a Set counts only when no
 * Cleared follows.
 * @param firesOf by server: when its single events of these numbers fired
 */
export function collectMarkers(
  servers: readonly Server[],
  firesOf: readonly ((of: Uint32Array) => Float64Array)[],
  replicaOfServer: readonly number[],
  start: number,
  { phases, clocks, pauses }: Changes,
): MarkerTable {
  const found = [
    ...servers.flatMap((server, s) => markersOf(server, firesOf[s], replicaOfServer[s])),
    ...[...roleChanges(phases), ...steps(clocks), ...pauses.map(pauseMarker)].map((m) => ({
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

/** From the last block under one primary of a database to the first under the next. */
const roleChanges = (phases: readonly Phase[]): Marker[] =>
  phases.flatMap((next, index) => {
    const before = phases.findLast(
      ({ databases }, k) => k < index && databases.some((d) => next.databases.includes(d)),
    );
    if (before === undefined || before.primary === next.primary) return [];
    const duration = Math.max(0, next.from - before.to);
    return [{ kind: "roleChange", replica: next.primary, time: before.to, duration }];
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

function markersOf(
  { columns, rowsOf }: Server,
  firesOf: (of: Uint32Array) => Float64Array,
  replica: number,
): Marker[] {
  const markers: Marker[] = [];
  const set = new Map<MarkerKind, number>();
  const events = rowsOf.ofAny([...KIND_OF_EVENT.keys()]);
  const fires = firesOf(events);
  for (const [k, i] of events.entries()) {
    const kind = KIND_OF_EVENT.get(columns.kind[i])!;
    const flow = kind === "databaseFlowControl" || kind === "transportFlowControl";
    const action = columns.texts[columns.action[i]].toLowerCase();
    if (flow && action === "set") {
      set.set(kind, fires[k]);
      continue;
    }
    const duration = flow && columns.processing[i] > 0 ? columns.processing[i] : 0;
    set.delete(kind);
    markers.push({ kind, replica, time: fires[k] - duration, duration });
  }
  for (const [kind, time] of set) markers.push({ kind, replica, time, duration: 0 });
  return markers;
}
