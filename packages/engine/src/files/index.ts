/** Files of captures: their kinds and their servers. */
export { captureNameOf, FEW_FILES, noProgress, replacementOf } from "./capture-rules.ts";
export { isMisread, isMisreadAndOverwritten, overwritten, withRecognized } from "./earlier-version.ts";
export { eventsIn } from "./events-in.ts";
export { evidenceIn, filesToAnalyze, refuseUnclearGroups } from "./files-to-analyze.ts";
export { filesOfGroup, groupedFiles, type GroupedFiles } from "./grouped-files.ts";
export { topologyIn, withKnownNames, type KnownNames } from "./known-names.ts";
export {
  forgetName,
  isNamesFile,
  knownNames,
  learnedFrom,
  learnName,
  namesIn,
  textOf,
  type LearnedName,
  type NamedFile,
  type NamesMemory,
} from "./learned-names.ts";
export { recognizeFile, type Preparing, type ReadableFile, type RecognizeOptions } from "./recognise.ts";
export { ReadingSoFar } from "./reading-so-far.ts";
export { NOTHING, unreadable, type Recognized } from "./recognised.ts";
export { lacksFiles, returnedFiles } from "./returned-files.ts";
export { withUniqueNames } from "./unique-names.ts";
