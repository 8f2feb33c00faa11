/**
 * A check of all statements of live mode on one server: the answers compared with the expected ones, without a name.
 */
import { LiveCheckRequest } from "./live-servers.ts";
import { z } from "../zod.ts";

export const FirstContactRequest = LiveCheckRequest.extend({
  /** Creates an event session, reads it for 20 s and drops it. Otherwise nothing is created. */
  readsStream: z.boolean().default(false),
});
export type FirstContactRequest = z.infer<typeof FirstContactRequest>;

export const ContactState = z.enum(["differs", "failed", "notTried", "asExpected"]);
export type ContactState = z.infer<typeof ContactState>;

/** One statement. */
export const ContactLine = z.object({
  /** Subject of the statement: "Waits". */
  statement: z.string(),
  /** Section of docs/contribute/live-protocol.md. */
  section: z.string(),
  state: ContactState,
  /** Time to the complete answer; null where it wasn't tried. */
  ms: z.number().nullable(),
  /** Answer in a few words: "1 row", "error 229, state 5, severity 14". */
  answer: z.string(),
  /** Differences from the expected answer, a sentence each. */
  differences: z.array(z.string()),
});
export type ContactLine = z.infer<typeof ContactLine>;

/** A statement that was just tried. */
export const ContactProgress = z.object({ line: ContactLine, done: z.number(), of: z.number() });
export type ContactProgress = z.infer<typeof ContactProgress>;

/** The end of a check. */
export const FirstContact = z.object({
  lines: z.array(ContactLine),
  /** A sentence where the session of the check is still on the server; null where it was dropped or never created. */
  left: z.string().nullable(),
  /** The file that a DBA can send. */
  text: z.string(),
});
export type FirstContact = z.infer<typeof FirstContact>;
