export {
  captureEvidence,
  decodeEvidence,
  mergeEvidence,
  type CaptureEvidence,
  type EncodedEvidence,
  type EvidenceFile,
  type GivenToFile,
} from "./capture-evidence.ts";
export { answerOf, evidenceAnswer, MOST_EVENTS, withoutReferences } from "./evidence-answer.ts";
export { evidenceSamples, type SamplesWanted } from "./evidence-samples.ts";
