/** The signed-in user, the user's role, and the ways to sign in. */
import { z } from "../zod.ts";

export const ROLES = ["viewer", "contributor", "admin"] as const;
/** Each role includes the rights of the ones before it. */
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

/** A signed-in user; `role` is null when no group and no name gives the user one. */
export const Person = z.object({ id: z.string(), name: z.string(), role: Role.nullable() });
export type Person = z.infer<typeof Person>;

/** Facts about access that the page reads before anything else. */
export const AccessState = z.object({
  person: Person.nullable(),
  /** The ways to sign in that are set up. */
  ways: z.object({
    /** Name of the OpenID Connect directory; null without one. */
    directory: z.string().nullable(),
    token: z.boolean(),
    /** A reverse proxy signs people in before they reach the server. */
    proxy: z.boolean(),
  }),
  /** Reason why the last sign-in by the directory failed, as a sentence; shown once. */
  failure: z.string().nullable(),
  /** Days that captures are kept; null means without an end. */
  keepDays: z.number().nullable(),
});
export type AccessState = z.infer<typeof AccessState>;

export const TokenSignIn = z.object({ token: z.string().trim().min(1).max(400) });

/** A session that has ended, and the state of the directory's own session. */
export const SignedOut = z.object({
  /**
   * Address where the browser ends the directory's session and returns; null where there is no session, or no such
   * address.
   */
  leaveAt: z.string().nullable(),
  /** Name of the directory whose session continues; null where it does not continue. */
  staysAt: z.string().nullable(),
});
export type SignedOut = z.infer<typeof SignedOut>;

/** One line of the audit log. */
export const AuditEntry = z.object({
  /** UTC, ISO 8601. */
  at: z.string(),
  person: z.string(),
  action: z.string(),
  /** Target of the action: the name of a capture or the title of a link, never an address that opens one. */
  what: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Newest first; `next` is the value of `before` for the next page, null on the last one. */
export const AuditPage = z.object({ entries: z.array(AuditEntry), next: z.number().nullable() });
export type AuditPage = z.infer<typeof AuditPage>;
