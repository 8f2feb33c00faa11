import { commitStatistics, stageStatistics } from "../columns/index.ts";
import { largestOneWayUncertainty } from "../replication/shapes/one-way-uncertainty.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { commitsAround } from "./effect.ts";
import type { Headline } from "./headline.ts";
import { replicaName } from "./paths.ts";
import { releasesOf } from "./releases.ts";
import type { LargestPart } from "./rules/write-split.ts";
import type { EvidenceFigure } from "./verdict.ts";
import { formatCount, formatDuration, formatPercent, formatUncertainty } from "../words/words.ts";

/**
 * Returns at most four figures as evidence for the headline; if it names no replica that commits wait for, the figures
 * of the one that released most commits.
 */
export function evidenceOf(model: CaptureModel, headline: Headline): EvidenceFigure[] {
  const named = headline.finding?.replica ?? null;
  // A replica that no commit waits for is no evidence for a sentence about commits.
  const isWaitedFor = named !== null && (named === 0 || model.phases[0].commitModes[named - 1] !== "async");
  const replica = isWaitedFor ? named : releasesOf(model).most;
  const secondary = Math.max(replica - 1, 0);
  return [
    scope(model, headline),
    commits(model, headline),
    logWrites(model, secondary),
    headline.part ? partOfWrites(headline.part) : roundTrip(model, secondary),
  ].filter((figure) => figure !== null);
}

/** Number of blocks in the periods that the headline names, or the releases of the commits. */
function scope(model: CaptureModel, { stretches: periods }: Headline): EvidenceFigure | null {
  if (periods.length > 0) {
    const blocks = periods.reduce((sum, { rows: [first, end] }) => sum + end - first, 0);
    return {
      before: "",
      value: formatCount(blocks),
      after: `of ${formatCount(model.blocks.length)} blocks affected`,
    };
  }
  const { gates, known, most } = releasesOf(model);
  if (known === 0) return null;
  if (model.hops.length > 1) return releasesByCandidate(model);
  const what = most === 0 ? "the local log write" : replicaName(model, most);
  return {
    before: "",
    value: formatCount(gates[most]),
    after: `of ${formatCount(model.commits.length)} commits released by ${what}${notKnown(model)}`,
  };
}

/** `; of 1 it is not known`: the total number of commits is the same in charts and tables. */
function notKnown(model: CaptureModel): string {
  const unknown = model.commits.length - releasesOf(model).known;
  return unknown === 0 ? "" : `; of ${formatCount(unknown)} it is not known`;
}

/** `1,772 SQL2, 1,716 SQL3, 105 local log write of 3,593 commits` */
function releasesByCandidate(model: CaptureModel): EvidenceFigure {
  const { gates } = releasesOf(model);
  const [first, ...others] = gates
    .map((n, gate) => ({ n, name: gate === 0 ? "local log write" : replicaName(model, gate) }))
    .filter(({ n }) => n > 0)
    .toSorted((a, b) => b.n - a.n);
  const rest = others.map(({ n, name }) => `, ${formatCount(n)} ${name}`).join("");
  return {
    before: "",
    value: formatCount(first.n),
    after: `${first.name}${rest} of ${formatCount(model.commits.length)} commits${notKnown(model)}`,
  };
}

function commits(model: CaptureModel, { stretches: periods, slow }: Headline): EvidenceFigure | null {
  if (model.commits.length === 0) return null;
  if (periods.length === 0) {
    const { p50, p95 } = commitStatistics(model);
    return { before: "commit p95", value: formatDuration(p95), after: `p50 ${formatDuration(p50)}` };
  }
  const { inside, outside } = commitsAround(
    model,
    periods.map(({ rows }) => rows),
    slow,
  );
  return {
    before: "commit p95",
    value: formatDuration(inside.p95),
    after: `inside, ${formatDuration(outside.p95)} outside`,
  };
}

function logWrites(model: CaptureModel, secondary: number): EvidenceFigure | null {
  const local = stageStatistics(model, 0, "localFlush");
  const remote = stageStatistics(model, secondary, "secondaryFlush");
  if (local.n === 0) return null;
  const there = remote.n > 0 ? `, ${formatDuration(remote.p50)} ${replicaName(model, secondary + 1)}` : "";
  return {
    before: "log writes",
    value: formatDuration(local.p50),
    after: `${replicaName(model, 0)}${there} (p50)`,
  };
}

function partOfWrites({ part, share }: LargestPart): EvidenceFigure {
  const before = part === "queue" ? "SQL Server's queue" : part;
  return { before, value: formatPercent(share), after: "of the time of slow log writes" };
}

function roundTrip(model: CaptureModel, secondary: number): EvidenceFigure | null {
  const clock = model.clocks.find((c) => c.secondary === secondary);
  if (!clock || clock.status === "cannotAlign") return null;
  if (stageStatistics(model, secondary, "networkRoundTrip").n === 0) return null;
  return {
    before: "network each way",
    value: formatUncertainty(largestOneWayUncertainty(clock)),
    after: model.hops.length > 1 ? replicaName(model, secondary + 1) : "",
  };
}
