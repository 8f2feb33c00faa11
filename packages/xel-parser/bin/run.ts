import { EXIT } from "./exit-codes.ts";

/** A command takes its arguments and returns the exit code. */
export type Command = (args: string[]) => Promise<number>;

/** The commands of a program by name, and the text that `help` prints. */
export interface CommandLine {
  readonly commands: Readonly<Record<string, Command>>;
  readonly usage: string;
}

/** Runs the command that the process's arguments name, and sets its exit code: 2 where no command has that name. */
export async function runCommand({ commands, usage }: CommandLine): Promise<void> {
  // The reader of a pipe may leave early, as `head` does; that is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  const [name = "", ...args] = process.argv.slice(2);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) {
    process.exitCode = await command(args);
    return;
  }
  const asked = name === "" || name === "help" || name === "--help" || name === "-h";
  (asked ? process.stdout : process.stderr).write(asked ? usage : `Unknown command "${name}".\n\n${usage}`);
  process.exitCode = name === "" || !asked ? EXIT.usage : EXIT.complete;
}
