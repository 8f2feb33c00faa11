/** Captures: their records, lists of them, and changes to them. */
import { Progress } from "./analysis.ts";
import { CaptureFile, CaptureGroup } from "./files.ts";
import { Problem } from "./problems.ts";
import { shownText } from "../shown-text.ts";
import { MOST_TAGS, Tag } from "./tags.ts";
import { z } from "../zod.ts";

/** Creator of a capture or a link. */
export const Owner = z.object({ id: z.string(), name: z.string() });
export type Owner = z.infer<typeof Owner>;

export const Capture = z.object({
  id: z.string(),
  name: z.string(),
  created: z.string(),
  expires: z.string().nullable(),
  state: z.enum(["receiving", "analysing", "ready", "failed"]),
  files: z.array(CaptureFile),
  /** The captures in its files, newest first: several ones have to be separated before an analysis. */
  groups: z.array(CaptureGroup).default([]),
  /** Files that are not used, and why: another one has the same content, or no event of log blocks is in it. */
  unused: z.array(z.object({ file: z.string(), sentence: z.string() })).default([]),
  progress: Progress.nullable(),
  problem: Problem.nullable(),
  verdict: z.string().nullable(),
  severity: z.enum(["none", "notice", "slow"]).nullable(),
  /** Dominant place of the verdict, for the mark next to a recent capture. */
  place: z.enum(["primary", "network", "secondary", "none"]).nullable().default(null),
  /** Creator of the capture; absent where no sign-in was required. */
  owner: Owner.optional(),
  /** True: all signed-in users may open it, not only its owner and admins. */
  shared: z.boolean().optional(),
  /** Tags of the capture, in alphabetical order; absent without any. */
  tags: z.array(z.string()).optional(),
  /** Dropped files that were never analyzed: listed for their owner alone, and deleted when they expire. Absent for other captures. */
  isDraft: z.boolean().optional(),
});
export type Capture = z.infer<typeof Capture>;

/** A capture as lists need it. */
export const CaptureBrief = Capture.pick({
  id: true,
  name: true,
  created: true,
  expires: true,
  state: true,
  problem: true,
  verdict: true,
  severity: true,
  place: true,
  isDraft: true,
}).extend({
  /** Name of the creator; null where no sign-in was required. */
  owner: z.string().nullable().default(null),
  shared: z.boolean().default(false),
  /** Number of its files. */
  files: z.number(),
  /** Time of the first event of its files that are not excluded, UTC, ISO 8601 with 7 decimals. */
  from: z.string().nullable(),
  /** 95th percentile of commit latency, µs; null before the analysis and without a commit. */
  p95Us: z.number().nullable(),
});
export type CaptureBrief = z.infer<typeof CaptureBrief>;

/** A page of captures, newest first. */
export const CaptureList = z.object({
  captures: z.array(CaptureBrief),
  /** Captures on all pages. */
  total: z.number(),
  /** Value of `after` for the next page; null on the last one. */
  next: z.string().nullable(),
});

/** A capture that was deleted and can be restored. Times are UTC, ISO 8601. */
export const TrashedCapture = z.object({
  id: z.string(),
  name: z.string(),
  created: z.string(),
  deleted: z.string(),
  restorableUntil: z.string(),
  files: z.number(),
  /** Bytes of its files. */
  bytes: z.number(),
});
export type TrashedCapture = z.infer<typeof TrashedCapture>;

/** The one that was deleted last is first. */
export const TrashedCaptures = z.object({ captures: z.array(TrashedCapture) });

/** Files of the data directory that the catalogue does not have. */
export const LostCapture = z.object({
  id: z.string(),
  name: z.string(),
  /** Null where it is unknown. */
  created: z.string().nullable(),
  files: z.number(),
  bytes: z.number(),
});
export type LostCapture = z.infer<typeof LostCapture>;

export const LostCaptures = z.object({ captures: z.array(LostCapture) });

export const CaptureParts = z.object({ captures: z.array(Capture) });

/** Characters of a capture's name. */
export const LONGEST_CAPTURE_NAME = 120;

/** Without a name the capture is named by its files. */
export const NewCapture = z.object({
  name: shownText(LONGEST_CAPTURE_NAME).optional(),
  tags: z.array(Tag).max(MOST_TAGS).default([]),
  /** True: the capture is a draft until it is analyzed, shared or kept. */
  draft: z.boolean().default(false),
});

export const CaptureChange = z
  .object({
    name: shownText(LONGEST_CAPTURE_NAME).optional(),
    shared: z.boolean().optional(),
    /** True keeps it permanently, false keeps it for the server's number of days from now on. */
    kept: z.boolean().optional(),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    "Provide name, shared or kept",
  );
