/**
 * Finds files that a session wrote one after the other, by their names: SQL Server begins a new file when one is full.
 */
import type { NamedFile } from "./unpack.ts";

/**
 * Assumed suffix of a session's file by SQL Server: a number, and when the file began, FILETIME ticks (docs/evidence.md
 * 1).
 */
const ROLLOVER = /^(.*)_\d+_(\d{15,20})\.xel$/isu;

/**
 * Groups files that have the names of one session in one folder, in the order in which they began; any other file is
 * alone. Files of several servers may be in one folder: the reader of the files finds that out.
 */
export function rolloversOf(files: readonly NamedFile[]): NamedFile[][] {
  const named = files.map((file) => ({ file, parts: ROLLOVER.exec(file.name) }));
  const sessions = Map.groupBy(named, ({ file, parts }) => parts?.[1] ?? file);
  return [...sessions.values()].map((session) =>
    session
      .toSorted((a, b) => (BigInt(a.parts?.[2] ?? 0) < BigInt(b.parts?.[2] ?? 0) ? -1 : 1))
      .map(({ file }) => file),
  );
}
