/** Files to group, and comparisons of two of them. */
import type { FileIdentity } from "./identity.ts";
import { commonTicks, runsInParallel } from "./time-spans.ts";

/** One .xel file with the identity that its events show. */
export interface FileToGroup {
  /** File name without folder. */
  readonly name: string;
  /** Folders and zips that contained it, outermost first, separated by "/"; "" for none. */
  readonly folder: string;
  /** Bytes. */
  readonly size: number;
  /** Hash of the content (SHA-256); files of equal size and hash are the same file. "" where it is unknown. */
  readonly hash: string;
  readonly identity: FileIdentity;
  /**
   * Number of all events of the file, also those that no availability group writes; the events of its identity where
   * unknown.
   */
  readonly events?: number;
  /** Name of its server as the user wrote it, which has priority over all other sources. */
  readonly server?: string;
}

const TICKS_PER_SECOND = 10_000_000n;

/** Steps and pauses of a server's clocks stay below this; the boots of two servers are rarely as close. */
const SAME_COUNTER_TICKS = 10n * TICKS_PER_SECOND;

/** Events that are published late let the files of one session overlap by less than this. */
const LATE_TICKS = TICKS_PER_SECOND;

const compare = (a: string | bigint, b: string | bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** An order of files that does not depend on the order in which they were given. */
export const compareFiles = (a: FileToGroup, b: FileToGroup): number =>
  compare(a.identity.fromTicks, b.identity.fromTicks) ||
  compare(a.folder, b.folder) ||
  compare(a.name, b.name) ||
  compare(a.hash, b.hash);

/** Whether both files were written by servers whose counter was 0 at the same instant: the same boot of one server. */
export function haveSameCounter({ identity: a }: FileToGroup, { identity: b }: FileToGroup): boolean {
  if (a.counterZeroTicks === null || b.counterZeroTicks === null) return false;
  const apart = a.counterZeroTicks - b.counterZeroTicks;
  return apart < SAME_COUNTER_TICKS && -apart < SAME_COUNTER_TICKS;
}

/**
 * Whether a file contains the beginning of the other one: it was copied while its session still wrote. Only then do
 * files of one server begin with the same event, since publish times count 100 ns.
 */
export function isBeginningOf(file: FileToGroup, other: FileToGroup): boolean {
  const [a, b] = [file.identity, other.identity];
  if (a.fromTicks !== b.fromTicks || a.toTicks >= b.toTicks || a.events >= b.events) return false;
  return a.counterZeroTicks === b.counterZeroTicks || haveSameCounter(file, other);
}

/**
 * Whether both files were in one folder or zip, or one in a zip next to the other; files at the top have no folder in
 * common.
 */
export const areInOneFolder = ({ folder: a }: FileToGroup, { folder: b }: FileToGroup): boolean =>
  a !== "" && b !== "" && (a === b || a === folderOfZip(b) || folderOfZip(a) === b);

const folderOfZip = (folder: string): string | undefined => /^(.+)\/[^/]+\.zip$/iu.exec(folder)?.[1];

/** Whether the files were written at the same time, so that one session cannot have written both. */
export const areAtTheSameTime = ({ identity: a }: FileToGroup, { identity: b }: FileToGroup): boolean =>
  commonTicks(a, b) > LATE_TICKS && runsInParallel(a, b);

/**
 * Whether two files without start_timestamp show the same side of the same databases, and the same replicas at the
 * other end.
 */
export function haveSameSide({ identity: a }: FileToGroup, { identity: b }: FileToGroup): boolean {
  if (a.counterZeroTicks !== null || b.counterZeroTicks !== null || a.databases.length === 0) return false;
  const sideOf = ({ partnerIds, databases }: FileIdentity): string =>
    JSON.stringify([
      partnerIds,
      databases.map(({ id, primaryEvents, secondaryEvents }) => [id, primaryEvents > secondaryEvents]),
    ]);
  return sideOf(a) === sideOf(b);
}
