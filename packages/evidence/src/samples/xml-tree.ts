import { SaxesParser } from "saxes";

/** An element with its attributes, its elements, and the text that is directly in it. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  readonly text: string;
}

interface OpenNode {
  name: string;
  attributes: Record<string, string>;
  children: OpenNode[];
  text: string;
}

const DEEPEST = 64;
const MOST_NODES = 200_000;

/** Elements of a text of XML, also without a root, and whether the text was whole; damaged XML ends at its damage. */
export interface XmlForest {
  readonly roots: readonly XmlNode[];
  readonly isWhole: boolean;
}

export function readXml(text: string): XmlForest {
  const root: OpenNode = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  let nodes = 0;
  const parser = new SaxesParser({ xmlns: false });
  parser.on("opentag", ({ name, attributes }) => {
    if (++nodes > MOST_NODES || open.length > DEEPEST) throw new Error("The XML has too many elements.");
    const node: OpenNode = { name, attributes, children: [], text: "" };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on("closetag", () => void open.pop());
  const addText = (part: string): void => {
    const node = open.at(-1);
    if (node !== undefined) node.text += part;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("error", (error) => {
    throw error;
  });
  try {
    // Rows of FOR XML have no common root.
    parser.write(`<_>${text.replace(/^\uFEFF?\s*(?:<\?xml[^>]*\?>)?/u, "")}</_>`).close();
    return { roots: root.children[0]?.children ?? [], isWhole: true };
  } catch {
    return { roots: root.children[0]?.children ?? [], isWhole: false };
  }
}

/** All elements of a name, at any depth, in document order. */
export function elementsNamed(roots: readonly XmlNode[], name: string): XmlNode[] {
  return roots.flatMap((node) => [
    ...(node.name === name ? [node] : []),
    ...elementsNamed(node.children, name),
  ]);
}

/** Text of the first child of that name; null without one. */
export const childText = (node: XmlNode, name: string): string | null =>
  node.children.find((child) => child.name === name)?.text.trim() ?? null;
