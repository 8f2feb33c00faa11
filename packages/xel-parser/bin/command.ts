/** The table of commands: help, completion and checks of arguments come from it. */

import { parseArgs } from "node:util";

/** The arguments of a command are wrong; the message names the remedy. */
export class UsageError extends Error {}

/** An option of a command, by its name without dashes. Extends the options of `parseArgs`. */
export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  /** Name of the value in texts; absent for options without a value. */
  readonly value?: string;
  /** The values that are possible; absent where any is. */
  readonly choices?: readonly string[];
  /** Options without a value that choices stand for: `--format json` is `--json`. Other choices stand for none. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Definition, without a full stop. */
  readonly about: string;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** A command of a program. */
export interface Command {
  readonly name: string;
  /** Arguments without a name, such as `FILE...`. */
  readonly operands: string;
  /** The values of the first operand that are possible; absent where any is. */
  readonly choices?: readonly string[];
  /** One line, without a full stop. */
  readonly about: string;
  readonly options: CommandOptions;
  /** Sentences that follow the options. */
  readonly notes?: string;
  /** Takes the arguments and returns the exit code. Wrong usage may throw UsageError. */
  readonly run: (args: string[]) => Promise<number>;
}

/** The commands of a program. */
export interface Program {
  readonly name: string;
  readonly commands: readonly Command[];
  /** Sentences about all commands. */
  readonly notes: string;
}

/** Options of commands that print text or JSON. */
export const JSON_OPTIONS = {
  format: {
    type: "string",
    value: "FORMAT",
    choices: ["text", "json"],
    flags: { json: "json" },
    about: "the answer as text, or as JSON",
  },
  json: { type: "boolean", about: "short for --format json" },
} as const satisfies CommandOptions;

/** Options and operands of the arguments. @throws UsageError for options that the command doesn't have */
export function parseCommand<Options extends CommandOptions>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The files that a command reads one by one. @throws UsageError without a file, or if standard input is one of them twice */
export function filesOf(operands: readonly string[]): readonly string[] {
  if (operands.length === 0) throw new UsageError("Name at least one file.");
  if (operands.filter((path) => path === "-").length > 1)
    throw new UsageError("Standard input is read once. Use - once.");
  return operands;
}
