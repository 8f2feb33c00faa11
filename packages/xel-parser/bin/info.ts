import { filetimeText, type FileReport, type UnclaimedPayload } from "xel-parser/format";
import { EXIT } from "./exit-codes.ts";
import { reportFailure, reportGaps } from "./file.ts";
import { eventsIn, type SourceOptions, type SourceTypes } from "./source.ts";

interface Contents {
  readonly counts: ReadonlyMap<string, number>;
  readonly first: bigint | undefined;
  readonly last: bigint | undefined;
  readonly report: FileReport;
}

/** `xel info FILE [--force]`: prints a description of a file and returns the exit code. */
export async function info(args: string[], types: SourceTypes = {}): Promise<number> {
  const [path, ...rest] = args.filter((arg) => arg !== "--force");
  if (path === undefined || rest.length > 0) {
    process.stderr.write("Name one file.\nUsage: xel info FILE [--force]\n");
    return EXIT.usage;
  }
  try {
    const contents = await survey(path, { ...types, force: args.includes("--force") });
    process.stdout.write(summary(contents));
    return reportGaps(path, contents.report);
  } catch (error) {
    return reportFailure(path, error);
  }
}

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
  const byCount = [...counts].sort((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1));
  for (const [name, count] of byCount) lines.push(`${String(count).padStart(10)}  ${name}`);
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
