/** Data of a report, requested once before the report is written. */
import {
  baseWidth,
  hasNoPrimaryFile,
  mapTexts,
  MOST_DOTS,
  replacedNames,
  Summary,
  fullBins,
  fullRange,
} from "@aglens/contract";
import type {
  BlockFilter,
  EvidenceAnswer,
  Overview,
  RangeStatistics,
  Sequence,
  SlowBlocks,
} from "@aglens/contract";
import type { CaptureScope } from "@aglens/ag-model/query";
import { MINIMAP_BINS, minimapColumns, type MinimapColumns } from "@aglens/ag-model/minimap";
import { durationDomain } from "../../../charts/duration-scale.ts";
import { latencyBins, type LatencyBin } from "../../../charts/overview/latency-bins.ts";
import type { Ground } from "../../../charts/overview/ground.ts";
import { commitSamples, type Dots, serverBins } from "../../../charts/overview/samples.ts";
import { buildBuffer, type Buffer } from "../../../charts/timeline/spans.ts";
import {
  type CaptureSource,
  LANE_BINS,
  MOST_LANE_BLOCKS,
  type RawEventsOptions,
  type TimeRange,
} from "../../../data/capture-source.ts";
import type { Question } from "../../../data/use-answer.ts";
import { filterText } from "../../../filter/filter-text.ts";
import type { ReplicaNames } from "../../../lanes/palette.ts";
import { placedNote, type PlacedNote } from "../../../notes/placed-note.ts";
import { hasFacts } from "../../capture-view/use-evidence.ts";
import { filterNamesOf, replicaNames } from "../../capture-view/names.ts";
import { unzoomedRange } from "../../capture-view/shown-range.ts";
import { overviewGround } from "../../capture-view/coverage.ts";
import { type Standstill, standstillOf } from "../../capture-view/stage-means.ts";
import { summaryLanes } from "../../capture-view/capture-lanes.ts";
import type { ZonedSummary } from "../../capture-view/zones.ts";
import { type ChosenBlock, typicalRow, worstRows } from "./chosen-blocks.ts";

/** Parts that a report can contain, in their order. */
export const REPORT_PARTS = [
  "verdict",
  "happened",
  "overview",
  "timeline",
  "notes",
  "sequences",
  "slowest",
  "stages",
  "blocks",
] as const;
export type ReportPart = (typeof REPORT_PARTS)[number];

/** Choices of a report. Database and phase are those of the figures; null for all. */
export interface ReportChoice extends CaptureScope {
  /** Range that the timeline shows, µs. */
  readonly range: TimeRange;
  /** Secondary of the figures. */
  readonly secondary: number;
  readonly parts: ReadonlySet<ReportPart>;
  /** Rows of the slowest blocks. */
  readonly slowest: number;
  /** Filter of blocks: lists of blocks contain the matching blocks, charts and figures all blocks. */
  readonly where: BlockFilter | null;
  /** Replaces the names of servers, databases and the capture. */
  readonly replacesNames: boolean;
}

/** The filter of a report, and the blocks that match it. */
export interface ReportFilter {
  /** Its conditions, with the names that the report uses. */
  readonly words: string;
  /** Number of blocks in the complete capture that match. */
  readonly blocks: number;
  /** Rows of its blocks in the timeline's range; null where the range has too many blocks to load them one by one. */
  readonly rows: ReadonlySet<number> | null;
}

/** A block drawn as a sequence, and why it was chosen. */
export interface ChosenSequence {
  readonly why: string;
  readonly sequence: Sequence;
}

export interface ReportData {
  readonly choice: ReportChoice;
  readonly summary: ZonedSummary;
  readonly names: ReplicaNames;
  readonly whole: CapturePictures;
  /** Blocks or bins of the timeline's range. */
  readonly buffer: Buffer;
  readonly statistics: RangeStatistics;
  /** In the order of their start; empty where the report does not include notes. */
  readonly notes: readonly PlacedNote[];
  /** Facts of evidence files; null without any, and where names are replaced: these files have further names. */
  readonly evidence: EvidenceAnswer | null;
  /** For each replica, the number of events of its files that belong to no log block. */
  readonly ofNoBlock: readonly number[];
  /** Slowest blocks, of the filter where there is one. */
  readonly filter: ReportFilter | null;
  readonly slowest: SlowBlocks;
  readonly sequences: readonly ChosenSequence[];
}

/** The overview's pictures. */
export interface CapturePictures {
  /** All of the capture, which the minimap shows. */
  readonly all: TimeRange;
  /**
   * The time of latency, shares and the slowest blocks: the one that screens show first, unless all of the capture was
   * chosen.
   */
  readonly range: TimeRange;
  /** Log blocks of the capture, or of its chosen database and phase. */
  readonly blocks: number;
  readonly overview: Overview;
  readonly ground: Ground;
  readonly dots: Dots;
  readonly bins: readonly LatencyBin[];
  readonly domain: readonly [number, number];
  readonly minimap: MinimapColumns;
  /**
   * The block of the capture that is nearest to the median; null where the capture has too many blocks to load them one
   * by one.
   */
  readonly typical: ChosenBlock | null;
  /** Part of the mean remote harden in which a server was unresponsive. */
  readonly standstill: Standstill | null;
}

const MINIMAP_COLUMNS = 1_110;
/** Every answer contains the counts over all events, so the request reads as few events as possible. */
const NO_EVENT: RawEventsOptions = {
  range: null,
  replicas: [],
  names: ["-"],
  text: "",
  first: { position: 0 },
  read: 1,
};
/** Number of slow blocks among which the slowest on the network is searched. */
const LOOKED_AT = 200;

/**
 * Requests all data of a report. Names are replaced here, so that later code never has the real ones. Rejects with
 * ProblemError when the server refuses an answer.
 */
export async function readReport(
  source: CaptureSource,
  known: Summary,
  choice: ReportChoice,
  signal: AbortSignal,
): Promise<ReportData> {
  const ask = <T>(question: Question<T>): Promise<T> => question.ask(signal);
  const { range, secondary } = choice;
  const [from, to] = unzoomedRange([range.from, range.to], known);
  const charts = { from, to };
  const hide = choice.replacesNames ? replacedNames(known, known.name).hide : (text: string) => text;
  const summary = choice.replacesNames ? withOtherNames(known, hide) : known;
  const [whole, window, commits, statistics, { notes }, evidence, { unlisted }, filter, slow] =
    await Promise.all([
      readWhole(source, summary, secondary, charts, signal),
      ask(source.window(range, MOST_LANE_BLOCKS, LANE_BINS)),
      ask(source.commits(range, MOST_LANE_BLOCKS)),
      ask(source.statistics(range)),
      choice.parts.has("notes") ? ask(source.notes()) : { notes: [] },
      choice.parts.has("happened") && !choice.replacesNames ? ask(source.evidence()) : null,
      ask(source.rawEvents(NO_EVENT)),
      readFilter(source, summary, choice, signal),
      choice.parts.has("slowest") || choice.parts.has("sequences")
        ? ask(
            source.slowest({
              range: charts,
              sort: hasNoPrimaryFile(known) ? "secondaryFlush" : "remoteHarden",
              descending: true,
              secondary,
              limit: LOOKED_AT,
              where: choice.where,
            }),
          )
        : { total: 0, rows: [] },
    ]);
  // Raw events of blocks are read from the files, so they are only requested where the report shows them.
  const chosen = choice.parts.has("sequences")
    ? [...worstRows(slow.rows), ...(whole.typical === null ? [] : [whole.typical])]
    : [];
  const distinct = chosen.filter(({ row }, i) => chosen.findIndex((other) => other.row === row) === i);
  const sequences = await Promise.all(
    distinct.map(async ({ row, why }) => ({ why, sequence: await ask(source.sequence(row)) })),
  );
  return {
    choice,
    summary,
    names: replicaNames(summary, secondary, choice.phase),
    whole,
    buffer: buildBuffer(window, commits, summaryLanes(summary, false, choice.phase), [], {
      standing: summary,
    }),
    statistics,
    notes: notes
      .map((note) => placedNote(note, known.originTicks))
      .map((note) => ({
        ...note,
        text: hide(note.text),
        ...(note.author === undefined ? {} : { author: hide(note.author) }),
      })),
    evidence: hasFacts(evidence) ? evidence : null,
    ofNoBlock: unlisted.ofNoBlock,
    filter,
    slowest: slow,
    sequences,
  };
}

async function readFilter(
  source: CaptureSource,
  summary: Summary,
  { where, range, phase }: ReportChoice,
  signal: AbortSignal,
): Promise<ReportFilter | null> {
  if (where === null) return null;
  const [hits, window] = await Promise.all([
    source.hits(where, range).ask(signal),
    source.window(range, MOST_LANE_BLOCKS, LANE_BINS, where).ask(signal),
  ]);
  return {
    words: filterText(where, filterNamesOf(summary, phase)),
    blocks: hits.blocks,
    rows: window.detail === "blocks" ? new Set(window.row) : null,
  };
}

async function readWhole(
  source: CaptureSource,
  summary: Summary,
  secondary: number,
  range: TimeRange,
  signal: AbortSignal,
): Promise<CapturePictures> {
  const aligned = fullBins(range);
  const [begin, end] = fullRange(summary);
  const all = { from: begin, to: end };
  const [overview, commits, window, statistics] = await Promise.all([
    source.overview(aligned.range, aligned.bins, secondary).ask(signal),
    source.commits(range, MOST_DOTS).ask(signal),
    source.window(all, MOST_DOTS, MINIMAP_BINS).ask(signal),
    source.statistics(all).ask(signal),
  ]);
  const dots = commitSamples(commits);
  const ground = overviewGround(summary, overview, secondary, range);
  const breaks = [...ground.idle, ...ground.episodes.map(({ from, to }) => [from, to] as const)].flatMap(
    ([from, to]) => [from, to],
  );
  const bins = dots.cut
    ? serverBins(overview, "commit")
    : latencyBins(dots, [range.from, range.to], baseWidth(range.to - range.from), breaks);
  return {
    all,
    range,
    blocks: statistics.blocks,
    overview,
    ground,
    dots,
    bins,
    domain: durationDomain([...dots.value, ...bins.map(({ max }) => max)]),
    minimap: minimapColumns(window, secondary, MINIMAP_COLUMNS, summary, all),
    typical: typicalRow(window, secondary),
    standstill: summary.pauses.length === 0 ? null : standstillOf(statistics, secondary, summary),
  };
}

/** The same data with other names in every text, including files. */
function withOtherNames(summary: ZonedSummary, hide: (text: string) => string): ZonedSummary {
  const { captureId, originTicks, originUtc } = summary;
  return { ...summary, ...(mapTexts(Summary, summary, hide) as Summary), captureId, originTicks, originUtc };
}
