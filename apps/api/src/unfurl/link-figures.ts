/** Words and figures for the picture of a link. */
import { primaryMoved, type BinWindow, type BlockWindow, type Summary } from "@aglens/contract";
import { minimapColumns, type MinimapColumns } from "@aglens/ag-model/minimap";
import { REMOTE_PATH, type RemoteStageId } from "@aglens/ag-model/replication";
import { figureText, durationFigure, formatDate, formatTimesOfDay } from "@aglens/ag-model/words";
import type { Palette } from "./palette.ts";

/** One bar of a mean block: its stages end to end. */
export interface MeanBar {
  readonly label: string;
  /** Color and length of each stage, µs, in the order of the path. */
  readonly pieces: readonly { readonly color: keyof Palette; readonly us: number }[];
  readonly totalUs: number;
  readonly total: string;
}

export interface LinkFigures {
  /** "slow" gets the severity color at its left. */
  readonly severity: Summary["verdict"]["severity"];
  readonly sentence: string;
  /** Capture, day and range. */
  readonly where: string;
  readonly bars: readonly MeanBar[];
  readonly legend: readonly { readonly color: keyof Palette; readonly words: string }[];
  readonly minimap: MinimapColumns;
  /** Framed range, µs; null for the entire capture. */
  readonly framed: readonly [number, number] | null;
  /** Time of day at the ends of the capture and of the framed range. */
  readonly times: {
    readonly ends: readonly [string, string];
    readonly framed: readonly [string, string] | null;
  };
}

/** Columns of the minimap: one per pixel of the picture. */
export const MINIMAP_PX = 1_104;

/** @param summary with names as they are to be shown @param range that the link shows, µs; null for all */
export function linkFigures(
  summary: Summary,
  window: BlockWindow | BinWindow,
  secondary: number,
  range: readonly [number, number] | null,
): LinkFigures {
  const { verdict, durationUs, originTicks, originUtc } = summary;
  const [episode] = verdict.episodes
    .filter((each) => each.secondary === secondary)
    .toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const framed = range ?? (episode === undefined ? null : ([episode.from, episode.to] as const));
  const clocks = (first: number, last: number): readonly [string, string] =>
    formatTimesOfDay(BigInt(originTicks), first, last);
  const [from, to] = framed ?? [0, durationUs];
  const bars = (
    episode === undefined
      ? [meanBar("Mean block", meansOf(summary, secondary))]
      : [meanBar(episode.label, episode.inside), meanBar("Otherwise", episode.outside)]
  ).filter(({ totalUs }) => totalUs > 0);
  return {
    severity: verdict.severity,
    sentence: verdict.sentence,
    // Names that the app made have the day already.
    where: summary.name.includes(originUtc.slice(0, 4))
      ? summary.name
      : `${summary.name}, ${formatDate(BigInt(originTicks))}, ${clocks(from, to).join(" to ")} UTC`,
    bars,
    legend: legendOf(bars, (!primaryMoved(summary) && summary.replicas[secondary + 1]?.name) || "Secondary"),
    minimap: minimapColumns(window, secondary, MINIMAP_PX, summary, { from: 0, to: Math.max(1, durationUs) }),
    framed,
    times: { ends: clocks(0, durationUs), framed: framed && clocks(...framed) },
  };
}

type Means = Readonly<Partial<Record<RemoteStageId, number | null>>>;

const meansOf = ({ stages }: Summary, secondary: number): Means =>
  Object.fromEntries(REMOTE_PATH.map(({ id }) => [id, stages[secondary]?.[id]?.mean ?? null]));

function meanBar(label: string, means: Means): MeanBar {
  const pieces = REMOTE_PATH.map(({ id, place, kind }) => ({
    color: colorOf(place, kind === "disk"),
    us: Math.max(0, means[id] ?? 0),
  })).filter(({ us }) => us > 0);
  const totalUs = pieces.reduce((sum, { us }) => sum + us, 0);
  return { label, pieces, totalUs, total: figureText(durationFigure(totalUs), "\u2009") };
}

function colorOf(place: string, isDisk: boolean): keyof Palette {
  if (place === "networkOut") return "n-out";
  if (place === "networkBack") return "n-back";
  if (place === "secondary") return isDisk ? "s-disk" : "s-work";
  return isDisk ? "p-disk" : "p-work";
}

/** Parts under this share of the longest bar are not named. */
const NAMED_SHARE = 0.05;

function legendOf(bars: readonly MeanBar[], secondary: string): LinkFigures["legend"] {
  const words: readonly [keyof Palette, string][] = [
    ["n-out", "network out"],
    ["s-work", `${secondary} handling`],
    ["s-disk", `${secondary} log write`],
    ["n-back", "network back"],
    ["p-work", "primary handling"],
  ];
  const least = NAMED_SHARE * Math.max(0, ...bars.map(({ totalUs }) => totalUs));
  const largest = (color: keyof Palette): number =>
    Math.max(
      0,
      ...bars.map(({ pieces }) =>
        pieces.filter((piece) => piece.color === color).reduce((sum, { us }) => sum + us, 0),
      ),
    );
  return words
    .filter(([color]) => largest(color) >= least && least > 0)
    .map(([color, each]) => ({ color, words: each }));
}
