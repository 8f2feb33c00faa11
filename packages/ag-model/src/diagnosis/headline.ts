/** What the verdict says first: the most severe finding that fired; without one the largest share, as a description. */
import { commitStatistics, replicasApart, stageStatistics } from "../columns/index.ts";
import { statisticsOf } from "../numbers/index.ts";
import { stageDefinition, type StageId } from "../replication/stages.ts";
import type { CaptureModel } from "../replication/tables.ts";
import type { Aspect } from "./aspect.ts";
import { withoutOverlap } from "./data-quality.ts";
import { clockTimes, comparison, windowOf, type Delay } from "./delays.ts";
import type { SlowStretch } from "./excess.ts";
import { isDistance } from "./network.ts";
import { replicaName } from "./paths.ts";
import { releasesOf } from "./releases.ts";
import type { Settings } from "./settings.ts";
import { largestRemotePart, REMOTE_PARTS, shareOfHarden } from "./shares.ts";
import { sourceWords } from "./source-words.ts";
import { slowestOfAnotherCause } from "./slowest-blocks.ts";
import type { Finding, VerdictPlace } from "./verdict.ts";
import { formatDuration, formatPart, formatPercent, formatRoughly, formatTimeOfDay } from "../words/words.ts";

/** The verdict before evidence: what to say and the finding that it is about. */
export interface Headline {
  readonly sentence: string;
  readonly finding: Finding | null;
  readonly place: VerdictPlace;
  readonly stage: StageId | null;
  readonly checkNext: readonly string[];
  /** The stretch of blocks that the sentence names. */
  readonly stretch: SlowStretch | null;
}

/** A finding in the order of severity; with the delay behind it when it is one of time. */
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
  stretch: null,
});

/** A capture about which nothing can be said of commits, in a sentence; null for any other. */
export function cannotTell(model: CaptureModel): Headline | null {
  const words = sourceWords(model);
  if (model.blocks.length === 0) {
    return nothing(words.noBlock, [words.noBlockCheck]);
  }
  const apart = withoutOverlap(model);
  if (apart && !isAnyTogether(model)) return nothing(`Cannot tell: ${apart}`, words.apartChecks);
  return model.replicas[0].hasCapture ? null : withoutPrimary(model);
}

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
  const { noPrimary, noPrimaryCheck } = sourceWords(model);
  const start = `Cannot tell what commits wait for: ${noPrimary}.`;
  return nothing([start, ...writes].join(" "), [noPrimaryCheck]);
}

/** The headline of a capture of which something is known; `ranked` are its findings, most severe first. */
export function chooseHeadline(model: CaptureModel, ranked: readonly Ranked[], settings: Settings): Headline {
  const { p95 } = commitStatistics(model);
  const fired = ranked.filter(({ finding }) => finding.severity !== "none");
  const [first] = fired;
  if (first === undefined) return p95 >= settings.commitP95Us ? largestShare(model) : commitsAreFine(p95);
  const companion = first.delay?.aspect?.isOwn ? null : companionOf(first, fired);
  const start = p95 < settings.commitP95Us ? `${commitsFinish(p95)} ` : "";
  const stretch = first.delay?.stretches[0] ?? null;
  const also = companion ? ` At the same time ${companionText(companion)}.` : partSeen(first, fired);
  return {
    sentence: `${start}${sentenceOf(model, first)}${also}`,
    finding: first.finding,
    place: placeOf(first),
    stage: first.finding.stage,
    checkNext: checksOf(model, first, companion),
    stretch,
  };
}

const commitsFinish = (p95: number): string => `Commits finish in ${formatDuration(p95)} (p95).`;

function commitsAreFine(p95: number): Headline {
  if (Number.isNaN(p95)) return nothing("No stage stands out. No commit is known.");
  return nothing(`${commitsFinish(p95)} No stage stands out.`);
}

function placeOf({ finding, delay }: Ranked): VerdictPlace {
  if (delay?.aspect) return delay.aspect.place;
  return finding.cause === "flow_control" ? "primary" : "none";
}

/** A second cause of the same severity, in the same time, that takes at least a quarter of what the first one does. */
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

const isMeanwhile = ({ window: a }: Finding, { window: b }: Finding): boolean =>
  a !== null && b !== null && Math.min(a.to, b.to) > Math.max(a.from, b.from);

const companionText = ({ delay, finding }: Ranked): string =>
  delay?.aspect
    ? comparison(delay.aspect, delay.stretches[0])
    : lowerFirst(finding.sentence).replace(/\.$/u, "");

/** What a secondary's events show of a time of which most of its events are not at hand. */
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
  if (Number.isNaN(share)) return finding.sentence;
  return `${subjectOf(model, aspect)} ${formatPercent(share)} of remote harden time. ${detailOf(model, aspect, delay)}`;
}

function unsplitText(model: CaptureModel, aspect: Aspect, delay: Delay): string {
  const isWhole = aspect.isOwn === undefined;
  const why = sourceWords(model).unsplit(replicaName(model, aspect.replica), isWhole);
  if (aspect.passed === null) return `${delay.finding.sentence} ${why}`;
  const when = delay.stretches.length > 0 ? ` ${detailOf(model, aspect, delay)}` : "";
  return `${aspect.passed.sentence}${when} ${why}`;
}

function subjectOf(model: CaptureModel, { stage, replica }: Pick<Aspect, "stage" | "replica">): string {
  const name = replicaName(model, replica);
  switch (stage) {
    case "networkRoundTrip":
      return `The network to ${name} takes`;
    case "secondaryFlush":
      return `The log write on ${name} takes`;
    case "secondaryAppend":
      return `${name} outside its log write takes`;
    case "ackReceive":
      return `Acting on acknowledgements of ${name} takes`;
    default:
      return `Capture and send for ${name} takes`;
  }
}

/** What follows the share: the stretch it falls into, or how it is spread over the capture. */
function detailOf(model: CaptureModel, aspect: Aspect, delay: Delay): string {
  const [main] = delay.stretches;
  if (main) {
    const inside = formatPercent(shareInside(aspect, main));
    return `${inside} of that falls between ${clockTimes(model, windowOf(model, main))}, when ${comparison(aspect, main)}.`;
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

function shareInside({ figure }: Aspect, { rows }: SlowStretch): number {
  const total = (values: Float64Array): number => values.reduce((sum, us) => sum + (us || 0), 0);
  return total(figure.subarray(...rows)) / total(figure);
}

/** The finding's checks, with its time on the first; a companion's first one second; slow blocks of another cause last. */
function checksOf(model: CaptureModel, first: Ranked, companion: Ranked | null): string[] {
  const [one, two, three] = first.finding.checkNext;
  const main = first.delay?.stretches[0];
  // A file that is missing is looked for, not measured at a time.
  const isFile = first.finding.cause === "data_quality";
  const when = main && !isFile ? ` at ${formatTimeOfDay(model.origin, windowOf(model, main).from)}` : "";
  const checks = companion ? [companion.finding.checkNext[0], two] : [two, three];
  const aspect = first.delay?.aspect;
  const other = aspect?.path && !companion ? slowestOfAnotherCause(model, aspect.path, aspect.stage) : null;
  return [one && `${one}${when}`, checks[0], other ?? checks[1]].filter((check) => check !== undefined);
}

/** Commits are slow and no rule fired: the largest part of what released most of them. */
function largestShare(model: CaptureModel): Headline {
  const { gates, known, most } = releasesOf(model);
  const { p95 } = commitStatistics(model);
  const start = `Commits take ${formatDuration(p95)} (p95), and no stage is over its limit.`;
  const described = (stage: StageId, rest: string): Headline => ({
    ...nothing(`${start} ${rest}`),
    stage,
    checkNext: [
      `${stageDefinition(stage).label.replace("{P}", "primary").replace("{S}", "secondary")} in the timeline`,
    ],
  });
  const queue = stageStatistics(model, 0, "commitQueue");
  const ofQueue = (): Headline =>
    described(
      "commitQueue",
      `The largest part is the commit queue, ${formatDuration(queue.mean)} on average.`,
    );
  if (known === 0 || most === 0) {
    const write = stageStatistics(model, 0, "localFlush");
    if (queue.mean > write.mean) return ofQueue();
    const share = known > 0 ? ` releases ${formatPart(gates[0] / known)} of them and` : "";
    return described(
      "localFlush",
      `The log write on ${replicaName(model, 0)}${share} takes ${formatDuration(write.p95)} (p95).`,
    );
  }
  const secondary = most - 1;
  const part = largestRemotePart(model, secondary);
  if (part === null) {
    const { mean } = stageStatistics(model, secondary, "remoteHarden");
    return queue.mean > mean ? ofQueue() : nothing(start);
  }
  const stage = STAGE_OF_PART[part];
  const share = shareOfHarden(model, secondary, REMOTE_PARTS[part]);
  return described(
    stage,
    `${subjectOf(model, { stage, replica: most })} ${formatPercent(share)} of remote harden time.`,
  );
}

const STAGE_OF_PART = {
  network: "networkRoundTrip",
  secondary_disk: "secondaryFlush",
  send: "send",
  secondary_cpu: "secondaryAppend",
  primary_ack: "ackReceive",
} as const satisfies Record<string, StageId>;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
