/** The model and its verdict as tables for other tools, with units, before any file format. */
export {
  captureTables,
  ROW_TABLES,
  rowTable,
  tableMetadata,
  withBlocks,
  withUtc,
  withWholeRows,
  type CaptureTables,
  type RowTable,
} from "./capture-tables.ts";
export { columnReader, type ExportTable, type TableColumn } from "./table.ts";
