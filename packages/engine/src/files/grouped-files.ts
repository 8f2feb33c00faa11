/** Groups the files of an upload to servers and captures, with the user's corrections. */
import type { CaptureFile, CaptureGroup, GroupServer } from "@aglens/contract";
import { groupFiles, shortId, topologyName } from "@aglens/ag-model/grouping";
import type { FileToGroup, GroupedCapture, GroupedServer } from "@aglens/ag-model/grouping";
import type { Topology } from "@aglens/ag-model/replication";
import { filetimeText } from "xel-parser/format";
import { withEvidence } from "./evidence-files.ts";
import { identityOfFile } from "./kept-identity.ts";
import { topologyIn } from "./known-names.ts";
import { namingFiles } from "./learned-names.ts";

export interface GroupedFiles {
  /** The same files in the same order, each with the role and the replica that it has. */
  readonly files: CaptureFile[];
  /** Newest first; files without any event of one side are not a group. */
  readonly groups: CaptureGroup[];
  readonly unused: { file: string; sentence: string }[];
}

type File = FileToGroup & { readonly kept: CaptureFile };
type Role = GroupServer["role"];

/** Groups the files that the user did not leave out. */
export function groupedFiles(files: readonly CaptureFile[]): GroupedFiles {
  const events = files.filter(({ kind, given }) => kind === "xel" && given.role !== "ignored");
  const naming = namingFiles(files);
  const own = namesOf(naming);
  const grouping = groupFiles(events.map(toGroup), [...rememberedOf(events, own), ...own]);
  const found = grouping.captures.map((capture) => withContradictions(groupOf(capture, own), naming));
  const serverOf = new Map(
    found.flatMap(({ servers }) =>
      servers.flatMap((server) => server.files.map((id) => [id, server] as const)),
    ),
  );
  const placed = withEvidence(
    files.map((file) => withServer(file, serverOf.get(file.id))),
    ({ id }) => isNamed(serverOf.get(id)),
  );
  return {
    files: placed.files,
    groups: found.filter(({ servers }) => servers.length > 0),
    unused: [
      ...grouping.unused.map(({ file, warning }) => ({ file: file.kept.id, sentence: warning.sentence })),
      ...placed.copies,
    ],
  };
}

const isNamed = (server: GroupServer | undefined): boolean =>
  server !== undefined && !["id", "file", "role"].includes(server.nameFrom);

/** Files of an analyzed capture in which evidence changed. Other files stay as they were analyzed, also under their old names. */
export function withChangedEvidence(files: readonly CaptureFile[]): CaptureFile[] {
  const grouped = groupedFiles(files).files;
  return files.map((file, i) => (file.kind === "evidence" ? (grouped[i] ?? file) : file));
}

/** Files of one capture of an upload, with their copies, which belong to no other capture. */
export function filesOfGroup(files: readonly CaptureFile[], { servers }: CaptureGroup): CaptureFile[] {
  const members = new Set(servers.flatMap((server) => server.files));
  const hashes = new Set(files.flatMap(({ id, sha256 }) => (members.has(id) ? [sha256] : [])));
  // A file of an earlier version has no hash.
  return files.filter(({ id, sha256 }) => members.has(id) || (sha256 !== "" && hashes.has(sha256)));
}

function toGroup(kept: CaptureFile): File {
  const { name, path, folder, size, sha256, given } = kept;
  return {
    name,
    folder: path === "" ? (folder ?? "") : path,
    size,
    hash: sha256,
    identity: identityOfFile(kept),
    events: kept.events,
    kept,
    ...(given.replica === undefined ? {} : { server: given.replica }),
  };
}

const namesOf = (files: readonly CaptureFile[]): Topology[] =>
  files.map(topologyIn).filter((topology) => topology !== null);

/**
 * Names of event files from other captures (`withKnownNames`). A group that the capture's own topologies name has no
 * other name.
 */
function rememberedOf(events: readonly CaptureFile[], own: readonly Topology[]): Topology[] {
  const remembered = namesOf(events);
  const isNamed = own.some(({ groups }) => groups !== undefined && groups.size > 0);
  return isNamed ? remembered.map(({ replicas, databases }) => ({ replicas, databases })) : remembered;
}

/** The group with a warning for each replica that two of its files name differently, unless a user named it. */
function withContradictions(group: CaptureGroup, naming: readonly CaptureFile[]): CaptureGroup {
  const ids = [...group.servers.flatMap((server) => server.ids), ...group.withoutFile.map(({ id }) => id)];
  const warnings = ids.flatMap((id) => {
    const named = naming.filter(({ replicaNames }) => id in replicaNames);
    const [last] = named.slice(-1);
    if (last === undefined || last.kind !== "evidence") return [];
    const nameIn = ({ replicaNames }: CaptureFile): string => replicaNames[id] ?? "";
    const other = named.find((file) => nameIn(file).toUpperCase() !== nameIn(last).toUpperCase());
    if (other === undefined) return [];
    const sentence = `Replica ${shortId(id)} is ${nameIn(last)} in ${last.name}, and ${nameIn(other)} in ${other.name}. AG Lens uses ${nameIn(last)}.`;
    return [{ code: "names-differ", sentence, refuses: false }];
  });
  return warnings.length === 0 ? group : { ...group, warnings: [...group.warnings, ...warnings] };
}

/** @param own topologies of the capture itself */
function groupOf(capture: GroupedCapture<File>, own: readonly Topology[]): CaptureGroup {
  const databaseNames = new Map(capture.databases.map(({ id, name }) => [id, name]));
  const primaryGiven = capture.servers.some((server) => givenRole(server) === "primary");
  const servers = capture.servers.flatMap((server): GroupServer[] => {
    const role = givenRole(server) ?? foundRole(server, primaryGiven);
    if (role === null) return [];
    return [
      {
        name: server.name,
        nameFrom: sourceOfName(server, own),
        ids: [...server.ids],
        role,
        files: server.files.map(({ kept }) => kept.id),
        roles: server.databases.flatMap(({ id, stretches: ranges }) =>
          ranges.map(({ role, fromTicks, toTicks }) => ({
            database: databaseNames.get(id) ?? "",
            role,
            from: filetimeText(fromTicks),
            to: filetimeText(toTicks),
          })),
        ),
      },
    ];
  });
  return {
    name: capture.name,
    group: capture.group,
    servers: withRoleNames(servers),
    databases: [...databaseNames.values()],
    withoutFile: capture.withoutFile.map((replica) => ({ ...replica })),
    foreign: capture.foreign,
    warnings: capture.warnings.map((warning) => ({ ...warning })),
  };
}

function sourceOfName(
  { nameFrom, ids }: GroupedServer<File>,
  own: readonly Topology[],
): GroupServer["nameFrom"] {
  if (nameFrom !== "topology" || ids.some((id) => topologyName(id, own) !== undefined)) return nameFrom;
  return "remembered";
}

/** Role that the user set for any file of the server. */
const givenRole = ({ files }: GroupedServer<File>): Role | undefined =>
  files.flatMap(({ kept: { given } }) =>
    given.role === undefined || given.role === "ignored" ? [] : [given.role],
  )[0];

/** Null where no event is of one side only: such files are excluded until the user sets their role. */
function foundRole({ databases, roleHint, files }: GroupedServer<File>, primaryGiven: boolean): Role | null {
  const hasSide = databases.some(({ stretches: ranges }) => ranges.length > 0);
  if (!hasSide && files.every(({ kept }) => kept.detectedRole === "unknown")) return null;
  return primaryGiven ? "secondary" : roleHint;
}

/**
 * A server without a name from the user is named by its role, if it had only one: "Primary", "Secondary", "Secondary
 * 2".
 */
function withRoleNames(servers: readonly GroupServer[]): GroupServer[] {
  const counts = { primary: 0, secondary: 0 };
  return servers.map((server) => {
    const changed = new Set(server.roles.map(({ role }) => role)).size > 1;
    if ((server.nameFrom !== "id" && server.nameFrom !== "file") || changed) return server;
    const count = (counts[server.role] += 1);
    const word = server.role === "primary" ? "Primary" : "Secondary";
    return { ...server, name: count === 1 ? word : `${word} ${count}`, nameFrom: "role" };
  });
}

function withServer(file: CaptureFile, server: GroupServer | undefined): CaptureFile {
  if (file.kind === "topology") return { ...file, role: file.given.role ?? "primary", replica: "Topology" };
  if (server === undefined) return { ...file, role: "ignored", replica: file.given.replica ?? "" };
  return { ...file, role: server.role, replica: server.name };
}
