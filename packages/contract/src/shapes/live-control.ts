/** Requests to a live run. */
import { z } from "../zod.ts";

/** `db`: name of the one database for lanes, figures and verdict of the pictures. */
export const LiveFollow = z.object({ db: z.string().min(1).max(128).optional() });

export const LiveStop = z.object({ keep: z.boolean() });

/** Text of the request of a waiting session; null when it has none now. Requested by a click, and not kept. */
export const LiveLastStatement = z.object({ text: z.string().nullable() });

export const LiveStopped = z.object({ captureId: z.string().nullable() });

export const NewLiveMark = z.object({
  label: z.string().trim().max(80).default(""),
  byRule: z.boolean().default(false),
});

/** Minutes back from now that become a capture while the run continues. */
export const LiveKeepLast = z.object({ minutes: z.number().min(1).max(60) });

/** Whether AlwaysOn_health of the replicas is read. */
export const LiveReadHealth = z.object({ isOn: z.boolean() });

/** Minutes from now after which the run stops and is kept; null = only when a user stops it. */
export const LiveStopAfter = z.object({ minutes: z.number().min(1).max(1440).nullable() });

/** Whether this API may attach, and where to. */
export const LiveAllowance = z.object({
  enabled: z.boolean(),
  /** Why not, or which hosts. */
  reason: z.string(),
  anyHost: z.boolean(),
});
