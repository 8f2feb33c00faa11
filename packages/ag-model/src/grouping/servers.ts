/**
 * Assigns files of one capture to servers: by the ids the events name, then by counter and folder, never by role alone.
 */
import type { Topology } from "../replication/index.ts";
import { componentsOf } from "./components.ts";
import {
  areAtTheSameTime,
  areInOneFolder,
  compareFiles,
  haveSameCounter,
  haveSameSide,
  type FileToGroup,
} from "./files.ts";

/** Files that one server wrote. */
export interface ServerFiles<File extends FileToGroup> {
  /** Its availability_replica_ids in ascending order; none where no event names it. */
  readonly ids: readonly string[];
  /** Oldest first. */
  readonly files: readonly File[];
  /** The name that the user entered; null for none. */
  readonly given: string | null;
}

/** Servers of a capture, and the files whose server could not be decided. */
export interface FoundServers<File extends FileToGroup> {
  readonly servers: readonly ServerFiles<File>[];
  /** Files that fit several servers; each is a server of its own in `servers`. */
  readonly undecided: readonly File[];
}

/**
 * Keys of the servers an id belongs to: the id itself, and its server's name in each topology. A name joins ids within one
 * topology only, because servers of two environments may have the same name.
 */
export const serverKeys = (id: string, topologies: readonly Topology[]): string[] => [
  id,
  ...topologies.flatMap(({ replicas }, number) => {
    const name = replicas.get(id)?.name ?? "";
    return name === "" ? [] : [`topology ${number} ${name.toLowerCase()}`];
  }),
];

/** @param files of one capture, in the order of `compareFiles` */
export function findServers<File extends FileToGroup>(
  files: readonly File[],
  topologies: readonly Topology[],
): FoundServers<File> {
  const isNamed = ({ server, identity }: File): boolean => server !== undefined || identity.ownIds.length > 0;
  const givenTwice = idsGivenTwice(files);
  const keysOf = ({ server, identity }: File): string[] => [
    ...(server === undefined ? [] : [`given ${server}`]),
    ...identity.ownIds
      .filter((id) => server === undefined || !givenTwice.has(id))
      .flatMap((id) => serverKeys(id, topologies)),
  ];
  const named = componentsOf(files.filter(isNamed), keysOf).map(serverOf);
  const { homes, homeless } = placeWithNamed(
    named,
    files.filter((file) => !isNamed(file)),
  );
  const { groups, undecided } = groupUnnamed(homeless);
  return { servers: [...homes.map(serverOf), ...groups.map(serverOf)], undecided };
}

function serverOf<File extends FileToGroup>(files: readonly File[]): ServerFiles<File> {
  return {
    ids: [...new Set(files.flatMap(({ identity }) => identity.ownIds))].sort(),
    files: files.toSorted(compareFiles),
    given: files.find(({ server }) => server !== undefined)?.server ?? null,
  };
}

/** Ids whose files the user assigned to several servers: then the user's choice separates them. */
function idsGivenTwice(files: readonly FileToGroup[]): Set<string> {
  const given = new Map<string, string>();
  const twice = new Set<string>();
  for (const { server, identity } of files) {
    if (server === undefined) continue;
    for (const id of identity.ownIds) {
      if ((given.get(id) ?? server) !== server) twice.add(id);
      given.set(id, server);
    }
  }
  return twice;
}

/** A file that its server's other files do not rule out: no replica at its other end, no second session at its time. */
const fits = (file: FileToGroup, server: readonly FileToGroup[]): boolean =>
  server.every(
    (other) =>
      !file.identity.partnerIds.some((id) => other.identity.ownIds.includes(id)) &&
      !other.identity.partnerIds.some((id) => file.identity.ownIds.includes(id)) &&
      (haveSameCounter(file, other) || !areAtTheSameTime(file, other)),
  );

/**
 * Assigns files that name no server to the one that their counter or their folder shows; the others stay unassigned.
 */
function placeWithNamed<File extends FileToGroup>(
  named: readonly ServerFiles<File>[],
  unnamed: readonly File[],
): { readonly homes: readonly File[][]; readonly homeless: readonly File[] } {
  const homes = named.map(({ files }) => [...files]);
  const homeless: File[] = [];
  for (const file of unnamed) {
    const possible = homes.filter((home) => fits(file, home));
    const home = onlyOne(possible, file, haveSameCounter) ?? onlyOne(possible, file, areInOneFolder);
    (home ?? homeless).push(file);
  }
  return { homes, homeless };
}

function onlyOne<File extends FileToGroup>(
  servers: readonly File[][],
  file: File,
  rule: (a: FileToGroup, b: FileToGroup) => boolean,
): File[] | undefined {
  const found = servers.filter((files) => files.some((other) => rule(file, other)));
  return found.length === 1 ? found[0] : undefined;
}

/** Groups files of servers that no event names by counter, by folder, or by side and time if they have neither. */
function groupUnnamed<File extends FileToGroup>(
  files: readonly File[],
): { readonly groups: readonly File[][]; readonly undecided: readonly File[] } {
  const groups: File[][] = [];
  const undecided: File[] = [];
  const isAlike = (a: File, b: File): boolean =>
    haveSameCounter(a, b) || areInOneFolder(a, b) || (a.folder === b.folder && haveSameSide(a, b));
  for (const file of files) {
    const alike = groups.filter((group) => group.some((other) => isAlike(file, other)) && fits(file, group));
    if (alike.length === 1) alike[0].push(file);
    else groups.push([file]);
    if (alike.length > 1) undecided.push(file);
  }
  return { groups, undecided };
}
