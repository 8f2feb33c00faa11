/** Findings on times that commits wait for: where a time is above its quiet part, or over its limit throughout. */
import { statisticsOf, type Statistics } from "../../numbers/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import type { Aspect } from "../aspect.ts";
import { databaseOverLimit, databaseSlowIn } from "../concerned-database.ts";
import { commitsAround, effectOf, markedRows, totalCommitTime, type Compared } from "../effect.ts";
import type { SlowPeriod } from "../excess.ts";
import { replicaName } from "../paths.ts";
import { plainFinding } from "../plain-finding.ts";
import type { Settings } from "../settings.ts";
import { severityOfLimit, severityOfWindow, worse } from "../severity.ts";
import { extent, mainPeriod, slowRows, slowPeriods, windowOf, type Slow } from "../slow-periods.ts";
import type { Finding } from "../verdict.ts";
import { whenText } from "../when.ts";
import { formatDuration, formatRoughly } from "../../words/words.ts";
import { checkOfPart, largestPartOf, type LargestPart } from "./write-split.ts";

/** A finding with its rank and the periods of its windows. */
export interface Delay {
  readonly finding: Finding;
  readonly aspect: Aspect | null;
  /** Periods of blocks in which it is slow, in the order of time. Empty for an aspect that is slow throughout. */
  readonly stretches: readonly SlowPeriod[];
  /** Slow periods that are not like these. */
  readonly others: readonly SlowPeriod[];
  /** 1 for each block that does not show the usual durations. */
  readonly slow: Uint8Array;
  /** µs that commits waited longer because of it, over the complete capture: ranks findings of one severity. */
  readonly weightUs: number;
  /** The part that takes most of slow log writes; null where it is unknown, absent of other delays. */
  readonly part?: LargestPart | null;
}

/** Delays of the aspects of a capture; each aspect is compared with the time outside of all slow periods of any. */
export function delaysOf(model: CaptureModel, aspects: readonly Aspect[], settings: Settings): Delay[] {
  const found = aspects.map((aspect) => slowPeriods(model, aspect, settings));
  const rows = slowRows(model, found);
  return aspects.flatMap((aspect, i) => {
    if (found[i].told.length > 0)
      return withPart(model, windowed(model, aspect, found[i], rows.besides(found[i]), settings), settings);
    return aspect.passed === null
      ? []
      : withPart(model, throughout(model, aspect, aspect.passed, settings), settings);
  });
}

/** Adds which part of slow log writes takes most of their time. */
function withPart(
  model: CaptureModel,
  delay: Delay & { readonly aspect: Aspect },
  settings: Settings,
): Delay {
  const { aspect, finding, stretches: periods } = delay;
  const part = largestPartOf(model, aspect, periods, settings);
  if (part === null) return delay;
  const check = checkOfPart(part, replicaName(model, aspect.replica));
  return {
    ...delay,
    part,
    finding: {
      ...finding,
      sentence: `${finding.sentence} ${part.sentence}`,
      checkNext: check === null ? finding.checkNext : [check, ...finding.checkNext],
    },
  };
}

function throughout(
  model: CaptureModel,
  aspect: Aspect,
  { severity, sentence, threshold }: NonNullable<Aspect["passed"]>,
  settings: Settings,
): Delay & { readonly aspect: Aspect } {
  const window = { from: model.blocks.time[0] ?? 0, to: model.duration };
  return {
    finding: {
      ...common(aspect),
      severity: severityOfLimit(severity, aspect.share, settings),
      sentence,
      threshold,
      window,
      windows: [window],
      database: databaseOverLimit(model, aspect.figure),
    },
    aspect,
    stretches: [],
    others: [],
    slow: new Uint8Array(model.blocks.length),
    weightUs: (aspect.share || 0) * totalCommitTime(model),
  };
}

function common(aspect: Aspect): Finding {
  const { rule, cause, share, stage, replica, source, checkNext } = aspect;
  return plainFinding(rule, cause, "none", "", {
    share: Number.isFinite(share) ? share : null,
    stage,
    replica,
    source,
    checkNext: [...checkNext],
  });
}

function windowed(
  model: CaptureModel,
  aspect: Aspect,
  { told, others }: Slow,
  slow: Uint8Array,
  settings: Settings,
): Delay & { readonly aspect: Aspect } {
  const main = mainPeriod(told);
  const windows = told.map((period) => windowOf(model, period));
  const commits = commitsAround(
    model,
    told.map(({ rows }) => rows),
    slow,
  );
  const { us, share } = aspect.limit;
  const bySize = severityOfWindow(meanExcess(told), commits, settings);
  const byLimit = aspect.passed ? severityOfLimit(aspect.passed.severity, aspect.share, settings) : "none";
  return {
    finding: {
      ...common(aspect),
      severity: worse(bySize, byLimit),
      sentence: `${whenText(model, windows)} ${comparison(aspect, told, slow)}${commitsText(commits)}.`,
      threshold: `${formatDuration(us)} and ${Math.round(share * 100)} % above the quiet part`,
      window: windowOf(model, main),
      windows,
      effect: effectOf(commits),
      database: databaseSlowIn(model, aspect.time, main.rows, us),
    },
    aspect,
    stretches: told,
    others,
    slow,
    weightUs: [...told, ...others].reduce((sum, each) => sum + extent(each), 0),
  };
}

/** Time that a block of these periods takes longer than usual on average, µs. */
function meanExcess(periods: readonly SlowPeriod[]): number {
  const blocks = periods.reduce((sum, { rows: [first, end] }) => sum + end - first, 0);
  return periods.reduce((sum, each) => sum + extent(each), 0) / blocks;
}

/**
 * `a log write on SQL2 took 150 ms instead of 0.6 ms`: medians, unless only a higher figure is slow.
 * @param slow 1 for each block that does not show the usual durations
 */
export function comparison(
  { figure, time, words }: Pick<Aspect, "figure" | "time" | "words">,
  periods: readonly SlowPeriod[],
  slow: Uint8Array,
): string {
  const meanUs = meanExcess(periods);
  const isInside = markedRows(
    figure.length,
    periods.map(({ rows }) => rows),
  );
  for (const column of [figure, time]) {
    const inside = statisticsOf(column.filter((_, row) => isInside[row] === 1));
    const outside = statisticsOf(column.filter((_, row) => isInside[row] !== 1 && slow[row] !== 1));
    for (const [name, suffix] of FIGURES) {
      const [much, usual] = [inside[name], outside[name]];
      const differs = much - usual >= meanUs / 2 && formatRoughly(much) !== formatRoughly(usual);
      const more = column === time && column !== figure ? ", queue included" : "";
      if (differs)
        return `${words} ${formatRoughly(much)} instead of ${formatRoughly(usual)}${suffix}${more}`;
    }
  }
  return `${words} ${formatRoughly(meanUs)} longer on average`;
}

/** Figures are durations that blocks really took: no block takes the mean over slow and quick ones. */
const FIGURES: readonly (readonly [keyof Statistics, string])[] = [
  ["p50", ""],
  ["p95", " at p95"],
];

function commitsText({ inside, outside }: Compared): string {
  if (!(inside.p95 > outside.p95)) return "";
  return `; commits took ${formatDuration(inside.p95)} instead of ${formatDuration(outside.p95)} (p95)`;
}
