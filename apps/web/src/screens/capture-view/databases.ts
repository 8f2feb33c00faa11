/**
 * The databases of a capture with their names in views and links, and the scope of a view that narrows to one database.
 */
import type { CaptureScope } from "@aglens/ag-model/query";
import type { Sequence, SlowBlock, Summary } from "@aglens/contract";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import type { LinkedView, NamedBlock, View } from "../../state/view.ts";
import { modePhaseName, phaseName } from "./phases.ts";

type WithDatabases = Pick<Summary, "databases">;

/** Name of a database in a view; its group database id where another one has the same name. */
export function databaseKey({ databases }: WithDatabases, index: number): string | null {
  const database = databases[index];
  if (database === undefined) return null;
  const isAlone = databases.filter(({ name }) => name === database.name).length === 1;
  return isAlone ? database.name : database.id;
}

/**
 * Index of the database that a view names; null where the view names no database, or a database that this capture does
 * not have. Older links contain the index.
 */
export function databaseIndex({ databases }: WithDatabases, key: string | null): number | null {
  if (key === null || databases.length < 2) return null;
  const named = databases.findIndex(({ name, id }) => name === key || id === key);
  if (named >= 0) return named;
  const index = /^\d+$/u.test(key) ? Number(key) : -1;
  return index >= 0 && index < databases.length ? index : null;
}

/** Indices of the databases in the order of their names. */
export const databasesByName = ({ databases }: WithDatabases): number[] =>
  databases
    .map((_, index) => index)
    .toSorted((a, b) => nameAt(databases, a).localeCompare(nameAt(databases, b), "en"));

const nameAt = (databases: Summary["databases"], index: number): string => databases[index]?.name ?? "";

/** Maximum number of databases with a row each. */
const MOST_ROWS = 4;

/**
 * The databases that are shown side by side, in the order of their names; empty where a view is about one database, or
 * there are too many.
 */
export const databasesInRows = (
  summary: WithDatabases,
  key: string | null,
  most: number = MOST_ROWS,
): readonly number[] =>
  databaseIndex(summary, key) !== null || summary.databases.length < 2 || summary.databases.length > most
    ? []
    : databasesByName(summary);

/** The next or previous database in the order of the filter, which begins with "all databases". */
export function stepDatabase(summary: WithDatabases, key: string | null, step: 1 | -1): string | null {
  const all = [null, ...databasesByName(summary)];
  const place = all.indexOf(databaseIndex(summary, key));
  const next = all[(place + step + all.length) % all.length] ?? null;
  return next === null ? null : databaseKey(summary, next);
}

/** Name of a database for a column or a title; null in a capture with one database, where it adds nothing. */
export const databaseName = ({ databases }: WithDatabases, index: number): string | null =>
  databases.length < 2 ? null : nameAt(databases, index);

/** Name of a block: database and LSN; the LSN alone in a capture with one database. */
export function blockName(
  summary: WithDatabases,
  { database, lsn }: Pick<SlowBlock, "database" | "lsn">,
): string {
  const name = databaseName(summary, database);
  return name === null ? lsn : `${name} ${lsn}`;
}

type Named = Pick<Summary, "databases" | "phases" | "replicas" | "originTicks" | "durationUs">;

/** `Sales1, After`, `NODE3 asynchronous-commit from 12:03:27`; null for all of the capture. */
export function scopeText(summary: Named, { database, phase }: CaptureScope): string | null {
  const words = [
    database === null ? null : databaseName(summary, database),
    phase === null ? null : (modePhaseName(summary, phase) ?? phaseName(summary, phase)),
  ].filter((word) => word !== null);
  return words.length === 0 ? null : words.join(", ");
}

/**
 * `whole capture`, `whole phase`, `whole capture, Sales1`: scope of figures that do not depend on the range in view.
 */
export function completeText(summary: Named, { database, phase }: CaptureScope): string {
  const whole = phase === null ? texts.wholeCapture : texts.wholePhase;
  return database === null ? whole : `${whole}, ${databaseName(summary, database)}`;
}

/** A view as addresses have it: with only one secondary, the address doesn't name it. */
export function linkedView(view: View, { replicas }: Pick<Summary, "replicas">): LinkedView {
  // A step of the tour belongs to this visit only.
  return { ...view, tour: null, ...(replicas.length > 2 ? {} : { secondary: null }) };
}

/** A block as links name it: by its LSN, and by its database where there are several. */
export const namedBlock = (
  summary: Pick<Summary, "databases">,
  { database, lsn }: Pick<Sequence, "database" | "lsn">,
): NamedBlock => ({ database: summary.databases.length < 2 ? null : databaseKey(summary, database), lsn });
