export { captureEvidence, type CaptureEvidence, type EvidenceFile } from "./capture-evidence.ts";
export { answerOf, evidenceAnswer, MOST_EVENTS } from "./evidence-answer.ts";
export { evidenceSamples, type SamplesWanted } from "./evidence-samples.ts";
