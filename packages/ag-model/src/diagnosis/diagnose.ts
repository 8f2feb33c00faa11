import { perModel, withoutKeeping } from "../columns/index.ts";
import { checkCapture, distrustOf } from "../check/index.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { aspectsOf } from "./aspects.ts";
import { asynchronousReplicas } from "./rules/asynchronous.ts";
import { withoutDisconnected } from "./rules/disconnected.ts";
import { disconnectedReplicas } from "./rules/disconnected-replicas.ts";
import { clockChanges } from "./rules/clock-changes.ts";
import { dataQualityRules } from "./rules/data-quality.ts";
import { delaysOf, type Delay } from "./rules/delays.ts";
import { modeChanges } from "./rules/mode-changes.ts";
import { episodesOf } from "./episodes.ts";
import { evidenceOf } from "./evidence.ts";
import { flowControl } from "./rules/flow-control.ts";
import { cannotTell, chooseHeadline, type Headline, type Ranked } from "./headline.ts";
import { howMeasured, howPhaseMeasured } from "./rules/how-measured.ts";
import { hungWriteFindings, isHungIn } from "./rules/hung-writes.ts";
import { imbalance } from "./rules/imbalance.ts";
import { lostEvents } from "./rules/lost-events.ts";
import { pathsOf } from "./paths.ts";
import { diagnosePhases, verdictOfPhase } from "./rules/phases.ts";
import { plainFinding } from "./plain-finding.ts";
import { DEFAULT_SETTINGS, type Settings } from "./settings.ts";
import { pausedIn } from "./rules/pauses.ts";
import { pauses, stalls } from "./rules/stalls.ts";
import { releaseShares } from "./rules/release-shares.ts";
import { recordedPeriods } from "./rules/recorded-periods.ts";
import { suddenSilences } from "./rules/sudden-silences.ts";
import { roleChanges } from "./rules/role-changes.ts";
import { windowOf } from "./slow-periods.ts";
import { SEVERITIES, type Cause, type Episode, type Finding, type Verdict } from "./verdict.ts";

/**
 * The verdict on a capture (docs/contribute/model/diagnosis.md 6): every rule that fired, most severe first. The most severe one
 * is the headline; without one, the headline describes the largest share of commit latency.
 */
export const diagnose = (model: CaptureModel, settings: Settings = DEFAULT_SETTINGS): Verdict =>
  withDistrust(model, withPeriods(model, withMeasured(model, judged(model, settings))));

/**
 * The verdict's episodes: from the verdict that was computed, else from a new one. Unlike the verdict they need no
 * index of events, which is read after the tables.
 */
export const episodesOfVerdict = perModel(
  (model: CaptureModel): readonly Episode[] => judged(model, DEFAULT_SETTINGS).episodes,
);

/** Takes the episodes of a stored verdict on this model, so that they are not computed again. */
export function takeEpisodes(model: CaptureModel, { episodes }: Pick<Verdict, "episodes">): void {
  episodesOfVerdict.keep(model, episodes);
}

function judged(model: CaptureModel, settings: Settings): Verdict {
  const verdict =
    model.phases.length > 1
      ? diagnosePhases(model, (phase) => diagnoseOnePrimary(phase, settings))
      : diagnoseOnePrimary(model, settings);
  if (settings === DEFAULT_SETTINGS) takeEpisodes(model, verdict);
  return verdict;
}

/** Adds the facts about measurement that apply to the blocks of all phases. */
const withMeasured = (model: CaptureModel, verdict: Verdict): Verdict => ({
  ...verdict,
  measured: howMeasured(model, verdict.measured ?? []),
});

/** If the files are of several recordings, the verdict begins with that. */
function withPeriods(model: CaptureModel, verdict: Verdict): Verdict {
  const periods = recordedPeriods(model);
  return periods === null ? verdict : beginningWith(verdict, periods.sentence, periods.checkNext);
}

/** A verdict with a notice before it on how far it can be trusted. */
const beginningWith = (verdict: Verdict, sentence: string, checkNext: readonly string[]): Verdict => ({
  ...verdict,
  sentence: `${sentence} ${verdict.sentence}`,
  severity: verdict.severity === "none" ? "notice" : verdict.severity,
  findings: [
    plainFinding("D13", "data_quality", "notice", sentence, { checkNext: [...checkNext] }),
    ...verdict.findings,
  ],
});

/** If the files are not as the model expects, and results depend on that, the verdict begins with it. */
function withDistrust(model: CaptureModel, verdict: Verdict): Verdict {
  // A live run keeps events for a while only: facts from reading them are counted when it is kept as a capture.
  const distrust = model.source === "live" ? null : distrustOf(checkCapture(model));
  if (distrust === null) return verdict;
  const checkNext = [
    "Open How this was read, which names each expectation",
    "Upload the original .xel files",
  ];
  return beginningWith(verdict, distrust, checkNext);
}

/**
 * The verdict on one phase alone, with the replicas of the complete capture. Its findings end with the changes of roles
 * and modes of all phases: their instants are the same for every phase.
 * @param model the blocks and commits of the phase
 * @param phase index into `CaptureModel.phases`
 * @param allPhases the blocks and commits of all phases
 */
export function diagnosePhase(model: CaptureModel, phase: number, allPhases: CaptureModel): Verdict {
  const verdict = verdictOfPhase(model, phase, (own) => diagnoseOnePrimary(own, DEFAULT_SETTINGS));
  return withMeasured(model, {
    ...verdict,
    findings: [...verdict.findings, ...roleChanges(allPhases), ...modeChanges(allPhases)],
  });
}

/** The verdict on a capture with one primary. */
const diagnoseOnePrimary = (model: CaptureModel, settings: Settings): Verdict =>
  withoutKeeping("question", () => verdictOf(model, settings));

function verdictOf(whole: CaptureModel, settings: Settings): Verdict {
  // Blocks that a replica was sent late, since it was away, are no delay of its way; their events exist all the same.
  const model = withoutDisconnected(whole, pathsOf(whole));
  const aspects = aspectsOf(model, settings);
  const delays = [...flowControl(model, settings), ...delaysOf(model, aspects, settings)];
  const ranked = bySeverity([
    ...delays
      .filter((delay) => !isOfStandstills(model, delay))
      .map((delay) => ({ finding: delay.finding, delay })),
    ...[...disconnectedReplicas(whole), ...rulesWithoutDelay(whole, model, settings)].map((finding) => ({
      finding,
      delay: null,
    })),
  ]);
  const unknown = cannotTell(model);
  const headline = unknown ?? chooseHeadline(model, ranked, aspects, settings);
  const releasing = unknown === null ? releaseShares(model) : null;
  const own = headline.finding;
  const rules = ranked.map(({ finding }) => finding);
  return {
    sentence: releasing === null ? headline.sentence : `${headline.sentence} ${releasing}`,
    severity: own?.severity ?? (unknown === null ? "none" : "notice"),
    cause: own?.cause ?? "none",
    place: headline.place,
    stage: headline.stage,
    replica: own?.replica ?? null,
    window: own?.window ?? null,
    windows: own?.windows ?? [],
    evidence: evidenceOf(model, headline),
    checkNext: headline.checkNext.slice(0, 3),
    findings: own ? rules : [description(headline), ...rules],
    episodes: episodesOf(model, delays),
    measured: howPhaseMeasured(model),
  };
}

/**
 * True when a server was unresponsive, or a log write hung, in each period in which a time was long: that has a
 * finding of its own.
 */
const isOfStandstills = (model: CaptureModel, { stretches: intervals }: Delay): boolean =>
  intervals.length > 0 &&
  intervals.every((interval) => {
    const window = windowOf(model, interval);
    return pausedIn(model, window) !== null || isHungIn(model, window);
  });

/** D0: the headline as a finding, where no rule fired. */
const description = ({ sentence, stage, checkNext }: Headline): Finding =>
  plainFinding("D0", "none", "none", sentence, { stage, checkNext: [...checkNext] });

/** @param awaited without the way of blocks that no commit waited for */
function rulesWithoutDelay(model: CaptureModel, awaited: CaptureModel, settings: Settings): Finding[] {
  return [
    ...hungWriteFindings(awaited),
    ...stalls(model, settings),
    ...pauses(model),
    ...suddenSilences(model),
    ...lostEvents(model, settings),
    ...dataQualityRules(model, settings),
    ...imbalance(awaited, settings),
    ...asynchronousReplicas(model, settings),
    ...clockChanges(model),
  ];
}

/**
 * A server that was unresponsive explains any other slow work meanwhile; log that is on one server alone is worse than
 * slow work with severity notice.
 */
const AHEAD: ReadonlySet<Cause> = new Set<Cause>(["server_pause", "replica_away"]);

/** Most severe first, then the finding that commits waited longer for; the order of the rules where neither decides. */
function bySeverity(ranked: readonly Ranked[]): Ranked[] {
  const severity = ({ finding }: Ranked): number => SEVERITIES.indexOf(finding.severity);
  const weight = ({ finding, delay }: Ranked): number =>
    AHEAD.has(finding.cause) ? Infinity : (delay?.weightUs ?? 0);
  return ranked.toSorted((a, b) => severity(b) - severity(a) || weight(b) - weight(a) || 0);
}
