import { filetimeText, type FileReport, type UnclaimedPayload } from "xel-parser/format";
import { codeOfFiles } from "./exit-codes.ts";
import { reportFailure, reportGaps } from "./file.ts";
import { clearProgress, withProgress } from "./progress.ts";
import { filesOf, JSON_OPTIONS, parseCommand, type Command, type CommandOptions } from "./command.ts";
import { eventsIn, type SourceOptions, type SourceTypes } from "./source.ts";

interface Contents {
  readonly counts: ReadonlyMap<string, number>;
  readonly first: bigint | undefined;
  readonly last: bigint | undefined;
  readonly report: FileReport;
}

const OPTIONS = {
  ...JSON_OPTIONS,
  force: { type: "boolean", about: "also files of a format version that is not known" },
} as const satisfies CommandOptions;

/** `xel info`: prints a description of each file. @param types of fields that text does not contain */
export function infoCommand(types: SourceTypes = {}): Command {
  return {
    name: "info",
    operands: "FILE...",
    about: "content of files: events by name, times, damage",
    options: OPTIONS,
    run: async (args) => {
      const parsed = parse(args);
      return withProgress(parsed.paths, () => info(parsed, types));
    },
  };
}

interface InfoArguments {
  readonly paths: readonly string[];
  readonly json: boolean;
  readonly force: boolean;
}

/** @throws UsageError */
function parse(args: string[]): InfoArguments {
  const { values, positionals } = parseCommand(args, OPTIONS);
  return { paths: filesOf(positionals), json: values.json ?? false, force: values.force ?? false };
}

async function info({ paths, json, force }: InfoArguments, types: SourceTypes): Promise<number> {
  const codes: number[] = [];
  const found: object[] = [];
  for (const path of paths) {
    try {
      const contents = await survey(path, { ...types, force });
      clearProgress();
      if (json) found.push(figures(path, contents));
      else process.stdout.write(`${paths.length > 1 ? `${path}\n` : ""}${summary(contents)}`);
      codes.push(reportGaps(path, contents.report));
    } catch (error) {
      codes.push(reportFailure(path, error));
    }
  }
  if (json && found.length > 0) process.stdout.write(`${JSON.stringify(found, null, 1)}\n`);
  return codeOfFiles(codes);
}

function figures(file: string, { counts, first, last, report }: Contents): object {
  const { fileSize, events, clean, gaps, unclaimed = [] } = report;
  return {
    file,
    bytes: fileSize,
    events,
    first: first === undefined ? null : filetimeText(first),
    last: last === undefined ? null : filetimeText(last),
    complete: clean,
    byName: Object.fromEntries(sorted(counts)),
    gaps: gaps.map(({ code, offset, message }) => ({ code, offset, message })),
    unclaimed,
  };
}

/** The most frequent first, then by name. */
const sorted = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].sort((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1));

async function survey(path: string, options: SourceOptions): Promise<Contents> {
  const events = eventsIn(path, options);
  const counts = new Map<string, number>();
  let first: bigint | undefined;
  let last: bigint | undefined;
  let item = await events.next();
  for (; item.done !== true; item = await events.next()) {
    const { name, package: owner, ticks } = item.value;
    const key = owner === "" ? name : `${owner}.${name}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    if (first === undefined || ticks < first) first = ticks;
    if (last === undefined || ticks > last) last = ticks;
  }
  return { counts, first, last, report: item.value };
}

function summary({ counts, first, last, report }: Contents): string {
  const lines = [`size     ${report.fileSize} bytes`, `events   ${report.events}`];
  if (first !== undefined && last !== undefined) {
    lines.push(`first    ${filetimeText(first)}`, `last     ${filetimeText(last)}`);
  }
  lines.push(`state    ${state(report)}`, "");
  for (const [name, count] of sorted(counts)) lines.push(`${String(count).padStart(10)}  ${name}`);
  for (const payload of report.unclaimed ?? []) lines.push("", unclaimedSentence(payload));
  return `${lines.join("\n")}\n`;
}

/** An event type that is read wrong, or that has columns of an unknown type. */
function unclaimedSentence({ package: owner, event, events, bytes, offset }: UnclaimedPayload): string {
  return `No column claims ${bytes} bytes in the payloads of ${events} events ${owner}.${event}; the first is at byte ${offset}. Their values may be wrong: report this file type to AG Lens.`;
}

function state({ clean, gaps, unfinished }: FileReport): string {
  if (clean) return "complete";
  const damaged = unfinished ? gaps.length - 1 : gaps.length;
  if (damaged === 0) return "ends in a buffer that is not written to its end, see the message";
  return `${damaged} damaged part(s), see the messages`;
}
