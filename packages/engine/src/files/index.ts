/** Files of captures: their kinds and their servers. */
export { captureNameOf, expectFits, FEW_FILES, noProgress, replacementOf } from "./capture-rules.ts";
export { isMisread, isMisreadAndOverwritten, overwritten, withRecognized } from "./earlier-version.ts";
export { eventsIn } from "./events-in.ts";
export {
  evidenceIn,
  givenTo,
  groupsOfEvidence,
  isEvidence,
  isOnlyEvidence,
  namesToAnalyze,
} from "./evidence-files.ts";
export { filesToAnalyze, isAnalyzedEvents, refuseUnclearGroups } from "./files-to-analyze.ts";
export { filesOfGroup, groupedFiles, withChangedEvidence, type GroupedFiles } from "./grouped-files.ts";
export { topologyIn, withKnownNames, type KnownNames } from "./known-names.ts";
export {
  forgetName,
  hasOwnNames,
  isNamesFile,
  knownNames,
  learnedFrom,
  learnName,
  namesIn,
  namingFiles,
  textOf,
  type LearnedName,
  type NamedFile,
  type NamesMemory,
} from "./learned-names.ts";
export type { Preparing, ReadableFile, RecognizeOptions } from "./readable-file.ts";
export { recognizeFile } from "./recognise.ts";
export { EVIDENCE_HEAD_BYTES, isHealthFile } from "./recognize-evidence.ts";
export { ReadingSoFar } from "./reading-so-far.ts";
export { NOTHING, unreadable, type Recognized } from "./recognised.ts";
export { lacksFiles, returnedFiles } from "./returned-files.ts";
export { withUniqueNames } from "./unique-names.ts";
