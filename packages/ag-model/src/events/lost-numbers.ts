/**
 * Lost events of one server, exactly: holes in the numbers that `event_sequence` gives to all events of a session, over
 * all files that the session wrote (docs/contribute/model/diagnosis.md 6.6).
 */
import type { NumberRun } from "xel-parser/format";
import type { EventFile } from "./columns.ts";

/** Why events of a hole are in no file that is read. */
export const LOSS_CAUSES = ["dropped", "damaged", "missingFile"] as const;
export type LossCause = (typeof LOSS_CAUSES)[number];

/** Consecutive numbers without an event. */
export interface NumberHole {
  /** How many. */
  readonly events: number;
  /** Publish times of the events around it, FILETIME ticks to the precision of a double. */
  readonly fromTicks: number;
  readonly toTicks: number;
  readonly cause: LossCause;
  /** Files of the events around it, by their index. */
  readonly before: number;
  readonly after: number;
  /** True for many small holes in one, so that most of the time between has events. */
  readonly isJoined?: boolean;
}

interface LostNumbers {
  /** Events with a number. */
  readonly events: number;
  readonly holes: readonly NumberHole[];
}

/** Fewer events of a file have a number: the action is not on all events of its session, so holes would not be all. */
const LEAST_NUMBERED = 0.99;
/** Buffers that are written late belong to the time around the change of a file, ticks: 1 s. */
const SLACK_TICKS = 10_000_000;
/** A hole between two files that is less than this part of the first one is no missing file. */
const PART_OF_FILE = 0.5;

interface FileRun extends NumberRun {
  readonly file: number;
}

/** Runs of one session, ascending. */
interface Session {
  readonly runs: readonly FileRun[];
  readonly fromTicks: number;
  readonly toTicks: number;
  readonly name: string | null;
}

/** Whether each event of a file has a number. */
const isNumbered = ({ events, reading }: EventFile): boolean => {
  const { numbers } = reading ?? {};
  return numbers !== undefined && numbers.sessions.length > 0 && numbers.events - numbers.odd >= events * LEAST_NUMBERED; // prettier-ignore
};

/** The lost events of a server; null unless the events of all its files are numbered. */
export function lostNumbers(files: readonly EventFile[]): LostNumbers | null {
  const own = files.filter(({ events }) => events > 0);
  if (own.length === 0 || !own.every(isNumbered)) return null;
  const sessions: Session[] = [];
  const parts = files.flatMap((file, index) => partsOf(file, index));
  for (const part of parts.toSorted((a, b) => a.fromTicks - b.fromTicks)) {
    const at = sessions.findLastIndex((session) => isContinued(session, part));
    if (at < 0) sessions.push(part);
    else sessions[at] = joined(sessions[at], part);
  }
  return {
    events: sessions.reduce((sum, { runs }) => sum + runs.reduce((all, { count }) => all + count, 0), 0),
    holes: withoutOdd(
      sessions.flatMap((session, at) => [
        ...beforeRestart(sessions.slice(0, at), session, files),
        ...holesOf(session, files),
      ]),
      files,
    ),
  };
}

/**
 * Events that were read though damage took their number or made another one: a hole of their file has it, of those next
 * to the damage if there is one.
 */
function withoutOdd(holes: readonly NumberHole[], files: readonly EventFile[]): NumberHole[] {
  const odd = files.map(({ reading }) => reading?.numbers?.odd ?? 0);
  const without = files.map(({ events, reading }) => events - (reading?.numbers?.events ?? events));
  const byDamage = holes.toSorted(
    (a, b) => Number(b.cause === "damaged") - Number(a.cause === "damaged") || a.events - b.events,
  );
  return byDamage.flatMap((hole) => {
    let { events } = hole;
    for (const left of hole.cause === "damaged" ? [odd, without] : [odd]) {
      const read = Math.min(left[hole.before], events);
      left[hole.before] -= read;
      events -= read;
    }
    return events === 0 ? [] : [{ ...hole, events }];
  });
}

/** SQL Server puts a number after the name of a session's file. */
const ROLLOVER = /^(.*)_0_\d+\.xel$/u;

const partsOf = ({ name, reading }: EventFile, file: number): Session[] =>
  (reading?.numbers?.sessions ?? []).map((runs) => ({
    runs: runs.map((run) => ({ ...run, file })),
    // Damage makes any time, so one that the run next to it contradicts does not count.
    fromTicks: Math.min(
      ...runs.map(({ fromTicks }, i) => Math.max(fromTicks, runs[i - 1]?.fromTicks ?? fromTicks)),
    ),
    toTicks: Math.max(...runs.map(({ toTicks }, i) => Math.min(toTicks, runs[i + 1]?.toTicks ?? toTicks))),
    name: ROLLOVER.exec(name)?.[1] ?? null,
  }));

const isSameName = (a: Session, b: Session): boolean =>
  a.name === null || b.name === null || a.name === b.name;

/**
 * Whether a file continues a session: with higher numbers after it, or with numbers that are missing there, from a
 * buffer that was written late. A session that started again has numbers again, or lower ones later.
 */
function isContinued(session: Session, part: Session): boolean {
  if (!isSameName(session, part)) return false;
  const [first] = part.runs;
  if (first.first > session.runs.at(-1)!.last) return part.fromTicks >= session.toTicks - SLACK_TICKS;
  return (
    first.first > session.runs[0].first &&
    part.fromTicks <= session.toTicks + SLACK_TICKS &&
    isApart(session, part)
  );
}

/** Whether no number is in both. Joined runs have holes that may be the other's numbers. */
function isApart(session: Session, part: Session): boolean {
  const { runs } = joined(session, part);
  const isFull = ({ first, last, count }: FileRun): boolean => count === last - first + 1;
  return runs.every((run, i) => i === 0 || run.first > runs[i - 1].last || !isFull(run) || !isFull(runs[i - 1]));
} // prettier-ignore

const joined = (session: Session, part: Session): Session => ({
  runs: [...session.runs, ...part.runs].toSorted((a, b) => a.first - b.first),
  fromTicks: Math.min(session.fromTicks, part.fromTicks),
  toTicks: Math.max(session.toTicks, part.toTicks),
  name: session.name ?? part.name,
});

function holesOf({ runs }: Session, files: readonly EventFile[]): NumberHole[] {
  return runs.flatMap((run, i) => {
    const holes: NumberHole[] = [];
    const before = runs[i - 1];
    if (before !== undefined && run.first > before.last + 1)
      holes.push({
        events: run.first - before.last - 1,
        fromTicks: Math.min(before.toTicks, run.fromTicks),
        toTicks: Math.max(before.toTicks, run.fromTicks),
        cause: causeOf(before, run, runs, files),
        before: before.file,
        after: run.file,
      });
    const { file, first, last, count, fromTicks, toTicks } = run;
    const events = last - first + 1 - count;
    if (events > 0)
      holes.push({ events, fromTicks, toTicks, cause: "dropped", before: file, after: file, isJoined: true });
    return holes;
  }); // prettier-ignore
}

function causeOf(
  before: FileRun,
  after: FileRun,
  runs: readonly FileRun[],
  files: readonly EventFile[],
): LossCause {
  const lostAt = (file: number): number[] =>
    files[file].gaps.flatMap(({ bytes, offset }) => (bytes > 0 ? [offset] : []));
  if (before.file === after.file) {
    const [from, to] = [before.toOffset, after.fromOffset].toSorted((a, b) => a - b);
    return lostAt(before.file).some((offset) => offset > from && offset < to) ? "damaged" : "dropped";
  }
  if (
    lostAt(before.file).some((offset) => offset > before.toOffset) ||
    lostAt(after.file).some((offset) => offset < after.fromOffset)
  )
    return "damaged";
  const first = runs.find(({ file }) => file === before.file)!.first;
  const inFile = before.last - first + 1;
  return after.first - before.last - 1 >= inFile * PART_OF_FILE ? "missingFile" : "dropped";
}

/** Events that a session numbered after it had started again, before its first file; there are no figures of the one before it. */
function beforeRestart(earlier: readonly Session[], session: Session, files: readonly EventFile[]): NumberHole[] {
  const previous = earlier.findLast((each) => isSameName(each, session) && each.toTicks <= session.fromTicks);
  const [{ first, file, fromTicks, last }] = session.runs;
  if (previous === undefined || first === 1) return [];
  const end = previous.runs.at(-1)!;
  const hasGap = files[end.file].gaps.some(({ bytes, offset }) => bytes > 0 && offset > end.toOffset);
  const cause = hasGap ? "damaged" : first - 1 >= (last - first + 1) * PART_OF_FILE ? "missingFile" : "dropped";
  return [{ events: first - 1, fromTicks: end.toTicks, toTicks: fromTicks, cause, before: end.file, after: file }];
} // prettier-ignore
