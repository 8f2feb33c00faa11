import { useCallback, useMemo } from "react";
import {
  binTracks,
  commitTracks,
  mostReleased,
  releaseLaneHeight,
  type ReleaseCandidate,
} from "../../charts/timeline/release-tracks.ts";
import type { TimeScale } from "../../charts/time-scale.ts";
import type { Buffer } from "../../charts/timeline/spans.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useMedia } from "../../ui/use-media.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { releaseCandidates } from "./panes/release-candidates.ts";

/** Number of bins of a loaded range, which is three or four views wide: about one per pixel of a view. */
const BINS = 4_000;

export interface Releases {
  /** Empty where the lane is not shown. */
  readonly candidates: readonly ReleaseCandidate[];
  /** Height of the lane with the gap above it, px; 0 where it is not shown. */
  readonly height: number;
  readonly tracksIn: (scale: TimeScale) => readonly Float32Array[];
}

const NONE: readonly ReleaseCandidate[] = [];

/**
 * The lane "Released by" of a loaded range. Bins do not know filters, so bins are not shown where a filter hides the
 * other blocks. On a phone, which has no gutter for its names, the lane is not shown either.
 */
export function useReleases(buffer: Buffer | null): Releases {
  const { source, summary, view } = useCapture();
  const isPhone = useMedia("(max-width: 719px)");
  const all = useMemo(() => releaseCandidates(summary), [summary]);
  const isBins = buffer !== null && buffer.bins !== null;
  const leavesOut = view.where !== null && view.others !== "dim";
  const candidates = isPhone || (isBins && leavesOut) ? NONE : all;
  const isAsked = isBins && candidates.length > 0;
  const { value: releases } = useAnswer(
    isAsked ? source.releases({ from: buffer.from, to: buffer.to }, BINS) : null,
  );
  const most = useMemo(
    () => (releases === null ? 1 : mostReleased(releases, candidates)),
    [releases, candidates],
  );
  const tracksIn = useCallback(
    (scale: TimeScale) => {
      if (buffer === null || candidates.length === 0) return [];
      if (buffer.bins === null) return commitTracks(buffer.commits, candidates, scale);
      return releases === null ? [] : binTracks(releases, candidates, most, scale);
    },
    [buffer, releases, candidates, most],
  );
  return useMemo(
    () => ({ candidates, height: releaseLaneHeight(candidates), tracksIn }),
    [candidates, tracksIn],
  );
}
