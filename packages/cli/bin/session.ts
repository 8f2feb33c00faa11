/** `xel session [STEP] [--name NAME]`: prints T-SQL of the session that records files (docs/reference/cli.md). */
import { parseArgs } from "node:util";
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
import { EXIT } from "xel-parser/commands";

const USAGE = `Usage: xel session [create|start|file|stop|drop] [--name NAME] [--file-writes] [--clients] [--without-commits]
`;

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

/** Runs the command, writes the T-SQL and returns the exit code. */
export async function session(
  args: string[],
  write: (text: string) => void = (text) => console.log(text),
): Promise<number> {
  const script = scriptOf(args);
  if ("problem" in script) {
    process.stderr.write(`${script.problem}\n${USAGE}`);
    return EXIT.usage;
  }
  write(script.sql);
  return EXIT.complete;
}

function scriptOf(args: string[]): { readonly sql: string } | { readonly problem: string } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: { type: "string", default: SESSION_NAME },
        "file-writes": { type: "boolean", default: false },
        clients: { type: "boolean", default: false },
        "without-commits": { type: "boolean", default: false },
      },
    });
    const [step = "", ...more] = positionals;
    const batch = Object.hasOwn(STEPS, step) && more.length === 0 ? STEPS[step] : undefined;
    if (batch === undefined) return { problem: "Name one step, or none for the complete script." };
    if (!NAME.test(values.name))
      return {
        problem: "Can't use this name: a name has letters, digits, _ and -, and begins with a letter.",
      };
    if (values.clients && values["without-commits"])
      return { problem: "Clients are recorded with commits: use --clients or --without-commits." };
    const choices = {
      ...USUAL_CHOICES,
      perCommit: !values["without-commits"],
      fileWrites: values["file-writes"],
      sessionIds: values.clients,
      applications: values.clients,
    };
    return { sql: batch(values.name, choices) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
