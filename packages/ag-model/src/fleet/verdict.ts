/** The sentence over the captures of a group: which stage has changed, by how much and since when, and whether commits follow. */
import { formatDuration, formatLongDay, plural } from "../words/words.ts";
import { changeAt, comparableColumns, largerWay, LEAST_COLUMNS, type Change } from "./change.ts";
import { fleetLaneCheck, fleetLaneName, fleetLaneTakes, type FleetSeries } from "./lanes.ts";

/** A series with the change that the rule found; null without a change. */
export type JudgedSeries = FleetSeries & { readonly change: Change | null };

export interface FleetVerdict {
  /** The answer. */
  readonly sentence: string;
  /** Consequences, in sentences; empty where there is nothing to add. */
  readonly rest: string;
  readonly checkNext: string[];
  /** Whether its subject takes longer than before. */
  readonly isWorse: boolean;
  /** First column since the change that it is about; null without one. */
  readonly from: number | null;
  /** Which of the series it is about; null where none has changed. */
  readonly lane: number | null;
}

/** Name of the columns' unit. */
export type ColumnUnit = "night" | "week";

/** Changes of several stages that begin so near to each other are one. */
const TOGETHER = 2;
/** A stage has not moved when it changed by less. */
const MOVED = 1.1;

/**
 * @param group as it is called
 * @param days first UTC day of each column, ISO 8601
 */
export function fleetVerdict(
  series: readonly JudgedSeries[],
  group: string,
  days: readonly string[],
  unit: ColumnUnit,
): FleetVerdict {
  const main = mainChange(series);
  if (main !== null) return ofChange(main, series, days);
  const plain = { checkNext: [], isWorse: false, from: null, lane: null };
  const commit = series.find(({ stage }) => stage === "commit");
  const columns = commit === undefined ? 0 : comparableColumns(commit.p95);
  if (columns < LEAST_COLUMNS) {
    return {
      ...plain,
      sentence: `Too few to compare: ${plural(columns, `# ${unit}`)}.`,
      rest: `AG Lens looks for a change from ${LEAST_COLUMNS} on, without captures that have an episode.`,
    };
  }
  return {
    ...plain,
    sentence: `No stage of ${group} has changed over ${plural(columns, `# ${unit}`)}.`,
    rest: "",
  };
}

type Changed = FleetSeries & { readonly change: Change };

const isChanged = (series: JudgedSeries): series is Changed => series.change !== null;

/**
 * Returns the change that the verdict is about. A stage that takes longer is before one that takes less, a stage before
 * commits, which depend on it, a stage that commits wait for before the rest, and then the largest change in µs.
 */
function mainChange(series: readonly JudgedSeries[]): Changed | null {
  const rank = (each: Changed): readonly number[] => [
    Number(each.change.factor < 1),
    Number(each.isAsynchronous),
    Number(each.stage === "commit"),
    -Math.abs(each.change.since - each.change.before),
  ];
  return series.filter(isChanged).toSorted((a, b) => compared(rank(a), rank(b)))[0] ?? null;
}

function compared(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at === -1 ? 0 : a[at] - b[at];
}

function ofChange(main: Changed, series: readonly JudgedSeries[], days: readonly string[]): FleetVerdict {
  const { change } = main;
  const since = formatLongDay(days[change.from]);
  const isWorse = change.factor > 1;
  const took = isWorse
    ? `${factorText(change.factor)} times as long since ${since}.`
    : `${formatDuration(change.since)} instead of ${formatDuration(change.before)} since ${since}.`;
  const others = series.filter((each) => each !== main && each.stage !== "commit");
  return {
    sentence: `${fleetLaneTakes(main)} ${took}`,
    rest: [...commitWords(main, series), ...otherWords(main, others, days)].join(" "),
    checkNext: isWorse ? [`Look for changes of ${fleetLaneCheck(main)} ${between(main, days)}`] : [],
    isWorse,
    from: change.from,
    lane: series.findIndex(({ change }) => change === main.change),
  };
}

/** Between the last capture before and the first since. */
function between({ p95, change }: Changed, days: readonly string[]): string {
  const before = p95.subarray(0, change.from).findLastIndex(Number.isFinite);
  const [last, first] = [formatLongDay(days[before]), formatLongDay(days[change.from])];
  const isOneMonth = last.split(" ")[1] === first.split(" ")[1];
  return `between ${isOneMonth ? last.split(" ")[0] : last} and ${first}`;
}

/** Whether commits changed with the stage; empty where commits are the verdict's subject. */
function commitWords(main: Changed, series: readonly JudgedSeries[]): string[] {
  const commit = series.find(({ stage }) => stage === "commit");
  if (commit === undefined || commit === main) return [];
  const both = changeAt(commit.p95, main.change.from);
  if (both === null) return [];
  const figures = `p95 ${formatDuration(both.before)} before, ${formatDuration(both.since)} since.`;
  const follows =
    commit.change !== null &&
    Math.abs(commit.change.from - main.change.from) <= TOGETHER &&
    commit.change.factor > 1 === main.change.factor > 1;
  return [`${follows ? "Commits follow" : "Commits do not follow"}: ${figures}`];
}

/** The other stages: those that have changed too, and how far the rest did. */
function otherWords(main: Changed, others: readonly JudgedSeries[], days: readonly string[]): string[] {
  const changed = others.filter(isChanged);
  const also = changed.map((each) => {
    const { factor, from } = each.change;
    const when = Math.abs(from - main.change.from) <= TOGETHER ? "" : ` since ${formatLongDay(days[from])}`;
    return `${fleetLaneName(each)} ${factorSign(factor)}${when}`;
  });
  const rest = others
    .filter(({ change }) => change === null)
    .map(({ p95 }) => changeAt(p95, main.change.from)?.factor ?? 1);
  const sentences = also.length === 0 ? [] : [`Also changed: ${also.join(", ")}.`];
  if (rest.length === 0) return sentences;
  const most = rest.reduce((a, b) => (largerWay(b) > largerWay(a) ? b : a));
  return [
    ...sentences,
    largerWay(most) < MOVED
      ? "No other stage moved by 10\u00A0%."
      : `The others moved by ${factorSign(most)} at most, which is not marked.`,
  ];
}

/** Two digits and a decimal below ten: `2.8`, `12`. */
const factorText = (factor: number): string => (factor < 9.95 ? factor.toFixed(1) : factor.toFixed(0));

/** `× 2.8`, and `÷ 1.8` for a time that became shorter. */
const factorSign = (factor: number): string =>
  `${factor < 1 ? "÷" : "×"}\u00A0${factorText(largerWay(factor))}`;
