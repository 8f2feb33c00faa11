/** Evidence in the files of a command line: files in addition to data-movement events. */
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import {
  readFolder,
  recognizeFolder,
  type FileKind,
  type FolderEvidence,
  type ReadFolderOptions,
  type RecognizedFile,
  type SourceFile,
} from "@aglens/evidence";
import { unreadableText } from "xel-parser/commands";
import type { Topology } from "../src/replication/index.ts";
import type { FoundFiles } from "./find-files.ts";
import { bytesAt, type NamedFile } from "./unpack.ts";

/** Kinds that a folder without evidence may have, too. */
const NO_EVIDENCE: ReadonlySet<FileKind> = new Set([
  "movement",
  "otherEvents",
  "topology",
  "clusterLog",
  "windowsEvents",
  "scriptOutput",
  "unknown",
]);
/** Event files that have no data movement, and are not read for it. */
const HEALTH: ReadonlySet<FileKind> = new Set(["alwaysOnHealth", "clusterDiagnostics", "systemHealth"]);

/** The files of a command line, recognized. */
export interface RecognizedFiles {
  readonly sources: readonly SourceFile[];
  readonly files: readonly RecognizedFile[];
}

/** Recognizes the files by their beginnings and ends; null where none of them is evidence. */
export async function recognizeFiles({ all, unreadable }: FoundFiles): Promise<RecognizedFiles | null> {
  const sources = await Promise.all(all.map(sourceFile));
  const recognized = await recognizeFolder(sources, OPTIONS);
  const files = recognized.map((file): RecognizedFile => {
    const use = unreadable.get(file.name);
    return use === undefined ? file : { ...file, state: "damaged", use };
  });
  return files.every(({ kind }) => NO_EVIDENCE.has(kind)) ? null : { sources, files };
}

export const readEvidence = ({ sources, files }: RecognizedFiles): Promise<FolderEvidence> =>
  readFolder(sources, files, OPTIONS);

const OPTIONS: ReadFolderOptions = {
  unreadable(error) {
    const text = unreadableText("the file", error);
    if (text === undefined) throw error;
    return text;
  },
};

async function sourceFile({ path, name }: NamedFile): Promise<SourceFile> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  return {
    name,
    size,
    read: (offset, length) => bytesAt(path, offset, length),
    open: () => createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Uint8Array>,
  };
}

/** Whether a file of this kind is read for its own facts, and not for data movement. */
export const isHealthFile = (file: RecognizedFile | undefined): boolean =>
  file !== undefined && HEALTH.has(file.kind);

/** Whether people know from the list of files what a file is, so that it needs no sentence of its own. */
export const isListed = (file: RecognizedFile | undefined): boolean =>
  file !== undefined &&
  file.state !== "damaged" &&
  file.kind !== "unknown" &&
  file.kind !== "movement" &&
  file.kind !== "otherEvents";

/** Names and time zones of replicas, as a topology has them. */
export function topologyOf({ names, offsets }: FolderEvidence): Topology {
  const minutes = new Map(offsets.map(({ server, utcOffsetMinutes }) => [server, utcOffsetMinutes]));
  return {
    replicas: new Map(names.map(({ replicaId, server }) => [replicaId, { name: server, commitMode: null }])),
    databases: new Map(),
    serverOffsets: new Map(
      names.flatMap(({ replicaId, server }) => {
        const offset = minutes.get(server);
        return offset === undefined ? [] : [[replicaId, offset] as const];
      }),
    ),
  };
}
