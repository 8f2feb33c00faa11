import type { Watch, WatchEpisode } from "@aglens/contract";
import { isLocalId } from "../../data/local-server.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { allWatches, type EpisodesOf, episodesOf } from "../../data/watch-client.ts";
import { openPath } from "../../state/navigate.ts";
import { useMedia } from "../../ui/use-media.ts";
import { useCapture } from "../capture-view/capture-context.ts";

/** The watch that recorded a capture. */
export interface RecordedBy {
  readonly watch: Watch;
  readonly episode: WatchEpisode;
  /** Time of the trigger in the capture, µs. */
  readonly at: number;
}

/** The watch of the open capture, on a phone; null elsewhere, for other captures, and for a visitor of a link. */
export function useRecordedBy(): RecordedBy | null {
  const { summary } = useCapture();
  const { captureId, marks, replicas } = summary;
  const isPhone = useMedia("(max-width: 719px)");
  // A trigger is a mark by rule. A link shows nothing of its server other than the capture.
  const isAsked =
    isPhone &&
    marks.some(({ byRule }) => byRule) &&
    !isLocalId(captureId) &&
    openPath().startsWith("/captures/");
  const { value } = useAnswer(isAsked ? allWatches : null);
  const watches = value === null ? [] : watchesOf(value.watches, replicas);
  const { value: episodes } = useAnswer(watches.length === 0 ? null : episodesOf(watches));
  return episodes === null ? null : recordedBy(watches, episodes, summary);
}

/** Watches with a server of the capture: triggers of others are of no interest. */
const watchesOf = (watches: readonly Watch[], replicas: readonly { readonly name: string }[]): Watch[] =>
  watches.filter((watch) =>
    watch.replicas.some(({ serverName }) =>
      replicas.some(({ name }) => name.toLowerCase() === serverName.toLowerCase()),
    ),
  );

interface Recorded {
  readonly captureId: string;
  readonly marks: readonly { readonly at: number; readonly label: string; readonly byRule: boolean }[];
}

/** @returns null where no watch has an episode with the capture */
function recordedBy(
  watches: readonly Watch[],
  episodes: EpisodesOf,
  { captureId, marks }: Recorded,
): RecordedBy | null {
  for (const watch of watches) {
    const episode = episodes.get(watch.id)?.find((each) => each.captureId === captureId);
    if (episode === undefined) continue;
    const { text } = episode.trigger;
    const mark =
      marks.find(({ label, byRule }) => byRule && label === text) ?? marks.find((each) => each.byRule);
    if (mark !== undefined) return { watch, episode, at: mark.at };
  }
  return null;
}
