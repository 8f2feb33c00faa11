/** Opens what answers about captures need: the analysis, and SQL in processes of their own. */
import { readConfig } from "../settings/config.ts";
import { openSql } from "../sql/sql-processes.ts";
import type { AllowedPaths } from "./allowed-paths.ts";
import { CaptureAnswers } from "./capture-answers.ts";

/** @param folder temporary folder, for tables and the content of zips */
export function openAnswers(
  allowed: AllowedPaths,
  folder: string,
): { readonly answers: CaptureAnswers; readonly close: () => Promise<void> } {
  // The limits of a server without settings.
  const sql = openSql(readConfig({}, folder), folder);
  return { answers: new CaptureAnswers({ allowed, sql, folder }), close: () => sql.close() };
}
