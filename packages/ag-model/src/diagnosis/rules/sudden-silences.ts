/** D16, a note: no server had an event although commits arrived one after the other before and after. */
import { firstAtOrAfter, runningMaximum } from "../../numbers/index.ts";
import { PAUSE_US } from "../../replication/prepare/pauses.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { formatCount, formatDuration } from "../../words/words.ts";
import { clockTimes } from "../when.ts";
import { lostPeriods } from "./lost-periods.ts";
import { replicaName } from "../paths.ts";
import { plainFinding } from "../plain-finding.ts";
import type { Finding, Window } from "../verdict.ts";

/** If there are no commits for longer than this, the load has ended, which is normal, µs. */
const MOST_US = 10_000_000;
/**
 * Commits that would have begun meanwhile, at the rate before and after: a silence this long happens by chance once in
 * 500 million times.
 */
const LEAST_COMMITS = 20;
/** More silences than this are a property of the load. */
const MOST_SILENCES = 3;

/**
 * The primary may have been unresponsive while nothing was under way: only the load shows it, so that it is no alarm.
 */
export function suddenSilences(model: CaptureModel): Finding[] {
  const found = silencesOf(model);
  const [longest] = found.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  if (longest === undefined || found.length > MOST_SILENCES) return [];
  const name = replicaName(model, 0);
  const times = found.length === 1 ? "" : ` (${formatCount(found.length)} such times)`;
  const sentence =
    `No server has an event for ${formatDuration(longest.to - longest.from)} between ${clockTimes(model, longest)}${times}, ` +
    `with ${formatCount(Math.round(longest.perSecond))} commits per second before and after.`;
  const checkNext = [`Find out whether ${name} or its clients were unresponsive then`];
  return [
    plainFinding("D16", "none", "none", sentence, {
      replica: 0,
      window: { from: found[0].from, to: found[found.length - 1].to },
      threshold: `no event for ${formatDuration(PAUSE_US)}, and ${LEAST_COMMITS} commits expected`,
      source: "AG Lens default",
      checkNext,
    }),
  ];
}

interface Silence extends Window {
  readonly perSecond: number;
}

/** Times without a log block under way on any server, in which commits were expected. */
function silencesOf(model: CaptureModel): Silence[] {
  const { time, timeEnd, length } = model.blocks;
  const latest = runningMaximum(timeEnd);
  const silences: Silence[] = [];
  for (let row = 1; row < length; row++) {
    const window = { from: latest[row - 1], to: time[row] };
    const us = window.to - window.from;
    if (!(us >= PAUSE_US && us <= MOST_US) || isLost(model, window)) continue;
    const rate = Math.min(
      rateIn(model, window.from - us, window.from),
      rateIn(model, window.to, window.to + us),
    );
    if (rate * us >= LEAST_COMMITS) silences.push({ ...window, perSecond: rate * 1_000_000 });
  }
  return silences;
}

/** Commits that began between two instants, per µs. */
function rateIn({ commits: { start } }: CaptureModel, from: number, to: number): number {
  return (firstAtOrAfter(start, to) - firstAtOrAfter(start, from)) / (to - from);
}

const isLost = (model: CaptureModel, { from, to }: Window): boolean =>
  lostPeriods(model).some((lost) => lost.from < to && lost.to > from);
