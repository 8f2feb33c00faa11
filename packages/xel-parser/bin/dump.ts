import { once } from "node:events";
import type { FileReport, XelEvent } from "xel-parser/format";
import { filesOf, parseCommand, UsageError, type Command, type CommandOptions } from "./command.ts";
import { conditionOf, isHead, ticksOf, type Condition } from "./condition.ts";
import { FORMATS, linesOf, type EventLines, type Format } from "./event-lines.ts";
import { codeOfFiles, EXIT } from "./exit-codes.ts";
import { noSuchEvent, reportFailure, reportGaps } from "./file.ts";
import { clearProgress, withProgress } from "./progress.ts";
import { eventsIn, type SourceOptions, type SourceTypes } from "./source.ts";

// Lines are collected so that a large file does not cost one write per event.
const BATCH_CHARACTERS = 1 << 16;

const OPTIONS = {
  event: { type: "string", multiple: true, value: "NAME", about: "events of this name; can be repeated" },
  where: {
    type: "string",
    multiple: true,
    value: "FIELD=VALUE",
    about:
      "events whose field or action meets the condition, also with !=, <, <=, > and >=; if it's repeated, events that meet each of them",
  },
  columns: { type: "string", value: "A,B,C", about: "these fields and actions, in this order" },
  since: { type: "string", value: "TIME", about: "events from this time on, UTC, such as 2026-05-14T02:00" },
  until: { type: "string", value: "TIME", about: "events before this time, UTC" },
  format: {
    type: "string",
    value: "FORMAT",
    choices: FORMATS,
    about: "a JSON object per line (ndjson, the default), a JSON array, CSV, or a table for a terminal",
  },
  force: { type: "boolean", about: "also files of a format version that is not known" },
} as const satisfies CommandOptions;

const NOTES = `name, timestamp, package, uuid and offset are columns of each event. field.NAME and action.NAME select one of two values
with the same name. An event without the field meets no condition. CSV without --columns has all fields and actions, and
reads the files twice. Statements and names of people are printed as they are in the file.
`;

/** `xel dump`: prints events. @param types of fields that text does not contain */
export function dumpCommand(types: SourceTypes = {}): Command {
  return {
    name: "dump",
    operands: "FILE...",
    about: "events in file order, one JSON line per event",
    options: OPTIONS,
    notes: NOTES,
    run: async (args) => dump(parse(args), types),
  };
}

interface DumpArguments {
  readonly paths: readonly string[];
  readonly only: ReadonlySet<string> | undefined;
  readonly conditions: readonly Condition[];
  readonly isWanted: (event: XelEvent) => boolean;
  readonly columns: readonly string[] | null;
  readonly format: Format;
  readonly force: boolean;
}

/** @throws UsageError */
function parse(args: string[]): DumpArguments {
  const { values, positionals } = parseCommand(args, OPTIONS);
  const { event, where = [], columns, since, until, format = "ndjson", force = false } = values;
  const paths = filesOf(positionals);
  if (!isFormat(format)) throw new UsageError(`--format is one of ${FORMATS.join(", ")}, not "${format}".`);
  const conditions = where.map(conditionOf);
  const from = since === undefined ? undefined : ticksOf("since", since);
  const to = until === undefined ? undefined : ticksOf("until", until);
  if (format === "csv" && columns === undefined && paths.includes("-"))
    throw new UsageError("Standard input is read once. Name the columns of the CSV with --columns.");
  return {
    paths,
    only: event === undefined ? undefined : new Set(event),
    conditions,
    isWanted: (each) =>
      (from === undefined || each.ticks >= from) &&
      (to === undefined || each.ticks < to) &&
      conditions.every(({ isMet }) => isMet(each)),
    columns: columns?.split(",").map((name) => name.trim()) ?? null,
    format,
    force,
  };
}

const isFormat = (text: string): text is Format => FORMATS.includes(text as Format);

function dump(wanted: DumpArguments, types: SourceTypes): Promise<number> {
  const { paths, format, only, force } = wanted;
  const options: SourceOptions = { force, ...(only && { only }), ...types };
  const isReadTwice = format === "csv" && wanted.columns === null;
  return withProgress(
    isReadTwice ? [...paths, ...paths] : paths,
    async () => {
      const columns = isReadTwice ? await columnsOf(wanted, options) : wanted.columns;
      return printAll(wanted, options, linesOf(format, columns));
    },
    process.stdout,
  );
}

async function printAll(wanted: DumpArguments, options: SourceOptions, lines: EventLines): Promise<number> {
  const codes: number[] = [];
  const missing = new Set(wanted.only);
  const isWanted = (event: XelEvent): boolean => {
    missing.delete(event.name);
    return wanted.isWanted(event);
  };
  for (const path of wanted.paths) {
    try {
      codes.push(reportGaps(path, await print(path, isWanted, options, lines)));
    } catch (error) {
      if (error instanceof UsageError) throw error;
      codes.push(reportFailure(path, error));
    }
  }
  for (const { remark } of wanted.conditions) report(remark());
  for (const name of missing) report(noSuchEvent(name));
  const code = codeOfFiles(codes);
  // Without a result there is no output either.
  if (code !== EXIT.nothing) await write(lines.end());
  return code;
}

function report(remark: string | undefined): void {
  if (remark === undefined) return;
  clearProgress();
  process.stderr.write(`${remark}\n`);
}

async function print(
  path: string,
  isWanted: DumpArguments["isWanted"],
  options: SourceOptions,
  lines: EventLines,
): Promise<FileReport> {
  let text = "";
  const flush = (): Promise<void> => {
    const batch = text;
    text = "";
    return write(batch);
  };
  const report = await eachEvent(path, options, (event) => {
    if (isWanted(event)) text += lines.event(event);
    return text.length < BATCH_CHARACTERS ? undefined : flush();
  });
  await flush();
  return report;
}

/** Fields and actions of the wanted events, in the order of their first values. */
async function columnsOf({ paths, isWanted }: DumpArguments, options: SourceOptions): Promise<string[]> {
  const fields = new Set<string>();
  const actions = new Set<string>();
  for (const path of paths) {
    try {
      await eachEvent(path, options, (event) => {
        if (!isWanted(event)) return undefined;
        for (const name of Object.keys(event.fields)) fields.add(name);
        for (const name of Object.keys(event.actions)) actions.add(name);
        return undefined;
      });
    } catch (error) {
      // The second reading reports the file.
      if (error instanceof UsageError) throw error;
    }
  }
  return [
    "timestamp",
    "name",
    ...[...fields].map((name) => (isHead(name) ? `field.${name}` : name)),
    ...[...actions].map((name) => (isHead(name) || fields.has(name) ? `action.${name}` : name)),
  ];
}

async function eachEvent(
  path: string,
  options: SourceOptions,
  use: (event: XelEvent) => Promise<void> | undefined,
): Promise<FileReport> {
  const events = eventsIn(path, options);
  let item = await events.next();
  for (; item.done !== true; item = await events.next()) {
    const used = use(item.value);
    if (used !== undefined) await used;
  }
  return item.value;
}

/** Waits while the reader of a pipe is slower than we are. */
async function write(text: string): Promise<void> {
  if (text !== "" && !process.stdout.write(text)) await once(process.stdout, "drain");
}
