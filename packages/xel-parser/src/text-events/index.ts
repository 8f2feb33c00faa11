/** Events that SQL Server's tools printed as text: event XML and the CSV of SSMS' grids. */
export {
  readEventCsv,
  readEventXml,
  readTextEvents,
  TEXT_HEAD_BYTES,
  textKindOf,
  type ReadTextOptions,
  type TextKind,
} from "./read.ts";
export { xelOfText } from "./to-xel.ts";
export type { TypeName, TypeOf } from "./values.ts";
