/** Files in addition to data-movement events: recognized, read, and on one clock. */
export { checkAgreement } from "./agreement/agreement.ts";
export { isSameServer } from "./agreement/window-figures.ts";
export type {
  Agreement,
  AgreementRule,
  CaptureFigures,
  CommitFigure,
  LogWriteFigure,
} from "./agreement/figures.ts";
export { decodeFacts, encodeFacts, FactsFormatError, isFacts } from "./facts/encode-facts.ts";
export { coarseSeries } from "./facts/coarse-series.ts";
export { noFacts, type FileFacts } from "./facts/file-facts.ts";
export { movedEvidence } from "./facts/moved-evidence.ts";
export { hasOffsetOfServer, mergeFacts, useByOffset, type FolderEvidence } from "./facts/merge-facts.ts";
export { readFacts } from "./facts/read-facts.ts";
export { withoutSensitive } from "./facts/without-sensitive.ts";
export {
  readFolder,
  recognizeFolder,
  type ReadFolderOptions,
  type SourceFile,
} from "./folder/read-folder.ts";
export { failoversOf } from "./happened/failovers.ts";
export { mergeEvents } from "./happened/merge-events.ts";
export { readHealth } from "./health/read-health.ts";
export { sessionKind } from "./recognition/event-file.ts";
export { HEAD_BYTES, recognizeFile, TAIL_BYTES } from "./recognition/recognize.ts";
export type {
  Evidence,
  EvidenceEvent,
  EvidenceKind,
  EvidenceSeries,
  EvidenceSource,
  FailoverCause,
  FileKind,
  GroupName,
  NotUnderstood,
  RecognizedFile,
  ReplicaName,
} from "./shapes.ts";
export { relogCommand } from "./samples/counter-rules.ts";
export { diskspdFigure } from "./samples/diskspd.ts";
