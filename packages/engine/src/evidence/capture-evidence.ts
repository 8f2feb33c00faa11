/** Facts of other files on the capture's clock, with names as the capture has them. */
import {
  decodeFacts,
  FactsFormatError,
  isSameServer,
  mergeFacts,
  movedEvidence,
  type EvidenceEvent,
  type FileFacts,
  type FolderEvidence,
} from "@aglens/evidence";
import { originUsOf, serverClocks, type ServerClock } from "@aglens/ag-model/evidence";
import type { CaptureModel } from "@aglens/ag-model/replication";

/** Values that the capture's record has for a file of evidence, in addition to its facts. */
export interface GivenToFile {
  /** Offset that a person chose, in minutes ahead of UTC; null for none. */
  readonly utcOffsetMinutes: number | null;
  /** Server that other files of its folder name, where the file itself names none; null where it is unknown. */
  readonly server: string | null;
}

/** A file of evidence. */
export interface EvidenceFile extends GivenToFile {
  readonly facts: FileFacts;
}

/** A file of evidence, encoded. */
export interface EncodedEvidence extends GivenToFile {
  readonly bytes: Uint8Array;
}

/** @returns null for bytes that aren't facts of a file */
export function decodeEvidence({ bytes, ...given }: EncodedEvidence): EvidenceFile | null {
  try {
    return { ...given, facts: decodeFacts(bytes) };
  } catch (error) {
    if (error instanceof FactsFormatError) return null;
    throw error;
  }
}

/** The facts of files with their chosen offsets and their servers. */
export const mergeEvidence = (files: readonly EvidenceFile[]): FolderEvidence =>
  mergeFacts(
    files.map(({ facts, server }) =>
      facts.file.server === null && server !== null
        ? { ...facts, file: { ...facts.file, server, serverFrom: "name" } }
        : facts,
    ),
    files.map(({ utcOffsetMinutes }) => utcOffsetMinutes),
  );

/** The evidence of a capture's files on its clock. */
export interface CaptureEvidence extends FolderEvidence {
  /** µs since 1970 of the capture's origin. */
  readonly originUs: number;
  /** Half width of the uncertainty that a server's clock adds at a time, µs; 0 for a server without one. */
  readonly errorAt: (server: string | null, us: number) => number;
  /** Servers whose times are as written. */
  readonly withoutClock: readonly string[];
  readonly model: CaptureModel;
  /** The replica that a server is; -1 for none. */
  readonly replicaOf: (server: string) => number;
  /** By replica: its server as the files name it, else its name in the capture. */
  readonly servers: readonly string[];
}

export function captureEvidence(model: CaptureModel, files: readonly EvidenceFile[]): CaptureEvidence {
  return evidenceOnClock(model, mergeEvidence(files));
}

/** @param merged on UTC */
export function evidenceOnClock(model: CaptureModel, merged: FolderEvidence): CaptureEvidence {
  const clocks = serverClocks(model);
  const known = new Map<string | null, ServerClock | null>();
  const clockOf = (server: string | null): ServerClock | null => {
    const found = known.get(server);
    if (found !== undefined) return found;
    const clock = server === null ? null : (clocks[replicaOf(model, merged, server)] ?? null);
    known.set(server, clock);
    return clock;
  };
  const originUs = originUsOf(model);
  const named = merged.events.map((event) => withNames(model, merged, event));
  const moved = movedEvidence({ ...merged, events: named }, (server) => {
    const clock = clockOf(server);
    return clock === null ? (us) => us : (us) => originUs + clock.at(us);
  });
  const others = [...moved.events, ...moved.series].flatMap(({ server }) =>
    server === null || clockOf(server) !== null ? [] : [server],
  );
  return {
    ...moved,
    originUs,
    errorAt: (server, us) => clockOf(server)?.errorAt(us - originUs) ?? 0,
    withoutClock: [...new Set(others)].sort(),
    model,
    replicaOf: (server) => replicaOf(model, merged, server),
    servers: serversOf(model, merged),
  };
}

/** The replica that a server is, by its id in AlwaysOn_health or by its name; -1 for none. */
function replicaOf({ replicas }: CaptureModel, { names }: FolderEvidence, server: string): number {
  const ids = new Set(
    names.filter((name) => isSameServer(name.server, server)).map(({ replicaId }) => replicaId.toLowerCase()),
  );
  const byId = replicas.findIndex((replica) => replica.ids.some((id) => ids.has(id)));
  return byId >= 0 ? byId : replicas.findIndex(({ name }) => isSameServer(name, server));
}

function serversOf(model: CaptureModel, evidence: FolderEvidence): string[] {
  const names = new Map(
    evidence.names.map(({ server }) => [replicaOf(model, evidence, server), server] as const),
  );
  return model.replicas.map(({ name }, replica) => names.get(replica) ?? name);
}

/** An event with names in place of ids, as far as the capture or another file has them. */
function withNames(model: CaptureModel, evidence: FolderEvidence, event: EvidenceEvent): EvidenceEvent {
  const database = databaseName(model, evidence, event);
  const replica = replicaName(model, evidence, event.replica);
  const group = groupName(evidence, event.group);
  if (database === event.database && replica === event.replica && group === event.group) return event;
  // The reader of AlwaysOn_health had ids only.
  const text =
    event.kind === "synchronization" && database !== event.database
      ? event.text.replace(/^A database\b/u, () => database ?? "A database")
      : event.text;
  const withReplica =
    replica === event.replica ? text : text.replace(/\ba replica\b/u, () => replica ?? "a replica");
  return { ...event, database, replica, group, text: withReplica };
}

const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

function databaseName(
  model: CaptureModel,
  evidence: FolderEvidence,
  { database, server }: EvidenceEvent,
): string | null {
  if (database === null) return null;
  const id = database.toLowerCase();
  const local = server === null || !/^\d+$/u.test(id) ? -1 : replicaOf(model, evidence, server);
  const found = model.databases.find(
    (each) => each.id === id || (local >= 0 && each.localIds[local] === Number(id)),
  );
  return found?.name ?? (GUID.test(id) ? `database ${id.slice(0, 8)}` : database);
}

function replicaName(
  { replicas }: CaptureModel,
  { names }: FolderEvidence,
  id: string | null,
): string | null {
  if (id === null) return null;
  const own = id.toLowerCase();
  const named = names.find(({ replicaId }) => replicaId.toLowerCase() === own)?.server;
  return named ?? replicas.find(({ ids }) => ids.includes(own))?.name ?? id;
}

const groupName = ({ groups }: FolderEvidence, id: string | null): string | null =>
  groups.find(({ groupId }) => groupId.toLowerCase() === id?.toLowerCase())?.name ?? id;
