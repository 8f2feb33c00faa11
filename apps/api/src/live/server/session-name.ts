/** Names of the sessions that AG Lens makes: `aglens_<host>_<UTC start>_<4 hex>` (docs/contribute/live-protocol.md 5.3). */
import { randomBytes } from "node:crypto";

const PATTERN = /^aglens_([a-z0-9]+)_(\d{8}T\d{4}Z)_[0-9a-f]{4}$/u;
const LONGEST_HOST = 40;

/** The part of a host's name that session names have. */
export function hostPart(host: string): string {
  const first = host.toLowerCase().replace(/\..*$/u, "");
  return first.replaceAll(/[^a-z0-9]/gu, "").slice(0, LONGEST_HOST) || "host";
}

/** A new name; it contains the host and the time of creation, which the catalog views do not have. */
export function newSessionName(host: string, now: Date): string {
  const time = `${now.toISOString().slice(0, 16).replaceAll(/[-:]/gu, "")}Z`;
  return `aglens_${hostPart(host)}_${time}_${randomBytes(2).toString("hex")}`;
}

/** Time when the session was created, UTC to the minute; null for a name in another form. */
export function timeOfSession(name: string): string | null {
  const text = PATTERN.exec(name)?.[2];
  if (text === undefined) return null;
  return text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z$/u, "$1-$2-$3T$4:$5:00Z");
}

/** Host that created the session; null for a name in another form. */
export function hostOfSession(name: string): string | null {
  return PATTERN.exec(name)?.[1] ?? null;
}
