/** How far a replica's log is behind the primary's, as the primary knows it. */
import { pickRows } from "../columns/index.ts";
import { percentile } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/index.ts";
import { streamsOf, type Stream, type StreamHop } from "./streams.ts";

export interface DataBehind {
  /** p95 over time, sampled every 10 ms, µs: since when the oldest block that is not acknowledged has been closed. */
  readonly p95Us: number;
  /** Most bytes that were not acknowledged at one time. */
  readonly mostBytes: number;
}

const SAMPLE_US = 10_000;

/** What a failover to the replica would lose: log that is closed and not acknowledged. */
export function dataBehind(model: CaptureModel, replica: number): DataBehind {
  const samples: number[] = [];
  let mostBytes = 0;
  for (const stream of streamsOf(model)) {
    const hop = stream.hops.find((each) => each.replica === replica);
    if (hop !== undefined) mostBytes = Math.max(mostBytes, sampleBehind(model, stream, hop, samples));
  }
  samples.sort((a, b) => a - b);
  return { p95Us: percentile(samples, 95), mostBytes };
}

/** Appends the samples of one stream, µs; returns the most bytes behind. */
function sampleBehind(model: CaptureModel, stream: Stream, hop: StreamHop, samples: number[]): number {
  const { blocks } = stream;
  const known = stream.rows.filter(
    (row) => !Number.isNaN(blocks.localFlushStart[row] + hop.table.ackProcessed[row]),
  );
  const closed = pickRows(blocks.localFlushStart, known).sort();
  const processed = pickRows(hop.table.ackProcessed, known).sort();
  let [behind, most, acknowledged] = [0, 0, 0];
  for (let i = 0; i < known.length; i++) {
    while (processed[acknowledged] <= closed[i]) behind -= bytesOf(blocks.size[known[acknowledged++]]);
    behind += bytesOf(blocks.size[known[i]]);
    most = Math.max(most, behind);
  }
  let oldest = 0;
  for (let at = SAMPLE_US; at < model.duration; at += SAMPLE_US) {
    while (oldest < known.length && processed[oldest] <= at) oldest++;
    samples.push(oldest < known.length && closed[oldest] <= at ? at - closed[oldest] : 0);
  }
  return most;
}

const bytesOf = (size: number): number => (Number.isNaN(size) ? 0 : size);
