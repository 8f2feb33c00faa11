/**
 * Query strings of the API other than questions (those are in `@aglens/engine/answers`): each with defaults and bounds,
 * so that no request asks for unbounded work.
 */
import { LibrarySort, LibraryView, Tag } from "@aglens/contract";
import { z } from "zod";

export const CaptureListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  empty: z.enum(["true", "false"]).default("true").describe("false: without captures that have no file"),
  drafts: z
    .enum(["with", "without", "only"])
    .default("with")
    .describe("Whether one's own drafts are on the page: dropped files that were never analyzed"),
  after: z
    .string()
    .regex(/^[0-9TZ:.-]{1,40} [A-Za-z0-9_-]{1,40}$/u)
    .optional()
    .describe("`next` of the page before; without it the first page"),
});
/** One value or several of a parameter that may be repeated. */
const several = z
  .union([z.string().max(400), z.array(z.string().max(400)).max(50)])
  .optional()
  .transform((given) => (given === undefined ? [] : [given].flat()));
export const LibraryQuery = z.object({
  view: LibraryView.default("all"),
  q: z
    .string()
    .max(400)
    .default("")
    .describe("Words, and p95>50ms, group:…, wait:network, owner:…, tag:…, size>1gb, expires<7d"),
  group: several.describe("Names of groups; may be repeated, as the next three"),
  wait: several.describe("Where commits wait"),
  owner: several.describe("Ids of owners"),
  tag: several.describe("Tags"),
  sort: LibrarySort.default("-captured").describe("With - before it the largest is first"),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(100),
});
/** Days that one fleet page may cover: two years. */
const MOST_FLEET_DAYS = 732;
const group = z.string().min(1).max(400).optional();
const fleetTag = Tag.optional();
export const FleetQuery = z.object({
  a: group.describe("Name of a group; without it the one with the newest capture"),
  aReplica: group.describe("Secondary whose stages are shown alone"),
  b: group.describe("Name of a group to be compared with it"),
  bReplica: group.describe("Secondary of b, or without b of a, to be compared with"),
  tag: fleetTag.describe("Captures with that tag alone"),
  bTag: fleetTag.describe("Tag of the captures to be compared with; without b of a; without it as `tag`"),
  days: z.coerce
    .number()
    .int()
    .min(7)
    .max(MOST_FLEET_DAYS)
    .default(90)
    .describe("Days up to that of the newest capture; over 180 a column is a week"),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, "Not a time zone that this server has")
    .optional()
    .describe("Time zone by whose clock days begin, such as Europe/Berlin; without it UTC"),
});

/** Whether this server has the rules of a zone of IANA. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
/** An address of the app itself: one slash, and no second one that would make it another server's. */
const ownAddress = z
  .string()
  .max(4096)
  .regex(/^\/(?![/\\])[^\s\\]*$/u);
export const DirectoryQuery = z.object({
  returnTo: ownAddress.default("/").describe("Page to open after signing in, with its query"),
});
const auditWords = z
  .string()
  .max(200)
  .default("")
  .describe("Text in the time, the name, what was done or to what");
export const AuditQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  before: z.coerce.number().int().min(1).optional().describe("`next` of the page before"),
  q: auditWords,
});
export const AuditTableQuery = z.object({ q: auditWords });
export const DeletionQuery = z.object({
  forGood: z
    .enum(["true", "false"])
    .default("false")
    .describe("true: without a stay in the trash, also of a capture that is there"),
});
export const SavedCaptureQuery = z.object({
  files: z.enum(["true", "false"]).default("false").describe("Whether the event files go along"),
  names: z
    .enum(["kept", "replaced"])
    .default("kept")
    .describe(
      "`replaced`: names of servers, databases, files and the capture, as a link replaces them; no event files then",
    ),
});
export const FileQuery = z.object({
  name: z.string().min(1).max(1024).describe("The file's own name"),
  path: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      "Where the file lay in a dropped folder, with its name: `SQL2/trace_0.xel`. Files of one folder that name no replica are taken for one replica's",
    ),
  replaces: z.string().max(40).optional().describe("Id of the file whose place the new one takes"),
  keepSensitive: z
    .enum(["true", "false"])
    .default("false")
    .describe(
      "true: statement texts, host and login names stay in the file; without it they are overwritten before the file is kept",
    ),
});
export const PictureQuery = z.object({ theme: z.enum(["light", "dark"]).default("light") });
