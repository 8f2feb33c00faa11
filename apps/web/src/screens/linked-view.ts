import type { Sequence, Summary } from "@aglens/contract";
import type { LinkedView, NamedBlock, View } from "../state/view.ts";
import { databaseKey } from "./database.ts";

/** A view as addresses have it: with one secondary there is none to name. */
export function linkedView(view: View, { replicas }: Pick<Summary, "replicas">): LinkedView {
  return replicas.length > 2 ? view : { ...view, secondary: null };
}

/** A block as links name it: by its LSN, and its database where there are several. */
export const namedBlock = (
  summary: Pick<Summary, "databases">,
  { database, lsn }: Pick<Sequence, "database" | "lsn">,
): NamedBlock => ({ database: summary.databases.length < 2 ? null : databaseKey(summary, database), lsn });
