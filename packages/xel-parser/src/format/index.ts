/** Reading .xel files of SQL Server Extended Events (format version 10). */
export type { ByteSource, FileBytes } from "./byte-source.ts";
export {
  decodeColumnBatches,
  decodeColumns,
  type BatchOptions,
  type DecodeOptions,
  type EventBatch,
} from "./columns/columns.ts";
export type { NumberedEvents, NumberRun } from "./columns/event-numbers.ts";
export type { EventShape, FileShape } from "./columns/file-shape.ts";
export { ABSENT_INT, type ColumnData } from "./columns/growing-column.ts";
export { declaredEvents, type DeclaredEvent } from "./declared-events.ts";
export { XelFormatError, type XelErrorCode } from "./errors.ts";
export type { XelEvent } from "./events/event.ts";
export type { UnclaimedPayload } from "./events/payload-claims.ts";
export { jsonValue, toJson, valueText } from "./json.ts";
export { DEFAULT_LIMITS, type ReadLimits } from "./limits.ts";
export { decodePart, joinReports, splitXel, transferablesOf, type FilePart } from "./parts.ts";
export type { ActionColumn, ColumnRequest, ColumnType } from "./columns/plan.ts";
export {
  openColumnStream,
  openEventStream,
  type ColumnStream,
  type EventStream,
  type PushReport,
  type StreamOptions,
  type StreamRow,
} from "./push.ts";
export { openXel, type MetadataPlace, type OpenOptions, type OpenXel, type ReadAt } from "./random-access.ts";
export { readXel, readXelBatches, readXelBytes, type FileReport, type ReadOptions } from "./reader.ts";
export { plainFileHeader, rowInFile, type RowInFile } from "./rows-as-file.ts";
export { DROPPED_TEXT } from "./sensitive/buffer-edit.ts";
export { dropSensitive, type DropReport, type RewritableFile } from "./sensitive/drop-sensitive.ts";
export { isSensitiveField } from "./sensitive/sensitive-names.ts";
export { filetimeOfUnixMs, filetimeOfUnixUs, filetimeText, unixMsOf } from "./time.ts";
export type { EventTable, EventTableColumn, ValueKind } from "./tables/event-table.ts";
export { readEventTables, type TableOptions } from "./tables/read-tables.ts";
export type { TypeName, XelValue } from "./types.ts";
export { looksLikeXel } from "./walk/header.ts";
export type { FileGap } from "./walk/gaps.ts";
export type { MetadataBytes } from "./walk/walk.ts";
