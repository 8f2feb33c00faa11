/** One linear scale for the paths to all replicas, and the part of it that is enlarged where short paths would not be seen. */
import { scaleLinear } from "d3-scale";

export interface LinearScale {
  /** µs at its right end; it begins at 0. */
  readonly to: number;
  readonly ticks: readonly number[];
}

export interface PathScale extends LinearScale {
  /** The first part enlarged; null where the short paths are long enough to be seen. */
  readonly lens: (LinearScale & { readonly factor: number }) | null;
}

/** Shorter paths than this share of the width are enlarged. */
const SHORT_SHARE = 1 / 8;
const TICKS = 6;
/** Room right of the longest short path, for its figure. */
const LENS_ROOM = 1.2;

/** From 0 to a round number over `us`. */
function linearScale(us: number, ticks = TICKS): LinearScale {
  const scale = scaleLinear()
    .domain([0, Math.max(1, us)])
    .nice(ticks);
  return { to: scale.domain()[1] ?? us, ticks: scale.ticks(ticks) };
}

/**
 * @param waitedFor paths that commits wait for, and the local log write, µs
 * @param others paths of asynchronous replicas, µs
 */
export function pathScale(waitedFor: readonly number[], others: readonly number[]): PathScale {
  const short = Math.max(0, ...waitedFor);
  const whole = linearScale(Math.max(short, ...others));
  if (short === 0 || short >= whole.to * SHORT_SHARE) return { ...whole, lens: null };
  const lens = linearScale(short * LENS_ROOM, 4);
  return { ...whole, lens: { ...lens, factor: whole.to / lens.to } };
}
