import { SaxesParser } from "saxes";

/** An element of an XML document: its name and attributes as written. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * The elements of a complete XML document in document order, the root first; for XML that scripts save in addition to
 * events, such as the rows of a query with FOR XML.
 *
 * @throws {Error} when the text is not well-formed
 */
export function xmlElements(text: string): XmlElement[] {
  const found: XmlElement[] = [];
  const parser = new SaxesParser({ xmlns: false });
  parser.on("opentag", ({ name, attributes }) => found.push({ name, attributes }));
  parser.write(text.replace(/^\uFEFF/u, "")).close();
  return found;
}
