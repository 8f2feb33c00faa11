/** Findings on what commits wait for: where a time is above its quiet part, or over its limit throughout. */
import { statisticsOf, type Statistics } from "../numbers/index.ts";
import type { CaptureModel } from "../replication/tables.ts";
import type { Aspect } from "./aspect.ts";
import { databaseOverLimit, databaseSlowIn } from "./concerned-database.ts";
import { commitsAround, effectOf, totalCommitTime, type Compared } from "./effect.ts";
import { excessesOf, type SlowStretch } from "./excess.ts";
import { plainFinding } from "./plain-finding.ts";
import type { Settings } from "./settings.ts";
import { severityOfLimit, severityOfWindow, worse } from "./severity.ts";
import type { Finding, Window } from "./verdict.ts";
import { formatDuration, formatRoughly, formatTimesOfDay } from "../words/words.ts";

/** A finding with what ranks it and what its window is made of. */
export interface Delay {
  readonly finding: Finding;
  readonly aspect: Aspect | null;
  /** Stretches of blocks in which it is slow; the first one has most of the time. Empty for one that is slow throughout. */
  readonly stretches: readonly SlowStretch[];
  /** µs that commits waited longer by it, over the whole capture: ranks findings of one severity. */
  readonly weightUs: number;
}

/** What an aspect has to report; null when it is healthy. */
export function delayOf(model: CaptureModel, aspect: Aspect, settings: Settings): Delay | null {
  const least = settings.windowShare * (totalCommitTime(model) || totalOf(aspect.time));
  const stretches = excessesOf(model.blocks.time, aspect.time, aspect.limit, settings)
    .filter((stretch) => !(extent(stretch) < least) && (aspect.isOwn?.(stretch.rows) ?? true))
    .sort((a, b) => extent(b) - extent(a));
  const [main] = stretches;
  if (main) return windowed(model, aspect, stretches, settings);
  if (aspect.passed === null) return null;
  const { sentence, threshold } = aspect.passed;
  const severity = severityOfLimit(aspect.passed.severity, aspect.share, settings);
  const whole = { from: model.blocks.time[0] ?? 0, to: model.duration };
  return {
    finding: {
      ...common(aspect),
      severity,
      sentence,
      threshold,
      window: whole,
      database: databaseOverLimit(model, aspect.figure),
    },
    aspect,
    stretches: [],
    weightUs: (aspect.share || 0) * totalCommitTime(model),
  };
}

/** Where no commit is known a time is measured by itself. */
const totalOf = (column: Float64Array): number => column.reduce((sum, us) => sum + (us || 0), 0);

const extent = ({ meanUs, rows }: SlowStretch): number => meanUs * (rows[1] - rows[0]);

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
  stretches: readonly SlowStretch[],
  settings: Settings,
): Delay {
  const [main] = stretches;
  const window = windowOf(model, main);
  const commits = commitsAround(model, main.rows);
  const { us, share } = aspect.limit;
  const bySize = severityOfWindow(main.meanUs, commits, settings);
  const byLimit = aspect.passed ? severityOfLimit(aspect.passed.severity, aspect.share, settings) : "none";
  return {
    finding: {
      ...common(aspect),
      severity: worse(bySize, byLimit),
      sentence: `Between ${clockTimes(model, window)} ${comparison(aspect, main)}${commitsText(commits)}.`,
      threshold: `${formatDuration(us)} and ${Math.round(share * 100)} % above the quiet part`,
      window,
      effect: effectOf(commits),
      database: databaseSlowIn(model, aspect.time, main.rows, us),
    },
    aspect,
    stretches,
    weightUs: stretches.reduce((sum, each) => sum + extent(each), 0),
  };
}

export function windowOf(model: CaptureModel, { rows: [first, end] }: Pick<SlowStretch, "rows">): Window {
  return { from: model.blocks.time[first], to: model.blocks.timeEnd[end - 1] };
}

/** `02:17:28 and 02:18:04`, UTC, with as many digits as it takes to tell the two apart. */
export const clockTimes = (model: CaptureModel, { from, to }: Window): string =>
  formatTimesOfDay(model.origin, from, to).join(" and ");

/** `a log write on SQL2 took 150 ms instead of 0.6 ms`: medians, unless only a higher figure is slow. */
export function comparison({ figure, time, words }: Aspect, { rows, meanUs }: SlowStretch): string {
  for (const column of [figure, time]) {
    const inside = statisticsOf(column.subarray(...rows));
    const outside = statisticsOf(column.filter((_, row) => row < rows[0] || row >= rows[1]));
    for (const [name, suffix] of FIGURES) {
      const [slow, quiet] = [inside[name], outside[name]];
      const differs = slow - quiet >= meanUs / 2 && formatRoughly(slow) !== formatRoughly(quiet);
      const more = column === time && column !== figure ? ", queue included" : "";
      if (differs)
        return `${words} ${formatRoughly(slow)} instead of ${formatRoughly(quiet)}${suffix}${more}`;
    }
  }
  return `${words} ${formatRoughly(meanUs)} longer on average`;
}

const FIGURES: readonly (readonly [keyof Statistics, string])[] = [
  ["p50", ""],
  ["mean", " on average"],
  ["p95", " at p95"],
];

function commitsText({ inside, outside }: Compared): string {
  if (!(inside.p95 > outside.p95)) return "";
  return `; commits took ${formatDuration(inside.p95)} instead of ${formatDuration(outside.p95)} (p95)`;
}
