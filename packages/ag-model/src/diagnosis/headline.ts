/** Headline of the verdict: the most severe finding that fired; without one the largest share, as a description. */
import { commitStatistics, replicasApart, stageStatistics } from "../columns/index.ts";
import { statisticsOf } from "../numbers/index.ts";
import { stageName, type StageId } from "../replication/shapes/stages.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import type { Aspect } from "./aspect.ts";
import { withoutOverlap } from "./rules/data-quality.ts";
import { comparison, type Delay } from "./rules/delays.ts";
import type { LargestPart } from "./rules/write-split.ts";
import type { SlowPeriod } from "./excess.ts";
import { isDistance } from "./rules/network.ts";
import { replicaName } from "./paths.ts";
import type { Settings } from "./settings.ts";
import { shareOfHarden } from "./shares.ts";
import { shareInside } from "./slow-periods.ts";
import { sourceTerms } from "./source-terms.ts";
import { slowestOfAnotherCause } from "./slowest-blocks.ts";
import { windowsOf, type Cause, type Finding, type VerdictPlace } from "./verdict.ts";
import { periodOf, whereText } from "./when.ts";
import { formatDuration, formatPercent, formatRoughly, formatTimeOfDay } from "../words/words.ts";

/** The verdict before evidence: the sentence and the finding that it is about. */
export interface Headline {
  readonly sentence: string;
  readonly finding: Finding | null;
  readonly place: VerdictPlace;
  readonly stage: StageId | null;
  readonly checkNext: readonly string[];
  /**
   * The periods of blocks that the sentence names, and 1 for each block that shows nothing of the usual durations.
   */
  readonly stretches: readonly SlowPeriod[];
  readonly slow?: Uint8Array | undefined;
  /** The part that takes most of the slow log writes that the sentence is about. */
  readonly part?: LargestPart | null | undefined;
}

/** A finding in the order of severity; with its delay when it is about time. */
export interface Ranked {
  readonly finding: Finding;
  readonly delay: Delay | null;
}

const nothing = (sentence: string, checkNext: readonly string[] = []): Headline => ({
  sentence,
  finding: null,
  place: "none",
  stage: null,
  checkNext,
  stretches: [],
});

/** The sentence for a capture that shows nothing about commits; null for any other. */
export function cannotTell(model: CaptureModel): Headline | null {
  const words = sourceTerms(model);
  if (model.blocks.length === 0) {
    return nothing(cannotTellBecause(words.noBlock), [words.noBlockCheck]);
  }
  const apart = withoutOverlap(model);
  if (apart && !isAnyTogether(model))
    return nothing(cannotTellBecause(apart.replace(/^The /u, "the ")), words.apartChecks);
  return model.replicas[0].hasCapture ? null : withoutPrimary(model);
}

const cannotTellBecause = (why: string): string => `Can't determine what commits wait for because ${why}`;

/** True when a secondary's file shares time with the primary's. */
function isAnyTogether(model: CaptureModel): boolean {
  const apart = replicasApart(model);
  return model.replicas.slice(1).some((replica) => replica.hasCapture && !apart.includes(replica));
}

/** Only secondaries' events: no commit and no network, but their log writes. */
function withoutPrimary(model: CaptureModel): Headline {
  const writes = model.hops.flatMap((_, s) => {
    const { n, p50, p95 } = stageStatistics(model, s, "secondaryFlush");
    if (n === 0) return [];
    return [
      `${replicaName(model, s + 1)} writes its log in ${formatDuration(p50)} (p50), ${formatDuration(p95)} (p95).`,
    ];
  });
  const { noPrimary, noPrimaryCheck } = sourceTerms(model);
  return nothing([cannotTellBecause(`${noPrimary}.`), ...writes].join(" "), [noPrimaryCheck]);
}

/**
 * The headline of a capture with known commits or blocks.
 * @param ranked its findings, most severe first
 * @param aspects aspects that its commits can wait for
 */
export function chooseHeadline(
  model: CaptureModel,
  ranked: readonly Ranked[],
  aspects: readonly Aspect[],
  settings: Settings,
): Headline {
  const { p95 } = commitStatistics(model);
  const fired = ranked.filter(({ finding }) => finding.severity !== "none");
  const [first] = fired;
  if (first === undefined) {
    const isSlow = p95 >= settings.commitP95Us;
    const replica = ranked.find(
      ({ finding }) => WITHOUT_COMMITS.has(finding.cause) && finding.window !== null,
    );
    if (replica !== undefined)
      return aboutReplica(replica.finding, isSlow ? largestPart(model, aspects) : commitsAreFine(p95));
    return isSlow ? largestPart(model, aspects) : commitsAreFine(p95);
  }
  const companion = first.delay?.aspect?.isOwn ? null : companionOf(first, fired);
  const start = p95 < settings.commitP95Us ? `${commitsFinish(p95)} ` : "";
  const also = companion ? ` At the same time ${companionText(companion)}.` : partSeen(first, fired);
  return {
    sentence: `${start}${sentenceOf(model, first)}${also}`,
    finding: first.finding,
    place: placeOf(first),
    stage: first.finding.stage,
    checkNext: checksOf(model, first, companion),
    stretches: first.delay?.stretches ?? [],
    slow: first.delay?.slow,
    part: first.delay?.part,
  };
}

const commitsFinish = (p95: number): string => `Commits finish in ${formatDuration(p95)} (p95).`;

/** Findings of a replica that no commit waits for: without a severity, and still what the capture shows. */
const WITHOUT_COMMITS: ReadonlySet<Cause> = new Set<Cause>(["replica_away", "async_lag"]);

/** Puts the sentence about commits first, then the replica that no commit waits for. */
const aboutReplica = (finding: Finding, commits: Headline): Headline => ({
  ...commits,
  sentence: `${commits.sentence.replace(` ${NOTHING_STANDS_OUT}`, "")} ${finding.sentence}`,
  finding,
  checkNext: [...commits.checkNext, ...finding.checkNext],
});

const NOTHING_STANDS_OUT = "No stage stands out.";

function commitsAreFine(p95: number): Headline {
  if (Number.isNaN(p95)) return nothing(`${NOTHING_STANDS_OUT} No commit is known.`);
  return nothing(`${commitsFinish(p95)} ${NOTHING_STANDS_OUT}`);
}

function placeOf({ finding, delay }: Ranked): VerdictPlace {
  if (delay?.aspect) return delay.aspect.place;
  return finding.cause === "flow_control" ? "primary" : "none";
}

/** A second cause of the same severity, in the same time, that takes at least a quarter of the first one's time. */
function companionOf(first: Ranked, fired: readonly Ranked[]): Ranked | null {
  const { delay } = first;
  if (!delay) return null;
  return (
    fired.find(
      (other) =>
        other.delay !== null &&
        other.delay.stretches.length > 0 &&
        other.finding.cause !== first.finding.cause &&
        other.delay.weightUs >= delay.weightUs / 4 &&
        isMeanwhile(first.finding, other.finding),
    ) ?? null
  );
}

const isMeanwhile = (finding: Finding, other: Finding): boolean =>
  windowsOf(finding).some((a) =>
    windowsOf(other).some((b) => Math.min(a.to, b.to) > Math.max(a.from, b.from)),
  );

const companionText = ({ delay, finding }: Ranked): string =>
  delay?.aspect
    ? comparison(delay.aspect, delay.stretches, delay.slow)
    : lowerFirst(finding.sentence).replace(/\.$/u, "");

/** Findings from a secondary's remaining events, for a time of which most of its events are missing. */
function partSeen({ finding, delay }: Ranked, fired: readonly Ranked[]): string {
  if (!delay?.aspect?.isOwn) return "";
  const shown = fired.filter(
    (other) =>
      other.finding !== finding &&
      other.finding.replica === finding.replica &&
      isMeanwhile(finding, other.finding),
  );
  const texts = shown.filter((other) => (other.delay?.stretches.length ?? 0) > 0).map(companionText);
  return texts.length === 0 ? "" : ` In the rest ${texts.join(", and ")}.`;
}

function sentenceOf(model: CaptureModel, { finding, delay }: Ranked): string {
  const aspect = delay?.aspect;
  if (!delay || !aspect) return finding.sentence;
  if (aspect.cause === "data_quality") return unsplitText(model, aspect, delay);
  if (aspect.path === null || aspect.parts.length === 0) return finding.sentence;
  const share = shareOfHarden(model, aspect.path.secondary, aspect.parts);
  if (Number.isNaN(share) || isSmallPart(aspect, delay)) return finding.sentence;
  const part = delay.part ? ` ${delay.part.sentence}` : "";
  return `${subjectOf(model, aspect)} ${formatPercent(share)} of remote harden time. ${detailOf(model, aspect, delay)}${part}`;
}

/** If its windows contain only a small part of a time, its share of the path does not describe them. */
const isSmallPart = (aspect: Aspect, { stretches: periods }: Delay): boolean =>
  periods.length > 0 && shareInside(aspect, periods) < LEAST_PART;

const LEAST_PART = 0.1;

function unsplitText(model: CaptureModel, aspect: Aspect, delay: Delay): string {
  const isComplete = aspect.isOwn === undefined;
  const { hasCapture } = model.replicas[aspect.replica];
  const why = sourceTerms(model).unsplit(replicaName(model, aspect.replica), isComplete, hasCapture);
  return `${delay.finding.sentence} ${why}`;
}

function subjectOf(model: CaptureModel, { cause, stage, replica }: Aspect): string {
  const name = replicaName(model, replica);
  switch (cause) {
    case "network":
      return `The network to ${name} takes`;
    case "primary_disk":
    case "secondary_disk":
      return `The log write on ${name} takes`;
    case "secondary_cpu":
      return `${name} outside its log write takes`;
    case "primary_ack":
      return `Acknowledgment and wake-up on ${name} takes`;
    case "group_commit":
      return "The group commit wait takes";
    case "compression":
      return stage === "compression" ? `Compression for ${name} takes` : `Decompression on ${name} takes`;
    case "data_quality":
      return `The network and ${name} together take`;
    default:
      return `Capture and send for ${name} takes`;
  }
}

/** Text after the share: the period it falls into, or how it is spread over the capture. */
function detailOf(model: CaptureModel, aspect: Aspect, delay: Delay): string {
  const { stretches: periods, slow, finding } = delay;
  if (periods.length > 0) {
    const inside = formatPercent(shareInside(aspect, periods));
    return `${inside} of that falls ${whereText(model, windowsOf(finding))}, when ${comparison(aspect, periods, slow)}.`;
  }
  if (aspect.stage === "networkRoundTrip") {
    const { p50 } = stageStatistics(model, aspect.path!.secondary, "networkRoundTrip");
    return isDistance(model, aspect.path!)
      ? `The round trip is ${formatRoughly(p50)} throughout: that is distance.`
      : `The round trip is ${formatRoughly(p50)} at p50.`;
  }
  const { p50, p95 } = statisticsOf(aspect.figure);
  return `It takes ${formatDuration(p50)} at p50 and ${formatDuration(p95)} at p95.`;
}

/**
 * The finding's checks, with its time on the first; the first check of a companion second; slow blocks of another cause
 * last.
 */
function checksOf(model: CaptureModel, first: Ranked, companion: Ranked | null): string[] {
  const [one, two, three] = first.finding.checkNext;
  const isWindowed = (first.delay?.stretches.length ?? 0) > 0;
  // The check for a missing file has no time: the file is searched, not measured.
  const isFile = first.finding.cause === "data_quality";
  const at = first.finding.window?.from;
  const when = isWindowed && !isFile && at !== undefined ? ` at ${formatTimeOfDay(model.origin, at)}` : "";
  const again = regularCheck(model, first.finding);
  const others = [two, three];
  const checks = companion
    ? [companion.finding.checkNext[0], again ?? two]
    : again === null
      ? others
      : [again, ...others];
  const aspect = first.delay?.aspect;
  const other = aspect?.path && !companion ? slowestOfAnotherCause(model, aspect.path, aspect.stage) : null;
  return [one && `${one}${when}`, checks[0], other ?? checks[1]].filter((check) => check !== undefined);
}

const DISKS: ReadonlySet<Cause> = new Set<Cause>(["primary_disk", "secondary_disk"]);

/**
 * A disk that is slow at regular times is read or written by a job that runs at those times; null for any other
 * finding.
 */
function regularCheck(model: CaptureModel, finding: Finding): string | null {
  const us = DISKS.has(finding.cause) ? periodOf(windowsOf(finding)) : null;
  if (us === null || finding.replica === null) return null;
  const name = replicaName(model, finding.replica);
  return `Find log backups, checkpoints and jobs on ${name} that run every ${formatRoughly(us)}`;
}

/** Commits are slow and no rule fired: the largest part of them. */
function largestPart(model: CaptureModel, aspects: readonly Aspect[]): Headline {
  const { p95 } = commitStatistics(model);
  const start = `Commits take ${formatDuration(p95)} (p95), and no stage is over its limit.`;
  const largest = aspects
    .filter(({ share }) => share > 0)
    .reduce<Aspect | null>((most, each) => (most === null || each.share > most.share ? each : most), null);
  if (largest === null) return nothing(start);
  const stage = stageName(largest.stage, { primary: "primary", secondary: "secondary" });
  return {
    ...nothing(`${start} ${subjectOf(model, largest)} ${formatPercent(largest.share)} of commit latency.`, [
      `Open the ${stage} in the timeline`,
    ]),
    stage: largest.stage,
  };
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
