import { declaredEvents, readXelBytes, XelFormatError, type XelEvent } from "xel-parser/format";
import { ClusterEvent, HealthEvent, MOVEMENT_EVENTS, SystemEvent } from "../health/event-names.ts";
import type { FileKind } from "../shapes.ts";
import type { FoundFile } from "./uses.ts";

/** Kinds of sessions by their events, in the order in which they are tried: a session may have events of two kinds. */
const SESSIONS: readonly (readonly [kind: FileKind, events: ReadonlySet<string>])[] = [
  ["movement", new Set(MOVEMENT_EVENTS)],
  ["clusterDiagnostics", new Set(Object.values(ClusterEvent))],
  [
    "alwaysOnHealth",
    new Set<string>([
      HealthEvent.replicaState,
      HealthEvent.managerState,
      HealthEvent.leaseExpired,
      HealthEvent.ddl,
    ]),
  ],
  ["systemHealth", new Set(Object.values(SystemEvent))],
];

const kindOfEvents = (names: ReadonlySet<string>): FileKind =>
  SESSIONS.find(([, events]) => [...events].some((name) => names.has(name)))?.[0] ?? "otherEvents";

/** Session of a .xel file by its metadata; null where that can't be read. */
export function sessionKind(head: Uint8Array): FileKind | null {
  try {
    const declared = declaredEvents(head);
    return declared.length === 0 ? null : kindOfEvents(new Set(declared.map(({ name }) => name)));
  } catch (error) {
    if (!(error instanceof XelFormatError)) throw error;
    return null;
  }
}

/** A .xel file: its metadata shows the session, its first events may show the server. */
export function eventFile(head: Uint8Array): FoundFile {
  try {
    const declared = declaredEvents(head);
    if (declared.length === 0)
      return {
        kind: "otherEvents",
        state: "damaged",
        use: "An event file whose description of events can't be read. Copy it from the server again.",
      };
    const kind = kindOfEvents(new Set(declared.map(({ name }) => name)));
    return { kind, server: serverOfEvents(kind, readXelBytes(head).events) };
  } catch (error) {
    if (!(error instanceof XelFormatError)) throw error;
    return { kind: "otherEvents", state: "damaged", use: error.message };
  }
}

/** Events that SQL Server's tools saved as XML or CSV. */
export function textEventFile(text: string): FoundFile {
  const names = new Set(text.match(/\b[a-z]\w{3,}_\w+\b/gu));
  return { kind: kindOfEvents(names) };
}

/** A replica reports its own state, and the cluster names the server of its diagnostics. */
function serverOfEvents(kind: FileKind, events: readonly XelEvent[]): string | null {
  const names = new Set<string>();
  for (const event of events) {
    if (kind === "alwaysOnHealth" && event.name === HealthEvent.replicaState)
      names.add(textOf(event, "availability_replica_name"));
    if (kind === "clusterDiagnostics") names.add(textOf(event, "node_name") || textOf(event, "server_name"));
    names.add(textOfAction(event));
  }
  names.delete("");
  return names.size === 1 ? [...names][0]! : null;
}

const textOf = ({ fields }: XelEvent, field: string): string => String(fields[field] ?? "");
const textOfAction = ({ actions }: XelEvent): string => String(actions["server_instance_name"] ?? "");
