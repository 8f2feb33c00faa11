/** The `xel` command line as functions, for programs in Node that offer its commands next to their own. */
export {
  JSON_OPTIONS,
  parseCommand,
  UsageError,
  type Command,
  type CommandOption,
  type CommandOptions,
  type Program,
} from "./command.ts";
export { dumpCommand } from "./dump.ts";
export { EXIT, EXIT_CODES_TEXT } from "./exit-codes.ts";
export { chunksOf, noSuchEvent, reportFailure, reportGaps, sourceOf, unreadableText } from "./file.ts";
export { usageLine } from "./help.ts";
export { infoCommand } from "./info.ts";
export { clearProgress, countInto, progressCounter, withProgress } from "./progress.ts";
export { runProgram } from "./run.ts";
export { eventsIn, openSource, type Source, type SourceOptions, type SourceTypes } from "./source.ts";
