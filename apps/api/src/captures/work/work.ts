/** The work on a capture: an analysis of it and changes of its files in several steps exclude each other, on whichever server. */
import type { Progress } from "@aglens/contract";
import { problem } from "@aglens/engine/problems";
import type { CaptureRecord, CaptureWork, HeldCatalogue, RecordChange } from "../../store/catalogue.ts";

/**
 * What is done with a capture that is held.
 * @param catalogue where it is stored: a server that was held up until another one held the capture stores nothing any more
 */
export type HeldWork<Result> = (catalogue: HeldCatalogue) => Promise<Result>;

/** What is done with captures, one thing at a time with each. Every method throws ProblemError for the caller to show. */
export interface Work {
  /**
   * For a change of a record: what was so when it was asked for need not be so any more.
   * @param known the work that the catalogue knows of, as the change was given it: all there is where several servers have it
   * @throws ProblemError `wrong-state` while somebody works on the capture
   */
  expectFree(id: string, known: CaptureWork | null): void;
  /** As `expectFree`, without an error. */
  isFree(id: string, known: CaptureWork | null): boolean;
  /** @throws ProblemError `wrong-state` while somebody works on the capture, `capture-not-found` */
  expectNone(id: string): Promise<CaptureRecord>;
  /** Does some work on a capture during which nothing else changes it. @throws ProblemError `wrong-state`; what the work throws */
  hold<Result>(id: string, work: HeldWork<Result>): Promise<Result>;
  /** As `hold`, once nothing else holds the capture; an analysis of it is ended. The work begins anew where another server held it meanwhile. */
  holdAlone<Result>(id: string, work: HeldWork<Result>): Promise<Result>;
  /** As `hold`. @returns null where somebody works on the capture: what is under way goes on by itself */
  holdIfFree<Result>(id: string, work: HeldWork<Result>): Promise<Result | null>;
  /** Resolves when nothing holds the capture; its analysis may run. */
  whenFree(id: string): Promise<void>;
  close(): Promise<void>;
}

/** The analyses among the work, for who runs them. */
export interface AnalysisWork extends Work {
  /** To be called once, before anything else. */
  employ(worker: AnalysisWorker): void;
  /**
   * Asks for an analysis: what the record becomes is stored, and it begins when its turn has come.
   * @param isReady awaited before
   * @param isUnasked nobody asked for it: it begins behind all others
   * @throws ProblemError `wrong-state`; what `isReady` and the change throw, and nothing is asked for then
   */
  ask(
    id: string,
    isReady: () => Promise<void>,
    change: RecordChange,
    isUnasked?: boolean,
  ): Promise<CaptureRecord>;
  /** The worker is to start an analysis again on nobody's request, behind those that wait already; its record says so. */
  again(id: string): void;
  /**
   * Ends an analysis that runs or waits; nothing of it is written when this resolves.
   * @param change what its record becomes
   * @throws ProblemError `wrong-state` where there is none
   */
  cancel(id: string, change: RecordChange): Promise<CaptureRecord>;
  /** How far the analysis is; null when none runs or waits for its turn. */
  progressOf(id: string): Progress | null;
  /** The first picture of the analysis that runs, once it has one. */
  previewOf(id: string): Promise<Uint8Array | null>;
  /** Analyses that no server has begun yet. */
  readonly waiting: number;
  /** Whether it is to be done again and has not begun. */
  isToDoAgain(id: string): boolean;
  /** This server is about to end: what it has not begun is for others, what it runs goes on until `close`. */
  rest(): void;
  /** Whether it is certain that no analysis runs or waits. */
  hasNone(id: string): boolean;
}

/** Runs analyses on this server. */
export interface AnalysisWorker {
  /** Whether there is room for one more. @param bytes of its files */
  mayBegin(bytes: number): boolean;
  /** @param record as it is now @returns once it runs; it has ended where this rejects */
  begin(record: CaptureRecord, turn: Turn): Promise<Execution>;
  /** Asks for an analysis; what refuses it becomes the capture's problem. @param isUnasked as `ask` has it */
  startUnasked(id: string, isUnasked: boolean): Promise<void>;
  /** What becomes of a record whose analysis ended with the server that ran it. */
  interrupted(record: CaptureRecord): CaptureRecord;
  /** An analysis was cancelled. */
  cancelled(id: string): void;
  /** An analysis that another server runs, or that waits, is further than it was. */
  progressed(id: string): void;
  /** An analysis ended somewhere else; its record says how. */
  ended(id: string): void;
}

/** The turn of an analysis on this server. */
export interface Turn {
  /**
   * Stores how it ended, and leaves. It may be called again where it throws what the change throws, or what the catalogue does.
   * @returns null when somebody ended it before, who takes care of the capture
   */
  end(change: RecordChange): Promise<CaptureRecord | null>;
  /** Its progress, or its first picture, is another one now. */
  changed(): void;
  /** Nothing of it is written any more. */
  leave(): void;
}

/** An analysis as it runs on this server. */
export interface Execution {
  readonly progress: Progress;
  readonly preview: Uint8Array | null;
  /** Ends it, and throws away what it still brings. */
  cancel(): Promise<void>;
  /** Resolves when nothing of it is written any more; never rejects. */
  readonly settled: Promise<void>;
}

/** @throws ProblemError `wrong-state` */
export function refuseFor(kind: CaptureWork["kind"]): never {
  throw problem(
    "wrong-state",
    kind === "hold"
      ? "The capture is being made into several, or deleted. Try again in a moment."
      : "The capture is being analyzed. Wait for the end or cancel the analysis first.",
  );
}

/** @throws ProblemError `wrong-state` */
export function refuseCancel(): never {
  throw problem("wrong-state", "No analysis of this capture is running.");
}
