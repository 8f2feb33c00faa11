/** The model and its verdict as tables for other tools, with units, before any file format. */
export { anchorError } from "./anchors.ts";
export {
  captureTables,
  tableMetadata,
  tableParts,
  TABLES_AT_REST,
  type CaptureTables,
  type TableAtRest,
} from "./capture-tables.ts";
export {
  asWord,
  EVIDENCE_TABLES,
  evidenceTable,
  isEvidenceTable,
  NO_EVIDENCE,
  type EvidenceTable,
  type TabledEvidence,
} from "./evidence-tables.ts";
export { stageInTables } from "./durations.ts";
export { ROW_TABLES, rowTable, rowTableParts, type RowTable } from "./row-tables.ts";
export { withBlocks, withFullRows } from "./some-rows.ts";
export { columnReader, NO_UTC, type ExportTable, type TableColumn } from "./table.ts";
export { utcText } from "./utc.ts";
