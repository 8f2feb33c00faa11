/** Events that SQL Server's tools printed as text: event XML and the CSV of SSMS' grids. */
export { headText, TextChunks } from "./decode-text.ts";
export { readEventCsv, readEventXml, readTextEvents, TEXT_HEAD_BYTES, textKindOf } from "./read.ts";
export type { ReadTextOptions, TextKind } from "./options.ts";
export { xelOfText } from "./to-xel.ts";
export type { TypeOf } from "./values.ts";
export { xmlElements, type XmlElement } from "./xml-elements.ts";
