/** Commits by their session, application or statement: their wait, and the places in which it passed. Durations are µs. */
import { WAIT_PLACES } from "@aglens/ag-model/columns";
import { CLIENT_GROUPS } from "@aglens/ag-model/query";
import { z } from "../zod.ts";

export const ClientGroup = z.enum(CLIENT_GROUPS);
export type ClientGroup = z.infer<typeof ClientGroup>;

export const WaitPlace = z.enum(WAIT_PLACES);
export type WaitPlace = z.infer<typeof WaitPlace>;

const recorded = z.enum(["recorded", "dropped", "absent"]);

/** Which columns of clients the commits of a capture have. */
export const RecordedClients = z.object({ sessions: recorded, applications: recorded, statements: recorded });
export type RecordedClients = z.infer<typeof RecordedClients>;

/** Figures of some commits together. */
const figures = {
  commits: z.number(),
  /** Null where sessions are not recorded. */
  sessions: z.number().nullable(),
  waitedUs: z.number(),
  p50Us: z.number().nullable(),
  /** Null of fewer than 20 commits. */
  p95Us: z.number().nullable(),
  /** They add up to `waitedUs`. */
  places: z.record(WaitPlace, z.number()),
};

export const WhoWaitedRow = z.object({
  /** Id of the session, or number of the application or statement; 0 for commits without one. */
  value: z.number(),
  application: z.string().nullable(),
  /** One line without values; absent in what a link shows. */
  statement: z.string().nullable().optional(),
  /** Replica of a session. */
  replica: z.number().nullable(),
  ...figures,
});
export type WhoWaitedRow = z.infer<typeof WhoWaitedRow>;

export const WhoWaited = z.object({
  by: ClientGroup,
  recorded: RecordedClients,
  /** By the sum of their waits, the longest first. */
  rows: z.array(WhoWaitedRow),
  /** All other groups together. */
  others: z.object({ groups: z.number(), ...figures }).nullable(),
  all: z.object(figures),
  /** How many applications the commits have; null where they are not recorded. */
  applications: z.number().nullable(),
  /** How many commits meet the filter's conditions about clients; null without such a condition. */
  matched: z.number().nullable(),
});
export type WhoWaited = z.infer<typeof WhoWaited>;
