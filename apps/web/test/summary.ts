import type { RangeStatistics, Statistics, Summary } from "@aglens/contract";
import { SPAN_IDS } from "@aglens/ag-model/columns";
import { recordOf, REMOTE_STAGE_IDS, STAGE_IDS, STAGES } from "@aglens/ag-model/replication";

/** Statistics of values that are all the same, µs; null for no values. */
export const statisticsOfValue = (us: number | null, n = us === null ? 0 : 100): Statistics => ({
  n,
  p50: us,
  p95: us,
  p99: us,
  max: us,
  mean: us,
});

type ReplicaSummary = Summary["replicas"][number];

/** A replica whose file covers the entire capture. */
export const replicaSummary = (more: Partial<ReplicaSummary>): ReplicaSummary => ({
  id: "00000000-0000-0000-0000-000000000001",
  ids: ["00000000-0000-0000-0000-000000000001"],
  name: "SQL1",
  role: "secondary",
  hasCapture: true,
  hasCounter: true,
  commitMode: "sync",
  events: 11_907,
  from: 0,
  to: 10_000_000,
  ...more,
});

/** Ten seconds from 2016-05-06 02:16:55 UTC on SQL1 and SQL2, 1,079 blocks; `more` sets the differences. */
export function summaryOf(more: Partial<Summary> = {}): Summary {
  return {
    captureId: "slow-network",
    name: "Slow network",
    marks: [],
    missing: [],
    lost: [],
    underWay: [],
    pauses: [],
    originTicks: String((BigInt(Date.UTC(2016, 4, 6, 2, 16, 55)) + 11_644_473_600_000n) * 10_000n),
    originUtc: "2016-05-06T02:16:55.0000000Z",
    durationUs: 10_000_000,
    common: [0, 10_000_000],
    engine: "2016+",
    replicas: [replicaSummary({ role: "primary", name: "SQL1" }), replicaSummary({ name: "SQL2" })],
    databases: [{ id: "d", name: "Payroll", group: 0, replicaIds: [], localIds: [5] }],
    phases: [{ databases: [0], primary: 0, from: 0, to: 10_000_000, commitModes: ["sync"] }],
    files: [],
    blocks: {
      total: 1_079,
      primary: 1_079,
      secondary: 1_079,
      onBoth: 1_079,
      primaryOnly: 0,
      secondaryOnly: 0,
      completeEndToEnd: 1_079,
      withoutAcknowledgement: 0,
      withCommit: 1_079,
    },
    commits: {
      count: 1_100,
      latency: statisticsOfValue(8_020),
      wakeUp: statisticsOfValue(50),
      gates: [114, 986],
    },
    clocks: [
      {
        secondary: 0,
        against: 0,
        status: "aligned",
        reason: "",
        blocksUsed: 1_079,
        driftPpm: 0,
        driftPpmFeasible: [-1, 1],
        oneWayUncertaintyUs: 240,
        strictUncertaintyUs: 350,
        minNetworkRoundTripUs: 600,
        utcAheadOfPrimaryUs: 32_500,
        causalityViolationsAfter: 0,
        outOfOrderByUtc: 898,
      },
    ],
    stages: [recordOf(STAGE_IDS, () => statisticsOfValue(1_000))],
    shares: [recordOf(REMOTE_STAGE_IDS, () => 0.1)],
    flushClasses: [
      { good: 1_053, reasonable: 6, busy: 17, bad: 3 },
      { good: 894, reasonable: 146, busy: 12, bad: 27 },
    ],
    verdict: {
      sentence: "The network to SQL2 takes 72 % of remote harden time.",
      severity: "slow",
      cause: "network",
      place: "network",
      stage: "networkRoundTrip",
      replica: 1,
      window: null,
      evidence: [{ before: "", value: "209", after: "of 1,079 blocks affected" }],
      checkNext: ["Retransmits and path changes SQL1 to SQL2"],
      findings: [],
      episodes: [],
    },
    warnings: [],
    ...more,
  };
}

/** Statistics of a range, every stage 1 ms; `more` sets the differences. */
export const rangeStatistics = (more: Partial<RangeStatistics> = {}): RangeStatistics => ({
  from: 0,
  to: 10_000_000,
  blocks: 1_079,
  commits: 1_100,
  commitLatency: statisticsOfValue(8_020),
  gates: [114, 986],
  stages: [recordOf([...STAGE_IDS, ...SPAN_IDS], () => statisticsOfValue(1_000))],
  paused: [null],
  ...more,
});

const ON_SECONDARY: ReadonlySet<string> = new Set(
  STAGES.filter(({ place }) => place === "secondary").map(({ id }) => id),
);

/** Stages towards a secondary with only its own stages known, 1 ms each: the primary has no file. */
export const secondaryPart = (): RangeStatistics["stages"][number] =>
  recordOf([...STAGE_IDS, ...SPAN_IDS], (id) => statisticsOfValue(ON_SECONDARY.has(id) ? 1_000 : null));

const phaseOf = (primary: number, from: number, to: number): Summary["phases"][number] => ({
  databases: [0],
  primary,
  from,
  to,
  commitModes: ["sync"],
});

/** SQL2 takes over from SQL1: the last commit under SQL1 ends at `from`, the first one under SQL2 at `to`, µs. */
export function failoverOf({ from, to } = { from: 4e6, to: 6e6 }): Summary {
  const summary = summaryOf({ phases: [phaseOf(0, 0, from), phaseOf(1, to, 10e6)] });
  const change: Summary["verdict"]["findings"][number] = {
    rule: "D18",
    cause: "role_change",
    severity: "notice",
    sentence: "SQL2 took over from SQL1.",
    share: null,
    stage: null,
    replica: 1,
    database: null,
    window: { from, to },
    effect: null,
    commitsKnown: { before: true, after: true },
    threshold: "",
    source: "",
    checkNext: [],
  };
  return { ...summary, verdict: { ...summary.verdict, findings: [change] } };
}
