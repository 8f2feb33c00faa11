import type { Watch, WatchEpisode } from "@aglens/contract";
import { isLocalId } from "../../data/local-server.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { allWatches, type EpisodesOf, episodesOf } from "../../data/watch-client.ts";
import { openPath } from "../../state/navigate.ts";
import { useMedia } from "../../ui/use-media.ts";
import { ticksOf } from "../../ui/zone.ts";
import { useCapture } from "../capture-view/capture-context.ts";

/** The watch that recorded a capture. */
export interface RecordedBy {
  readonly watch: Watch;
  readonly episode: WatchEpisode;
  /** Time of the trigger in the capture, µs; negative before its first event. */
  readonly at: number;
}

/** Captures that a message or a page of watches led to: later addresses of the same page don't say so. */
const openedFromWatch = new Set<string>();

/** Whether a watch recorded the capture, as far as its address and its marks tell. */
function mayBeRecorded({ captureId, marks }: Recorded): boolean {
  if (new URLSearchParams(window.location.search).get("from") === "watch") openedFromWatch.add(captureId);
  // Without a ring the trigger is before the first event, where a capture has no mark.
  return openedFromWatch.has(captureId) || marks.some(({ byRule }) => byRule);
}

/** The watch of the open capture, on a phone; null elsewhere, for other captures, and for a visitor of a link. */
export function useRecordedBy(): RecordedBy | null {
  const { summary } = useCapture();
  const { captureId, replicas } = summary;
  const isPhone = useMedia("(max-width: 719px)");
  // A link shows nothing of its server other than the capture.
  const isHere = !isLocalId(captureId) && openPath().startsWith("/captures/");
  const isAsked = isPhone && isHere && mayBeRecorded(summary);
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
  readonly originTicks: string;
  readonly marks: readonly { readonly at: number; readonly label: string; readonly byRule: boolean }[];
}

/** @returns null where no watch has an episode with the capture */
function recordedBy(
  watches: readonly Watch[],
  episodes: EpisodesOf,
  { captureId, originTicks, marks }: Recorded,
): RecordedBy | null {
  for (const watch of watches) {
    const episode = episodes.get(watch.id)?.find((each) => each.captureId === captureId);
    if (episode === undefined) continue;
    const { text, at } = episode.trigger;
    // A mark is on the capture's clock, a trigger on that of AG Lens.
    const mark = marks.find(({ label, byRule }) => byRule && label === text);
    return { watch, episode, at: mark?.at ?? Number(ticksOf(at) - BigInt(originTicks)) / 10 };
  }
  return null;
}
