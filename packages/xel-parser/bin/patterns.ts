/** Patterns such as `*.xel` in arguments, which shells on Windows do not expand. */
import { existsSync } from "node:fs";
import type { CommandOption, CommandOptions } from "./command.ts";

const WILDCARDS = /[*?[]/u;

/**
 * The arguments with the files of a pattern in its place, in the order of their names. A pattern without a file stays
 * as it is, so that the command reports it. Values of options stay.
 */
export function expandPatterns(args: readonly string[], options: CommandOptions): string[] {
  let isValue = false;
  return args.flatMap((arg) => {
    const stays = isValue || arg.startsWith("-") || !WILDCARDS.test(arg) || existsSync(arg);
    isValue = arg.startsWith("--") && hasOneValue(options[arg.slice(2)]);
    if (stays) return [arg];
    const found = filesOf(arg);
    return found.length === 0 ? [arg] : found;
  });
}

/** Not of options for several files, such as `--primary PATH...`. */
const hasOneValue = (option: CommandOption | undefined): boolean =>
  option?.type === "string" && option.value?.endsWith("...") !== true;

function filesOf(pattern: string): string[] {
  // Node has it from version 22 on.
  const { globSync } = process.getBuiltinModule("node:fs") as Partial<typeof import("node:fs")>;
  return globSync?.(pattern).sort() ?? [];
}
