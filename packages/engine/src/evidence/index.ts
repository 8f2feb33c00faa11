export {
  captureEvidence,
  decodeEvidence,
  evidenceOnClock,
  mergeEvidence,
  type CaptureEvidence,
  type EncodedEvidence,
  type EvidenceFile,
  type GivenToFile,
} from "./capture-evidence.ts";
export { answerOf, asTabled, evidenceAnswer, MOST_EVENTS, withoutReferences } from "./evidence-answer.ts";
export { evidenceSamples, type SamplesWanted } from "./evidence-samples.ts";
