#!/usr/bin/env node
import { dump } from "./dump.ts";
import { info } from "./info.ts";

const USAGE = `Usage: xel COMMAND ...

  xel dump FILE [--event NAME]...   one JSON line per event, in file order
  xel info FILE                     what the file holds: events by name, times, damage
  xel analyze ...                   replication analysis of capture files

With --force, a file of a format version that is not known is tried.
FILE is a .xel file, event XML or a CSV that SSMS saved; - is standard input. Exit code: 0 done, 1 damaged or unreadable input, 2 wrong usage.
`;

/** A command takes its arguments and returns the exit code. */
type Command = (args: string[]) => Promise<number>;

const COMMANDS: Readonly<Record<string, Command>> = {
  dump,
  info,
  // Loaded on demand: it brings the whole analysis with it.
  analyze: async (args) => (await import("./analyze.ts")).analyze(args),
};

// The reader of a pipe may leave early, as `head` does; that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const [name = "", ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command !== undefined) {
  process.exitCode = await command(args);
} else {
  const asked = name === "" || name === "help" || name === "--help" || name === "-h";
  (asked ? process.stdout : process.stderr).write(asked ? USAGE : `Unknown command "${name}".\n\n${USAGE}`);
  process.exitCode = name === "" || !asked ? 2 : 0;
}
