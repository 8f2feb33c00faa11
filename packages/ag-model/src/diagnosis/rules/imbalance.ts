/** D11: one of several synchronous replicas decides nearly every commit and is far slower than the next. */
import { stageStatistics } from "../../columns/index.ts";
import { statisticsOf } from "../../numbers/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { pathsWaitedFor, replicaName, type Path } from "../paths.ts";
import { plainFinding } from "../plain-finding.ts";
import { releasesOf } from "../releases.ts";
import type { Settings } from "../settings.ts";
import type { Finding } from "../verdict.ts";
import { formatDuration, formatPart, formatPercent } from "../../words/words.ts";

export function imbalance(model: CaptureModel, settings: Settings): Finding[] {
  const paths = pathsWaitedFor(model);
  if (paths.length < 2 || model.commits.length === 0) return [];
  const { gates, known } = releasesOf(model);
  const gateOf = ({ secondary }: Path): number => gates[secondary + 1];
  const last = paths.reduce((a, b) => (gateOf(b) > gateOf(a) ? b : a));
  const others = paths.filter((path) => path !== last);
  const hardenOf = ({ secondary }: Path): number => stageStatistics(model, secondary, "remoteHarden").mean;
  const next = Math.max(...others.map(hardenOf));
  const isAlone = gateOf(last) / known > settings.imbalanceShare;
  if (!isAlone || !(hardenOf(last) > settings.imbalanceFactor * next)) return [];
  const without = statisticsOf(commitsWithout(model, others)).mean;
  const name = replicaName(model, last.replica);
  const sentence =
    `${name} alone decides ${formatPart(gateOf(last) / known)} of commits; ` +
    `without it they would take about ${formatDuration(without)} on average.`;
  return [
    plainFinding("D11", "imbalance", "notice", sentence, {
      replica: last.replica,
      window: { from: model.blocks.time[0], to: model.duration },
      threshold: `over ${formatPercent(settings.imbalanceShare)} of commits and ${settings.imbalanceFactor} times the next`,
      source: "AG Lens default",
      checkNext: [`Decide whether ${name} has to be synchronous`],
    }),
  ];
}

/** Commit latency if only `paths` and the local log write had to be waited for, µs. */
function commitsWithout(model: CaptureModel, paths: readonly Path[]): Float64Array {
  const { block, start } = model.commits;
  return start.map((instant, row) => {
    if (block[row] < 0) return Number.NaN;
    const acks = paths.map(({ secondary }) => model.hops[secondary].ackProcessed[block[row]]);
    return Math.max(model.blocks.localFlushEnd[block[row]], ...acks) - instant;
  });
}
