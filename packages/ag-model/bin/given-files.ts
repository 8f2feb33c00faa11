/** Files of a command line -> captures of servers, as the app groups them; a role that was given is a hint. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { XelFormatError } from "xel-parser/format";
import { mergeColumns, recognise, type EventColumns } from "../src/events/index.ts";
import {
  groupFiles,
  identityOf,
  type FileToGroup,
  type GroupedCapture,
  type GroupedServer,
} from "../src/grouping/index.ts";
import type { ServerInput, Role, Topology } from "../src/replication/index.ts";
import { columnsIn } from "./source.ts";
import type { UnpackedFile } from "./unpack.ts";

/** Files that the command line gave together, with the role that it gave them. */
export interface GivenFiles {
  readonly role: Role | null;
  readonly files: readonly UnpackedFile[];
}

/** A file is of the other role than the one it was given as, or of none. */
export class RoleError extends Error {
  readonly code = "analyze.role";
}

/** A capture as the model takes it. */
export interface GivenCapture {
  readonly name: string;
  readonly inputs: readonly ServerInput[];
  /** What has to be known of the grouping. */
  readonly warnings: readonly string[];
  /** Why it cannot be analysed; null when it can. */
  readonly refusal: string | null;
}

export interface GivenCaptures {
  /** Newest first. */
  readonly captures: readonly GivenCapture[];
  /** A sentence for each file that is not used. */
  readonly unused: readonly string[];
}

type File = FileToGroup & {
  readonly columns: EventColumns;
  readonly role: Role | null;
};

/**
 * Reads and groups the files.
 * @throws RoleError for a file whose events show no role, or another than the one given
 */
export async function readGivenFiles(
  given: readonly GivenFiles[],
  topologies: readonly Topology[],
  options: { readonly force: boolean },
): Promise<GivenCaptures> {
  const files: File[] = [];
  const noEvents: string[] = [];
  const hashes = await hashesOf(given.flatMap((group) => group.files));
  for (const { role, files: sources } of given) {
    const parts: EventColumns[] = [];
    for (const source of sources) {
      const columns = await columnsOfSource(source, options);
      if (columns === null) noEvents.push(`${source.name} is no event file and is left out.`);
      else {
        parts.push(columns);
        files.push(fileOf(source.name, columns, role, hashes.get(source.path) ?? ""));
      }
    }
    if (role !== null) expectRole(role, sources[0].name, mergeColumns(parts));
  }
  const { captures, unused } = groupFiles(files, topologies);
  return {
    captures: captures.map(captureOf),
    unused: [...unused.map(({ warning }) => warning.sentence), ...noEvents],
  };
}

/** Events of a file; null for a file in a zip that holds something else. A file that was named itself has to be one. */
async function columnsOfSource(
  { path, name, isOfZip }: UnpackedFile,
  options: { readonly force: boolean },
): Promise<EventColumns | null> {
  try {
    return await columnsIn(path, options, name);
  } catch (error) {
    if (isOfZip && error instanceof XelFormatError) return null;
    throw error;
  }
}

function fileOf(name: string, columns: EventColumns, role: Role | null, hash: string): File {
  const folder = dirname(name);
  return {
    columns,
    role,
    name: basename(name),
    folder: folder === "." ? "" : folder.replace(/^\/+/u, ""),
    size: columns.files[0].size,
    hash,
    identity: identityOf(columns),
    events: columns.files[0].events,
  };
}

/** SHA-256 of the files that have another of their size beside them: only those can be the same. */
async function hashesOf(files: readonly UnpackedFile[]): Promise<ReadonlyMap<string, string>> {
  const bySize = new Map<number, string[]>();
  for (const { path } of files) {
    const size =
      path === "-"
        ? -1
        : await stat(path).then(
            (found) => found.size,
            () => -1,
          );
    if (size >= 0) bySize.set(size, [...(bySize.get(size) ?? []), path]);
  }
  const hashes = new Map<string, string>();
  for (const path of new Set([...bySize.values()].filter((same) => same.length > 1).flat())) {
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
    hashes.set(path, hash.digest("hex"));
  }
  return hashes;
}

/** A role may change within a capture, but a server that never had it was given wrongly. */
function expectRole(role: Role, path: string, columns: EventColumns): void {
  const { databases } = identityOf(columns);
  const had = new Set(databases.flatMap(({ stretches }) => stretches.map((stretch) => stretch.role)));
  if (had.has(role)) return;
  const found = recognise(columns);
  if (found.role === "unknown" && had.size === 0) throw new RoleError(`${path}: ${found.evidence}`);
  throw new RoleError(
    `${path} was given as ${role}, but its events are those of a ${found.role} (${found.evidence}).`,
  );
}

function captureOf({ name, servers, warnings }: GroupedCapture<File>): GivenCapture {
  return {
    name,
    inputs: inputsOf(servers),
    warnings: warnings.map(({ sentence }) => sentence),
    refusal: warnings.find(({ refuses }) => refuses)?.sentence ?? null,
  };
}

/** One input per server; its role is a hint for a server whose events show none: the one given, else by most events. */
function inputsOf(servers: readonly GroupedServer<File>[]): ServerInput[] {
  const given = servers.find(({ files }) => files.some(({ role }) => role === "primary"));
  const primary = given ?? servers.find(({ roleHint }) => roleHint === "primary");
  return servers.map((server) => ({
    role: server === primary ? "primary" : "secondary",
    columns: mergeColumns(server.files.map(({ columns }) => columns)),
    ...(server.ids.length > 0 ? { id: server.ids[0] } : {}),
    ...(hasName(server) ? { name: server.name } : {}),
  }));
}

/** A folder called after a role, or the start of an id, is no name. */
const hasName = ({ name, nameFrom }: GroupedServer<File>): boolean =>
  (nameFrom === "topology" || nameFrom === "folder") && !/^(?:primary|secondary(?: \d+)?)$/iu.test(name);
