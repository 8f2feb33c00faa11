/** Records about signed-in users: their sessions, and the audit log. */

export interface SessionRecord {
  /** Name that stays when the person's name changes: `token:…`, `directory:…`. */
  readonly personId: string;
  readonly name: string;
  /** Hash of the token that began the session; null when the directory began it. */
  readonly tokenHash: string | null;
  /** Groups that have roles, as the directory named them. */
  readonly groups: readonly string[];
  /** Present when the directory began the session. */
  readonly directory?: DirectorySession;
}

export interface DirectorySession {
  /** Name that `AGLENS_PEOPLE` compares to assign a role to this person alone. */
  readonly named: string | null;
  readonly userName: string | null;
  /** When the directory last confirmed the person, ms since 1970. */
  readonly confirmed: number;
  /** Tokens of the directory, which only the cookie's value opens. */
  readonly sealed: string;
}

export interface AuditRecord {
  /** UTC, ISO 8601. */
  readonly at: string;
  readonly personId: string;
  readonly person: string;
  readonly action: string;
  readonly what: string;
}

export type NumberedAudit = AuditRecord & { readonly number: number };

/** Each call is one transaction. */
export interface AccessStore {
  /** @param hash SHA-256 of the cookie's value, hex */
  session(hash: string, now: string): Promise<SessionRecord | null>;
  saveSession(hash: string, expires: string, record: SessionRecord): Promise<void>;
  /** Does nothing if the session has ended meanwhile. */
  changeSession(hash: string, record: SessionRecord): Promise<void>;
  deleteSession(hash: string): Promise<void>;
  addAudit(record: AuditRecord): Promise<void>;
  /** Newest first, those with some text in one of their fields, those before the entry of number `before`. */
  audit(limit: number, before: number | null, words?: string): Promise<readonly NumberedAudit[]>;
  /** Deletes expired sessions, and audit entries older than `auditFrom`. */
  sweep(now: string, auditFrom: string): Promise<void>;
}
