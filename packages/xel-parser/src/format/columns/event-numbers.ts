/**
 * Numbers that an action of a session gives to all its events (`event_sequence`): a hole in them is as many events that
 * were lost. Records are not in order, so numbers are kept as runs, which later ones complete.
 */
import { kindOf, type Schema } from "../metadata.ts";
import { BaseType, ObjectKind } from "../constants.ts";
import { baseTypeOf } from "../types.ts";

/** Consecutive numbers of events in a file. */
export interface NumberRun {
  /** First and last number. */
  readonly first: number;
  readonly last: number;
  /** Number of events in it; fewer than numbers where runs of a file with very many holes were joined. */
  readonly count: number;
  /** When the events of the first and the last number were published, FILETIME ticks to the precision of a double. */
  readonly fromTicks: number;
  readonly toTicks: number;
  /** Byte offsets of their records in the file. */
  readonly fromOffset: number;
  readonly toOffset: number;
}

/** Numbers of the events of a file. */
export interface NumberedEvents {
  /** Number of events that have one. */
  readonly events: number;
  /** Number of those that were skipped, because damage made their numbers. */
  readonly odd: number;
  /** Runs of each session that wrote into the file, ascending; a session that starts again numbers from 1. */
  readonly sessions: readonly (readonly NumberRun[])[];
}

/** The action of the numbers, and where the record that was read last has its value; -1 without one. */
export interface WantedAction {
  /** Relative id; -1 while the metadata has no such action. */
  rid: number;
  at: number;
}

/** Bytes of a number. */
export const NUMBER_BYTES = 8;
/** More runs of a session are joined over the smallest holes. */
const MOST_RUNS = 1_024;
const MOST_PENDING = 8_192;
/** Files glued together may have ever more sessions; events of further ones have no number then. */
const MOST_SESSIONS = 64;
/** A number that is as far from its predecessor counts only if the next record continues from it. */
const FAR = 2 ** 20;
/** Records of one buffer memory are apart by less in the order of their numbers, ticks: 1 s. */
const LATER_TICKS = 10_000_000;
/** A publish time that is as much later than those before and after it does not count, ticks: 1 d. */
const FAR_TICKS = 864_000_000_000;
const WORD = 2 ** 32;

type Run = { -readonly [Key in keyof NumberRun]: NumberRun[Key] };

/** Collects the numbers of the events of one file, in the order of the file. */
export class EventNumbers {
  readonly wanted: WantedAction = { rid: -1, at: -1 };
  readonly #action: string;
  readonly #sessions: Run[][] = [];
  /** Runs of the current session: ascending and joined, those that have yet to be joined, and the one that grows. */
  #runs: Run[] = [];
  #pending: Run[] = [];
  #open: Run | null = null;
  /** A doubtful number, until the next record. */
  #held: Run | null = null;
  /** Highest number and latest publish time of the current session; -1 without one. */
  #highest = -1;
  #latest = -1;
  /** Publish time of the record before, which is no part of `#latest` yet; -1 without one that counts. */
  #previous = -1;
  #events = 0;
  #odd = 0;

  /** @param action its name, in any package */
  constructor(action: string) {
    this.#action = action;
  }

  /** Finds the action in changed metadata. */
  learn(schema: Schema): void {
    this.wanted.rid = -1;
    for (const [rid, { name, type }] of schema.actions)
      if (name === this.#action && baseTypeOf(type) === BaseType.uint64 && kindOf(rid) === ObjectKind.action)
        this.wanted.rid = rid;
  }

  /** Adds the number of the record that was read last, if it has one. @param low words of its publish time, ticks */
  add(view: DataView, low: number, high: number, offset: number): void {
    const { at } = this.wanted;
    this.wanted.at = -1;
    if (at < 0) return;
    this.#add(view.getUint32(at, true) + WORD * view.getUint32(at + 4, true), high * WORD + low, offset);
  }

  /** The numbers so far; undefined where no event has one. */
  list(): NumberedEvents | undefined {
    if (this.#events === 0) return undefined;
    if (this.#held !== null && this.#highest < 0) this.#begin(this.#held);
    else if (this.#held !== null) this.#odd++;
    this.#held = null;
    this.#join();
    const sessions = [...this.#sessions, this.#runs].filter((runs) => runs.length > 0);
    return { events: this.#events, odd: this.#odd, sessions };
  }

  #add(number: number, ticks: number, offset: number): void {
    this.#events++;
    const open = this.#open;
    if (open !== null && number === open.last + 1) {
      open.last = number;
      open.count++;
      open.toTicks = ticks;
      open.toOffset = offset;
      if (number > this.#highest) this.#highest = number;
      this.#see(ticks);
      return;
    }
    const run = { first: number, last: number, count: 1, fromTicks: ticks, toTicks: ticks, fromOffset: offset, toOffset: offset }; // prettier-ignore
    if (this.#held !== null) this.#decide(this.#held, run);
    this.#see(ticks);
    if (this.#isDoubtful(run)) {
      this.#close();
      this.#held = run;
    } else this.#begin(run);
  }

  /** Counts the time of the record before, unless it is far after all others: damage makes any time. */
  #see(ticks: number): void {
    const last = this.#previous;
    if (last > this.#latest && last <= Math.max(this.#latest, ticks) + FAR_TICKS) this.#latest = last;
    this.#previous = ticks;
  }

  /** Damage makes any number, while a session that started again and a large loss continue in the next record. */
  #isDoubtful({ first, fromTicks }: Run): boolean {
    return (
      this.#highest < 0 ||
      first > this.#highest + FAR ||
      first < this.#highest - FAR ||
      (first < this.#highest && fromTicks > this.#latest + LATER_TICKS)
    );
  }

  #decide(held: Run, next: Run): void {
    this.#held = null;
    const isContinued =
      next.first > held.first &&
      next.first <= held.first + FAR &&
      next.fromTicks >= held.fromTicks - LATER_TICKS;
    if (!isContinued) {
      this.#odd++;
      this.#previous = -1;
      return;
    }
    if (held.first < this.#highest && held.fromTicks > this.#latest) this.#beginSession();
    this.#begin(held);
  }

  #beginSession(): void {
    this.#join();
    if (this.#sessions.length < MOST_SESSIONS) this.#sessions.push(this.#runs);
    else this.#odd += this.#runs.reduce((sum, { count }) => sum + count, 0);
    this.#runs = [];
    this.#highest = this.#latest = -1;
  }

  #begin(run: Run): void {
    this.#close();
    if (this.#pending.length >= MOST_PENDING) this.#join();
    this.#open = run;
    this.#highest = Math.max(this.#highest, run.last);
  }

  #close(): void {
    if (this.#open !== null) this.#pending.push(this.#open);
    this.#open = null;
  }

  #join(): void {
    this.#close();
    this.#runs = withFewHoles(joined([...this.#runs, ...this.#pending]));
    this.#pending = [];
  }
}

function joined(runs: Run[]): Run[] {
  const all: Run[] = [];
  for (const run of runs.sort((a, b) => a.first - b.first)) {
    const last = all.at(-1);
    if (last === undefined || run.first > last.last + 1) all.push(run);
    else append(last, run);
  }
  return all;
}

function append(to: Run, run: Run): void {
  to.count += run.count;
  if (run.last <= to.last) return;
  to.last = run.last;
  to.toTicks = run.toTicks;
  to.toOffset = run.toOffset;
}

/** Joins runs over the smallest holes where there are very many; their events are counted all the same. */
function withFewHoles(runs: Run[]): Run[] {
  if (runs.length <= 2 * MOST_RUNS) return runs;
  const holes = Float64Array.from(runs.slice(1), ({ first }, i) => first - runs[i].last).sort();
  const most = holes[runs.length - MOST_RUNS];
  const all: Run[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    if (last === undefined || run.first - last.last > most) all.push(run);
    else append(last, run);
  }
  return all;
}

/** Numbers of a complete file from those of its parts, in the file's order; undefined without any. */
export function joinNumbers(parts: readonly (NumberedEvents | undefined)[]): NumberedEvents | undefined {
  const numbered = parts.filter((part) => part !== undefined);
  if (numbered.length === 0) return undefined;
  return {
    events: numbered.reduce((sum, { events }) => sum + events, 0),
    odd: numbered.reduce((sum, { odd }) => sum + odd, 0),
    sessions: numbered.flatMap(({ sessions }) => sessions),
  };
}
