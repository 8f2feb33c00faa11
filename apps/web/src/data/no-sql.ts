/** In a page without a server, what stands for `sql-client.ts`. */
export const sqlOf = (): null => null;
