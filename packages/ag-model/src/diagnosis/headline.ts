import { commitLatencies, stageColumn, stageStatistics } from "../columns/index.ts";
import { statisticsOf } from "../numbers/index.ts";
import { stageDefinition, type StageId } from "../replication/stages.ts";
import type { CaptureModel } from "../replication/tables.ts";
import {
  aspectColumn,
  largestAspect,
  replicaName,
  REMOTE_ASPECTS,
  shareOf,
  statisticsWhere,
  UNSPLIT,
  type Aspect,
} from "./aspects.ts";
import { withoutOverlap } from "./data-quality-rules.ts";
import type { FoundEpisode } from "./episodes.ts";
import { isDistance } from "./network-rules.ts";
import { releasesOf } from "./releases.ts";
import type { Settings } from "./settings.ts";
import type { Finding, Severity, VerdictPlace } from "./verdict.ts";
import {
  formatCount,
  formatDuration,
  formatPercent,
  formatRoughly,
  formatTimeOfDay,
} from "../words/words.ts";

/** The verdict before evidence: what to say and what it is about. */
export interface Headline {
  readonly sentence: string;
  readonly severity: Severity;
  readonly place: VerdictPlace;
  readonly stage: StageId | null;
  readonly secondary: number | null;
  readonly checkNext: readonly string[];
  /** The stretch of time that the sentence names. */
  readonly episode: FoundEpisode | null;
  /** A finding that only the headline knows (D0). */
  readonly finding: Finding | null;
}

const NOTHING: Omit<Headline, "sentence"> = {
  severity: "none",
  place: "none",
  stage: null,
  secondary: null,
  checkNext: [],
  episode: null,
  finding: null,
};

/** Commit latency first, then what releases commits, then the largest part of that. */
export function chooseHeadline(
  model: CaptureModel,
  findings: readonly Finding[],
  episodes: readonly FoundEpisode[],
  settings: Settings,
): Headline {
  const unknown = cannotTell(model);
  if (unknown) return unknown;
  const { p95 } = statisticsOf(commitLatencies(model));
  if (p95 < settings.commitP95Us) return commitsAreFine(model, p95, findings, episodes);
  const secondary = decidingSecondary(model);
  return secondary === null
    ? localPath(model, findings, p95)
    : remotePath(model, secondary, findings, episodes, p95);
}

function cannotTell(model: CaptureModel): Headline | null {
  if (model.blocks.length === 0) {
    return {
      ...NOTHING,
      sentence: "Cannot tell: these files hold no log block of an availability database.",
      checkNext: ["Whether the event session holds the events of the capture script"],
    };
  }
  const apart = withoutOverlap(model);
  if (apart) {
    const checkNext = ["Capture all replicas at once, the secondary started first and stopped last"];
    return { ...NOTHING, severity: "notice", sentence: `Cannot tell: ${apart}`, checkNext };
  }
  return model.replicas[0].hasCapture ? null : withoutPrimary(model);
}

/** Only secondaries' files: no commit and no network, but their log writes. */
function withoutPrimary(model: CaptureModel): Headline {
  const writes = model.hops.flatMap((_, s) => {
    const { n, p50, p95 } = stageStatistics(model, s, "secondaryFlush");
    if (n === 0) return [];
    return [
      `${replicaName(model, s + 1)} writes its log in ${formatDuration(p50)} (p50), ${formatDuration(p95)} (p95).`,
    ];
  });
  const sentence = ["Cannot tell what commits wait for: there is no file of the primary.", ...writes].join(
    " ",
  );
  return { ...NOTHING, severity: "notice", sentence, checkNext: ["Add the files of the primary"] };
}

/** D0, unless a rule or an episode has something to say all the same. */
function commitsAreFine(
  model: CaptureModel,
  p95: number,
  findings: readonly Finding[],
  episodes: readonly FoundEpisode[],
): Headline {
  const start = `Commits finish in ${formatDuration(p95)} (p95).`;
  const episode = episodes[0];
  if (episode) {
    return {
      ...placed(episode.stage, episode.secondary),
      sentence: `${start} Between ${between(model, episode)}: ${lowerFirst(episode.label)}, ${whenText(model, episode)}.`,
      severity: "notice",
      checkNext: checksFor(findings, episode.stage, episode.secondary),
      episode,
      finding: null,
    };
  }
  const first = findings.find((f) => f.severity !== "none" && f.stage !== null);
  if (first?.stage) {
    return {
      ...placed(first.stage, first.secondary),
      sentence: `${start} ${first.sentence}`,
      severity: "notice",
      checkNext: first.checkNext,
      episode: null,
      finding: null,
    };
  }
  const sentence = `${start} No stage stands out.`;
  const finding: Finding = {
    rule: "D0",
    severity: "none",
    sentence,
    share: null,
    stage: null,
    secondary: null,
    checkNext: [],
  };
  return { ...NOTHING, sentence, finding };
}

/** Secondary whose acknowledgement releases most commits; null for the local log write. */
function decidingSecondary(model: CaptureModel): number | null {
  const { gates, most } = releasesOf(model);
  if (gates[most] > 0) return most === 0 ? null : most - 1;
  // No commit shows it: the secondary that takes longest.
  const means = model.hops.map((_, s) => stageStatistics(model, s, "remoteHarden").mean || 0);
  const longest = means.indexOf(Math.max(0, ...means));
  return longest >= 0 && means[longest] > 0 ? longest : null;
}

function localPath(model: CaptureModel, findings: readonly Finding[], p95: number): Headline {
  const queue = stageStatistics(model, 0, "commitQueue");
  const write = stageStatistics(model, 0, "localFlush");
  const name = replicaName(model, 0);
  if (queue.mean > write.mean) return commitQueue(model, findings);
  const { gates, known } = releasesOf(model);
  const share = known > 0 ? `releases ${formatPercent(gates[0] / known)} of commits` : "is what is known";
  return {
    ...placed("localFlush", null),
    sentence: `The log write on ${name} ${share} and takes ${formatDuration(write.p95)} (p95), commits ${formatDuration(p95)}.`,
    severity: severityOf(findings, "D1", null, p95),
    checkNext: checksFor(findings, "localFlush", null),
    episode: null,
    finding: null,
  };
}

function commitQueue(model: CaptureModel, findings: readonly Finding[]): Headline {
  const { p50, mean } = stageStatistics(model, 0, "commitQueue");
  return {
    ...placed("commitQueue", null),
    sentence: `Commits spend most of their time waiting to be grouped into a log block: ${formatDuration(mean)} on average, ${formatDuration(p50)} at p50.`,
    severity: "slow",
    checkNext: checksFor(findings, "commitQueue", null),
    episode: null,
    finding: null,
  };
}

function remotePath(
  model: CaptureModel,
  secondary: number,
  findings: readonly Finding[],
  episodes: readonly FoundEpisode[],
  p95: number,
): Headline {
  const harden = stageStatistics(model, secondary, "remoteHarden").mean;
  if (stageStatistics(model, 0, "commitQueue").mean > harden) return commitQueue(model, findings);
  const aspect = largestAspect(model, secondary);
  const name = replicaName(model, secondary + 1);
  if (!aspect) {
    const episode = mainEpisode(model, secondary, UNSPLIT, episodes);
    const when = episode ? ` ${detail(model, secondary, UNSPLIT, episode)}` : "";
    return {
      ...NOTHING,
      secondary,
      sentence: `Commits wait for ${name}: remote harden takes ${formatDuration(harden)} on average.${when} Without its file the network and its disk cannot be told apart.`,
      severity: severityByLatency(p95),
      checkNext: [`Add the files of ${name}`],
      episode,
    };
  }
  const share = formatPercent(shareOf(model, secondary, aspect.parts));
  const episode = mainEpisode(model, secondary, aspect, episodes);
  return {
    ...placed(aspect.stage, secondary),
    sentence: `${subject(model, secondary, aspect)} ${share} of remote harden time. ${detail(model, secondary, aspect, episode)}`,
    severity: severityOf(findings, aspect.rule, secondary, p95),
    checkNext: remoteChecks(model, secondary, aspect, episode, findings),
    episode,
    finding: null,
  };
}

function placed(id: StageId, secondary: number | null): Pick<Headline, "place" | "stage" | "secondary"> {
  const aspect = REMOTE_ASPECTS.find((a) => a.parts.includes(id) || a.stage === id);
  const { place } = stageDefinition(id);
  const own = place === "networkOut" || place === "networkBack" ? "network" : place;
  return { place: aspect?.place ?? own, stage: id, secondary };
}

function subject(model: CaptureModel, secondary: number, aspect: Aspect): string {
  const name = replicaName(model, secondary + 1);
  switch (aspect.stage) {
    case "networkRoundTrip":
      return `The network to ${name} takes`;
    case "secondaryFlush":
      return `The log write on ${name} takes`;
    case "secondaryAppend":
      return `${name} outside its log write takes`;
    case "ackReceive":
      return `Acting on acknowledgements of ${name} takes`;
    default:
      return `Capture and send on ${replicaName(model, 0)} takes`;
  }
}

/** What follows the share: the episode it falls into, or how it is spread over the capture. */
function detail(
  model: CaptureModel,
  secondary: number,
  aspect: Aspect,
  episode: FoundEpisode | null,
): string {
  if (episode) {
    const inside = formatPercent(episodeShare(model, secondary, aspect, episode));
    return `${inside} of that falls between ${between(model, episode)}, when ${whenText(model, episode)}.`;
  }
  if (aspect.stage === "networkRoundTrip") {
    const { p50 } = stageStatistics(model, secondary, "networkRoundTrip");
    const trip = `The round trip is ${formatRoughly(p50)} throughout`;
    return isDistance(model, secondary)
      ? `${trip}: that is distance.`
      : `The round trip is ${formatRoughly(p50)} at p50.`;
  }
  const { p50, p95 } = statisticsOf(aspectColumn(model, secondary, aspect));
  return `It takes ${formatDuration(p50)} at p50 and ${formatDuration(p95)} at p95.`;
}

/** The episode that holds most of the aspect's time, if that is at least half of it. */
function mainEpisode(
  model: CaptureModel,
  secondary: number,
  aspect: Aspect,
  episodes: readonly FoundEpisode[],
): FoundEpisode | null {
  const own = episodes.filter((e) => e.stage === aspect.stage && e.secondary === secondary);
  const share = (e: FoundEpisode) => episodeShare(model, secondary, aspect, e);
  const main = own.toSorted((a, b) => share(b) - share(a))[0];
  return main && share(main) >= 0.5 ? main : null;
}

function episodeShare(
  model: CaptureModel,
  secondary: number,
  aspect: Aspect,
  { rows }: FoundEpisode,
): number {
  const column = aspectColumn(model, secondary, aspect);
  const total = (values: Float64Array) => values.reduce((sum, us) => sum + (us || 0), 0);
  return total(column.subarray(...rows)) / total(column);
}

/** `02:17:28 and 02:18:04`, UTC; with tenths when the seconds are the same. */
function between(model: CaptureModel, { from, to }: FoundEpisode): string {
  const decimals = formatTimeOfDay(model.origin, from) === formatTimeOfDay(model.origin, to) ? 1 : 0;
  return `${formatTimeOfDay(model.origin, from, decimals)} and ${formatTimeOfDay(model.origin, to, decimals)}`;
}

/** `the round trip was 150 ms instead of 0.6 ms`: medians inside and outside. */
function whenText(model: CaptureModel, episode: FoundEpisode): string {
  const [first, end] = episode.rows;
  const column = stageColumn(model, episode.secondary, episode.stage);
  const inside = statisticsWhere(column, (row) => row >= first && row < end).p50;
  const outside = statisticsWhere(column, (row) => row < first || row >= end).p50;
  return `${whatOf(episode.stage)} ${formatRoughly(inside)} instead of ${formatRoughly(outside)}`;
}

function whatOf(id: StageId): string {
  if (id === "networkRoundTrip") return "the round trip was";
  if (id === "localFlush" || id === "secondaryFlush") return "a log write took";
  return "it took";
}

const severityByLatency = (p95: number): Severity => (p95 > 20_000 ? "slow" : "notice");

function severityOf(
  findings: readonly Finding[],
  rule: string,
  secondary: number | null,
  p95: number,
): Severity {
  const own = findings.find((f) => f.rule === rule && (secondary === null || f.secondary === secondary));
  return own ? own.severity : severityByLatency(p95);
}

function checksFor(findings: readonly Finding[], id: StageId, secondary: number | null): readonly string[] {
  const own = findings.find((f) => f.stage === id && (f.secondary === null || f.secondary === secondary));
  return (
    own?.checkNext ?? [
      `${stageDefinition(id).label.replace("{P}", "primary").replace("{S}", "secondary")} in the timeline`,
    ]
  );
}

/** The rule's checks, with the episode's time on the first and the slow blocks of another cause as the last. */
function remoteChecks(
  model: CaptureModel,
  secondary: number,
  aspect: Aspect,
  episode: FoundEpisode | null,
  findings: readonly Finding[],
): readonly string[] {
  const [first, second, third] = checksFor(findings, aspect.stage, secondary);
  const at = episode ? ` at ${formatTimeOfDay(model.origin, episode.from)}` : "";
  const other = slowestOfAnotherCause(model, secondary, aspect) ?? third;
  return [`${first}${at}`, second, other].filter((check) => check !== undefined);
}

/** "3 blocks over 300 ms are SQL2 log writes, not network", when that holds for all blocks over half the maximum. */
function slowestOfAnotherCause(model: CaptureModel, secondary: number, aspect: Aspect): string | null {
  const harden = stageColumn(model, secondary, "remoteHarden");
  const half = stageStatistics(model, secondary, "remoteHarden").max / 2;
  const digit = 10 ** Math.floor(Math.log10(half));
  const limit = Math.floor(half / digit) * digit;
  const rows = Array.from(harden.keys()).filter((row) => harden[row] > limit);
  const flush = stageColumn(model, secondary, "secondaryFlush");
  const isOther = aspect.stage !== "secondaryFlush" && rows.every((row) => flush[row] > harden[row] / 2);
  if (!isOther || rows.length === 0) return null;
  const what = rows.length === 1 ? "block" : "blocks";
  const verb = rows.length === 1 ? "is a" : "are";
  const writes = rows.length === 1 ? "log write" : "log writes";
  const not =
    aspect.stage === "networkRoundTrip" ? "network" : stageDefinition(aspect.stage).label.toLowerCase();
  return `${formatCount(rows.length)} ${what} over ${formatRoughly(limit)} ${verb} ${replicaName(model, secondary + 1)} ${writes}, not ${not}`;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
