import { UsageError, type Command, type CommandOptions, type Program } from "./command.ts";
import { completionOf, SHELLS } from "./completion.ts";
import { EXIT } from "./exit-codes.ts";
import { commandHelp, programHelp, usageLine } from "./help.ts";
import { expandPatterns } from "./patterns.ts";
import { clearProgress } from "./progress.ts";

/** Runs the command that the process's arguments name, and sets its exit code: 2 where no command has that name. */
export async function runProgram(program: Program): Promise<void> {
  // The reader of a pipe may leave early, as `head` does; that is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    fail(`Can't write the output: ${error.message}. Write it to another disk.`);
  });
  try {
    process.exitCode = await run(program, process.argv.slice(2));
  } catch (error) {
    // Waiting for an output that can't be written fails too.
    if (process.exitCode === undefined)
      fail(`${program.name} has an error of its own. Report it to AG Lens:\n${stackOf(error)}`);
  }
}

/** Ends the process. Node would end it with 1, the code of a result after damage. */
function fail(text: string): void {
  clearProgress();
  process.exitCode = EXIT.nothing;
  process.stderr.write(`${text}\n`, () => process.exit(EXIT.nothing));
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

async function run(program: Program, [name = "", ...args]: readonly string[]): Promise<number> {
  const isHelp = name === "help" || isHelpOption(name);
  const wanted = isHelp ? (args[0] ?? "") : name;
  const all = { ...program, commands: [...program.commands, completionCommand(program)] };
  const command = all.commands.find((each) => each.name === wanted);
  if (command === undefined) {
    const isAsked = wanted === "";
    const problem = isAsked ? "" : `Unknown command "${wanted}".\n\n`;
    (isAsked ? process.stdout : process.stderr).write(`${problem}${programHelp(all)}`);
    return isHelp && isAsked ? EXIT.complete : EXIT.usage;
  }
  if (isHelp || args.some(isHelpOption)) {
    process.stdout.write(commandHelp(program.name, command));
    return EXIT.complete;
  }
  try {
    return await command.run(withFlags(expandPatterns(args, command.options), command.options));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n${usageLine(program.name, command)}\n`);
    return EXIT.usage;
  }
}

/** The arguments with options without a value in place of choices that stand for them. */
function withFlags(args: readonly string[], options: CommandOptions): string[] {
  const left = [...args];
  for (const [name, { choices = [], flags }] of Object.entries(options)) {
    const at = left.findIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
    if (flags === undefined || at < 0) continue;
    const isOne = left[at] !== `--${name}`;
    const choice = isOne ? left[at].slice(name.length + 3) : (left[at + 1] ?? "");
    if (!choices.includes(choice))
      throw new UsageError(`--${name} is one of ${choices.join(", ")}, not "${choice}".`);
    left.splice(at, isOne ? 1 : 2, ...(Object.hasOwn(flags, choice) ? [`--${flags[choice]}`] : []));
  }
  return left;
}

const isHelpOption = (arg: string): boolean => arg === "--help" || arg === "-h";

function completionCommand(program: Program): Command {
  const command: Command = {
    name: "completion",
    operands: "SHELL",
    choices: SHELLS,
    about: "script that completes commands and options in a shell: bash, zsh, fish or powershell",
    options: {},
    notes: `To load it: source <(${program.name} completion bash), the same with zsh; ${program.name} completion fish | source;
${program.name} completion powershell | Out-String | Invoke-Expression`,
    run: ([shell = ""]) => {
      const script = completionOf(shell, { ...program, commands: [...program.commands, command] });
      if (script === undefined) {
        process.stderr.write(`Name a shell: ${SHELLS.join(", ")}.\n${usageLine(program.name, command)}\n`);
        return Promise.resolve(EXIT.usage);
      }
      process.stdout.write(script);
      return Promise.resolve(EXIT.complete);
    },
  };
  return command;
}
