/** Scripts of the module as syntax trees, by the grammar that editors use: no PowerShell is needed to check them. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import treeSitter, { type Node } from "@vscode/tree-sitter-wasm";

const MODULE = new URL("../", import.meta.url);
const GRAMMAR = "@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm";

/** The tree of a script, or of a file of the module by its name. */
export async function parse(script: { readonly file: string } | { readonly text: string }): Promise<Node> {
  await treeSitter.Parser.init();
  const parser = new treeSitter.Parser();
  parser.setLanguage(await treeSitter.Language.load(createRequire(import.meta.url).resolve(GRAMMAR)));
  const text = "text" in script ? script.text : readFileSync(new URL(script.file, MODULE), "utf8");
  const tree = parser.parse(text);
  if (tree === null) throw new Error("The grammar has no language.");
  return tree.rootNode;
}

/** A node and all below it, in the order of the text. */
export function nodesIn(node: Node): Node[] {
  return [node, ...node.children.flatMap((child) => (child === null ? [] : nodesIn(child)))];
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
    .filter((node) => node.child(0)?.text === variable)
    .map((node) => ({ branch: branchOf(node, of), items: itemsOf(node.child(2), values) }));
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

function itemsOf(node: Node | null, values: Values): string[] {
  if (node === null) return [];
  return nodesIn(node).flatMap((part) => {
    if (part.type === "string_literal") return [part.text.slice(1, -1)];
    if (part.type !== "variable") return [];
    const value = values[part.text.slice(1)];
    if (value === undefined) throw new Error(`${part.text} has no value.`);
    return typeof value === "string" ? [value] : [...value];
  });
}
