/** What each request needs, in one table: a request that no line of it names is refused. */
import type { Person, Role } from "@aglens/contract";

/**
 * `anyone`: also without signing in. `see`: the capture is one's own or shared, or one is an admin. `change`: it is one's own and one
 * may upload, or one is an admin. A role needs that role or a higher one.
 */
export type Need = "anyone" | Role | "see" | "change";

export interface Rule {
  readonly method: string;
  /** As Express writes it, below /api/v1. */
  readonly path: string;
  readonly need: Need;
  /** What the audit log says when it was done. */
  readonly action?: string;
}

const rule = (method: string, path: string, need: Need, action?: string): Rule => ({
  method,
  path,
  need,
  ...(action === undefined ? {} : { action }),
});

const ANSWERS = [
  "overview",
  "scope",
  "window",
  "commits",
  "markers",
  "statistics",
  "slowest",
  "hits",
  "hit-counts",
  "find",
  "distribution",
  "spread",
  "raw-events",
  "event-density",
  "slow-commits",
  "releases",
  "replicas",
  "waiting",
  "what-if",
  "blocks/:row",
];
const FILES = [
  "tables/:name",
  "export/csv/:table",
  "export/arrow/:table",
  "export/parquet/:table",
  "preview",
  "progress",
];

export const RULES: readonly Rule[] = [
  rule("GET", "/health", "anyone"),
  rule("GET", "/openapi.json", "anyone"),
  rule("GET", "/access", "anyone"),
  rule("POST", "/access/token", "anyone"),
  rule("DELETE", "/access/session", "anyone"),
  rule("GET", "/access/directory", "anyone"),
  rule("GET", "/access/directory/answer", "anyone"),
  rule("GET", "/access/audit", "admin"),
  rule("GET", "/captures", "viewer"),
  rule("GET", "/library", "viewer"),
  rule("GET", "/fleet", "viewer"),
  rule("GET", "/status", "contributor"),
  rule("GET", "/access/audit.csv", "admin"),
  rule("POST", "/captures", "contributor"),
  rule("POST", "/captures/aglens-file", "contributor", "opened a file as"),
  rule("GET", "/captures/:id/aglens-file", "see", "saved as a file"),
  rule("GET", "/captures/:id", "see"),
  rule("GET", "/captures/:id/summary", "see", "opened"),
  // A query's text may name what nobody else should read: the audit log says that there was one.
  rule("POST", "/captures/:id/sql", "see", "ran SQL on"),
  rule("GET", "/captures/:id/sql/tables", "see"),
  rule("POST", "/sql", "viewer", "ran SQL on all captures"),
  rule("GET", "/sql/tables", "viewer"),
  ...[...ANSWERS, ...FILES].map((path) => rule("GET", `/captures/:id/${path}`, "see")),
  rule("PATCH", "/captures/:id", "change", "changed"),
  rule("DELETE", "/captures/:id", "change", "deleted"),
  rule("POST", "/captures/:id/tags", "change", "tagged"),
  rule("DELETE", "/captures/:id/tags/:tag", "change", "took a tag off"),
  rule("POST", "/captures/:id/restore", "change", "restored"),
  // Each sees and empties what is their own.
  rule("GET", "/trash", "viewer"),
  rule("DELETE", "/trash", "contributor", "emptied the trash"),
  // Whose these were may not be known.
  rule("GET", "/lost-captures", "admin"),
  rule("POST", "/lost-captures/:id/restore", "admin", "took back"),
  rule("DELETE", "/lost-captures/:id", "admin", "deleted for good"),
  rule("POST", "/captures/:id/parts", "change"),
  rule("POST", "/captures/:id/files", "change", "uploaded to"),
  rule("PATCH", "/captures/:id/files/:fileId", "change"),
  rule("DELETE", "/captures/:id/files/:fileId", "change", "deleted a file of"),
  rule("GET", "/uploads", "contributor"),
  rule("POST", "/captures/:id/uploads", "change"),
  rule("GET", "/captures/:id/uploads/:uploadId", "change"),
  rule("HEAD", "/captures/:id/uploads/:uploadId", "change"),
  rule("PATCH", "/captures/:id/uploads/:uploadId", "change"),
  rule("DELETE", "/captures/:id/uploads/:uploadId", "change"),
  rule("GET", "/captures/:id/notes", "see"),
  rule("POST", "/captures/:id/notes", "change", "wrote a note on"),
  rule("PATCH", "/captures/:id/notes/:noteId", "change", "changed a note on"),
  rule("DELETE", "/captures/:id/notes/:noteId", "change", "deleted a note on"),
  rule("POST", "/captures/:id/notes/:noteId/restore", "change", "restored a note on"),
  rule("POST", "/captures/:id/analysis", "change", "analysed"),
  rule("DELETE", "/captures/:id/analysis", "change"),
  rule("GET", "/samples", "viewer"),
  rule("GET", "/samples/:name/preview", "viewer"),
  rule("POST", "/samples/:name", "contributor"),
  // Links have doors of their own: who holds one needs no account, and who made one is asked by its routes.
  rule("POST", "/links", "contributor"),
  rule("GET", "/captures/:id/links", "change"),
  rule("GET", "/links/:id", "anyone"),
  rule("POST", "/links/:id/passphrase", "anyone"),
  rule("GET", "/links/:id/summary", "anyone"),
  rule("GET", "/links/:id/picture.png", "anyone"),
  rule("GET", "/links/:id/notes", "anyone"),
  ...ANSWERS.map((path) => rule("GET", `/links/:id/${path}`, "anyone")),
  rule("POST", "/links/:id/sql", "anyone"),
  rule("GET", "/links/:id/sql/tables", "anyone"),
  rule("PATCH", "/links/:id", "contributor"),
  rule("DELETE", "/links/:id", "contributor"),
  rule("GET", "/live/allowance", "contributor"),
  rule("GET", "/live/leftovers", "contributor"),
  rule("POST", "/live/checks", "contributor"),
  rule("POST", "/live/first-contacts", "contributor"),
  rule("DELETE", "/live/leftovers/:id", "contributor"),
  rule("POST", "/live/leftovers/removal", "contributor"),
  rule("POST", "/live/runs", "contributor"),
  rule("GET", "/live/runs/:id", "contributor"),
  rule("GET", "/live/runs/:id/events", "contributor"),
  rule("POST", "/live/runs/:id/presence", "contributor"),
  rule("POST", "/live/runs/:id/marks", "contributor"),
  rule("POST", "/live/runs/:id/captures", "contributor"),
  rule("POST", "/live/runs/:id/stop-after", "contributor"),
  rule("POST", "/live/runs/:id/replicas", "contributor"),
  rule("POST", "/live/runs/:id/replicas/:index/retry", "contributor"),
  rule("GET", "/live/runs/:id/replicas/:index/sessions/:session", "contributor"),
  rule("POST", "/live/runs/:id/stop", "contributor"),
];

/** A rule that fits a request, and the id in its path, decoded; "" without one. */
export interface Fit {
  readonly rule: Rule;
  readonly id: string;
}

const PATTERNS = RULES.map((rule) => ({
  rule,
  pattern: new RegExp(`^${rule.path.replaceAll(".", "\\.").replaceAll(/:\w+/gu, "([^/]+)")}/?$`, "iu"),
}));

/** The rule of a request; null for an address that is not in the table. Matches as Express does. @param path below /api/v1 */
export function ruleOf(method: string, path: string): Fit | null {
  for (const { rule, pattern } of PATTERNS) {
    // Express answers HEAD by the routes of GET where it has no route of its own.
    if (rule.method !== method && !(method === "HEAD" && rule.method === "GET")) continue;
    const match = pattern.exec(path);
    if (match !== null) return { rule, id: decoded(match[1] ?? "") };
  }
  return null;
}

const RANK: Readonly<Record<Role, number>> = { viewer: 0, contributor: 1, admin: 2 };

/** Whether a person's role is that one or a higher one. */
export function hasRole({ role }: Person, least: Role): boolean {
  return role !== null && RANK[role] >= RANK[least];
}

/** Whose a capture is; nobody's when it was made without a login. */
export interface Owned {
  readonly owner?: { readonly id: string } | undefined;
  readonly shared?: boolean | undefined;
}

export function maySee(person: Person, { owner, shared }: Owned): boolean {
  if (!hasRole(person, "viewer")) return false;
  return hasRole(person, "admin") || shared === true || owner?.id === person.id;
}

export function mayChange(person: Person, { owner }: Owned): boolean {
  return hasRole(person, "admin") || (hasRole(person, "contributor") && owner?.id === person.id);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
