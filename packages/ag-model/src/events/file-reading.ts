/**
 * Facts about how a file is written, from reading it: expectations about the file are checked against them (`check/`).
 */
import type { FileShape, NumberedEvents, UnclaimedPayload } from "xel-parser/format";

/** Counts of a file's events, and facts from its metadata. No name or id of a customer is among them. */
export interface FileReading {
  /** Undefined of events that were saved as text. */
  readonly shape: FileShape | undefined;
  readonly unclaimed: readonly UnclaimedPayload[];
  /**
   * Numbers of its events by event_sequence; absent where no event has one. A model has no runs of them: it has the
   * holes (`CaptureModel.countedLosses`).
   */
  readonly numbers?: NumberedEvents;
  /** Events of the catalog by kind and mode: entry `kind * MODES + mode`, modes from 15 on together. */
  readonly modes: readonly number[];
  /** Number of events whose times were checked: all of a small file, some of a large one. */
  readonly times: number;
  /** Number of those whose publish time is a whole millisecond. */
  readonly wholeMs: number;
  /** Events of the catalog. */
  readonly events: number;
  /** Number of those with a counter, and of jumps of publish time minus counter by more than ten seconds. */
  readonly counters: { readonly known: number; readonly jumps: number };
  /**
   * Number of log_flush_start events that follow another of their database, and of those whose block id is lower than
   * its predecessor's.
   */
  readonly blockIds: { readonly known: number; readonly falling: number };
  /**
   * Acknowledgments whose block id is after the first captured block, and those whose id is the end of a captured
   * block.
   */
  readonly acknowledgments: { readonly known: number; readonly atBlockEnds: number };
  /** Texts of control_action from SQL Server's map. */
  readonly controlActions: readonly string[];
  /** Log writes with both events, and how many times the order and the unit of `duration` are as expected. */
  readonly writes: { readonly pairs: number; readonly inOrder: number; readonly inMs: number };
}

/** Entries by mode of each kind in `FileReading.modes`. */
export const MODES = 16;
