/** Links that open only one view of one capture. */
import { shownText } from "../shown-text.ts";
import { z } from "../zod.ts";

const ExpiresInDays = z.union([z.literal(1), z.literal(7), z.literal(30), z.literal(90), z.null()]);

/** Visitors who may open a link: anyone who has it, or only signed-in users. */
const Audience = z.enum(["anyone", "signed-in"]);

/** As it is compared: capitals do not matter, and any run of spaces or hyphens is one hyphen. */
export const Passphrase = z
  .string()
  .max(200)
  .overwrite((text) =>
    text
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/gu, "-"),
  )
  .min(8);

/** `view` is the web app's own query string (versioned there); the API keeps it unchanged. */
export const NewLink = z.object({
  captureId: z.string().regex(/^[A-Za-z0-9_-]{16,40}$/u),
  path: z.string().regex(/^\/[a-z/0-9-]{0,60}$/u),
  /** It may contain a query in SQL; servers and proxies refuse longer addresses. */
  view: z.string().max(12_000),
  title: shownText(200),
  expiresInDays: ExpiresInDays.default(90),
  /** Default: `signed-in` on a server with sign-in; elsewhere a link opens for anyone. */
  audience: Audience.optional(),
  passphrase: Passphrase.optional(),
  /** Names of servers, databases, files and the capture are replaced in all that the link shows. */
  replacesNames: z.boolean().default(false),
});
export type NewLink = z.infer<typeof NewLink>;

/** A link for its creator. */
export const Link = z.object({
  id: z.string(),
  captureId: z.string(),
  path: z.string(),
  view: z.string(),
  title: z.string(),
  created: z.string(),
  expires: z.string().nullable(),
  audience: Audience,
  hasPassphrase: z.boolean(),
  replacesNames: z.boolean(),
  /** Time at which it was revoked, UTC, ISO 8601; null while it opens. */
  takenBack: z.string().nullable(),
  /** How often it was opened, when last, and how often it was tried after its end. */
  opens: z.object({ count: z.number(), last: z.string().nullable(), after: z.number() }),
  /** Sent once, to the creator of the link, on a server without sign-in; deleting needs it there. */
  deleteToken: z.string().optional(),
});
export type Link = z.infer<typeof Link>;

/** Newest first. */
export const LinkList = z.object({ links: z.array(Link) });

export const LinkRenewal = z.object({ expiresInDays: ExpiresInDays });
export const LinkPassphrase = z.object({ passphrase: Passphrase });

/** A link for the visitor who opens it: it contains no data of the capture before the passphrase was entered. */
export const OpenedLink = z.object({
  id: z.string(),
  isLocked: z.boolean(),
  expires: z.string().nullable(),
  replacesNames: z.boolean(),
  /** Empty while it is locked. */
  title: z.string(),
  path: z.string(),
  view: z.string(),
});
export type OpenedLink = z.infer<typeof OpenedLink>;
