/** The trace of a range: its log blocks and commits, the slowest ones where there are too many, and all its counters. */
import { filetimeOfUnixMs } from "xel-parser/format";
import { commitLatencies } from "../columns/index.ts";
import { firstAtOrAfter, rankedRows } from "../numbers/index.ts";
import { blockSlowness } from "../query/index.ts";
import { REMOTE_PATH, type CaptureModel } from "../replication/index.ts";
import { NO_EVIDENCE, tableMetadata, type TabledEvidence } from "../tables/index.ts";
import { logCounters, queueCounters } from "./counters.ts";
import { aboutLane, clockLanes, commitLanes, happenedLanes } from "./other-lanes.ts";
import { pathLanes } from "./path-lanes.ts";
import { inNs, MOST_ROWS, type CaptureTrace, type TraceArg } from "./trace.ts";

interface TraceOptions {
  /** µs: blocks and commits that begin in [from, to). */
  readonly from: number;
  readonly to: number;
  /** 1 for each block that may be in the trace; null for all. */
  readonly isIn?: Uint8Array | null;
  /** Rows that the model's blocks have in the complete capture; null for the complete capture itself. */
  readonly numbers?: Uint32Array | null;
  /** At most so many slices of blocks. */
  readonly most?: number;
  readonly evidence?: TabledEvidence;
  /** More about the trace: the capture's name, the filter. */
  readonly about?: readonly TraceArg[];
}

/** Slices of log blocks in one trace: some 60 MB, which a browser opens in seconds. */
const MOST_SLICES = 500_000;

/** Slices of a block: its log write on the primary, and the parts of its path to each replica. */
const slicesOfBlock = ({ hops }: CaptureModel): number => 1 + REMOTE_PATH.length * hops.length;

/** A FILETIME tick is 100 ns. */
const NS_PER_TICK = 100n;

export function captureTrace(model: CaptureModel, options: TraceOptions): CaptureTrace {
  const { from, to, isIn = null, numbers = null, most = MOST_SLICES, evidence = NO_EVIDENCE } = options;
  const { blocks, commits } = model;
  const blockRows = begunIn(blocks.time, from, to).filter((row) => isIn === null || isIn[row] === 1);
  const commitRows = begunIn(commits.start, from, to).filter(
    (row) => commits.end[row] >= commits.start[row] && (isIn === null || isIn[commits.block[row]] === 1),
  );
  const mostRows = Math.max(1, Math.floor(most / slicesOfBlock(model)));
  const rows = slowest(blockRows, () => blockSlowness(model), mostRows);
  const longest = slowest(commitRows, () => commitLatencies(model), mostRows);
  const traced = { model, rows, numberOf: (row: number) => numbers?.[row] ?? row };
  const { lanes, skipped } = pathLanes(traced);
  const ofCommits = commitLanes(traced, longest, skipped);
  const end = Math.min(to, model.duration);
  const happened = happenedLanes(model, evidence, from, end);
  const { origin = "", reference = "" } = tableMetadata(model);
  const about: TraceArg[] = [
    ...(options.about ?? []),
    ["origin", origin],
    ["reference", reference],
    ["from_us", inNs(from)],
    ["to_us", inNs(end)],
    ["log_blocks", countText(rows.length, blockRows.length, "slowest")],
    ["commits", countText(longest.length, commitRows.length, "longest")],
    ["events_of_other_files", countText(...happened.counts, "first")],
    ["slices_without_an_event_at_an_end", skipped.estimated],
    ["slices_shorter_than_the_clock_error", skipped.reversed],
    [`slices_above_${MOST_ROWS}_at_one_time`, skipped.crowded],
  ];
  return {
    originNs: (model.origin - filetimeOfUnixMs(0)) * NS_PER_TICK,
    replicas: model.replicas.map(({ name }) => name),
    about,
    lanes: [
      aboutLane(from, end, about),
      ...happened.lanes,
      ...clockLanes(model, from, end),
      ...ofCommits,
      ...lanes,
    ],
    counters: [...logCounters(model, from, end), ...queueCounters(model, evidence, from, end)],
  };
}

function begunIn(times: Float64Array, from: number, to: number): Uint32Array {
  const first = firstAtOrAfter(times, from);
  return Uint32Array.from({ length: firstAtOrAfter(times, to) - first }, (_, i) => first + i);
}

/** The rows with the largest values, ascending; all of them up to `most`. */
const slowest = (rows: Uint32Array, values: () => Float64Array, most: number): Uint32Array =>
  rows.length <= most ? rows : rankedRows(values(), rows, most, "descending").sort();

const countText = (some: number, all: number, which: string): string =>
  some === all ? `all ${all}` : `the ${which} ${some} of ${all}`;
