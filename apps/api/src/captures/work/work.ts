/**
 * The work on a capture: an analysis of it and changes of its files in several steps exclude each other, on all
 * servers.
 */
import type { Progress } from "@aglens/contract";
import { problem } from "@aglens/engine/problems";
import type { CaptureRecord, CaptureWork, HeldCatalog, RecordChange } from "../../store/catalog.ts";

/**
 * Work on a held capture.
 * @param catalogue stores the capture; if another server has held the capture since, it stores nothing any more
 */
export type HeldWork<Result> = (catalogue: HeldCatalog) => Promise<Result>;

/** Work on captures: one piece of work at a time with each. Every method throws ProblemError for the caller to show. */
export interface Work {
  /**
   * For a change of a record, because the facts may have changed since the request.
   * @param known the work in the catalog, as the change gets it: complete where several servers use the catalog
   * @throws ProblemError `wrong-state` while work on the capture is running
   */
  expectFree(id: string, known: CaptureWork | null): void;
  /** As `expectFree`, without an error. */
  isFree(id: string, known: CaptureWork | null): boolean;
  /** @throws ProblemError `wrong-state` while work on the capture is running, `capture-not-found` */
  expectNone(id: string): Promise<CaptureRecord>;
  /**
   * Does some work on a capture during which nothing else changes it. @throws ProblemError `wrong-state`; errors of the
   * work
   */
  hold<Result>(id: string, work: HeldWork<Result>): Promise<Result>;
  /**
   * As `hold`, once no other work holds the capture; an analysis of it is ended. The work starts again where another
   * server held the capture meanwhile.
   */
  holdAlone<Result>(id: string, work: HeldWork<Result>): Promise<Result>;
  /** As `hold`. @returns null while other work on the capture is running: that work continues */
  holdIfFree<Result>(id: string, work: HeldWork<Result>): Promise<Result | null>;
  /** Resolves when nothing holds the capture; its analysis may run. */
  whenFree(id: string): Promise<void>;
  close(): Promise<void>;
}

/** The analyses among the work, for the code that runs them. */
export interface AnalysisWork extends Work {
  /** To be called once, before anything else. */
  employ(worker: AnalysisWorker): void;
  /**
   * Asks for an analysis: the changed record is stored, and the analysis begins in its turn.
   * @param isReady awaited before
   * @param isUnasked no user asked for it: it begins after all others
   * @throws ProblemError `wrong-state`; errors of `isReady` and of the change, and then no analysis is asked for
   */
  ask(
    id: string,
    isReady: () => Promise<void>,
    change: RecordChange,
    isUnasked?: boolean,
  ): Promise<CaptureRecord>;
  /**
   * Has the worker start an analysis again without a request of a user, after those that wait already; the capture's
   * record shows it.
   */
  again(id: string): void;
  /**
   * Ends an analysis that runs or waits; nothing of it is written when this resolves.
   * @param change what its record becomes
   * @throws ProblemError `wrong-state` where the capture has no analysis
   */
  cancel(id: string, change: RecordChange): Promise<CaptureRecord>;
  /** Progress of the analysis; null when none runs or waits for its turn. */
  progressOf(id: string): Progress | null;
  /** The first picture of the analysis that runs, once it has one. */
  previewOf(id: string): Promise<Uint8Array | null>;
  /** Analyses that no server has begun yet. */
  readonly waiting: number;
  /** Whether it is to be done again and has not begun. */
  isToDoAgain(id: string): boolean;
  /**
   * Prepares this server for its end: analyses that it has not begun are left to others, running ones continue until
   * `close`.
   */
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
  /** Asks for an analysis; a refusal becomes the capture's problem. @param isUnasked as in `ask` */
  startUnasked(id: string, isUnasked: boolean): Promise<void>;
  /** The record after its analysis ended with the server that ran it. */
  interrupted(record: CaptureRecord): CaptureRecord;
  /** An analysis was cancelled. */
  cancelled(id: string): void;
  /** An analysis that another server runs, or that waits, is further than it was. */
  progressed(id: string): void;
  /** An analysis ended on another server; its record has the result. */
  ended(id: string): void;
}

/** The turn of an analysis on this server. */
export interface Turn {
  /**
   * Stores how it ended, and leaves. It may be called again after an error of the change or of the catalog.
   * @returns null when another request ended it before; that request updates the capture
   */
  end(change: RecordChange): Promise<CaptureRecord | null>;
  /** Its progress, or its first picture, is another one now. */
  changed(): void;
  /** Called when nothing of it is written any more. */
  leave(): void;
}

/** An analysis as it runs on this server. */
export interface Execution {
  readonly progress: Progress;
  readonly preview: Uint8Array | null;
  /** Ends it, and discards its later results. */
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
