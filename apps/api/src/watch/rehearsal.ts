/** Rules of a definition over the kept polls of the last week. */
import { rehearse } from "@aglens/ag-model/watch";
import type { WatchDefinition, WatchEpisode, WatchRehearsal } from "@aglens/contract";
import { minutesBetween, storedUsual } from "./kept-minutes.ts";
import { missedBetween } from "@aglens/ag-model/schedules";
import type { WatchStore } from "./watch-store.ts";

const WEEK_MS = 7 * 86_400_000;

export async function rehearsalOf(
  store: WatchStore,
  watch: string,
  { triggers, recording, everySeconds }: WatchDefinition,
  episodes: readonly WatchEpisode[],
  now: number,
): Promise<WatchRehearsal> {
  const from = now - WEEK_MS;
  const [minutes, usual] = await Promise.all([
    minutesBetween(store, watch, from, now),
    storedUsual(store, watch, now),
  ]);
  const since = minutes[0]?.at ?? now;
  const scheduled = triggers.schedules.flatMap(({ cron, forSeconds }) =>
    missedBetween(cron, since, now).map((at) => ({ at, text: `Schedule ${cron}`, forSeconds })),
  );
  const { days, triggers: found } = rehearse(
    minutes,
    { rules: triggers, recording, everySeconds },
    { usual, scheduled, bytesPerSecond: bytesPerSecondOf(episodes) },
  );
  return { days, triggers: found.map((each) => ({ ...each, at: new Date(each.at).toISOString() })) };
}

/** Mean of earlier recordings; null before the first one. */
function bytesPerSecondOf(episodes: readonly WatchEpisode[]): number | null {
  let [bytes, seconds] = [0, 0];
  for (const { bytes: own, recordedFrom, recordedTo } of episodes) {
    if (own === null || recordedFrom === null || recordedTo === null) continue;
    bytes += own;
    seconds += (Date.parse(recordedTo) - Date.parse(recordedFrom)) / 1_000;
  }
  return seconds === 0 ? null : bytes / seconds;
}
