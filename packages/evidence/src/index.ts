/** Files in addition to data-movement events: recognized, read, and on one clock. */
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
