import { looksLikeXel, readXel, XelFormatError, type FileReport, type XelEvent } from "xel-parser/format";
import { readTextEvents, textKindOf } from "xel-parser/text-events";
import { readErrorlog } from "../errorlog/read-errorlog.ts";
import { readHealth, type HealthReading } from "../health/read-health.ts";
import { readSamples } from "../samples/read-samples.ts";
import { remark } from "../samples/samples.ts";
import type { FileKind, RecognizedFile } from "../shapes.ts";
import { coarseSeries } from "./coarse-series.ts";
import { noFacts, type FileFacts } from "./file-facts.ts";

/** How a file is read. */
export interface ReadFactsOptions {
  /** Keeps statements of DDL, texts of messages that may name logins, and user names in paths. */
  readonly keepSensitive?: boolean;
}

/** Samples of one file that are kept: some 20 MB as facts. */
const MOST_SAMPLES = 1_000_000;

const HEALTH_KINDS: ReadonlySet<FileKind> = new Set(["alwaysOnHealth", "clusterDiagnostics", "systemHealth"]);

/**
 * Reads everything that one file shows. A file that can't be read is damaged, with the reason.
 * @param open bytes of the complete file, in order; a file without a use isn't opened
 */
export async function readFacts(
  recognized: RecognizedFile,
  open: () => AsyncIterable<Uint8Array>,
  options: ReadFactsOptions = {},
): Promise<FileFacts> {
  if (recognized.state !== "used") return noFacts(recognized);
  try {
    const facts = await readFile(recognized, open, options);
    return { ...facts, keepsSensitive: options.keepSensitive === true };
  } catch (error) {
    if (!(error instanceof XelFormatError)) throw error;
    return noFacts({ ...recognized, state: "damaged", use: error.message });
  }
}

async function readFile(
  file: RecognizedFile,
  open: () => AsyncIterable<Uint8Array>,
  options: ReadFactsOptions,
): Promise<FileFacts> {
  if (file.kind === "errorlog") return errorlogFacts(file, open(), options);
  if (HEALTH_KINDS.has(file.kind)) return healthFacts(file, open(), options);
  return sampleFacts(file, open, options);
}

const CUT = remark("The file has more events than AG Lens keeps. The last ones are missing.");

async function errorlogFacts(
  file: RecognizedFile,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadFactsOptions,
): Promise<FileFacts> {
  const { name, server } = file;
  const { events, nights, notUnderstood, utcOffsetMinutes, isCut, dropped } = await readErrorlog(
    { name, server, ...options },
    chunks,
  );
  return {
    ...noFacts({ ...file, utcOffsetMinutes }),
    events,
    isLocal: utcOffsetMinutes === null,
    nights,
    remarks: isCut ? [CUT] : [],
    notUnderstood,
    dropped,
  };
}

async function healthFacts(
  file: RecognizedFile,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadFactsOptions,
): Promise<FileFacts> {
  const { name, server } = file;
  const lost: { report?: FileReport } = {};
  const reading = await readHealth({ name, server, ...options }, eventsOf(chunks, lost));
  const gaps = lost.report?.gaps ?? [];
  const { count, first } = reading.notUnderstood;
  return withinBounds({
    ...noFacts(server === null ? { ...file, ...serverOf(reading) } : file),
    events: reading.events,
    series: reading.series.map((series) => ({ ...series, isLocal: false })),
    remarks: reading.isCut ? [CUT] : [],
    names: reading.names,
    groups: reading.groups,
    dropped: reading.dropped,
    notUnderstood: {
      file: name,
      count: count + gaps.length + (lost.report?.unlistedGaps ?? 0),
      first: [...gaps.slice(0, 2).map(({ message }) => message), ...first],
    },
  });
}

function serverOf({ names }: HealthReading): Partial<RecognizedFile> {
  const servers = new Set(names.map(({ server }) => server));
  return servers.size === 1 ? { server: [...servers][0]!, serverFrom: "content" } : {};
}

async function sampleFacts(
  file: RecognizedFile,
  open: () => AsyncIterable<Uint8Array>,
  options: ReadFactsOptions,
): Promise<FileFacts> {
  const samples = await readSamples(file, open(), options);
  if (samples === null) return noFacts(file);
  const { server, ...read } = samples;
  const isNamed = server !== null && server !== file.server;
  return withinBounds({ ...noFacts(isNamed ? { ...file, server, serverFrom: "content" } : file), ...read });
}

/** Facts with means in place of samples where the file has too many; deltas are added up. */
function withinBounds(facts: FileFacts): FileFacts {
  const samples = facts.series.reduce((sum, { values }) => sum + values.length, 0);
  const size = Math.ceil(samples / MOST_SAMPLES);
  if (size <= 1) return facts;
  return {
    ...facts,
    series: facts.series.map((one) => coarseSeries(one, size, one.form === "delta" ? "total" : "mean")),
    remarks: [
      ...facts.remarks,
      remark(`The file has more samples than AG Lens keeps. Values combine ${size} samples each.`),
    ],
  };
}

/** The events of a .xel file, event XML or CSV; the report of what was lost goes into `lost`. */
async function* eventsOf(
  chunks: AsyncIterable<Uint8Array>,
  lost: { report?: FileReport },
): AsyncGenerator<XelEvent> {
  const all = chunks[Symbol.asyncIterator]();
  const first = await all.next();
  const head = first.done === true ? new Uint8Array() : first.value;
  async function* again(): AsyncGenerator<Uint8Array> {
    yield head;
    for (let next = await all.next(); next.done !== true; next = await all.next()) yield next.value;
  }
  const kind = looksLikeXel(head) ? undefined : textKindOf(head);
  lost.report = yield* kind === undefined ? readXel(again()) : readTextEvents(kind, again());
}
