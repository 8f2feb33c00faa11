/** D18: another server became the primary while the capture ran. */
import { LOCAL_ANCHORS, type CaptureModel } from "../../replication/shapes/tables.ts";
import { phaseBorders } from "../../replication/shapes/phase-borders.ts";
import { replicaName } from "../paths.ts";
import { plainFinding } from "../plain-finding.ts";
import { sourceTerms } from "../source-terms.ts";
import type { Finding } from "../verdict.ts";
import { formatDuration, formatTimeOfDay } from "../../words/words.ts";

/** One side of a change of roles: its primary, and its commit next to the change. */
interface Side {
  /** Index into the model's replicas. */
  readonly primary: number;
  /** End of the commit next to the change; of the log block where the commit is not known for certain, µs. */
  readonly at: number;
  /** Reason why that commit is unknown; null where it is known. */
  readonly lack: "file" | "coverage" | "events" | "commits" | null;
}

/** D18: a database got another primary; from the last commit of the old one to the first of the new one. */
export function roleChanges(model: CaptureModel): Finding[] {
  const withBlocks = new Set(model.blocks.phase);
  return phaseBorders(model.phases).flatMap(({ kind, before, after: index }) => {
    const next = model.phases[index];
    // Rows of one database contain no block of another group's phases, and a range after the change does not show the
    // time before it.
    if (kind !== "roleChange" || !withBlocks.has(index) || !withBlocks.has(before)) return [];
    const old = lastCommitOf(model, before);
    const now = firstCommitOf(model, index, old.at);
    return [
      plainFinding("D18", "role_change", "notice", sentenceOf(model, old, now), {
        replica: next.primary,
        database: next.databases.length === 1 ? next.databases[0] : null,
        window: { from: Math.min(old.at, now.at), to: now.at },
        commitsKnown: { before: old.lack === null, after: now.lack === null },
        source: "the events that only a primary has",
        checkNext: [
          ...checksOf(model, [old, now]),
          "Search the cluster log and the AlwaysOn_health session for the reason of the role change",
          `Verify that the last log blocks of ${replicaName(model, old.primary)} were hardened on ${replicaName(model, now.primary)}`,
        ],
      }),
    ];
  });
}

/** The last commit of a phase. */
function lastCommitOf(model: CaptureModel, phase: number): Side {
  const { commits, phases, blocks } = model;
  const { primary, to } = phases[phase];
  const last = commitAtEdge(model, phase, (end, best) => end > best);
  if (last < 0) return { primary, at: to, lack: lackOf(model, phase) };
  if (isUnseen(model, phase, commits.block[last] + 1, blocks.length))
    return { primary, at: to, lack: "events" };
  return { primary, at: commits.end[last], lack: null };
}

/** The first commit of a phase. @param from instant from which the primary's events should exist */
function firstCommitOf(model: CaptureModel, phase: number, from: number): Side {
  const { commits, phases, replicas } = model;
  const { primary, from: begin } = phases[phase];
  const first = commitAtEdge(model, phase, (end, best) => end < best);
  if (first < 0) return { primary, at: begin, lack: lackOf(model, phase) };
  if (replicas[primary].from > from || isUnseen(model, phase, 0, commits.block[first]))
    return { primary, at: begin, lack: "events" };
  return { primary, at: commits.end[first], lack: null };
}

/** Reason why no commit of a phase is known. */
function lackOf({ phases, replicas }: CaptureModel, phase: number): Side["lack"] {
  const { primary, from, to } = phases[phase];
  const { hasCapture, ...files } = replicas[primary];
  if (!hasCapture) return "file";
  return files.from <= to && files.to >= from ? "commits" : "coverage";
}

/** The commit of a phase that ends before, or after, all others; -1 without one. */
function commitAtEdge(
  { commits, blocks }: CaptureModel,
  phase: number,
  isBeyond: (end: number, best: number) => boolean,
): number {
  let found = -1;
  for (let c = 0; c < commits.length; c++) {
    const row = commits.block[c];
    if (row < 0 || blocks.phase[row] !== phase || Number.isNaN(commits.end[c])) continue;
    if (found < 0 || isBeyond(commits.end[c], commits.end[found])) found = c;
  }
  return found;
}

/**
 * Whether one of a phase's log blocks in these rows has no event of its primary, so that its commits may be missing,
 * too.
 */
function isUnseen({ blocks }: CaptureModel, phase: number, first: number, end: number): boolean {
  for (let row = first; row < end; row++)
    if (blocks.phase[row] === phase && LOCAL_ANCHORS.every((anchor) => Number.isNaN(blocks[anchor][row])))
      return true;
  return false;
}

function sentenceOf(model: CaptureModel, old: Side, now: Side): string {
  const [oldName, name] = [old, now].map(({ primary }) => replicaName(model, primary));
  const gap = formatDuration(Math.max(0, now.at - old.at));
  const start = `At ${formatTimeOfDay(model.origin, now.at)} ${name} took over from ${oldName}`;
  const why = whyUnknown(model, [old, now]);
  if (old.lack !== null && now.lack !== null)
    return `${start}, ${gap} after its last log block; when commits ended before and after that is not known${why}.`;
  if (now.lack !== null)
    return `${start}, ${gap} after its last commit; when ${name} ended its first is not known${why}.`;
  if (old.lack !== null)
    return `${start}, and ended its first commit ${gap} after the last log block of ${oldName}; when ${oldName} ended its last commit is not known${why}.`;
  return `${start}; no commit ended for ${gap}.`;
}

/** Reason why some commits are unknown, to follow a statement that they are. */
function whyUnknown(model: CaptureModel, sides: readonly Side[]): string {
  const words = sourceTerms(model);
  const reasons = (["file", "coverage", "events"] as const).flatMap((why) => {
    const names = sides
      .filter(({ lack }) => lack === why)
      .map(({ primary }) => replicaName(model, primary))
      .join(" and ");
    if (names === "") return [];
    if (why === "events") return [`events of ${names} in that time are missing`];
    return [why === "file" ? words.withoutEvents(names) : words.notThen(names)];
  });
  return reasons.length === 0 ? "" : `: ${reasons.join(", and ")}`;
}

const checksOf = (model: CaptureModel, sides: readonly Side[]): string[] =>
  sides
    .filter(({ lack }) => lack === "file" || lack === "coverage")
    .map(({ primary }) => sourceTerms(model).unsplitCheck(replicaName(model, primary)));
