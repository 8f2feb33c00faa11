/**
 * Units of a query's columns, from the units of the columns that it reads: `quantile_cont(log_write_us, 0.5) AS p50` is
 * µs.
 */
import { isTree, namedQueries, textOf, textsOf, treesOf, type TreeNode } from "./query-tree.ts";
import type { SqlTableInfo } from "@aglens/contract";

/** Units by column name, lower case; null for a column without a unit. */
type Units = ReadonlyMap<string, string | null>;
/** Tables that a query may name, lower case. */
type Scope = ReadonlyMap<string, Units>;

/** A column of a query in the order of its text. */
interface Output {
  readonly name: string;
  /** Null for no unit, undefined where the expression does not show it. */
  readonly unit: string | null | undefined;
}

/** Unit in a column's own name, for an expression without one. */
const BY_NAME = /_(us|ms|ppm|bytes|share)$/u;
const MICROSECONDS = "µs";

/** Functions whose result has the unit of their first argument. */
const KEEPING =
  /^(?:min|max|avg|mean|median|sum|fsum|mode|mad|abs|round|floor|ceil|ceiling|trunc|any_value|arbitrary|first|last|first_value|last_value|nth_value|lag|lead|stddev\w*|quantile\w*|approx_quantile|reservoir_quantile|arg_m(?:in|ax)\w*|m(?:in|ax)_by|ifnull|nullif|unnest)$/u;
/** Functions that count, regardless of the name of their result: `over_50_ms`. */
const COUNTING =
  /^(?:count\w*|approx_count_distinct|row_number|rank|dense_rank|ntile|sign|hour|minute|second)$/u;
/** Functions whose arguments all have the unit of the result. */
const AGREEING = /^(?:greatest|least|coalesce|list_value)$/u;

/**
 * Units of the result's columns.
 * @param root of the query's tree
 * @param names of the result's columns, from DuckDB
 */
export function columnUnits(
  root: TreeNode,
  tables: readonly Pick<SqlTableInfo, "name" | "columns">[],
  names: readonly string[],
): (string | null)[] {
  const scope = new Map(tables.map(({ name, columns }) => [name.toLowerCase(), unitsOf(columns)]));
  const outputs = outputsOf(root, scope);
  const byName = new Map(outputs.map(({ name, unit }) => [name.toLowerCase(), unit]));
  const isComplete = outputs.length === names.length;
  return names.map((name, i) => {
    const unit = isComplete ? outputs[i]?.unit : byName.get(name.toLowerCase());
    return unit === undefined ? unitByName(name) : unit;
  });
}

function unitByName(name: string): string | null {
  const [, unit = null] = BY_NAME.exec(name) ?? [];
  return unit === "us" ? MICROSECONDS : unit;
}

const unitsOf = (columns: SqlTableInfo["columns"]): Units =>
  new Map(columns.map(({ name, unit }) => [name.toLowerCase(), unit]));

function outputsOf(node: TreeNode, outer: Scope): Output[] {
  const scope = withNamed(node, outer);
  if (isTree(node["left"]) && node["select_list"] === undefined) return outputsOf(node["left"], scope);
  const from = isTree(node["from_table"]) ? sourcesOf(node["from_table"], scope) : new Map<string, Units>();
  return treesOf(node["select_list"]).flatMap((expression) => outputsOfExpression(expression, from));
}

function withNamed(node: TreeNode, outer: Scope): Scope {
  const scope = new Map(outer);
  for (const { name, query, aliases } of namedQueries(node))
    scope.set(name.toLowerCase(), asUnits(outputsOf(query, scope), aliases));
  return scope;
}

/** @param aliases names that replace those of the first columns */
const asUnits = (outputs: readonly Output[], aliases: readonly string[]): Units =>
  new Map(outputs.map(({ name, unit = unitByName(name) }, i) => [(aliases[i] ?? name).toLowerCase(), unit]));

/** Tables of FROM, by the names that the query uses for them. */
function sourcesOf(from: TreeNode, scope: Scope): Scope {
  if (from["type"] === "JOIN") {
    return new Map(
      [from["left"], from["right"]].filter(isTree).flatMap((side) => [...sourcesOf(side, scope)]),
    );
  }
  const alias = textOf(from["alias"]).toLowerCase();
  const aliases = textsOf(from["column_name_alias"]);
  if (from["type"] === "BASE_TABLE") {
    const name = textOf(from["table_name"]).toLowerCase();
    return new Map([[alias || name, scope.get(name) ?? new Map<string, null>()]]);
  }
  const inner = isTree(from["subquery"]) ? from["subquery"]["node"] : null;
  return isTree(inner) ? new Map([[alias, asUnits(outputsOf(inner, scope), aliases)]]) : new Map();
}

function outputsOfExpression(expression: TreeNode, from: Scope): Output[] {
  const alias = textOf(expression["alias"]);
  if (expression["class"] !== "STAR") {
    const [column] = textsOf(expression["column_names"]).slice(-1);
    // A count under its own name stays one, though its name ends as that of a duration: `over_50_ms`.
    const isNamedAnew = alias !== "" && alias !== column;
    const isWithoutUnit =
      isCount(expression) || (!isNamedAnew && columnUnit(textsOf(expression["column_names"]), from) === null);
    const unit = isWithoutUnit ? null : (unitOf(expression, from) ?? undefined);
    return [{ name: alias || (column ?? ""), unit }];
  }
  const only = textOf(expression["relation_name"]).toLowerCase();
  return [...from].flatMap(([name, units]) =>
    only === "" || only === name ? [...units].map(([column, unit]) => ({ name: column, unit })) : [],
  );
}

const isCount = (expression: TreeNode): boolean => COUNTING.test(textOf(expression["function_name"]));

function unitOf(expression: unknown, from: Scope): string | null {
  if (!isTree(expression)) return null;
  const children = treesOf(expression["children"]);
  switch (expression["class"]) {
    case "COLUMN_REF":
      return columnUnit(textsOf(expression["column_names"]), from) ?? null;
    case "CAST":
      return unitOf(expression["child"], from);
    case "CASE":
      return agreed(
        [...treesOf(expression["case_checks"]).map((check) => check["then_expr"]), expression["else_expr"]],
        from,
      );
    case "OPERATOR":
      // `q[1]` of percentiles.
      if (expression["type"] === "ARRAY_EXTRACT") return unitOf(children[0], from);
      return expression["type"] === "OPERATOR_COALESCE" ? agreed(children, from) : null;
    case "FUNCTION":
    case "WINDOW":
      return unitOfCall(textOf(expression["function_name"]).toLowerCase(), children, from);
    default:
      return null;
  }
}

function unitOfCall(name: string, children: readonly TreeNode[], from: Scope): string | null {
  if (KEEPING.test(name)) return unitOf(children[0], from);
  if (AGREEING.test(name)) return agreed(children, from);
  if (name === "+" || name === "-") return agreed(children, from);
  return null;
}

/** The common unit of the expressions; constants, which have no unit, are ignored. */
function agreed(expressions: readonly unknown[], from: Scope): string | null {
  const units = expressions.filter((each) => !isConstant(each)).map((each) => unitOf(each, from));
  const [first = null] = units;
  return units.every((unit) => unit === first) ? first : null;
}

const isConstant = (value: unknown): boolean => !isTree(value) || value["class"] === "CONSTANT";

/** Null for a column without a unit, undefined for an unknown column. */
function columnUnit(names: readonly string[], from: Scope): string | null | undefined {
  const column = names.at(-1)?.toLowerCase() ?? "";
  const table = names.at(-2)?.toLowerCase();
  if (table !== undefined) return from.get(table)?.get(column);
  for (const units of from.values()) if (units.has(column)) return units.get(column);
  return undefined;
}
