/** The list of captures in the library: lines, facets that narrow it, and used storage. */
import { Capture, Owner } from "./captures.ts";
import { z } from "../zod.ts";

/**
 * Where the commits of a capture wait, as a choice of the list's facet: a place, no dominant stage, another cause, an
 * unclear one, a running analysis, or no analysis.
 */
export const CAPTURE_WAITS = [
  "secondary",
  "network",
  "primary",
  "none",
  "other",
  "unclear",
  "analysing",
  "unanalysed",
] as const;
export const CaptureWait = z.enum(CAPTURE_WAITS);
export type CaptureWait = z.infer<typeof CaptureWait>;

/** Which captures the library lists before facets and words narrow it. */
export const LIBRARY_VIEWS = ["all", "mine", "shared", "expiring", "trash"] as const;
export const LibraryView = z.enum(LIBRARY_VIEWS);
export type LibraryView = z.infer<typeof LibraryView>;

/** Columns that lines can be sorted by; with "-" before the name, the largest or last value is first. */
export const LIBRARY_COLUMNS = [
  "group",
  "name",
  "p95",
  "captured",
  "length",
  "size",
  "owner",
  "expires",
] as const;
export type LibraryColumn = (typeof LIBRARY_COLUMNS)[number];
export const LibrarySort = z.enum([
  ...LIBRARY_COLUMNS,
  ...LIBRARY_COLUMNS.map((each) => `-${each}` as const),
]);
export type LibrarySort = z.infer<typeof LibrarySort>;

/** One line. Times are UTC, ISO 8601. */
export const LibraryCapture = Capture.pick({
  id: true,
  name: true,
  created: true,
  expires: true,
  state: true,
  verdict: true,
  severity: true,
  place: true,
  isDraft: true,
}).extend({
  wait: CaptureWait,
  /**
   * Key that groups captures of one availability group: its name, or its databases and servers; null without a file of
   * events.
   */
  group: z.string().nullable(),
  /** Readable form: the name of the group, otherwise its servers, or the number of replicas. */
  groupName: z.string().nullable(),
  /** 95th percentile of commit latency, µs; null before the analysis and without a commit. */
  p95Us: z.number().nullable(),
  /** µs; null before the analysis. */
  durationUs: z.number().nullable(),
  /** Time of the first event of its files that are not excluded. */
  from: z.string().nullable(),
  files: z.number(),
  /** Bytes of its files. */
  bytes: z.number(),
  /** Creator of the capture; null where no sign-in was required. */
  owner: Owner.nullable(),
  shared: z.boolean(),
  /** In alphabetical order. */
  tags: z.array(z.string()),
  /** Whether the user may change and delete it. */
  mayChange: z.boolean(),
  /** The minimap in 120 columns, as `decodeGlyph` reads it; null before the analysis. */
  glyph: z.string().nullable(),
  /** Progress of the current analysis; null without one. */
  progress: z
    .object({
      phase: z.string(),
      /** Share of the bytes, 0..1. */
      share: z.number(),
      /** Place among those that wait, from 1; null once it runs. */
      place: z.number().nullable(),
    })
    .nullable(),
  /** Reason why the analysis failed, in a sentence. */
  problem: z.string().nullable(),
  /** Time of its move to the trash, and time until which it can be restored; null outside of the trash. */
  trashed: z.object({ deleted: z.string(), restorableUntil: z.string() }).nullable(),
});
export type LibraryCapture = z.infer<typeof LibraryCapture>;

/** One choice of a facet, with the captures that it would list under the other facets' choices. */
export const FacetChoice = z.object({ value: z.string(), name: z.string(), count: z.number() });
export type FacetChoice = z.infer<typeof FacetChoice>;

/** Bytes of files kept; `limit` is null without a quota. */
export const StorageUse = z.object({
  bytes: z.number(),
  /** Bytes of captures in the trash, included in `bytes`. */
  trash: z.number(),
  limit: z.number().nullable(),
});
export type StorageUse = z.infer<typeof StorageUse>;

/** Lines from `offset` on, of those that match view, facets and words. */
export const LibraryPage = z.object({
  captures: z.array(LibraryCapture),
  offset: z.number(),
  /** Lines on all pages, and the bytes of their files. */
  total: z.number(),
  bytes: z.number(),
  /** Lines without the words of the search. */
  totalWithoutWords: z.number(),
  /** Captures of each view, independent of facets and words. */
  views: z.record(LibraryView, z.number()),
  /**
   * `group`, `owner` and `tag` by count, `wait` in the order of CAPTURE_WAITS. A choice with count 0 stays listed. A capture is counted by
   * each of its tags.
   */
  facets: z.object({
    group: z.array(FacetChoice),
    wait: z.array(FacetChoice),
    owner: z.array(FacetChoice),
    tag: z.array(FacetChoice),
  }),
  storage: z.object({
    /** Use of all users; null for users who may not see it. */
    all: StorageUse.nullable(),
    /** Use of the signed-in user; null on a server without sign-in. */
    own: StorageUse.nullable(),
  }),
});
export type LibraryPage = z.infer<typeof LibraryPage>;
