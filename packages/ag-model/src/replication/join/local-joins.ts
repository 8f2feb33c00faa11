/** Instants of blocks on the primary that are the same for every secondary (docs/contribute/model/joins.md 3.1). */
import { EventKind } from "../../events/index.ts";
import {
  keepEarlier,
  keepLater,
  columnsOfAnchors,
  putInstant,
  unknownColumn,
  type LocalAnchors,
} from "../shapes/anchor-columns.ts";
import type { BlockRows } from "./blocks.ts";
import { GROUP_COMMITS_PER_COMMIT, type Engine } from "./engine.ts";
import { flushesOf, putFlush } from "./flushes.ts";
import { instantsOf } from "../prepare/own-instants.ts";
import type { Server } from "../prepare/server.ts";
import { Obtained } from "../shapes/tables.ts";

/** A group commit begins at most this much after its commit, µs. */
const COMMIT_TO_GROUP_US = 5;

/** First and last instants of each block's commits, µs, and how many events of each kind it has. */
interface CommitEvents {
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly groupStart: Float64Array;
  readonly commits: Uint16Array;
  readonly groupCommits: Uint16Array;
  readonly hardens: Uint16Array;
}

/** Fills the anchors of commits and of the primary's own log write. @param rowOf block row of each own block; -1 for none */
export function joinLocal(
  server: Server,
  rowOf: Int32Array,
  rows: BlockRows,
  local: LocalAnchors,
  engine: Engine,
): void {
  const flushes = flushesOf(server, rowOf, rows);
  const to = columnsOfAnchors(local);
  for (let row = 0; row < rows.length; row++)
    putInstant(to.pushedToLogPool, row, flushes.logPool[row], Obtained.measured);
  putCommits(server, commitEventsOf(server, rowOf, rows.length), local, engine);
  putFlush(local, flushes, "localFlushStart", "localFlushEnd", ["commitStart", "pushedToLogPool"]);
}

const COMMIT_COLUMNS = [
  "commitStart",
  "commitEnd",
  "groupStart",
  "commits",
  "groupCommits",
  "hardens",
] as const;

function commitEventsOf({ instants }: Server, rowOf: Int32Array, rows: number): CommitEvents {
  const found = {
    start: unknownColumn(rows),
    end: unknownColumn(rows),
    groupStart: unknownColumn(rows),
    commits: new Uint16Array(rows),
    groupCommits: new Uint16Array(rows),
    hardens: new Uint16Array(rows),
  };
  for (const shown of instantsOf(instants, COMMIT_COLUMNS))
    for (let k = 0; k < shown.length; k++) {
      const row = rowOf[shown.from + k];
      if (row < 0) continue;
      keepEarlier(found.start, row, shown.commitStart[k]);
      keepLater(found.end, row, shown.commitEnd[k]);
      keepEarlier(found.groupStart, row, shown.groupStart[k]);
      found.commits[row] += shown.commits[k];
      found.groupCommits[row] += shown.groupCommits[k];
      found.hardens[row] += shown.hardens[k];
    }
  return found;
}

function putCommits({ rowsOf }: Server, found: CommitEvents, local: LocalAnchors, engine: Engine): void {
  const { start, end, groupStart, commits, groupCommits, hardens } = found;
  const to = columnsOfAnchors(local);
  // A block with group commits but no commit of its own has its commits after the capture's end.
  const hasCommits = rowsOf.has(EventKind.commit);
  const hasGroups = groupCommits.some((count) => count > 0);
  const hasHardens = hardens.some((count) => count > 0);
  for (let row = 0; row < start.length; row++) {
    // A group commit well before the first commit shows that the first commit's event was lost.
    const firstLost = groupStart[row] < start[row] - COMMIT_TO_GROUP_US;
    if (firstLost || !hasCommits) putInstant(to.commitStart, row, groupStart[row], Obtained.fallback);
    // If a commit's companions do not add up, the first or the last commit's own event may be lost too. Grouping takes
    // at most 10 ms (docs/contribute/model/diagnosis.md 6.2, rule D6), which limits the error; all end within a few µs.
    const oneLost =
      (hasGroups && groupCommits[row] !== GROUP_COMMITS_PER_COMMIT[engine] * commits[row]) ||
      (hasHardens && hardens[row] !== commits[row]);
    const how = oneLost ? Obtained.derived : Obtained.measured;
    putInstant(to.commitStart, row, start[row], how);
    putInstant(to.commitEnd, row, end[row], how);
  }
}
