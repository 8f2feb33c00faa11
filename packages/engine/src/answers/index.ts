export {
  answer,
  neededPart,
  readsEventFiles,
  readsEventIndex,
  type Answer,
  type LatePart,
  type ParquetEncoder,
  type Question,
} from "./answer.ts";
export {
  asLinkAsks,
  evidenceSources,
  readsEvidence,
  tabledEvidence,
  withEvidenceOf,
  type EvidenceSource,
} from "./evidence-answers.ts";
export { firstAnswers, questionAt, questionKey, type FirstAnswer } from "./first-answers.ts";
export { QUESTION_ROUTES, type QuestionRoute } from "./question-routes.ts";
export * from "./question-parameters.ts";
export { eventHoldsText } from "./raw-event-text.ts";
export type { OpenSource, SourceFile } from "./source-file.ts";
