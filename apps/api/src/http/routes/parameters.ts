/**
 * Query strings of the API other than questions (those are in `@aglens/engine/answers`): each with defaults and bounds,
 * so that no request asks for unbounded work.
 */
import { LibrarySort, LibraryView, Tag } from "@aglens/contract";
import { z } from "zod";

export const CaptureListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  empty: z.enum(["true", "false"]).default("true").describe("false: only captures with a file"),
  drafts: z
    .enum(["with", "without", "only"])
    .default("with")
    .describe("Whether your own drafts are on the page: dropped files that were never analyzed"),
  after: z
    .string()
    .regex(/^[0-9TZ:.-]{1,40} [A-Za-z0-9_-]{1,40}$/u)
    .optional()
    .describe("`next` of the previous page. Default: the first page"),
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
  group: several.describe("Names of groups. This and the next three can be repeated"),
  wait: several.describe("Where commits wait"),
  owner: several.describe("Ids of owners"),
  tag: several.describe("Tags"),
  sort: LibrarySort.default("-captured").describe("Column to sort by, with `-` in descending order"),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(100),
});
/** Days that one fleet page may cover: two years. */
const MOST_FLEET_DAYS = 732;
const group = z.string().min(1).max(400).optional();
const fleetTag = Tag.optional();
export const FleetQuery = z.object({
  a: group.describe("Id of a group. Default: the group with the newest capture"),
  aReplica: group.describe("Secondary to show without the others"),
  b: group.describe("Id of a group to compare with it"),
  bReplica: group.describe("Secondary of b to compare with. Without b: of a"),
  tag: fleetTag.describe("Tag of the captures to show. Default: all captures"),
  bTag: fleetTag.describe("Tag of the captures to compare with, of b or else of a. Default: `tag`"),
  days: z.coerce
    .number()
    .int()
    .min(7)
    .max(MOST_FLEET_DAYS)
    .default(90)
    .describe("Days up to the newest capture. Over 180 days a column is a week"),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, "This server does not have that time zone. Use a name such as Europe/Berlin")
    .optional()
    .describe("Time zone of the days, such as Europe/Berlin. Default: UTC"),
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
const auditWords = z.string().max(200).default("").describe("Text to find in time, name, action or object");
export const AuditQuery = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  before: z.coerce.number().int().min(1).optional().describe("`next` of the previous page"),
  q: auditWords,
});
export const AuditTableQuery = z.object({ q: auditWords });
export const DeletionQuery = z.object({
  forGood: z
    .enum(["true", "false"])
    .default("false")
    .describe("true: permanently, without the trash, also for a capture in the trash"),
});
export const SavedCaptureQuery = z.object({
  files: z.enum(["true", "false"]).default("false").describe("Whether the event files are included"),
  names: z
    .enum(["kept", "replaced"])
    .default("kept")
    .describe(
      "`replaced`: replaces names of servers, databases, files and the capture. Then event files are not included",
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
      "Path of the file in a dropped folder: `SQL2/trace_0.xel`. Files of one folder that name no replica belong to one replica",
    ),
  replaces: z.string().max(40).optional().describe("Id of the file that the new one replaces"),
  completeBytes: z.coerce
    .number()
    .int()
    .positive()
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe(
      "Bytes of the complete file, of which only the beginning is sent (256 KiB). For large files of a support folder that aren't used, so that they are listed",
    ),
  keepSensitive: z
    .enum(["true", "false"])
    .default("false")
    .describe(
      "true: statement texts, host and login names stay in the file. Default: they are overwritten before the file is stored",
    ),
});
export const PictureQuery = z.object({ theme: z.enum(["light", "dark"]).default("light") });
