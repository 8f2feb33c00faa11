/** The `xel` command line as functions, for programs in Node that offer its commands next to their own. */
export { dump } from "./dump.ts";
export { EXIT, EXIT_CODES_TEXT } from "./exit-codes.ts";
export { chunksOf, reportFailure, reportGaps, sourceOf, unreadableText } from "./file.ts";
export { info } from "./info.ts";
export { runCommand, type Command, type CommandLine } from "./run.ts";
export { eventsIn, openSource, type Source, type SourceOptions, type SourceTypes } from "./source.ts";
