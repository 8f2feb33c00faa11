/**
 * Finds bursts in which far more events were lost than in the rest of a capture: a scan statistic over runs of log
 * blocks.
 */
import { allRows } from "../../numbers/index.ts";

/** Blocks in order of time, each with the number of its lost events; every block should have equally many events. */
export interface LossPerBlock {
  /** µs, ascending. */
  readonly time: Float64Array;
  readonly lost: Uint8Array;
}

/** A period that lost far more events than the rest. */
export interface Burst {
  /** First and last of its blocks that lost an event, µs. */
  readonly from: number;
  readonly to: number;
  readonly lost: number;
}

/** Number of runs with equally many blocks that are compared. */
const RUNS = 200;
/** Largest part of the blocks in a burst, and the least factor of lost events per block against the rest. */
const LARGEST_PART = 0.5;
const TIMES_THE_REST = 5;
/** Logarithm of the likelihood ratio against losses all over the capture: below it bursts occur by chance. */
const LEAST_EVIDENCE = 10;
const MOST_BURSTS = 8;

interface Sums {
  /** Number of blocks, and of lost events, before run i. */
  readonly blocks: readonly number[];
  readonly lost: readonly number[];
}

interface Period {
  readonly first: number;
  readonly end: number;
}

/** Bursts in order of time; none where events were lost all over the capture. */
export function burstsOf({ time, lost }: LossPerBlock): Burst[] {
  const perRun = Math.max(1, Math.ceil(time.length / RUNS));
  const runs = Math.ceil(time.length / perRun);
  const sums = sumsOf(lost, runs, perRun);
  const found: Period[] = [];
  const search = (within: Period): void => {
    if (found.length >= MOST_BURSTS) return;
    const burst = strongest(sums, within);
    if (burst === null) return;
    found.push(burst);
    search({ first: within.first, end: burst.first });
    search({ first: burst.end, end: within.end });
  };
  search({ first: 0, end: runs });
  return found
    .sort((a, b) => a.first - b.first)
    .map(({ first, end }) => {
      const rows = allRows(lost.length).subarray(first * perRun, end * perRun);
      const withLoss = rows.filter((row) => lost[row] > 0);
      return {
        from: time[withLoss[0]],
        to: time[withLoss[withLoss.length - 1]],
        lost: withLoss.reduce((sum, row) => sum + lost[row], 0),
      };
    });
}

function sumsOf(lost: Uint8Array, runs: number, perRun: number): Sums {
  const sums = { blocks: [0], lost: [0] };
  for (let run = 0; run < runs; run++) {
    const own = lost.subarray(run * perRun, (run + 1) * perRun);
    sums.blocks.push(sums.blocks[run] + own.length);
    sums.lost.push(sums.lost[run] + own.reduce((sum, n) => sum + n, 0));
  }
  return sums;
}

/** Finds the runs that are the strongest evidence against losses all over the capture; null without such runs. */
function strongest(sums: Sums, { first: start, end: last }: Period): Period | null {
  let best: Period | null = null;
  let most = LEAST_EVIDENCE;
  for (let first = start; first < last; first++) {
    for (let end = first + 1; end <= last; end++) {
      const evidence = evidenceOf(sums, first, end);
      if (evidence <= most) continue;
      most = evidence;
      best = { first, end };
    }
  }
  return best;
}

/** Log likelihood ratio of one rate inside and another outside against one rate for all (Kulldorff 1997); 0 for no burst. */
function evidenceOf({ blocks, lost }: Sums, first: number, end: number): number {
  const [allBlocks, all] = [blocks[blocks.length - 1], lost[lost.length - 1]];
  const part = (blocks[end] - blocks[first]) / allBlocks;
  const inside = lost[end] - lost[first];
  const outside = all - inside;
  if (part > LARGEST_PART || inside / part < (TIMES_THE_REST * outside) / (1 - part)) return 0;
  const term = (n: number, expected: number): number => (n === 0 ? 0 : n * Math.log(n / expected));
  return term(inside, all * part) + term(outside, all * (1 - part));
}
