/** Files in addition to data-movement events: recognized, read, and on one clock. */
export { checkAgreement } from "./agreement/agreement.ts";
export type {
  Agreement,
  AgreementRule,
  CaptureFigures,
  CommitFigure,
  LogWriteFigure,
} from "./agreement/figures.ts";
export {
  readFolder,
  recognizeFolder,
  type FolderEvidence,
  type ReadFolderOptions,
  type SourceFile,
} from "./folder/read-folder.ts";
export {
  readHappenedEvents,
  type FolderFile,
  type HappenedEvents,
  type ReadEventsOptions,
} from "./happened/read-events.ts";
export { HEAD_BYTES, recognizeFile, TAIL_BYTES } from "./recognition/recognize.ts";
export type {
  Evidence,
  EvidenceEvent,
  EvidenceKind,
  EvidenceSeries,
  EvidenceSource,
  FailoverCause,
  FileKind,
  NotUnderstood,
  RecognizedFile,
  ReplicaName,
} from "./shapes.ts";
export { relogCommand } from "./samples/counter-rules.ts";
export { diskspdFigure } from "./samples/diskspd.ts";
export { readSamples } from "./samples/read-samples.ts";
export type { Samples } from "./samples/samples.ts";
