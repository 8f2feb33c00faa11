/** What the console had open, while the page is: its screens come and go with the tabs. */
import type { QueryResult } from "./use-query-run.ts";

interface Session {
  readonly text: string;
  readonly last: QueryResult | null;
}

const sessions = new Map<string, Session>();

/** @param key of the source that is queried */
export const sessionOf = (key: string): Session | null => sessions.get(key) ?? null;

export const keepSession = (key: string, session: Session): void => void sessions.set(key, session);
