/** Assigns files to captures: files that are connected by ids, and near in time or of the same log blocks. */
import type { Topology } from "../replication/index.ts";
import { haveCommonBlocks } from "./block-range.ts";
import { componentsOf } from "./components.ts";
import { areInOneFolder, compareFiles, haveSameCounter, type FileToGroup } from "./files.ts";
import { serverKeys } from "./servers.ts";
import { commonTicks, nearInTime, spanOf } from "./time-spans.ts";

/** Runs further apart than this are captures of their own. */
const NEAR_TICKS = 3_600n * 10_000_000n;
/** Limit for the same log blocks: further apart, the database was restored. */
const UTC_APART_TICKS = 50n * NEAR_TICKS;

/** Files of one capture; clusters of one family are the same group at different times. */
export interface Cluster<File extends FileToGroup> {
  readonly family: number;
  readonly files: readonly File[];
}

/** @param files in the order of `compareFiles` */
export function clustersOf<File extends FileToGroup>(
  files: readonly File[],
  topologies: readonly Topology[],
): Cluster<File>[] {
  const keysOf = ({ identity }: File): string[] => [
    ...[...identity.ownIds, ...identity.partnerIds].flatMap((id) => serverKeys(id, topologies)),
    ...identity.groupIds,
    ...identity.databases.map(({ id }) => id),
  ];
  const families = componentsOf(
    files.filter((file) => keysOf(file).length > 0),
    keysOf,
  );
  const clusters = families.flatMap((members, family) =>
    ofCommonBlocks(nearInTime(members, ({ identity }) => identity, NEAR_TICKS)).map((files) => ({
      family,
      files,
    })),
  );
  const alone: File[][] = [];
  for (const file of files.filter((file) => keysOf(file).length === 0)) {
    const home = homeOf(
      file,
      clusters.map((cluster) => cluster.files),
    );
    if (home === undefined) alone.push([file]);
    else home.push(file);
  }
  return [
    ...clusters.map(({ family, files }) => ({ family, files: files.sort(compareFiles) })),
    ...alone.map((files, i) => ({ family: families.length + i, files })),
  ];
}

/**
 * Joins files that are far apart in time and of the same log blocks: the UTC clocks of their servers differ. Files of
 * one server are written by one clock: if both groups contain that server, they are captures of two times, and the
 * database was restored in between.
 */
function ofCommonBlocks<File extends FileToGroup>(groups: readonly (readonly File[])[]): File[][] {
  const joined: File[][] = [];
  for (const group of groups) {
    const same = joined.filter(
      (other) =>
        areWithinDays(group, other) &&
        haveCommonBlocks(databasesOf(group), databasesOf(other)) &&
        !haveCommonServer(group, other),
    );
    for (const other of same) joined.splice(joined.indexOf(other), 1);
    joined.push([...same.flat(), ...group]);
  }
  return joined;
}

/** By UTC; a wrong time zone makes 26 hours at most, and a wrong date a day more. */
const areWithinDays = (a: readonly FileToGroup[], b: readonly FileToGroup[]): boolean =>
  -commonTicks(spanOf(a.map(({ identity }) => identity)), spanOf(b.map(({ identity }) => identity))) <=
  UTC_APART_TICKS;

function haveCommonServer(a: readonly FileToGroup[], b: readonly FileToGroup[]): boolean {
  const own = new Set(a.flatMap(({ identity }) => identity.ownIds));
  return b.some(({ identity }) => identity.ownIds.some((id) => own.has(id)));
}

const databasesOf = (files: readonly FileToGroup[]): FileToGroup["identity"]["databases"] =>
  files.flatMap(({ identity }) => identity.databases);

/** The only capture near in time that a file without any id belongs to by its server's name, counter or folder. */
function homeOf<File extends FileToGroup>(file: File, clusters: readonly File[][]): File[] | undefined {
  const near = clusters.filter(
    (files) =>
      nearInTime([spanOf(files.map((f) => f.identity)), file.identity], (t) => t, NEAR_TICKS).length === 1,
  );
  const sameGiven = (a: FileToGroup, b: FileToGroup): boolean =>
    a.server !== undefined && a.server === b.server;
  for (const rule of [sameGiven, haveSameCounter, areInOneFolder]) {
    const found = near.filter((files) => files.some((other) => rule(file, other)));
    if (found.length === 1) return found[0];
  }
  return undefined;
}
