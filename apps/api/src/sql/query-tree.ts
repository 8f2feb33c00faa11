/**
 * A query in the form of DuckDB's parser (`json_serialize_sql`): the tables that it reads, and the functions that it
 * calls.
 */
import type { SqlTable } from "./question.ts";

/** A node of the tree; which properties there are depends on its type. */
export type TreeNode = Readonly<Record<string, unknown>>;

/** Result of the parser for a text: its statements, or the error in it. */
export interface ParsedSql {
  readonly error: boolean;
  readonly error_type?: string;
  readonly error_message?: string;
  /** In bytes of UTF-8 from the begin of the text. */
  readonly position?: string;
  readonly statements?: readonly { readonly node: TreeNode }[];
}

/** Functions that make a table; all others read files, settings or text as SQL. */
const TABLE_FUNCTIONS = new Set(["range", "generate_series", "unnest"]);

/** Functions that reveal facts about the server, wait, or write; no function that computes with columns. */
const REFUSED_FUNCTIONS =
  /^(?:current_setting|getenv|getvariable|write_log|nextval|currval|sleep\w*|pg_\w+|duckdb_\w+|pragma_\w+|read_\w+|query|query_table|getvariables?|in_search_path|current_(?:user|role|database|schemas?|catalog|query\w*|connection_id|transaction_id)|txid_current|json_(?:de)?serialize\w*|json_execute\w*|set_config)$/iu;

/**
 * Names that DuckDB itself has or finds files by. WITH must not use them for queries: outside the part of a query where
 * such a name is defined, it would be DuckDB's own again.
 */
const DUCKDBS_NAMES = /^(?:duckdb|pragma|sqlite|pg)_|[./\\*?[\]:]/iu;

/** Part of a query that is never allowed. */
export interface ForbiddenPart {
  readonly sentence: string;
  readonly node: TreeNode;
}

/**
 * The first part of a query that is neither one of the tables nor a computation. DuckDB itself is locked as well
 * (`locked-database.ts`); this check refuses the query before it runs, with a sentence, and hides DuckDB's facts about
 * itself from the user.
 */
export function forbiddenPart(
  root: TreeNode,
  tables: readonly Pick<SqlTable, "name">[],
): ForbiddenPart | null {
  const known = new Set([...tables.map(({ name }) => name.toLowerCase()), ...namesGiven(root)]);
  for (const node of nodesOf(root)) {
    const sentence = sentenceAbout(node, known, tables);
    if (sentence !== null) return { sentence, node };
  }
  return null;
}

function sentenceAbout(
  node: TreeNode,
  known: ReadonlySet<string>,
  tables: readonly Pick<SqlTable, "name">[],
): string | null {
  const names = tables.map(({ name }) => name).join(", ");
  if (node["type"] === "BASE_TABLE") {
    const name = textOf(node["table_name"]);
    const isOurs = known.has(name.toLowerCase()) && isOwnSchema(node["schema_name"], node["catalog_name"]);
    return isOurs ? null : `There is no table "${name}" here. The tables are ${names}.`;
  }
  if (node["type"] === "SHOW_REF" && !isTree(node["query"])) return `The tables are ${names}.`;
  if (node["type"] === "TABLE_FUNCTION") {
    const name = textOf(isTree(node["function"]) ? node["function"]["function_name"] : "");
    return TABLE_FUNCTIONS.has(name.toLowerCase())
      ? null
      : `${name}() cannot be used here: SQL reads the tables ${names}, and no files, settings or network.`;
  }
  const taken = namedQueries(node).find(({ name }) => DUCKDBS_NAMES.test(name));
  if (taken !== undefined) return `"${taken.name}" cannot be a name here. Give the query another one.`;
  const called = node["function_name"];
  if (typeof called !== "string" || !REFUSED_FUNCTIONS.test(called)) return null;
  return `${called}() cannot be used here: SQL reads the tables, and nothing of the server.`;
}

const isOwnSchema = (schema: unknown, catalog: unknown): boolean =>
  ["", "main"].includes(textOf(schema).toLowerCase()) &&
  ["", "memory"].includes(textOf(catalog).toLowerCase());

/** The tables that a query names, in their order. */
export function tablesRead<Table extends Pick<SqlTable, "name">>(
  root: TreeNode,
  tables: readonly Table[],
): Table[] {
  const named = new Set(
    [...nodesOf(root)]
      .filter((node) => node["type"] === "BASE_TABLE")
      .map((node) => textOf(node["table_name"]).toLowerCase()),
  );
  return tables.filter(({ name }) => named.has(name.toLowerCase()));
}

/** Names of the query's own queries (WITH), lower case. */
function namesGiven(root: TreeNode): string[] {
  return [...nodesOf(root)].flatMap((node) => namedQueries(node).map(({ name }) => name.toLowerCase()));
}

/** Queries that a node names by WITH, in the order in which they were written. */
export function namedQueries(
  node: TreeNode,
): { readonly name: string; readonly query: TreeNode; readonly aliases: readonly string[] }[] {
  const map = isTree(node["cte_map"]) ? node["cte_map"]["map"] : [];
  return treesOf(map).flatMap(({ key, value }) => {
    const query = isTree(value) && isTree(value["query"]) ? value["query"]["node"] : null;
    return isTree(value) && isTree(query)
      ? [{ name: textOf(key), query, aliases: textsOf(value["aliases"]) }]
      : [];
  });
}

/** All nodes of a tree, from the top. Not recursive: a query may be nested deeper than a stack. */
export function* nodesOf(root: TreeNode): Generator<TreeNode> {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) waiting.push(...next.toReversed());
    else if (isTree(next)) {
      yield next;
      waiting.push(...Object.values(next).toReversed());
    }
  }
}

export const isTree = (value: unknown): value is TreeNode =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const treesOf = (value: unknown): TreeNode[] => (Array.isArray(value) ? value.filter(isTree) : []);

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
