/**
 * Questions of screens about an analyzed capture, and the answers as bytes to send. Runs in a thread of a server or of
 * a browser.
 */
import {
  blockFilterText,
  encodeCommits,
  encodeCsvTable,
  encodeExportTable,
  encodeMarkers,
  encodePerfetto,
  encodeWindow,
  MOST_JUDGED,
} from "@aglens/contract";
import type {
  CommitOrder,
  BlockFilter,
  DistributionStage,
  SequenceEvent,
  SlowestOrder,
} from "@aglens/contract";
import {
  eventDensity,
  commitsInCapture,
  commitWindow,
  countHits,
  distributionOf,
  eventPlacesOf,
  findBlockAt,
  filteredBlocks,
  findLsn,
  hitsOf,
  isLongRange,
  isLongPart,
  overviewOf,
  percentileSpread,
  rangeStatistics,
  releasesOf,
  replicaRows,
  sequenceOfBlock,
  slowCommits,
  slowestBlocks,
  toSequenceEvent,
  scopedModel,
  slowCommitsInCapture,
  slowestInCapture,
  summariseScope,
  whoWaited,
  windowInCapture,
  windowOf,
  type AskedModel,
  type CaptureScope,
  type ClientGroup,
} from "@aglens/ag-model/query";
import { ChangeError, waitingAnswer, whatIfAnswer } from "@aglens/ag-model/replay";
import type { CaptureModel } from "@aglens/ag-model/replication";
import {
  type ExportTable,
  type RowTable,
  rowTable,
  tableMetadata,
  withBlocks,
  withFullRows,
} from "@aglens/ag-model/tables";
import { captureTrace } from "@aglens/ag-model/trace";
import { plural } from "@aglens/ag-model/words";
import { problem } from "../problems/problems.ts";
import {
  evidenceAnswers,
  evidenceTableOf,
  tabledEvidence,
  type EvidenceQuestion,
  type EvidenceTableQuestion,
  type TraceQuestion,
} from "./evidence-answers.ts";
import { rawEventsOf, type RawEventsWanted, readEvents } from "./raw-events.ts";
import type { OpenSource } from "./source-file.ts";
import { expectTableRows } from "./table-limit.ts";

/** A range in µs; a missing bound is the begin or the end. */
interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Only blocks that meet the conditions. */
interface Filtered {
  readonly where?: BlockFilter | undefined;
}

/** Only one database or one period between changes of roles. */
interface OfDatabase {
  readonly database?: number | undefined;
}

interface Scoped extends OfDatabase {
  readonly phase?: number | undefined;
}

export type Question =
  | ({ readonly ask: "scope" } & Range & Scoped)
  | ({ readonly ask: "overview"; readonly bins: number; readonly secondary: number } & Range & Scoped)
  | ({ readonly ask: "window"; readonly limit: number; readonly bins: number } & Range & Scoped & Filtered)
  | ({ readonly ask: "commits"; readonly limit: number } & Range & Scoped & Filtered)
  | { readonly ask: "markers" }
  | ({
      readonly ask: "statistics";
      readonly exceptFrom?: number | undefined;
      readonly exceptTo?: number | undefined;
    } & Range &
      Scoped &
      Filtered)
  | ({
      readonly ask: "slowest";
      readonly sort: SlowestOrder;
      readonly descending: boolean;
      readonly secondary: number;
      readonly limit: number;
      readonly offset: number;
    } & Range &
      Scoped &
      Filtered)
  | ({ readonly ask: "hits"; readonly where: BlockFilter } & Range & Scoped)
  | ({ readonly ask: "hitCounts"; readonly where: readonly BlockFilter[] } & Scoped)
  | { readonly ask: "find"; readonly lsn?: string | undefined; readonly at?: number | undefined }
  | { readonly ask: "sequence"; readonly row: number }
  | ({
      readonly ask: "slowCommits";
      readonly order: CommitOrder;
      readonly secondary: number;
      readonly limit: number;
      readonly offset: number;
    } & Range &
      Scoped &
      Filtered)
  | ({ readonly ask: "releases"; readonly bins: number } & Range & Scoped)
  | ({ readonly ask: "replicaRows"; readonly bins: number; readonly columns: number } & Range & Scoped)
  | ({ readonly ask: "rawEvents" } & Omit<RawEventsWanted, "from" | "to" | "database" | "blocks"> &
      Range &
      OfDatabase &
      Filtered)
  | ({ readonly ask: "eventDensity"; readonly bins: number } & Pick<RawEventsWanted, "replicas"> &
      Range &
      OfDatabase)
  | { readonly ask: "waiting" }
  | ({ readonly ask: "whoWaited"; readonly by: ClientGroup } & Range & Scoped & Filtered)
  | ({
      readonly ask: "distribution";
      readonly otherFrom?: number | undefined;
      readonly otherTo?: number | undefined;
      readonly secondary: number;
      readonly scale: "log" | "linear";
      readonly stage: DistributionStage;
    } & Range &
      Scoped)
  | ({ readonly ask: "spread"; readonly secondary: number } & Range & Scoped)
  | ({ readonly ask: "table"; readonly table: RowTable; readonly format: TableFormat } & Range &
      Scoped &
      Filtered)
  | { readonly ask: "whatIf"; readonly change?: string | undefined; readonly list: boolean }
  | EvidenceQuestion
  | EvidenceTableQuestion
  | TraceQuestion;

type TableFormat = "csv" | "arrow" | "parquet";

/**
 * A table as a Parquet file. Provided by callers that have Zstandard: its writer is too large for a page in one file.
 */
export type ParquetEncoder = (table: ExportTable, metadata: Readonly<Record<string, string>>) => Uint8Array;

export interface Answer {
  readonly type: "json" | TableFormat | "perfetto";
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, where the thread that answered worked it out. */
  readonly digest?: string;
}

/** Whether events are read again, from their source files. */
export const readsEventFiles = ({ ask }: Question): boolean => ask === "sequence" || ask === "rawEvents";

/** Questions about the capture itself, which its index of raw events has no part in. */
const WITHOUT_EVENTS: ReadonlySet<Question["ask"]> = new Set([
  "overview",
  "window",
  "commits",
  "markers",
  "statistics",
  "slowest",
  "hits",
  "hitCounts",
  "find",
  "slowCommits",
  "releases",
  "replicaRows",
  "waiting",
  "whoWaited",
  "distribution",
  "spread",
  "whatIf",
  "evidenceSamples",
  "evidenceTable",
  "trace",
]);

/**
 * Whether the question needs the model's index of raw events: lists of events do, and rows of a phase, which have their
 * own index.
 */
export const readsEventIndex = (question: Question): boolean =>
  !WITHOUT_EVENTS.has(question.ask) || ("phase" in question && question.phase !== undefined);

/**
 * Answers one question.
 * @param open opens source files, for questions about raw events and evidence
 * @param parquet where tables are available as Parquet too
 * @throws ProblemError when the question does not fit the capture
 */
export async function answer(
  model: CaptureModel,
  question: Question,
  open: OpenSource,
  parquet?: ParquetEncoder,
): Promise<Answer> {
  switch (question.ask) {
    case "scope":
      return json(scopeAnswer(model, question));
    case "overview": {
      const { bins, secondary } = question;
      expectSecondary(model, secondary);
      return json(
        overviewOf(scopedTo(model, question).model, { ...rangeOf(model, question), bins, secondary }),
      );
    }
    case "window": {
      const { limit, bins } = question;
      const filter = filterOf(model, question);
      const scoped = scopedTo(model, question);
      const window = windowOf(scoped.model, { ...rangeOf(model, question), limit, bins, filter });
      return arrow(encodeWindow(windowInCapture(window, scoped)));
    }
    case "commits": {
      const filter = filterOf(model, question);
      const { limit } = question;
      const scoped = scopedTo(model, question);
      const window = commitWindow(scoped.model, { ...rangeOf(model, question), limit, filter });
      return arrow(encodeCommits(commitsInCapture(window, scoped)));
    }
    case "markers":
      return arrow(encodeMarkers({ markers: model.markers }));
    case "statistics":
      return json(statisticsAnswer(model, question));
    case "slowest":
      return json(slowestOf(model, question));
    case "hits": {
      const filter = fittingFilter(model, question.where);
      return json(hitsOf(scopedTo(model, question).model, { filter, ...rangeOf(model, question) }));
    }
    case "hitCounts": {
      const filters = question.where.map((where) => fittingFilter(model, where));
      const scoped = scopedTo(model, question).model;
      return json({ counts: filters.map((filter) => countHits(scoped, filter)) });
    }
    case "find": {
      const { lsn, at } = question;
      return json(lsn === undefined ? findBlockAt(model, at ?? 0) : findLsn(model, lsn));
    }
    case "sequence":
      return json(await sequenceOf(model, question.row, open));
    case "slowCommits":
      return json(slowCommitsAnswer(model, question));
    case "releases": {
      const { bins } = question;
      return json(releasesOf(scopedTo(model, question).model, { ...rangeOf(model, question), bins }));
    }
    case "replicaRows": {
      const { bins, columns } = question;
      return json(
        replicaRows(scopedTo(model, question).model, { ...rangeOf(model, question), bins, columns }),
      );
    }
    case "rawEvents":
      return json(await rawEventsAnswer(model, question, open));
    case "eventDensity":
      return json(densityAnswer(model, question));
    case "distribution":
      return json(distributionAnswer(model, question));
    case "spread": {
      const { secondary } = question;
      expectSecondary(model, secondary);
      const scope = scopeOf(model, question);
      return json(percentileSpread(model, { ...rangeOf(model, question), secondary, scope }));
    }
    case "table":
      return tableOf(model, question, parquet);
    case "waiting":
      return json(waitingAnswer(model));
    case "whoWaited": {
      const { by } = question;
      const filter = filterOf(model, question);
      const range = rangeOf(model, question);
      // A commit that begins with the capture's last instant belongs to it.
      const to = question.to === undefined ? Infinity : range.to;
      return json(whoWaited(scopedTo(model, question).model, { ...range, to, by, filter }));
    }
    case "whatIf":
      return json(predictionOf(model, question.change, question.list));
    case "evidence":
    case "evidenceSamples":
      return json(await evidenceAnswers(model, question, open));
    case "evidenceTable": {
      const table = await evidenceTableOf(model, question, open);
      return tableFile(table, tableMetadata(model), question.format, parquet);
    }
    case "trace":
      return { type: "perfetto", bytes: await traceOf(model, question, open) };
  }
}

/**
 * Parts of a capture that some questions need and that are read or computed after its opening: its index of raw events,
 * figures of bins, ranks of its columns, and predictions.
 */
export type LatePart = "events" | "bins" | "ranks" | "predictions";

/** Computing bins of more blocks takes longer than reading the prepared ones. */
const MOST_BINNED = 200_000;

/**
 * The part that a question needs, or that makes its answer faster; null without such a part. @throws ProblemError as
 * `answer`
 */
export function neededPart(model: CaptureModel, question: Question): LatePart | null {
  if (readsEventIndex(question)) return "events";
  const needsRanks = (range: { readonly from: number; readonly to: number }): LatePart | null =>
    isLongRange(model, range) ? "ranks" : null;
  switch (question.ask) {
    case "whatIf":
      // Each prediction replays the entire capture: the list would delay all later questions.
      return question.list || question.change === undefined ? "predictions" : null;
    case "statistics":
    case "replicaRows":
    case "distribution":
      return needsRanks(rangeOf(model, question));
    case "hits":
    case "hitCounts":
      return needsRanks({ from: 0, to: model.duration });
    case "window":
      return isLongRange(model, rangeOf(model, question), MOST_BINNED) ? "bins" : null;
    default:
      return null;
  }
}

const json = (value: unknown): Answer => ({
  type: "json",
  bytes: new TextEncoder().encode(JSON.stringify(value)),
});

const arrow = (bytes: Uint8Array): Answer => ({ type: "arrow", bytes });

/** A table of the range for a spreadsheet or another tool (docs/reference/tables.md). */
function tableOf(
  model: CaptureModel,
  question: Extract<Question, { ask: "table" }>,
  parquet: ParquetEncoder | undefined,
): Answer {
  const { table: name, format } = question;
  const range = rangeOf(model, question);
  // A block that begins with the capture's last instant belongs to it.
  const scoped = scopedTo(model, question);
  const all = rowTable(scoped.model, name, question.to === undefined ? { ...range, to: Infinity } : range);
  const filter = filterOf(model, question);
  const shown = filter === null ? all : withBlocks(all, filteredBlocks(scoped.model, filter).isIn);
  const words = filter === null ? {} : { filter: blockFilterText(filter) };
  return tableFile(withFullRows(shown, scoped.rows), { ...tableMetadata(model), ...words }, format, parquet);
}

/** The range as a Perfetto trace (docs/reference/perfetto.md), with the queues of other files. */
async function traceOf(model: CaptureModel, question: TraceQuestion, open: OpenSource): Promise<Uint8Array> {
  const { from, to } = rangeOf(model, question);
  const scoped = scopedTo(model, question);
  const filter = filterOf(model, question);
  const { tabled, notShown } = await tabledEvidence(model, question.files, open);
  const trace = captureTrace(scoped.model, {
    from,
    // A block that begins with the capture's last instant belongs to it.
    to: question.to === undefined ? Infinity : to,
    isIn: filter === null ? null : filteredBlocks(scoped.model, filter).isIn,
    numbers: scoped.rows,
    evidence: tabled,
    about: [
      ...(filter === null ? [] : ([["filter", blockFilterText(filter)]] as const)),
      ...(notShown === null ? [] : ([["not_shown", notShown]] as const)),
    ],
  });
  return encodePerfetto(trace);
}

/** @throws ProblemError for a table that is too large, and for Parquet where it can't be written */
function tableFile(
  table: ExportTable,
  metadata: Readonly<Record<string, string>>,
  format: TableFormat,
  parquet: ParquetEncoder | undefined,
): Answer {
  expectTableRows(table.name, table.length);
  if (format === "csv") return { type: "csv", bytes: encodeCsvTable(table) };
  if (format === "arrow") return arrow(encodeExportTable(table, metadata));
  if (parquet !== undefined) return { type: "parquet", bytes: parquet(table, metadata) };
  throw problem(
    "bad-request",
    "Can't write Parquet files in the browser. Download the table as CSV or Arrow, or open the capture on a server.",
  );
}

function statisticsAnswer(model: CaptureModel, question: Extract<Question, { ask: "statistics" }>): unknown {
  const range = rangeOf(model, question);
  const filter = filterOf(model, question);
  const options = { filter, except: exceptionOf(question), scope: scopeOf(model, question) };
  return { ...range, ...rangeStatistics(model, range, options) };
}

function slowestOf(model: CaptureModel, question: Extract<Question, { ask: "slowest" }>): unknown {
  const { sort, descending, secondary, limit, offset } = question;
  expectSecondary(model, secondary);
  const filter = filterOf(model, question);
  const scoped = scopedTo(model, question);
  const slowest = slowestBlocks(scoped.model, {
    ...rangeOf(model, question),
    sort,
    descending,
    secondary,
    limit,
    offset,
    filter,
  });
  return slowestInCapture(model, slowest, scoped);
}

function distributionAnswer(
  model: CaptureModel,
  question: Extract<Question, { ask: "distribution" }>,
): unknown {
  const { otherFrom, otherTo, secondary, scale, stage } = question;
  expectSecondary(model, secondary);
  const hasOther = otherFrom !== undefined || otherTo !== undefined;
  const other = hasOther ? rangeOf(model, { from: otherFrom, to: otherTo }) : null;
  const scope = scopeOf(model, question);
  return distributionOf(model, { ...rangeOf(model, question), other, secondary, scale, stage, scope });
}

function expectDatabase(model: CaptureModel, database: number | null): void {
  if (database === null || database < model.databases.length) return;
  throw problem(
    "bad-request",
    `The capture has ${model.databases.length} databases; there is no number ${database}.`,
  );
}

function predictionOf(model: CaptureModel, change: string | undefined, list: boolean): unknown {
  try {
    return whatIfAnswer(model, change, list);
  } catch (error) {
    if (error instanceof ChangeError) throw problem("bad-change", error.message);
    throw error;
  }
}

/** One block with its raw events, read again from the stored files. */
async function sequenceOf(model: CaptureModel, row: number, open: OpenSource): Promise<unknown> {
  if (row >= model.blocks.length) throw noSuchBlock(model, row);
  return { ...sequenceOfBlock(model, row), events: await eventsOf(model, row, open) };
}

const noSuchBlock = ({ blocks }: CaptureModel, row: number) =>
  problem(
    "block-not-found",
    `The capture has ${plural(blocks.length, "# log block")}; there is no row ${row}.`,
  );

async function eventsOf(model: CaptureModel, row: number, open: OpenSource): Promise<SequenceEvent[]> {
  const places = eventPlacesOf(model, row);
  const events = await readEvents(model, places, open, "throw");
  return places.flatMap((place, index) => {
    const event = events[index];
    return event === undefined ? [] : [toSequenceEvent(model, place, event)];
  });
}

function slowCommitsAnswer(
  model: CaptureModel,
  question: Extract<Question, { ask: "slowCommits" }>,
): unknown {
  const { order, secondary, limit, offset } = question;
  expectSecondary(model, secondary);
  const filter = filterOf(model, question);
  const scoped = scopedTo(model, question);
  const range = rangeOf(model, question);
  // A commit that begins with the capture's last instant belongs to it.
  const to = question.to === undefined ? Infinity : range.to;
  const slow = slowCommits(scoped.model, { ...range, to, order, secondary, limit, offset, filter });
  return slowCommitsInCapture(slow, scoped);
}

/** All events from the first to the last one: some fired before the capture's origin, the last one at its end. */
function rawEventsAnswer(
  model: CaptureModel,
  question: Extract<Question, { ask: "rawEvents" }>,
  open: OpenSource,
): Promise<unknown> {
  const { from = -Infinity, to = Infinity, database = null, replicas, first, names, text, read } = question;
  expectDatabase(model, database);
  const { block, file } = { block: -1, file: -1, ...first };
  if (from >= to) rangeOf(model, question);
  if (block >= model.blocks.length) throw noSuchBlock(model, block);
  if (file >= model.files.length)
    throw problem("bad-request", `The capture has ${model.files.length} files; there is no number ${file}.`);
  const filter = filterOf(model, question);
  const blocks = filter === null ? null : filteredBlocks(model, filter).isIn;
  return rawEventsOf(model, { from, to, replicas, database, blocks, first, names, text, read }, open);
}

function densityAnswer(model: CaptureModel, question: Extract<Question, { ask: "eventDensity" }>): unknown {
  const { from = -Infinity, to = Infinity, database = null, replicas, bins } = question;
  expectDatabase(model, database);
  if (from >= to) rangeOf(model, question);
  return eventDensity(model, { from, to, replicas, database }, bins);
}

function rangeOf(model: CaptureModel, { from, to }: Range): { from: number; to: number } {
  const range = { from: from ?? 0, to: to ?? model.duration };
  if (range.from < range.to) return range;
  throw problem("bad-request", `from (${range.from} µs) must lie before to (${range.to} µs).`);
}

function scopeOf(model: CaptureModel, question: Scoped): CaptureScope {
  const { database = null, phase = null } = question;
  expectDatabase(model, database);
  if (phase !== null && phase >= model.phases.length)
    throw problem(
      "bad-request",
      `The capture has ${model.phases.length} phases; there is no number ${phase}.`,
    );
  return { database, phase };
}

/** Verdict and figures of a scope, or of a range of it that is short enough to be judged quickly. */
function scopeAnswer(model: CaptureModel, question: Extract<Question, { ask: "scope" }>): unknown {
  const scope = scopeOf(model, question);
  if (question.from === undefined && question.to === undefined) return summariseScope(model, scope);
  const range = rangeOf(model, question);
  if (isLongPart(model, scope, range, MOST_JUDGED))
    throw problem(
      "bad-request",
      `Can't give a verdict for this range: it has more than ${MOST_JUDGED} log blocks or commits. Choose a shorter range.`,
    );
  return summariseScope(model, scope, range);
}

/** The rows that a question is about, and where they are in the capture. */
const scopedTo = (model: CaptureModel, question: Scoped): AskedModel =>
  scopedModel(model, scopeOf(model, question));

function filterOf(model: CaptureModel, { where }: Filtered): BlockFilter | null {
  return where === undefined ? null : fittingFilter(model, where);
}

/** The filter itself. @throws ProblemError when it names a secondary or a database that the capture does not have */
function fittingFilter(model: CaptureModel, filter: BlockFilter): BlockFilter {
  for (const condition of filter) {
    if (condition.kind === "database") expectDatabase(model, condition.database);
    if (condition.kind === "class") expectSecondary(model, Math.max(0, (condition.replica ?? 0) - 1));
    if (condition.kind === "duration" || condition.kind === "gate")
      expectSecondary(model, condition.secondary ?? 0);
  }
  return filter;
}

function expectSecondary(model: CaptureModel, secondary: number): void {
  if (secondary < Math.max(1, model.hops.length)) return;
  throw problem(
    "bad-request",
    `The capture has ${model.hops.length} secondaries; there is no number ${secondary}.`,
  );
}

/** The range that figures exclude; null where one of its bounds is missing. */
const exceptionOf = ({
  exceptFrom: from,
  exceptTo: to,
}: {
  readonly exceptFrom?: number | undefined;
  readonly exceptTo?: number | undefined;
}): { readonly from: number; readonly to: number } | null =>
  from === undefined || to === undefined ? null : { from, to };
