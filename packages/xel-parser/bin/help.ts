/** Texts of `--help`, from the table of commands. */
import { EXIT_CODES_TEXT } from "./exit-codes.ts";
import type { Command, CommandOption, Program } from "./command.ts";

/** Characters of a line. */
const WIDTH = 120;

/** The commands of a program, one after the other, then what is true of all. */
export function programHelp({ name, commands, notes }: Program): string {
  const rows = commands.map(
    (command) => [`${name} ${command.name} ${command.operands}`.trimEnd(), command.about] as const,
  );
  return `Usage: ${name} COMMAND ...

${table(rows)}
${name} COMMAND --help prints the options of a command.
${notes}
${EXIT_CODES_TEXT}`;
}

/** How a command is used, with its options. */
export function commandHelp(program: string, command: Command): string {
  const rows = Object.entries(command.options).map(
    ([name, option]) => [optionUse(name, option), option.about] as const,
  );
  const { about, notes } = command;
  return [
    `${usageLine(program, command)}\n\n${sentence(about)}\n`,
    ...(rows.length === 0 ? [] : [table(rows)]),
    ...(notes === undefined ? [] : [`${notes.trimEnd()}\n`]),
  ].join("\n");
}

/** First line of the help of a command, also for wrong usage. */
export function usageLine(program: string, { name, operands, options }: Command): string {
  const optional = Object.keys(options).length > 0 ? "[OPTION]..." : "";
  return `Usage: ${[program, name, operands, optional].filter((part) => part !== "").join(" ")}`;
}

function optionUse(name: string, { value, choices }: CommandOption): string {
  if (choices !== undefined) return `--${name} ${choices.join("|")}`;
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;

/** Two columns, the second one wrapped. */
function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length));
  const lines = rows.map(([first, second]) => {
    const indent = " ".repeat(width + 5);
    return `  ${first.padEnd(width)}   ${wrapped(second, WIDTH - indent.length).join(`\n${indent}`)}\n`;
  });
  return lines.join("");
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const line = lines[lines.length - 1];
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
