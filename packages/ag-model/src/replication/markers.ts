import { EventKind } from "../events/index.ts";
import type { Server } from "./server.ts";
import { MARKER_KINDS, type MarkerKind, type MarkerTable } from "./tables.ts";

const KIND_OF_EVENT = new Map<number, MarkerKind>([
  [EventKind.vlfHeader, "vlfSwitch"],
  [EventKind.databaseFlowControl, "databaseFlowControl"],
  [EventKind.transportFlowControl, "transportFlowControl"],
  [EventKind.stillWaiting, "stillWaiting"],
]);

/**
 * VLF switches, flow control and commits that keep waiting, ordered by time. Flow control is drawn from its Cleared event,
 * which carries the duration; a Set counts only when no Cleared follows.
 */
export function collectMarkers(
  servers: readonly Server[],
  fires: readonly Float64Array[],
  replicaOfServer: readonly number[],
  start: number,
): MarkerTable {
  const found = servers.flatMap((server, s) => markersOf(server, fires[s], replicaOfServer[s]));
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

function markersOf({ columns }: Server, fire: Float64Array, replica: number): Marker[] {
  const markers: Marker[] = [];
  const set = new Map<MarkerKind, number>();
  for (let i = 0; i < columns.length; i++) {
    const kind = KIND_OF_EVENT.get(columns.kind[i]);
    if (kind === undefined) continue;
    const flow = kind === "databaseFlowControl" || kind === "transportFlowControl";
    const action = columns.texts[columns.action[i]].toLowerCase();
    if (flow && action === "set") {
      set.set(kind, fire[i]);
      continue;
    }
    const duration = flow && columns.processing[i] > 0 ? columns.processing[i] : 0;
    set.delete(kind);
    markers.push({ kind, replica, time: fire[i] - duration, duration });
  }
  for (const [kind, time] of set) markers.push({ kind, replica, time, duration: 0 });
  return markers;
}
