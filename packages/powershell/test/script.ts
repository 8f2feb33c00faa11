/** Scripts of the module as syntax trees, by the grammar that editors use: no PowerShell is needed to check them. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const MODULE = new URL("../", import.meta.url);
const require = createRequire(import.meta.url);

/** A node of the tree, with the properties that are used here. */
export interface Node {
  readonly id: number;
  readonly type: string;
  readonly text: string;
  readonly isError: boolean;
  readonly isMissing: boolean;
  readonly startPosition: { readonly row: number };
  readonly childCount: number;
  readonly children: readonly Node[];
  readonly parent: Node | null;
}

interface TreeSitter {
  readonly Parser: {
    new (): { setLanguage(language: object): void; parse(text: string): { readonly rootNode: Node } };
    init(): Promise<void>;
  };
  readonly Language: { load(path: string): Promise<object> };
}

/** It has one export, whose properties Node can't import by their names. */
const { Language, Parser } = require("@vscode/tree-sitter-wasm") as TreeSitter;
const GRAMMAR = require.resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm");

/** The tree of a script, or of a file of the module by its name. */
export async function parse(script: { readonly file: string } | { readonly text: string }): Promise<Node> {
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(GRAMMAR));
  const text = "text" in script ? script.text : readFileSync(new URL(script.file, MODULE), "utf8");
  return parser.parse(text).rootNode;
}

/** A node and all below it, in the order of the text. */
export function nodesIn(node: Node): Node[] {
  return [node, ...node.children.flatMap(nodesIn)];
}

export const nodesOf = (node: Node, type: string): Node[] =>
  nodesIn(node).filter((found) => found.type === type);

/** Places that the grammar doesn't understand. */
export const faultsIn = (root: Node): string[] =>
  nodesIn(root)
    .filter(({ isError, isMissing }) => isError || isMissing)
    .map(({ startPosition, text }) => `${startPosition.row + 1}: ${text.slice(0, 80)}`);

export const functionsIn = (root: Node): Map<string, Node> =>
  new Map(
    nodesOf(root, "function_statement").map((found) => [
      nodesOf(found, "function_name")[0]?.text ?? "",
      found,
    ]),
  );

/** Values of a literal text and of variables. */
export type Values = Readonly<Record<string, string | readonly string[]>>;

/**
 * The lists that a function puts into a variable by assignments, with each loop run once: one list, or two if an `if`
 * with an `else` decides.
 */
export function listsIn(of: Node, variable: string, values: Values): string[][] {
  const all = nodesOf(of, "assignment_expression")
    .filter((node) => node.children[0]?.text === variable)
    .map((node) => ({ branch: branchOf(node, of), items: itemsOf(node.children[2], values) }));
  const inBranch = (branch: "if" | "else"): string[] =>
    all.filter((part) => part.branch === null || part.branch === branch).flatMap(({ items }) => items);
  return all.some(({ branch }) => branch === "else") ? [inBranch("if"), inBranch("else")] : [inBranch("if")];
}

function branchOf(node: Node, within: Node): "if" | "else" | null {
  let isInIf = false;
  for (let at = node.parent; at !== null && at.id !== within.id; at = at.parent) {
    if (at.type === "else_clause") return "else";
    isInIf ||= at.type === "if_statement";
  }
  return isInIf ? "if" : null;
}

function itemsOf(node: Node | undefined, values: Values): string[] {
  if (node === undefined) return [];
  return nodesIn(node).flatMap((part) => {
    if (part.type === "string_literal") return [part.text.slice(1, -1)];
    if (part.type !== "variable") return [];
    const value = values[part.text.slice(1)];
    if (value === undefined) throw new Error(`${part.text} has no value.`);
    return typeof value === "string" ? [value] : [...value];
  });
}
