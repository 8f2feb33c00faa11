/**
 * The two sides before the user chooses any: the time before a role change and the time after it, else the verdict's
 * episode and the time after it, else the two halves of a capture.
 */
import type { Summary } from "@aglens/contract";
import { compareTexts as texts } from "../../messages/compare.ts";
import { type CaptureTime, durationText, formatTime, formatTimes } from "../../ui/words.ts";
import { byLength } from "../capture-view/figures.ts";
import { type RoleSwitch, roleSwitches } from "../capture-view/phases.ts";
import type { Range } from "../capture-view/shown-range.ts";

type Known = Pick<Summary, "common" | "durationUs" | "verdict" | "originTicks" | "phases" | "replicas">;

/**
 * Share of the time before an episode. Where the time after the episode is shorter than this share, the episode is
 * compared with the time before it.
 */
const LEAST_AFTER = 0.2;

/**
 * Ranges of A and B, µs. @param isOther B is another capture, and complete @param phase the only one that is compared
 */
export function firstSides(
  summary: Known,
  secondary: number,
  isOther: boolean,
  phase: number | null = null,
): readonly [Range, Range | null] {
  const [from, to] = coveredBy(summary, phase);
  if (isOther) return [[from, to], null];
  const [change] = roleSwitches(summary);
  if (change !== undefined && change.from > from && change.to < to)
    return aroundSwitch(summary, change, [from, to]);
  const [episode] = episodesOf(summary, secondary).filter((each) => each.from < to && each.to > from);
  if (episode === undefined) {
    const middle = (from + to) / 2;
    return [
      [from, middle],
      [middle, to],
    ];
  }
  const after: Range = [episode.to, to];
  const before: Range = [from, episode.from];
  // The time after an episode shows whether a change helped. Where it is too short, the time before is used.
  const rest = after[1] - after[0] >= LEAST_AFTER * (before[1] - before[0]) ? after : before;
  return [[episode.from, episode.to], rest];
}

/**
 * The time before a role change and the time after it, each up to the next change: a longer range would cover two
 * primaries.
 */
function aroundSwitch(
  { phases }: Pick<Known, "phases">,
  { from, to, before, after }: RoleSwitch,
  [first, last]: Range,
): readonly [before: Range, after: Range] {
  return [
    [Math.max(first, phases[before]?.from ?? first), from],
    [to, Math.min(last, phases[after]?.to ?? last)],
  ];
}

/**
 * The period that every file covers, where there is one; else the complete capture. @param phase limits the result to
 * this phase; null for all phases
 */
export function coveredBy(
  { common, durationUs, phases }: Pick<Known, "common" | "durationUs" | "phases">,
  phase: number | null = null,
): Range {
  const { from: first, to: last } = phases[phase ?? -1] ?? { from: 0, to: Math.max(1, durationUs) };
  const [from, to] = [Math.max(first, common[0] ?? first), Math.min(last, common[1] ?? last)];
  return to > from && common[0] !== null && common[1] !== null ? [from, to] : [first, last];
}

const episodesOf = ({ verdict }: Pick<Known, "verdict">, secondary: number): Known["verdict"]["episodes"] =>
  byLength(verdict.episodes.filter((episode) => episode.secondary === secondary));

export interface NamedRange {
  readonly label: string;
  readonly range: Range;
}

const MOST_EPISODES = 4;

/**
 * Periods of a capture that are worth comparing, to choose from. @param inView the range on the other screens @param
 * phase null for all
 */
export function namedRanges(
  summary: Known,
  secondary: number,
  inView: Range | null,
  phase: number | null = null,
): NamedRange[] {
  const [from, to] = coveredBy(summary, phase);
  const middle = (from + to) / 2;
  const episodes = episodesOf(summary, secondary).slice(0, MOST_EPISODES);
  const [longest] = episodes;
  return [
    ...(inView === null ? [] : [{ label: texts.inView, range: inView }]),
    { label: texts.coveredByAllFiles, range: [from, to] as const },
    ...roleSwitches(summary).flatMap((change) => {
      const [before, after] = aroundSwitch(summary, change, [from, to]);
      const at = formatTime(summary, change.to, 0);
      return [
        { label: texts.beforeTheSwitchAt(at), range: before },
        { label: texts.afterTheSwitchAt(at), range: after },
      ];
    }),
    ...episodes.map(({ label, from: begin, to: end }) => ({ label, range: [begin, end] as const })),
    ...(longest === undefined
      ? []
      : [
          { label: texts.before(longest.label), range: [from, longest.from] as const },
          { label: texts.after(longest.label), range: [longest.to, to] as const },
        ]),
    { label: texts.firstHalf, range: [from, middle] as const },
    { label: texts.secondHalf, range: [middle, to] as const },
  ].filter(({ range }) => range[1] > range[0]);
}

/** `02:17:28.3 to 02:18:04.0, 35.6 s` */
export function rangeText(capture: CaptureTime, [from, to]: Range): string {
  return `${formatTimes(capture, from, to, 1).join(" to ")}, ${durationText(to - from)}`;
}
