/** Files of captures: what each is, and whose. */
export { captureNameOf, FEW_FILES, noProgress, replacementOf } from "./capture-rules.ts";
export { isMisread, isMisreadAndOverwritten, overwritten, withRecognised } from "./earlier-version.ts";
export { eventsIn } from "./events-in.ts";
export { filesToAnalyse, refuseUnclearGroups } from "./files-to-analyse.ts";
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
export { recogniseFile, type Preparing, type ReadableFile, type RecogniseOptions } from "./recognise.ts";
export { ReadingSoFar } from "./reading-so-far.ts";
export { NOTHING, unreadable, type Recognised } from "./recognised.ts";
export { lacksFiles, returnedFiles } from "./returned-files.ts";
export { withUniqueNames } from "./unique-names.ts";
