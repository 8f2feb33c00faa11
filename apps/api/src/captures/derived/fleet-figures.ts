/** Figures of an analyzed capture for the fleet page: percentiles of the stages that one team answers for, by server. */
import { Summary } from "@aglens/contract";
import type { FleetFigures, FleetPath } from "@aglens/contract";
import type { FleetStage } from "@aglens/ag-model/fleet";
import { PATH_STAGES, recordOf, replicaOfSlot } from "@aglens/ag-model/replication";

/** Parts of the summary that the figures need. */
const SummaryPart = Summary.pick({
  durationUs: true,
  blocks: true,
  commits: true,
  phases: true,
  replicas: true,
  stages: true,
  verdict: true,
});
type SummaryPart = Readonly<ReturnType<typeof SummaryPart.parse>>;
type Lane = FleetFigures["lanes"][number];
type Replica = SummaryPart["replicas"][number];

/** Figures of a capture from the JSON of its summary; null for other JSON. */
export function fleetFiguresOf(summary: unknown): FleetFigures | null {
  const read = SummaryPart.safeParse(summary);
  if (!read.success) return null;
  const { durationUs, blocks, commits, verdict } = read.data;
  const hops = hopsOf(read.data);
  return {
    durationUs,
    blocks: blocks.total,
    commits: commits.count,
    episodes: verdict.episodes.length,
    lanes: [
      ...laneOf("commit", "", false, commits.latency),
      ...primaryLanes(read.data),
      ...hops.flatMap(lanesOfHop),
    ],
    paths: hops.map(pathOf),
  };
}

/** A secondary with its stages. */
interface Hop {
  readonly replica: Replica;
  readonly stages: SummaryPart["stages"][number];
}

/**
 * The server that was the primary all the time; null after a change of roles, when stages are of different servers under one name
 * and only commits can be followed.
 */
function onlyPrimary({ phases }: SummaryPart): number | null {
  const primaries = new Set(phases.map(({ primary }) => primary));
  return primaries.size === 1 ? ([...primaries][0] ?? null) : null;
}

function hopsOf(summary: SummaryPart): Hop[] {
  const primary = onlyPrimary(summary);
  if (primary === null) return [];
  return summary.stages.flatMap((stages, slot) => {
    const replica = summary.replicas[replicaOfSlot(primary, slot)];
    return replica === undefined ? [] : [{ replica, stages }];
  });
}

function primaryLanes(summary: SummaryPart): Lane[] {
  const name = summary.replicas[onlyPrimary(summary) ?? -1]?.name;
  const [hop] = summary.stages;
  return name === undefined || hop === undefined ? [] : laneOf("localFlush", name, false, hop.localFlush);
}

/** Without its files a secondary's network and disk are one. */
function lanesOfHop({ replica, stages }: Hop): Lane[] {
  const shown: readonly Exclude<FleetStage, "commit">[] = replica.hasCapture
    ? ["networkRoundTrip", "secondaryFlush"]
    : ["remoteHarden"];
  return shown.flatMap((stage) => laneOf(stage, replica.name, isAsynchronous(replica), stages[stage]));
}

function pathOf({ replica, stages }: Hop): FleetPath {
  return {
    replica: replica.name,
    isAsynchronous: isAsynchronous(replica),
    means: recordOf(PATH_STAGES, (stage) => stages[stage].mean),
  };
}

const isAsynchronous = ({ commitMode }: Replica): boolean => commitMode === "async";

/** Empty where no block has the stage. */
function laneOf(
  stage: FleetStage,
  replica: string,
  isAsynchronous: boolean,
  { n, p50, p95, p99, max }: SummaryPart["commits"]["latency"],
): Lane[] {
  return n === 0 ? [] : [{ stage, replica, isAsynchronous, n, p50, p95, p99, max }];
}
