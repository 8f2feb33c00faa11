import {
  commitStatistics,
  commitWakeUps,
  commonCoverage,
  gatesOfAllCommits,
  pausesOf,
  remoteShares,
  stageStatistics,
} from "../columns/index.ts";
import { checkCapture, checkReport } from "../check/index.ts";
import { statisticsOf } from "../numbers/index.ts";
import { filetimeText } from "xel-parser/format";
import { countFlushClasses, type FlushClassCounts } from "../diagnosis/flush-classes.ts";
import { lostPeriods } from "../diagnosis/rules/lost-periods.ts";
import { lostPlaces } from "../diagnosis/rules/lost-places.ts";
import { blocksUnderWay } from "../diagnosis/rules/under-way.ts";
import {
  REMOTE_STAGE_IDS,
  STAGE_IDS,
  type RemoteStageId,
  type StageId,
} from "../replication/shapes/stages.ts";
import type { Verdict } from "../diagnosis/verdict.ts";
import { largestOneWayUncertainty } from "../replication/shapes/one-way-uncertainty.ts";
import { recordOf, type CaptureModel, type ClockFit, type Replica } from "../replication/shapes/tables.ts";
import { logWritesOf } from "./log-writes.ts";
import { MOST_NAMES, recordedClients } from "./who-waited.ts";
import { orNull, withNaN, withoutNaN, type StatisticsOrNull } from "./null-for-nan.ts";

/** Everything about a capture that does not depend on the range in view: `Summary` of the contract. */
export function summarise(model: CaptureModel, captureId: string, name: string, verdict: Verdict) {
  const [from, to] = commonCoverage(model);
  const check: { check?: ReturnType<typeof checkOf> | undefined } = isChecked(model)
    ? { check: checkOf(model) }
    : {};
  return {
    captureId,
    name,
    originTicks: model.origin.toString(),
    originUtc: filetimeText(model.origin),
    durationUs: model.duration,
    common: [orNull(from), orNull(to)] as [number | null, number | null],
    engine: model.engine,
    replicas: model.replicas.map(replicaSummary),
    databases: model.databases.map((d) => ({
      ...d,
      localIds: [...d.localIds],
      replicaIds: [...d.replicaIds],
    })),
    phases: model.phases.map((p) => ({ ...p, databases: [...p.databases], commitModes: [...p.commitModes] })),
    missing: lostPeriods(model).map((period) => ({ ...period })),
    lost: lostPlaces(model).map((each) => ({
      ...each,
      places: each.places.map(([first, last]): [number, number] => [first, last]),
    })),
    underWay: blocksUnderWay(model).map((each) => ({ ...each })),
    pauses: pausesOf(model).map((pause) => ({ ...pause })),
    files: model.files.map(({ metadata: _metadata, reading: _reading, ...f }) => ({
      ...f,
      gaps: f.gaps.map((gap) => ({ ...gap })),
    })),
    blocks: { total: model.blocks.length, ...blockCounts(model) },
    commits: {
      count: model.commits.length,
      latency: withoutNaN(commitStatistics(model)),
      wakeUp: withoutNaN(statisticsOf(commitWakeUps(model))),
      gates: [...gatesOfAllCommits(model)],
    },
    ...clientsOf(model),
    clocks: model.clocks.map(clockSummary),
    stages: model.hops.map((_, secondary) => statisticsOfEachStage(model, secondary)),
    shares: model.hops.map((_, secondary) => shareOfEachStage(model, secondary)),
    flushClasses: flushClassesOf(model),
    verdict,
    warnings: [...model.warnings],
    ...check,
  };
}

/** Clients of the commits; empty where no event names one. */
function clientsOf(model: CaptureModel): { clients?: ClientsSummary | undefined } {
  if (model.clients === undefined) return {};
  const names = model.clients.applications.slice(0, MOST_NAMES);
  return { clients: { ...recordedClients(model), names } };
}

interface ClientsSummary extends ReturnType<typeof recordedClients> {
  names: string[];
}

type Counts = CaptureModel["counts"];

/** Counts as a summary has them: one of an earlier version lacks those of the common time. */
const blockCounts = ({
  counts,
}: CaptureModel): Omit<Counts, "common"> & { common?: Counts["common"] | undefined } => counts;

/** Whether the facts from reading the files are known: they are not for a capture that an earlier version analyzed. */
const isChecked = ({ files }: CaptureModel): boolean => files.some(({ reading }) => reading !== undefined);

/** How the files were read, with its text. */
function checkOf(model: CaptureModel) {
  const check = checkCapture(model);
  return {
    ...check,
    expectations: check.expectations.map((one) => ({ ...one, examples: [...one.examples] })),
    report: checkReport(check, model.files, model),
  };
}

/** The part of the complete capture's statistics that a summary contains. */
type SummaryStatistics = Pick<ReturnType<typeof summarise>, "stages"> & {
  readonly commits: { readonly latency: StatisticsOrNull };
};

/**
 * Sets the statistics of an opened model, which would take a second to compute for a few million blocks. @param summary
 * `summarise` of it
 */
export function takeStatistics(model: CaptureModel, { stages, commits }: SummaryStatistics): void {
  commitStatistics.keep(model, withNaN(commits.latency));
  for (const [secondary, ofStages] of stages.entries())
    for (const id of STAGE_IDS) stageStatistics.keep(model, withNaN(ofStages[id]), secondary, id);
}

function replicaSummary(replica: Replica) {
  return { ...replica, ids: [...replica.ids], from: orNull(replica.from), to: orNull(replica.to) };
}

/** A clock fit in the form that screens show. */
export function clockSummary(clock: ClockFit) {
  const [low, high] = clock.driftPpmFeasible;
  return {
    secondary: clock.secondary,
    against: clock.against,
    status: clock.status,
    reason: clock.reason,
    blocksUsed: clock.blocksUsed,
    driftPpm: orNull(clock.driftPpm),
    driftPpmFeasible: [orNull(low), orNull(high)] as [number | null, number | null],
    oneWayUncertaintyUs: orNull(clock.oneWayUncertaintyUs),
    strictUncertaintyUs: orNull(largestOneWayUncertainty(clock)),
    minNetworkRoundTripUs: orNull(clock.minNetworkRoundTripUs),
    utcAheadOfPrimaryUs: orNull(clock.utcAheadOfPrimaryUs),
    causalityViolationsAfter: clock.causalityViolationsAfter,
    outOfOrderByUtc: clock.outOfOrderByUtc,
  };
}

/**
 * Log writes of each replica by class, in whichever role it made them; null where its files contain no log write, or it
 * has no files.
 */
export function flushClassesOf(model: CaptureModel): (FlushClassCounts | null)[] {
  return model.replicas.map(({ hasCapture }, replica) => {
    const writes = logWritesOf(model, replica);
    return hasCapture && writes.some((us) => !Number.isNaN(us)) ? countFlushClasses(writes) : null;
  });
}

export function statisticsOfEachStage(
  model: CaptureModel,
  secondary: number,
): Record<StageId, StatisticsOrNull> {
  return recordOf(STAGE_IDS, (id) => withoutNaN(stageStatistics(model, secondary, id)));
}

/** Share of remote harden of each stage of its path: sums add up, percentiles do not. */
export function shareOfEachStage(
  model: CaptureModel,
  secondary: number,
): Record<RemoteStageId, number | null> {
  const shares = remoteShares(model, secondary);
  return recordOf(REMOTE_STAGE_IDS, (id) => orNull(shares[id]));
}
