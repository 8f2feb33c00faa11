/** Questions about the other files of a capture, answered from the facts that are kept of each. */
import type { BlockFilter, CaptureFile, EvidenceAnswer, EvidenceSamples } from "@aglens/contract";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { firstAtOrAfter } from "@aglens/ag-model/numbers";
import {
  evidenceTable,
  type EvidenceTable,
  type ExportTable,
  type TabledEvidence,
} from "@aglens/ag-model/tables";
import { plural } from "@aglens/ag-model/words";
import { withoutSensitive } from "@aglens/evidence";
import {
  answerOf,
  asTabled,
  captureEvidence,
  decodeEvidence,
  evidenceSamples,
  type CaptureEvidence,
  type EvidenceFile,
  type GivenToFile,
} from "../evidence/index.ts";
import { evidenceIn, givenTo } from "../files/index.ts";
import type { OpenSource } from "./source-file.ts";
import { expectTableRows } from "./table-limit.ts";

/** A file of evidence as the capture's record has it. */
export interface EvidenceSource extends GivenToFile {
  /** Opens it: names of files may be those of event files, which the model names. */
  readonly id: string;
  readonly name: string;
}

/** Routes leave the files open: the caller knows the capture's record, and adds them by `withEvidenceOf`. */
interface OfFiles {
  readonly files: readonly EvidenceSource[];
  /** For a link, which shows no statement, login or computer that was kept on request. */
  readonly hidesSensitive?: boolean;
}

export type EvidenceQuestion =
  | ({ readonly ask: "evidence" } & OfFiles)
  | ({
      readonly ask: "evidenceSamples";
      readonly from?: number | undefined;
      readonly to?: number | undefined;
      readonly bins: number;
      readonly metrics: readonly number[] | null;
    } & OfFiles);

/** A table of the files, always without sensitive texts. */
export interface EvidenceTableQuestion {
  readonly ask: "evidenceTable";
  readonly table: EvidenceTable;
  readonly format: "csv" | "arrow" | "parquet";
  /** µs; without a range also events and samples outside of the capture. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly files: readonly EvidenceSource[];
}

/** A range as a trace, which has the queues of the files as counters. */
export interface TraceQuestion {
  readonly ask: "trace";
  /** µs */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly database?: number | undefined;
  readonly phase?: number | undefined;
  readonly where?: BlockFilter | undefined;
  readonly files: readonly EvidenceSource[];
}

const ASKS: ReadonlySet<string> = new Set(["evidence", "evidenceSamples", "evidenceTable", "trace"]);

/** Any question. */
interface Asked {
  readonly ask: string;
}

/** Whether facts of files are read. */
export const readsEvidence = ({ ask }: Asked): boolean => ASKS.has(ask);

/**
 * A question with the capture's files of evidence: other files make it another question, so that no kept answer is
 * given to it.
 */
export const withEvidenceOf = <Question extends Asked>(
  question: Question,
  files: readonly CaptureFile[],
): Question =>
  readsEvidence(question)
    ? {
        ...question,
        files: evidenceSources(files),
      }
    : question;

/** The files of evidence that are read. */
export const evidenceSources = (files: readonly CaptureFile[]): EvidenceSource[] =>
  evidenceIn(files).map((file) => ({ id: file.id, name: file.name, ...givenTo(file) }));

/** The question as a link asks it. */
export const asLinkAsks = <Question extends Asked>(question: Question): Question =>
  readsEvidence(question) ? { ...question, hidesSensitive: true } : question;

export async function evidenceAnswers(
  model: CaptureModel,
  question: EvidenceQuestion,
  open: OpenSource,
): Promise<EvidenceAnswer | EvidenceSamples> {
  const { evidence, notShown } = await evidenceOf(model, question, open);
  if (question.ask === "evidence") return { ...answerOf(evidence), ...(notShown !== null && { notShown }) };
  const { from = 0, to = model.duration, bins, metrics } = question;
  return evidenceSamples(evidence, { from, to, bins, metrics });
}

const damagedText = (names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [
        `Can't read ${listOf(names)}. Remove the file${names.length === 1 ? " and add it" : "s and add them"} again.`,
      ];

const beyondText = (names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [`Can't show ${listOf(names)}. AG Lens reads 256 MB of such files. Remove files that you don't need.`];

const listOf = ([first, ...others]: readonly string[]): string =>
  `${first}${others.length > 0 ? ` and ${plural(others.length, "# other file")}` : ""}`;

/** The evidence that can be read. */
interface ReadEvidence {
  readonly evidence: CaptureEvidence;
  /** Sentences about other files: damaged ones, and those after MOST_BYTES; null without any. */
  readonly notShown: string | null;
}

/** The last evidence of each open capture: a screen asks for samples with each change of its range. */
const known = new WeakMap<CaptureModel, { readonly key: string; readonly read: Promise<ReadEvidence> }>();

function evidenceOf(
  model: CaptureModel,
  { files, hidesSensitive = false }: OfFiles,
  open: OpenSource,
): Promise<ReadEvidence> {
  const key = JSON.stringify([files, hidesSensitive]);
  const last = known.get(model);
  if (last?.key === key) return last.read;
  const read = readEvidence(model, { files, hidesSensitive }, open);
  known.set(model, { key, read });
  // The next question reads the files again.
  read.catch(() => known.delete(model));
  return read;
}

/** Facts of all files that are in memory at once. */
const MOST_BYTES = 256 * 1024 * 1024;

async function readEvidence(
  model: CaptureModel,
  { files, hidesSensitive }: Required<OfFiles>,
  open: OpenSource,
): Promise<ReadEvidence> {
  const read: EvidenceFile[] = [];
  const unread: string[] = [];
  const beyond: string[] = [];
  let bytesLeft = MOST_BYTES;
  for (const { id, name, utcOffsetMinutes, server } of files) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: each needs memory
    const bytes = await bytesOf(id, bytesLeft, open);
    const isBeyond = bytes === "too big";
    const file = bytes === null || isBeyond ? null : decodeEvidence({ bytes, utcOffsetMinutes, server });
    if (bytes !== null && !isBeyond) bytesLeft -= bytes.length;
    if (file === null) (isBeyond ? beyond : unread).push(name);
    else read.push(hidesSensitive ? { ...file, facts: withoutSensitive(file.facts) } : file);
  }
  const notShown = [...damagedText(unread), ...beyondText(beyond)].join(" ");
  return { evidence: captureEvidence(model, read), notShown: notShown === "" ? null : notShown };
}

/**
 * The evidence of these files for tables, which other programs read: without statements, logins and computers.
 * @returns also sentences about files that are not in it; null without any
 */
export async function tabledEvidence(
  model: CaptureModel,
  files: readonly EvidenceSource[],
  open: OpenSource,
): Promise<{ readonly tabled: TabledEvidence; readonly notShown: string | null }> {
  const { evidence, notShown } = await evidenceOf(model, { files, hidesSensitive: true }, open);
  return { tabled: asTabled(evidence), notShown };
}

export async function evidenceTableOf(
  model: CaptureModel,
  { table, from = -Infinity, to = Infinity, files }: EvidenceTableQuestion,
  open: OpenSource,
): Promise<ExportTable> {
  const { tabled: all } = await tabledEvidence(model, files, open);
  const { originUs } = all;
  // A duration counts where it overlaps the range.
  const events = all.events.filter(
    ({ atUs, fromUs }) => (fromUs ?? atUs) - originUs < to && atUs - originUs >= from,
  );
  const series = all.series.map((one) => {
    const part = [firstAtOrAfter(one.atUs, from + originUs), firstAtOrAfter(one.atUs, to + originUs)];
    return { ...one, atUs: one.atUs.subarray(...part), values: one.values.subarray(...part) };
  });
  const samples = series.reduce((sum, { values }) => sum + values.length, 0);
  // Before the columns are built: they need hundreds of megabytes.
  expectTableRows(table, table === "evidence_events" ? events.length : samples);
  return evidenceTable(model, { ...all, events, series }, table);
}

async function bytesOf(id: string, most: number, open: OpenSource): Promise<Uint8Array | "too big" | null> {
  const source = await open(id);
  if (source === null) return null;
  try {
    return source.size > most ? "too big" : await source.read(0, source.size);
  } finally {
    await source.close();
  }
}
