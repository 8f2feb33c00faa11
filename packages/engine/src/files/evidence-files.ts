/** Files of evidence among the files of a capture: their servers, their copies, and the capture that they go with. */
import type { CaptureFile, CaptureGroup, EvidenceOfFile } from "@aglens/contract";
import type { Topology } from "@aglens/ag-model/replication";
import { hasOffsetOfServer, useByOffset } from "@aglens/evidence";
import type { GivenToFile } from "../evidence/index.ts";
import { topologyIn } from "./known-names.ts";
import { namingFiles } from "./learned-names.ts";

/** A file of other facts than data movement. */
export type EvidenceFile = CaptureFile & { readonly evidenceFile: EvidenceOfFile };

export const isEvidence = (file: CaptureFile): file is EvidenceFile =>
  file.kind === "evidence" && file.evidenceFile !== undefined;

/** Files whose facts are read: those that are used, each content once, and that are here. */
export const evidenceIn = (files: readonly CaptureFile[]): EvidenceFile[] =>
  files.filter(isEvidence).filter(({ role, isMissing }) => role !== "ignored" && isMissing !== true);

/** Values with which a file's facts are read: the offset that a person chose, and the server, by files of its folder. */
export const givenTo = ({ given, evidenceFile }: EvidenceFile): GivenToFile => ({
  utcOffsetMinutes: given.utcOffsetMinutes ?? null,
  server: evidenceFile.server,
});

/** A file that isn't used, because another one has its content. */
interface Copy {
  readonly file: string;
  readonly sentence: string;
}

/**
 * The files with the server and the use of each file of evidence.
 * @param files with the servers of event files
 * @param isNamed whether the server of an event file has a name that people gave it
 */
export function withEvidence(
  files: readonly CaptureFile[],
  isNamed: (file: CaptureFile) => boolean,
): { readonly files: CaptureFile[]; readonly copies: Copy[] } {
  const copies = copiesIn(files);
  const isCopy = new Set(copies.map(({ file }) => file));
  const serverIn = serversOfFolders(files, isNamed);
  const named = files.map((file): CaptureFile => {
    if (!isEvidence(file) || file.evidenceFile.server !== null) return file;
    const server = serverIn(file.path);
    return server === null
      ? file
      : { ...file, evidenceFile: { ...file.evidenceFile, server, serverFrom: "name" } };
  });
  const offsets = offsetsIn(named);
  return {
    copies,
    files: named.map((file): CaptureFile => {
      if (!isEvidence(file)) return file;
      const evidenceFile = placed(file, offsets);
      const { state, server } = evidenceFile;
      const isUsed = (state === "used" || state === "damaged") && !isCopy.has(file.id);
      const role = isUsed && file.given.role !== "ignored" ? "primary" : "ignored";
      return { ...file, evidenceFile, role, replica: server ?? "" };
    }),
  };
}

/** Minutes that the local time of servers is ahead of UTC, by their names in capitals, from their newest ERRORLOG. */
function offsetsIn(files: readonly CaptureFile[]): ReadonlyMap<string, number> {
  const logs = files
    .filter(isEvidence)
    .filter(({ evidenceFile }) => evidenceFile.kind === "errorlog")
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(
    logs.toReversed().flatMap((file) => {
      const { server, utcOffsetMinutes } = placed(file);
      return server === null || utcOffsetMinutes === null
        ? []
        : [[server.toUpperCase(), utcOffsetMinutes] as const];
    }),
  );
}

/** A file with local times is used once an offset is known. @param offsets by server */
function placed(
  { evidenceFile, given }: EvidenceFile,
  offsets: ReadonlyMap<string, number> = new Map(),
): EvidenceOfFile {
  if (evidenceFile.isLocal !== true) return evidenceFile;
  const { kind, server } = evidenceFile;
  const utcOffsetMinutes = given.utcOffsetMinutes ?? null;
  const ofServer = hasOffsetOfServer(kind) ? offsets.get(server?.toUpperCase() ?? "") : undefined;
  return { ...evidenceFile, utcOffsetMinutes, ...useByOffset(kind, utcOffsetMinutes ?? ofServer ?? null) };
}

function copiesIn(files: readonly CaptureFile[]): Copy[] {
  const first = new Map<string, CaptureFile>();
  return files.filter(isEvidence).flatMap((file) => {
    const same = file.sha256 === "" ? undefined : first.get(file.sha256);
    if (same === undefined) first.set(file.sha256, file);
    return same === undefined
      ? []
      : [{ file: file.id, sentence: `${pathOf(file)} has the content of ${pathOf(same)}. It is used once.` }];
  });
}

const pathOf = ({ path, name }: CaptureFile): string => (path === "" ? name : `${path}/${name}`);

/** A file that names no server is of the server that all others in its folder name. */
function serversOfFolders(
  files: readonly CaptureFile[],
  isNamed: (file: CaptureFile) => boolean,
): (path: string) => string | null {
  const servers = new Map<string, Map<string, string>>();
  for (const file of files) {
    const server = isEvidence(file) ? file.evidenceFile.server : isNamed(file) ? file.replica : null;
    if (server === null || server === "") continue;
    const known = servers.get(file.path) ?? new Map<string, string>();
    servers.set(file.path, known.set(server.toUpperCase(), server));
  }
  return (path) => {
    const known = servers.get(path);
    return known?.size === 1 ? [...known.values()][0]! : null;
  };
}

/**
 * The captures that a file of evidence goes with: those that have its server or a replica that it names, or all where it
 * is unclear.
 */
export function groupsOfEvidence(
  { replicaNames, evidenceFile }: CaptureFile,
  groups: readonly CaptureGroup[],
): readonly CaptureGroup[] {
  const server = evidenceFile?.server?.toUpperCase();
  const found = groups.filter(
    ({ servers, withoutFile }) =>
      servers.some(
        ({ name, ids }) => name.toUpperCase() === server || ids.some((id) => id in replicaNames),
      ) || withoutFile.some(({ id, name }) => name.toUpperCase() === server || id in replicaNames),
  );
  return found.length === 0 ? groups : found;
}

/**
 * Whether a capture's files changed in evidence only. The analysis read these files, unless the capture has events.
 */
export function isOnlyEvidence(before: readonly CaptureFile[], after: readonly CaptureFile[]): boolean {
  if (!before.some(({ kind, role }) => kind === "xel" && role !== "ignored")) return false;
  const [old, others] = [before, after].map((files) => files.filter(({ kind }) => kind !== "evidence"));
  return old!.length === others!.length && old!.every((file, i) => file === others![i]);
}

/**
 * Names that an analysis uses: topologies, which it reads, and names in evidence, with the time zones of their servers.
 * Each outweighs those before it.
 */
export function namesToAnalyze<Text>(
  files: readonly CaptureFile[],
  read: (topology: CaptureFile) => Text,
): (Text | Topology)[] {
  return namingFiles(files).flatMap((file): (Text | Topology)[] => {
    if (file.kind === "topology") return [read(file)];
    const names = topologyIn(file);
    return names === null ? [] : [{ ...names, serverOffsets: offsetsOf(names, files) }];
  });
}

function offsetsOf({ replicas }: Topology, files: readonly CaptureFile[]): Map<string, number> {
  const offsets = offsetsIn(files);
  return new Map(
    [...replicas].flatMap(([id, { name }]) => {
      const offset = offsets.get(name.toUpperCase());
      return offset === undefined ? [] : [[id, offset] as const];
    }),
  );
}
