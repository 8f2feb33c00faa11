/** Patterns such as `*.xel` in arguments, which shells on Windows do not expand. */
import { existsSync } from "node:fs";
import type { CommandOptions } from "./command.ts";

const WILDCARDS = /[*?[]/u;

/**
 * The arguments with the files of a pattern in its place, in the order of their names. A pattern without a file stays
 * as it is, so that the command reports it. Values of options stay.
 */
export function expandPatterns(args: readonly string[], options: CommandOptions): string[] {
  let isValue = false;
  return args.flatMap((arg) => {
    const stays = isValue || arg.startsWith("-") || !WILDCARDS.test(arg) || existsSync(arg);
    isValue = arg.startsWith("--") && options[arg.slice(2)]?.type === "string";
    if (stays) return [arg];
    const found = filesOf(arg);
    return found.length === 0 ? [arg] : found;
  });
}

function filesOf(pattern: string): string[] {
  // Node has it from version 22 on.
  const { globSync } = process.getBuiltinModule("node:fs") as Partial<typeof import("node:fs")>;
  return globSync?.(pattern).sort() ?? [];
}
