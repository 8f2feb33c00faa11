/** Replacement for `sql-client.ts` in a page without a server. */
export const sqlOf = (): null => null;
