import type { DatabaseSync } from "node:sqlite";

/** All of `work` or none of it. A transaction left open would swallow every later write at the end of the process. */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    // SQLite has rolled back by itself when the disk was full.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
