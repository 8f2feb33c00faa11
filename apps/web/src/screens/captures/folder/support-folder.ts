/** The files of a capture that has more than data-movement events: each file once, by its server and its use. */
import type { Capture, CaptureFile, EvidenceFileKind } from "@aglens/contract";
import { folderTexts as texts } from "../../../messages/folder.ts";
import { formatBytes } from "../../../ui/words.ts";
import { groupsOf, type GroupFiles, type RoleStep } from "../capture-groups.ts";
import { isSupportFolder } from "../evidence-kinds.ts";
import { uselessText } from "../rest-row.tsx";
import { commonName } from "./common-name.ts";

/** State of a file for people; "zone" is one that is used as soon as its time zone is known. */
export type FolderState = "used" | "zone" | "convert" | "notUsed" | "damaged";

/** Files of one kind and one use, in one row. */
export interface FolderRow {
  readonly key: string;
  readonly kind: EvidenceFileKind;
  readonly state: FolderState;
  readonly names: string;
  readonly files: readonly CaptureFile[];
  /** A sentence: the use, or the reason or the next step. */
  readonly use: string;
}

/** Files that one server wrote. */
export interface FolderServer {
  /** Null for files that name no server. */
  readonly name: string | null;
  readonly roleSteps: readonly RoleStep[];
  readonly rows: readonly FolderRow[];
  readonly used: number;
  readonly files: number;
}

/** A capture of the folder with its servers. */
export interface FolderGroup {
  /** Null for servers without data-movement events. */
  readonly group: GroupFiles | null;
  readonly servers: readonly FolderServer[];
}

export interface LearnedName {
  /** Null where the files contain an id only. */
  readonly name: string | null;
  /** Null for the name of a group, which no file lists with its id. */
  readonly id: string | null;
  readonly kind: "group" | "replica" | "database";
  /** Another file has another name for the same id. */
  readonly isDisputed: boolean;
}

export interface SupportFolder {
  readonly groups: readonly FolderGroup[];
  readonly convert: readonly FolderRow[];
  readonly notUsed: readonly FolderRow[];
  readonly names: readonly LearnedName[];
  /** Kinds of files that the names are from. */
  readonly namesFrom: readonly ("alwaysOnHealth" | "topology")[];
  readonly files: number;
  /** The files are in a folder or a zip. */
  readonly isFolder: boolean;
  /** They are named as SQL LogScout names its files. */
  readonly isLogScout: boolean;
  readonly bytes: number;
  /** These three add up to `files`; a damaged file counts as used where a part of it is. */
  readonly used: number;
  readonly toConvert: number;
  readonly unused: number;
  /** Files of `notUsed` that name no server. */
  readonly withoutServer: number;
}

/** Order of the rows of a server. */
const ORDER: readonly EvidenceFileKind[] = [
  "movement",
  "alwaysOnHealth",
  "clusterDiagnostics",
  "systemHealth",
  "errorlog",
  "rowsets",
  "waits",
  "schedulers",
  "counters",
  "diskspd",
  "topology",
];

interface Placed {
  readonly file: CaptureFile;
  readonly kind: EvidenceFileKind;
  readonly server: string | null;
  readonly state: FolderState;
  readonly isUsed: boolean;
  readonly use: string;
}

/** The files of a draft as a support folder; null where all of them are data-movement events, topologies, or without a use. */
export function supportFolder(capture: Pick<Capture, "files" | "groups" | "unused">): SupportFolder | null {
  const { files } = capture;
  if (!isSupportFolder(capture)) return null;
  const groups = groupsOf(capture);
  const placed = placedFiles(capture, groups);
  const rest = placed.filter(({ isUsed, state }) => !isUsed && state !== "zone");
  const toConvert = rest.filter(({ state }) => state === "convert");
  const notUsed = rest.filter(({ state }) => state !== "convert");
  const used = placed.filter(({ isUsed }) => isUsed).length;
  return {
    groups: groupsWithFiles(groups, placed),
    convert: toConvert.map((one) => rowOf([one])),
    notUsed: rowsOf(notUsed).toSorted(
      (a, b) => Number(b.state === "damaged") - Number(a.state === "damaged"),
    ),
    ...learnedNames(files, groups),
    files: files.length,
    isFolder: files.some(({ path }) => path !== ""),
    isLogScout: files.some(({ name }) => /_\d{8}T\d{6,}_/u.test(name)),
    bytes: files.reduce((sum, { size, evidenceFile }) => sum + (evidenceFile?.bytes ?? size), 0),
    used,
    toConvert: toConvert.length,
    unused: files.length - used - toConvert.length,
    withoutServer: notUsed.filter(({ server }) => server === null).length,
  };
}

function placedFiles(
  { files, unused }: Pick<Capture, "files" | "unused">,
  groups: readonly GroupFiles[],
): Placed[] {
  const sentences = new Map(unused.map(({ file, sentence }) => [file, sentence]));
  const servers = new Map<string, string>();
  for (const { servers: all } of groups)
    for (const { name, files: own } of all) for (const { id } of own) servers.set(id, name);
  const serverOf = (file: CaptureFile): string | null =>
    servers.get(file.id) ?? file.evidenceFile?.server ?? null;
  const named = Map.groupBy(files, ({ path }) => path);
  const withOffset = new Set(
    files.flatMap((file) =>
      file.evidenceFile?.kind === "errorlog" && hasOffset(file) ? [keyOf(serverOf(file))] : [],
    ),
  );
  return files.map((file) => {
    const server = serverOf(file) ?? serverOfFolder(file, named.get(file.path) ?? [], serverOf);
    return { file, server, ...stateOf(file, sentences.get(file.id), withOffset.has(keyOf(server))) };
  });
}

const keyOf = (server: string | null): string => server?.toUpperCase() ?? "";

/** A file that names no server is of the server that all others in its folder name. */
function serverOfFolder(
  { path }: CaptureFile,
  folder: readonly CaptureFile[],
  serverOf: (file: CaptureFile) => string | null,
): string | null {
  if (path === "") return null;
  const names = new Map(
    folder.flatMap((file) => {
      const name = serverOf(file);
      return name === null ? [] : [[keyOf(name), name] as const];
    }),
  );
  return names.size === 1 ? [...names.values()][0]! : null;
}

const hasOffset = ({ evidenceFile, given }: CaptureFile): boolean =>
  (evidenceFile?.utcOffsetMinutes ?? given.utcOffsetMinutes) != null;

/** @param unused why the file isn't used, as the grouping states it */
function stateOf(
  file: CaptureFile,
  unused: string | undefined,
  isOffsetKnown: boolean,
): Pick<Placed, "kind" | "state" | "isUsed" | "use"> {
  const { kind, evidenceFile, role, message, gaps } = file;
  if (evidenceFile !== undefined) {
    const { kind, use, events, samples } = evidenceFile;
    if (evidenceFile.state === "damaged")
      return { kind, use, state: "damaged", isUsed: events + samples > 0 };
    if (evidenceFile.state !== "used") return { kind, use, state: evidenceFile.state, isUsed: false };
    if (file.given.role === "ignored") return { kind, use: texts.youSkipIt, state: "notUsed", isUsed: false };
    if (unused !== undefined) return { kind, use: unused, state: "notUsed", isUsed: false };
    const isTimed = evidenceFile.isLocal !== true || isOffsetKnown || hasOffset(file);
    return { kind, use, state: isTimed ? "used" : "zone", isUsed: isTimed };
  }
  if (kind === "unreadable")
    return { kind: "unknown", use: message ?? texts.cannotBeRead, state: "damaged", isUsed: false };
  const known = kind === "topology" ? "topology" : "movement";
  const reason = uselessText(file) ?? unused;
  if (reason != null || (kind === "xel" && role === "ignored"))
    return { kind: known, use: reason ?? texts.youSkipIt, state: "notUsed", isUsed: false };
  const [gap] = gaps;
  if (gap !== undefined) return { kind: known, use: gap.message, state: "damaged", isUsed: true };
  return { kind: known, use: texts.uses[known] ?? "", state: "used", isUsed: true };
}

/** Rows of the files of one server, those of the movement events first. */
function rowsOf(placed: readonly Placed[]): FolderRow[] {
  const rows = Map.groupBy(placed, ({ kind, state, use }) => `${kind} ${state} ${use}`);
  return [...rows.values()].map(rowOf).toSorted((a, b) => placeOf(a) - placeOf(b));
}

const placeOf = ({ kind }: FolderRow): number => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);

function rowOf(placed: readonly Placed[]): FolderRow {
  const [{ kind, state, use, server }] = placed as [Placed];
  const files = placed.map(({ file }) => file);
  return {
    key: `${server ?? ""} ${kind} ${state} ${use}`,
    kind,
    state,
    names: commonName(files.map(({ name }) => name)),
    files,
    use,
  };
}

/** Each server in the first group that has it, and the servers that are in no group after them. */
function groupsWithFiles(groups: readonly GroupFiles[], placed: readonly Placed[]): FolderGroup[] {
  const isShown = ({ isUsed, state }: Placed): boolean => isUsed || state === "zone";
  const inGroup = new Set(groups.flatMap(({ servers }) => servers.flatMap(({ files }) => files)));
  const left = new Map(
    Map.groupBy(
      placed.filter(({ file }) => !inGroup.has(file)),
      (one) => keyOf(one.server),
    ),
  );
  const byFile = new Map(placed.map((one) => [one.file, one]));
  const serverOf = (
    name: string | null,
    roleSteps: readonly RoleStep[],
    own: readonly Placed[],
  ): FolderServer => ({
    name,
    roleSteps,
    rows: rowsOf(own.filter(isShown)),
    used: own.filter(({ isUsed }) => isUsed).length,
    files: own.length,
  });
  const withGroups = groups.map((group): FolderGroup => ({
    group,
    servers: group.servers.map(({ name, roleSteps, files }) => {
      const others = left.get(keyOf(name)) ?? [];
      left.delete(keyOf(name));
      return serverOf(name, roleSteps, [...files.flatMap((file) => byFile.get(file) ?? []), ...others]);
    }),
  }));
  const others = [...left.values()]
    .filter((own) => own.some(isShown))
    .map((own) => serverOf(own[0]!.server, [], own))
    .toSorted((a, b) => (a.name ?? "\uffff").localeCompare(b.name ?? "\uffff"));
  return others.length === 0 ? withGroups : [...withGroups, { group: null, servers: others }];
}

/** Names by id, of AlwaysOn_health before those of topologies; both where they contradict each other. */
function learnedNames(
  files: readonly CaptureFile[],
  groups: readonly GroupFiles[],
): Pick<SupportFolder, "names" | "namesFrom"> {
  const health = files.filter(({ evidenceFile }) => evidenceFile !== undefined);
  const topologies = files.filter(({ kind }) => kind === "topology");
  const sources = [...health, ...topologies];
  const named = (kind: "replica" | "database", of: "replicaNames" | "databaseNames"): LearnedName[] => {
    const ids = Map.groupBy(
      sources.flatMap((file) => Object.entries(file[of])),
      ([id]) => id,
    );
    const found = [...ids].map(([id, pairs]) => {
      const names = new Map(pairs.toReversed().map(([, name]) => [name.toUpperCase(), name]));
      return [...names.values()].toReversed().map((name) => ({ name, id, kind, isDisputed: names.size > 1 }));
    });
    return found.toSorted(([a], [b]) => a!.name.localeCompare(b!.name)).flat();
  };
  const replicas = named("replica", "replicaNames");
  const isNamed = new Set(replicas.map(({ id }) => id));
  const unnamed = groups.flatMap(({ group }) =>
    group.servers
      .filter(({ nameFrom, ids: [id] }) => nameFrom === "id" && id !== undefined && !isNamed.has(id))
      .map(({ ids }): LearnedName => ({ name: null, id: ids[0]!, kind: "replica", isDisputed: false })),
  );
  const groupNames = [...new Set(sources.flatMap((file) => file.groupNames))];
  const hasNames = (of: readonly CaptureFile[]): boolean =>
    of.some(
      (file) =>
        file.groupNames.length + Object.keys({ ...file.replicaNames, ...file.databaseNames }).length > 0,
    );
  return {
    names: [
      ...groupNames.map((name): LearnedName => ({ name, id: null, kind: "group", isDisputed: false })),
      ...replicas,
      ...unnamed,
      ...named("database", "databaseNames"),
    ],
    namesFrom: [
      ...(hasNames(health) ? (["alwaysOnHealth"] as const) : []),
      ...(hasNames(topologies) ? (["topology"] as const) : []),
    ],
  };
}

/** `1 capture in a support folder of 41 files`. */
export function folderTitle({ groups, files, isFolder }: SupportFolder): string {
  const captures = groups.filter(({ group }) => group !== null).length;
  const where = isFolder ? texts.supportFolderOf(files) : texts.file(files);
  return captures === 0 ? texts.noMovementIn(where) : texts.captureIn(captures, where);
}

/** The program that collected the files, servers, size, and the three counts, which add up to the number of files. */
export function folderLead({ groups, isLogScout, bytes, used, toConvert, unused }: SupportFolder): string {
  const servers = new Set(groups.flatMap(({ servers }) => servers.flatMap(({ name }) => keyOf(name) || [])));
  const parts = [...(isLogScout ? [texts.sqlLogScout] : []), texts.server(servers.size), formatBytes(bytes)];
  const counts = [
    texts.filesAreUsed(used),
    ...(toConvert === 0 ? [] : [texts.needConversion(toConvert)]),
    ...(unused === 0 ? [] : [texts.arentUsed(unused)]),
  ];
  return `${parts.join(", ")}. ${counts.join(", ")}.`;
}
