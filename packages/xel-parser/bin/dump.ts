import { once } from "node:events";
import { parseArgs } from "node:util";
import { toJson, type FileReport, type ReadOptions } from "xel-parser/format";
import { EXIT } from "./exit-codes.ts";
import { reportFailure, reportGaps } from "./file.ts";
import { eventsIn, type SourceOptions, type SourceTypes } from "./source.ts";

// Lines are collected so that a large file does not cost one write per event.
const BATCH_CHARACTERS = 1 << 16;

/** `xel dump FILE [--event NAME]... [--force]`: prints events as JSON lines and returns the exit code. */
export async function dump(args: string[], types: SourceTypes = {}): Promise<number> {
  const parsed = parse(args);
  if (typeof parsed === "string") {
    process.stderr.write(`${parsed}\nUsage: xel dump FILE [--event NAME]... [--force]\n`);
    return EXIT.usage;
  }
  try {
    return reportGaps(parsed.path, await print(parsed.path, { ...parsed.options, ...types }));
  } catch (error) {
    return reportFailure(parsed.path, error);
  }
}

function parse(args: string[]): { path: string; options: ReadOptions } | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { event: { type: "string", multiple: true }, force: { type: "boolean", default: false } },
    });
    if (positionals.length !== 1) return "Name one file.";
    const only = values.event === undefined ? {} : { only: new Set(values.event) };
    const options = { ...only, force: values.force };
    return { path: positionals[0], options };
  } catch (error) {
    return (error as Error).message;
  }
}

async function print(path: string, options: SourceOptions): Promise<FileReport> {
  const events = eventsIn(path, options);
  let lines = "";
  let item = await events.next();
  for (; item.done !== true; item = await events.next()) {
    lines += `${toJson(item.value)}\n`;
    if (lines.length >= BATCH_CHARACTERS) {
      await write(lines);
      lines = "";
    }
  }
  await write(lines);
  return item.value;
}

/** Waits while the reader of a pipe is slower than we are. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}
