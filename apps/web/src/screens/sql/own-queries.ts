/** Queries that the user keeps in this browser. */
import { z } from "@aglens/contract";
import type { ReadyQuery } from "@aglens/contract/ready-queries";

const KEY = "ag-lens.queries";
const MOST = 100;
const MOST_TITLE = 60;

const Kept = z.array(z.object({ title: z.string().max(200), sql: z.string().max(20_000) })).max(MOST);

/** Newest first; empty where the browser stores nothing. */
export function ownQueries(): readonly ReadyQuery[] {
  try {
    return Kept.catch([]).parse(JSON.parse(window.localStorage.getItem(KEY) ?? "[]"));
  } catch {
    return [];
  }
}

/**
 * Stores a query, and replaces the one with the same title. @returns all of them; null where the browser stores nothing
 */
export function keepQuery(sql: string): readonly ReadyQuery[] | null {
  const kept = { title: titleOf(sql), sql };
  return write([kept, ...ownQueries().filter(({ title }) => title !== kept.title)].slice(0, MOST));
}

export const forgetQuery = (forgotten: string): readonly ReadyQuery[] | null =>
  write(ownQueries().filter(({ title }) => title !== forgotten));

function write(queries: readonly ReadyQuery[]): readonly ReadyQuery[] | null {
  try {
    window.localStorage.setItem(KEY, JSON.stringify(queries));
    return queries;
  } catch {
    return null;
  }
}

/** Its comment, where it begins with one, else its first words. */
export function titleOf(sql: string): string {
  const [first = ""] = sql.trim().split("\n", 1);
  const words = first.startsWith("--") ? first.replace(/^-+\s*/u, "") : sql.trim().replaceAll(/\s+/gu, " ");
  return words.length > MOST_TITLE ? `${words.slice(0, MOST_TITLE - 1)}…` : words;
}
