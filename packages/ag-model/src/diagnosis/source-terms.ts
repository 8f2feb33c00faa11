/**
 * Words for the source of events in sentences: files that were opened, or servers that are read while they run. A live
 * view has no file to add, and missing events there have another remedy.
 */
import type { CaptureModel } from "../replication/shapes/tables.ts";

/** A replica and the distance of its events from the primary's, as sentences name them. */
export interface ReplicaTimeGap {
  readonly name: string;
  readonly primary: string;
  /** `2.03 s`. */
  readonly distance: string;
  readonly isBefore: boolean;
}

interface SourceTerms {
  readonly noBlock: string;
  readonly noBlockCheck: string;
  readonly apart: (words: ReplicaTimeGap) => string;
  readonly apartChecks: readonly string[];
  readonly noPrimary: string;
  readonly noPrimaryCheck: string;
  /** Servers without any events. */
  readonly withoutEvents: (names: string) => string;
  /** Servers with events, but not for a part of the time. */
  readonly notThen: (names: string) => string;
  /** Reason why the parts of a secondary's path are unknown, in the complete capture or in a part of it. */
  readonly unsplit: (name: string, isComplete: boolean, hasFile: boolean) => string;
  readonly unsplitCheck: (name: string) => string;
  /** Next check where its events exist, but not those of its path. */
  readonly sessionCheck: (name: string) => string;
  readonly qualityChecks: readonly string[];
  /** `12 of 300 log blocks ...`. */
  readonly unmatched: (primary: string, secondary: string) => string;
  /** `About 3 log blocks are ...`. */
  readonly missing: string;
  readonly lossChecks: readonly string[];
  /** Words for the source of all figures. */
  readonly whole: string;
}

const SESSION_CHECKS = [
  "Query dropped_event_count and dropped_buffer_count of the session in sys.dm_xe_sessions",
  "Compare MAX_MEMORY and EVENT_RETENTION_MODE of the session with those of the capture script",
];

const FILES: SourceTerms = {
  noBlock: "these files contain no log block of an availability database.",
  noBlockCheck: "Compare the events of the session with those of the capture script",
  apart: ({ name, primary, distance, isBefore }) =>
    isBefore
      ? `${name}'s file ends ${distance} before ${primary}'s begins.`
      : `${name}'s file begins ${distance} after ${primary}'s ends.`,
  apartChecks: ["Capture all replicas at once, the secondary started first and stopped last"],
  noPrimary: "there is no file of the primary",
  noPrimaryCheck: "Add the files of the primary",
  withoutEvents: (names) => `there is no file of ${names}`,
  notThen: (names) => `no file of ${names} covers that time`,
  unsplit: (name, isComplete, hasFile) => {
    if (isComplete && hasFile)
      return `The session of ${name} does not have the events that distinguish the network from its disk.`;
    return isComplete
      ? "Without its file, network and disk time can't be separated."
      : `No file of ${name} covers most of that time, so network and disk time can't be separated.`;
  },
  unsplitCheck: (name) => `Add the files of ${name}`,
  sessionCheck: (name) => `Compare the events of the session on ${name} with those of the capture script`,
  qualityChecks: [
    "Capture all replicas at once, the secondary started first and stopped last",
    "Increase max_file_size of the event files, so that none is dropped",
  ],
  unmatched: (primary, secondary) =>
    `are in ${primary}'s or ${secondary}'s files only, although both cover their time`,
  missing: "in no file",
  lossChecks: [...SESSION_CHECKS, "Increase max_rollover_files or max_file_size of the session"],
  whole: "the capture",
};

const LIVE: SourceTerms = {
  noBlock: "no log block of an availability database has arrived yet.",
  noBlockCheck: "Compare the events of the sessions with those of the capture script",
  apart: ({ name, primary, distance, isBefore }) =>
    isBefore
      ? `The last event of ${name} is ${distance} older than the first one of ${primary}.`
      : `The first event of ${name} is ${distance} younger than the last one of ${primary}.`,
  apartChecks: ["Verify that both sessions run, and compare their MAX_DISPATCH_LATENCY"],
  noPrimary: "AG Lens doesn't read the primary",
  noPrimaryCheck: "Attach the primary too",
  withoutEvents: (names) => `AG Lens doesn't read ${names}`,
  notThen: (names) => `AG Lens didn't read ${names} at that time`,
  unsplit: (name) => `Without events of ${name}, network and disk time can't be separated.`,
  unsplitCheck: (name) => `Attach ${name}, or check why no events of it are received`,
  sessionCheck: (name) => `Attach ${name}, or check why no events of it are received`,
  qualityChecks: SESSION_CHECKS,
  unmatched: (primary, secondary) =>
    `were seen on ${primary} or on ${secondary} only, although both are read`,
  missing: "missing",
  lossChecks: [...SESSION_CHECKS, "Read MAX_DISPATCH_LATENCY of the session, and test its connection"],
  whole: "that time",
};

/** The words for the source of a model's events. */
export const sourceTerms = ({ source }: Pick<CaptureModel, "source">): SourceTerms =>
  source === "live" ? LIVE : FILES;
