/** `xel session [STEP] [--name NAME]`: prints T-SQL of the session that records files (docs/reference/cli.md). */
import {
  createSession,
  dropIfExists,
  SESSION_NAME,
  sessionFile,
  startSession,
  stopIfStarted,
  USUAL_CHOICES,
  type SessionChoices,
} from "@aglens/ag-model/events";
import { EXIT, parseCommand, UsageError, type Command, type CommandOptions } from "xel-parser/commands";

const OPTIONS = {
  name: { type: "string", value: "NAME", about: "name of the session" },
  "file-writes": { type: "boolean", about: "also events of file writes, as in the capture guide" },
  clients: { type: "boolean", about: "also session and application of each commit" },
  "without-commits": { type: "boolean", about: "no events of commits" },
} as const satisfies CommandOptions;

/** Sessions and files have a name that needs no quotes in T-SQL and in file names. */
const NAME = /^[A-Za-z][\w-]{0,99}$/u;

/** A batch of each step; without a step, the script that creates and starts the session. */
const STEPS: Readonly<Record<string, (name: string, choices: SessionChoices) => string>> = {
  "": (name, choices) => `${createSession(choices, name)}\nGO\n${startSession(name)}\nGO`,
  create: (name, choices) => createSession(choices, name),
  start: (name) => startSession(name),
  file: (name) => `SELECT ${sessionFile(name)} AS path;`,
  stop: (name) => stopIfStarted(name),
  drop: (name) => dropIfExists(name),
};

export const sessionCommand: Command = {
  name: "session",
  operands: "[STEP]",
  choices: Object.keys(STEPS).filter((step) => step !== ""),
  about: "T-SQL of the session that records files: all of it, or the step create, start, file, stop or drop",
  options: OPTIONS,
  run: async (args) => session(args),
};

/**
 * Runs the command, writes the T-SQL and returns the exit code.
 * @throws UsageError
 */
export function session(
  args: readonly string[],
  write: (text: string) => void = (text) => console.log(text),
): number {
  const { values, positionals } = parseCommand(args, OPTIONS);
  const { name = SESSION_NAME, clients = false } = values;
  const [step = "", ...more] = positionals;
  const batch = Object.hasOwn(STEPS, step) && more.length === 0 ? STEPS[step] : undefined;
  if (batch === undefined) throw new UsageError("Name one step, or none for the complete script.");
  if (!NAME.test(name))
    throw new UsageError(
      "Can't use this name: a name has letters, digits, _ and -, and begins with a letter.",
    );
  if (clients && values["without-commits"] === true)
    throw new UsageError("Clients are recorded with commits: use --clients or --without-commits.");
  const choices = {
    ...USUAL_CHOICES,
    perCommit: values["without-commits"] !== true,
    fileWrites: values["file-writes"] === true,
    sessionIds: clients,
    applications: clients,
  };
  write(batch(name, choices));
  return EXIT.complete;
}
