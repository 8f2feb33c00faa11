import {
  countObtained,
  isOnPrimary,
  isOnSecondary,
  replicasApart,
  stageStatistics,
} from "../../columns/index.ts";
import { hasCoarseTimes, type CaptureModel } from "../../replication/shapes/tables.ts";
import { pathsOf, replicaName } from "../paths.ts";
import { blocksWithin, lossesOf } from "./loss.ts";
import { plainFinding } from "../plain-finding.ts";
import { sourceTerms } from "../source-terms.ts";
import type { Settings } from "../settings.ts";
import { blocksNotArrived, blocksOfBefore } from "./under-way.ts";
import { unsentBlocks } from "./unsent.ts";
import type { Finding, Severity } from "../verdict.ts";
import { formatCount, formatDuration, formatPercent } from "../../words/words.ts";

/** D13: how far the figures can be trusted. */
export function dataQualityRules(model: CaptureModel, settings: Settings): Finding[] {
  return [
    ...withoutCounter(model),
    ...overlap(model),
    ...unmatched(model, settings),
    ...model.clocks.flatMap((_, i) => clockQuality(model, i)),
    ...fallbacks(model, settings),
    ...damage(model),
  ];
}

const finding = (
  model: CaptureModel,
  severity: Severity,
  sentence: string,
  threshold: string,
  replica: number | null = null,
): Finding =>
  plainFinding("D13", "data_quality", severity, sentence, {
    replica,
    threshold,
    source: "AG Lens default",
    checkNext: [...sourceTerms(model).qualityChecks],
  });

/** Names the replicas whose files share no time with the primary's; null when all do. */
export function withoutOverlap(model: CaptureModel): string | null {
  const [primary] = model.replicas;
  const sentences = replicasApart(model).map(({ name, from, to }) => {
    const isBefore = to <= primary.from;
    const distance = formatDuration(isBefore ? primary.from - to : from - primary.to);
    return sourceTerms(model).apart({ name, primary: primary.name, distance, isBefore });
  });
  return sentences.join(" ") || null;
}

/** Finding for engines before 2014 SP2: the facts that are known about them. */
function withoutCounter(model: CaptureModel): Finding[] {
  if (!hasCoarseTimes(model)) return [];
  const writes = [
    { replica: 0, ...stageStatistics(model, 0, "localFlush") },
    ...pathsOf(model).map(({ replica, secondary }) => ({
      replica,
      ...stageStatistics(model, secondary, "secondaryFlush"),
    })),
  ]
    .filter(({ n }) => n > 0)
    .map(
      ({ replica, p50, p95 }) =>
        `${replicaName(model, replica)} ${formatDuration(p50)} (p50), ${formatDuration(p95)} (p95)`,
    );
  const known = writes.length > 0 ? ` Log writes: ${writes.join("; ")}.` : "";
  const sentence = `These events have no start_timestamp, so that durations are as coarse as UTC and the network is not split.${known}`;
  return [
    plainFinding("D13", "no_start_timestamp", "notice", sentence, {
      threshold: "no start_timestamp",
      source: "Microsoft: KB3173156",
      checkNext: ["Install SQL Server 2014 SP2, 2016 SP1, 2017 or later for the times of each step"],
    }),
  ];
}

function overlap(model: CaptureModel): Finding[] {
  const apart = withoutOverlap(model);
  return apart ? [finding(model, "notice", apart, "no common time")] : [];
}

/**
 * Counts blocks in one replica's file only, in the time for which both have events: outside of it they are expected.
 */
function unmatched(model: CaptureModel, settings: Settings): Finding[] {
  const [primary, ...secondaries] = model.replicas;
  const { time, length } = model.blocks;
  return model.hops.flatMap((_, secondary) => {
    const other = secondaries[secondary];
    if (!primary.hasCapture || !other.hasCapture) return [];
    const [from, to] = [Math.max(primary.from, other.from), Math.min(primary.to, other.to)];
    // D15 reports that these have no event left.
    const holes = lossesOf(model)
      .filter(({ replica }) => replica === 0 || replica === secondary + 1)
      .flatMap(({ stretches: periods }) => periods);
    const isInHole = blocksWithin(time, holes);
    const others = [
      isInHole,
      unsentBlocks(model, secondary),
      blocksNotArrived(model, secondary),
      blocksOfBefore(model),
    ];
    let common = 0;
    let lost = 0;
    for (let row = 0; row < length; row++) {
      if (!(time[row] >= from && time[row] <= to) || others.some((marks) => marks?.[row] === 1)) continue;
      common++;
      if (isOnPrimary(model, row) !== isOnSecondary(model, secondary, row)) lost++;
    }
    if (lost <= settings.unmatchedShare * common) return [];
    const where = sourceTerms(model).unmatched(replicaName(model, 0), replicaName(model, secondary + 1));
    const sentence = `${formatCount(lost)} of ${formatCount(common)} log blocks ${where}.`;
    return [
      finding(
        model,
        "notice",
        sentence,
        `over ${formatPercent(settings.unmatchedShare)} of blocks`,
        secondary + 1,
      ),
    ];
  });
}

function clockQuality(model: CaptureModel, index: number): Finding[] {
  const clock = model.clocks[index];
  const name = replicaName(model, clock.secondary + 1);
  if (hasCoarseTimes(model)) return [];
  // A missing file does not make a clock doubtful; the capture's warnings report it.
  if (!model.replicas[0].hasCapture || !model.replicas[clock.secondary + 1].hasCapture) return [];
  if (clock.status !== "cannotAlign") return [];
  const sentence = `Can't align the clock of ${name}: ${clock.reason}`;
  return [finding(model, "notice", sentence, "no clock", clock.secondary + 1)];
}

function fallbacks(model: CaptureModel, settings: Settings): Finding[] {
  const { known, fallback } = countObtained(model);
  if (fallback <= settings.fallbackShare * known) return [];
  const share = formatPercent(fallback / known);
  return [
    finding(
      model,
      "notice",
      `${share} of the timestamps are estimated, because their events are missing.`,
      `over ${formatPercent(settings.fallbackShare)} of timestamps`,
    ),
  ];
}

function damage(model: CaptureModel): Finding[] {
  const damaged = model.files.filter((file) => file.gaps.length > 0);
  if (damaged.length === 0) return [];
  const names = damaged.map((file) => file.name).join(", ");
  return [finding(model, "notice", `Can't read part of ${names}: its events are missing.`, "any damage")];
}
