/** The table of commands: help, completion and checks of arguments come from it. */

/** An option of a command, by its name without dashes. Extends the options of `parseArgs`. */
export interface CommandOption {
  readonly type: "string" | "boolean";
  readonly multiple?: boolean;
  /** Name of the value in texts; absent for options without a value. */
  readonly value?: string;
  /** The values that are possible; absent where any is. */
  readonly choices?: readonly string[];
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
  /** Takes the arguments and returns the exit code. */
  readonly run: (args: string[]) => Promise<number>;
}

/** The commands of a program. */
export interface Program {
  readonly name: string;
  readonly commands: readonly Command[];
  /** Sentences about all commands. */
  readonly notes: string;
}
