/**
 * Releases of commits by each candidate, per pixel: the tracks of the lane "Released by". Pure, no canvas. A track
 * never has more than one figure per pixel, for any number of commits in view.
 */
import type { CommitWindow, Releases } from "@aglens/contract";
import { xOf, type TimeScale } from "../time-scale.ts";

/** A possible releaser of commits, as `Gate`. */
export interface ReleaseCandidate {
  readonly gate: number;
  readonly name: string;
}

/** Height of a track, and of one with the space below it, px. */
export const TRACK_PX = 8;
export const TRACK_PITCH_PX = 11;

/** Space between the commits and their release tracks, and below the last track, px. */
export const RELEASES_GAP_PX = 4;
const LAST_SPACE_PX = 1;

/** Height of the lane with its gap above, px; 0 without candidates. */
export const releaseLaneHeight = (candidates: readonly ReleaseCandidate[]): number =>
  candidates.length === 0
    ? 0
    : RELEASES_GAP_PX + (candidates.length - 1) * TRACK_PITCH_PX + TRACK_PX + LAST_SPACE_PX;

/** Least strength of a bin in which a candidate released any commit: a single one stays visible. */
const LEAST_STRENGTH = 0.3;

/** Raises the pixels that an interval touches to a strength; at least one pixel. */
function raise(track: Float32Array, left: number, right: number, strength: number): void {
  const first = Math.floor(left);
  const end = Math.max(first + 1, Math.ceil(right));
  for (let x = Math.max(0, first); x < Math.min(track.length, end); x++)
    track[x] = Math.max(track[x], strength);
}

const emptyTracks = (candidates: readonly ReleaseCandidate[], { width }: TimeScale): Float32Array[] =>
  candidates.map(() => new Float32Array(Math.ceil(width)));

/**
 * A track per candidate: 1 in each pixel (of the width) in which a commit that it released runs, otherwise 0. Commits
 * with an unknown releaser are in no track.
 */
export function commitTracks(
  { commits }: CommitWindow,
  candidates: readonly ReleaseCandidate[],
  scale: TimeScale,
): Float32Array[] {
  const tracks = emptyTracks(candidates, scale);
  const trackOf = new Map(candidates.map(({ gate }, i) => [gate, tracks[i]]));
  for (let row = 0; row < commits.length; row++) {
    const track = trackOf.get(commits.gate[row]);
    if (track === undefined || commits.end[row] < scale.from || commits.start[row] >= scale.to) continue;
    raise(track, xOf(scale, commits.start[row]), xOf(scale, commits.end[row]), 1);
  }
  return tracks;
}

const releasedIn = ({ released }: Releases, gate: number): readonly number[] => released[gate] ?? [];

/** Commits that the fullest bin of all candidates released, at least 1: one pass over all bins. */
export const mostReleased = (releases: Releases, candidates: readonly ReleaseCandidate[]): number =>
  candidates.reduce(
    (most, { gate }) => releasedIn(releases, gate).reduce((max, n) => Math.max(max, n), most),
    1,
  );

/**
 * A track per candidate from bins: in each pixel the commits of the fullest bin that it touches, over `most`; at least
 * 0.3 where there is any commit, else 0. Reads only the bins in view.
 */
export function binTracks(
  releases: Releases,
  candidates: readonly ReleaseCandidate[],
  most: number,
  scale: TimeScale,
): Float32Array[] {
  const tracks = emptyTracks(candidates, scale);
  const first = Math.max(0, Math.floor((scale.from - releases.from) / releases.binUs));
  for (const [i, { gate }] of candidates.entries()) {
    const bins = releasedIn(releases, gate);
    const end = Math.min(bins.length, Math.ceil((scale.to - releases.from) / releases.binUs));
    for (let bin = first; bin < end; bin++) {
      if (bins[bin] === 0) continue;
      const left = xOf(scale, releases.from + bin * releases.binUs);
      const right = xOf(scale, releases.from + (bin + 1) * releases.binUs);
      raise(tracks[i], left, right, Math.max(LEAST_STRENGTH, bins[bin] / most));
    }
  }
  return tracks;
}
