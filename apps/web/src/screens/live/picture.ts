/** State of a run in the page: the newest picture with the earlier recent bins, gauges, gaps and marks. */
import type { LiveBins, LivePicture, LivePoll } from "@aglens/contract";

/** Length of the recent detail that the user can go back to while the view is paused, µs. */
export const KEPT_US = 300e6;

/** Bins of one width without gaps; a lane's columns are NaN where nothing finished. */
export interface BinStore {
  readonly width: number;
  readonly firstBin: number;
  readonly length: number;
  readonly count: Float64Array;
  readonly p50: ReadonlyMap<string, Float64Array>;
  readonly max: ReadonlyMap<string, Float64Array>;
}

export interface LiveState extends Omit<LivePicture, "bins" | "overview"> {
  readonly bins: BinStore | null;
  readonly overview: BinStore | null;
}

const columnOf = (values: readonly (number | null)[] | undefined, length: number): Float64Array =>
  Float64Array.from({ length }, (_, i) => values?.[i] ?? Number.NaN);

function storeOf(bins: LiveBins): BinStore {
  const length = bins.count.length;
  const columns = (by: LiveBins["p50"]): Map<string, Float64Array> =>
    new Map(Object.entries(by).map(([key, values]) => [key, columnOf(values, length)]));
  return {
    width: bins.width,
    firstBin: bins.firstBin,
    length,
    count: Float64Array.from(bins.count),
    p50: columns(bins.p50),
    max: columns(bins.max),
  };
}

/** `next` replaces `held` from its first bin on, without bins before `from`; Float64 columns of equal length. */
function joined(
  held: BinStore,
  next: BinStore,
  from: number,
  empty: number,
): (a?: Float64Array, b?: Float64Array) => Float64Array {
  const end = next.firstBin + next.length;
  return (a, b) => {
    const column = new Float64Array(end - from).fill(empty);
    if (a) {
      const until = Math.min(held.firstBin + held.length, next.firstBin);
      const start = Math.max(from, held.firstBin);
      if (until > start) column.set(a.subarray(start - held.firstBin, until - held.firstBin), start - from);
    }
    if (b) {
      const start = Math.max(from, next.firstBin);
      column.set(b.subarray(start - next.firstBin), start - from);
    }
    return column;
  };
}

/** The bins after a delta: the delta replaces the held bins from its first bin on; at most `keepUs` are kept. */
export function mergeBins(held: BinStore | null, delta: LiveBins | null, keepUs: number): BinStore | null {
  if (delta === null) return held;
  const next = storeOf(delta);
  if (held === null || held.width !== next.width) return next;
  const end = next.firstBin + next.length;
  const first = Math.min(held.firstBin, next.firstBin);
  const from = Math.max(first, end - Math.ceil(keepUs / next.width));
  const column = joined(held, next, from, Number.NaN);
  const merge = (a: BinStore["p50"], b: BinStore["p50"]): Map<string, Float64Array> =>
    new Map([...new Set([...a.keys(), ...b.keys()])].map((key) => [key, column(a.get(key), b.get(key))]));
  return {
    width: next.width,
    firstBin: from,
    length: end - from,
    count: joined(held, next, from, 0)(held.count, next.count),
    p50: merge(held.p50, next.p50),
    max: merge(held.max, next.max),
  };
}

/** A poll that is reported again may have moved a little with the clock of the run; two of one replica are never this near, µs. */
const SAME_POLL_US = 400_000;

function mergePolls(held: readonly LivePoll[], next: readonly LivePoll[], oldest: number): LivePoll[] {
  const again = (poll: LivePoll): boolean =>
    next.some((each) => each.replica === poll.replica && Math.abs(each.at - poll.at) < SAME_POLL_US);
  return [...held.filter((poll) => poll.at >= oldest && !again(poll)), ...next];
}
const filled = <T extends object>(next: T, held: T): T => (Object.keys(next).length > 0 ? next : held);

/**
 * The state after a picture. A full picture replaces everything, and so does one with another origin, because the same
 * instants then mean other times. In a delta, an empty part means "as before"; gaps, marks and endings are always
 * complete.
 */
export function mergePicture(held: LiveState | null, picture: LivePicture, full: boolean): LiveState {
  const { bins, overview, ...rest } = picture;
  if (held === null || full || held.origin !== picture.origin) {
    return {
      ...rest,
      bins: bins === null ? null : storeOf(bins),
      overview: overview === null ? null : storeOf(overview),
    };
  }
  return {
    ...rest,
    lanes: filled(picture.lanes, held.lanes),
    decodedTo: filled(picture.decodedTo, held.decodedTo),
    figures: filled(picture.figures, held.figures),
    shares: filled(picture.shares, held.shares),
    readouts: filled(picture.readouts, held.readouts),
    clocks: filled(picture.clocks, held.clocks),
    verdict: picture.verdict ?? held.verdict,
    polls: mergePolls(held.polls, picture.polls, picture.now - KEPT_US),
    bins: mergeBins(held.bins, bins, KEPT_US),
    overview: mergeBins(held.overview, overview, Number.POSITIVE_INFINITY),
  };
}
