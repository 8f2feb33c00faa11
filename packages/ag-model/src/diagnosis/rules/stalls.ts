/** D10 and D16: commits that waited for seconds, and servers without events. */
import { disconnectedPeriods } from "./disconnected.ts";
import { commitLatencies, pausesOfReplica } from "../../columns/index.ts";
import { PAUSE_US } from "../../replication/prepare/pauses.ts";
import { MARKER_KINDS, type CaptureModel } from "../../replication/shapes/tables.ts";
import { plainFinding } from "../plain-finding.ts";
import { pathsOf, replicaName } from "../paths.ts";
import type { Settings } from "../settings.ts";
import type { Finding, Window } from "../verdict.ts";
import { formatCount, formatDuration, plural } from "../../words/words.ts";
import { clockTimes } from "../when.ts";
import { commitsAround, effectOf, rowsWithin } from "../effect.ts";

export function stalls(model: CaptureModel, settings: Settings): Finding[] {
  const latency = commitLatencies(model);
  const { start, end, length } = model.commits;
  const long: number[] = [];
  const window = { from: Infinity, to: -Infinity };
  for (let row = 0; row < length; row++) {
    if (!(latency[row] >= settings.stallUs)) continue;
    long.push(row);
    window.from = Math.min(window.from, start[row]);
    window.to = Math.max(window.to, end[row]);
  }
  const { kind, time } = model.markers;
  const waiting = Array.from(kind.keys()).filter((row) => MARKER_KINDS[kind[row]] === "stillWaiting");
  const stalled = Math.max(long.length, waiting.length);
  if (stalled === 0) return [];
  for (const row of waiting) {
    window.from = Math.min(window.from, time[row] - settings.stallUs);
    window.to = Math.max(window.to, time[row]);
  }
  const what = plural(stalled, "commit");
  const away = replicaWaitedFor(model, long);
  const name = away === null ? "" : ` for ${replicaName(model, away)}, which was away`;
  const sentence = `${formatCount(stalled)} ${what} waited over ${formatDuration(settings.stallUs)}${name}.`;
  return [
    plainFinding("D10", "stall", "slow", sentence, {
      replica: away,
      window,
      threshold: `a commit over ${formatDuration(settings.stallUs)}`,
      source: "Microsoft: the commit manager waits in steps of 2 s",
      checkNext: [
        "Query connected_state_desc in sys.dm_hadr_availability_replica_states, and session_timeout",
        "Search the error log for errors 35206 and 35267",
      ],
    }),
  ];
}

/**
 * The replica that was away without the log of all these commits and that commits wait for; null where several were.
 */
function replicaWaitedFor(model: CaptureModel, commits: readonly number[]): number | null {
  const away = pathsOf(model).filter((path) => {
    const left = new Set(disconnectedPeriods(model, path).flatMap(({ rows }) => [...rows]));
    return path.isWaitedFor && commits.every((commit) => left.has(model.commits.block[commit]));
  });
  return commits.length > 0 && away.length === 1 ? away[0].replica : null;
}

/** Servers that were unresponsive while blocks were on their way to them. */
export const pauses = (model: CaptureModel): Finding[] =>
  model.replicas.flatMap((_, replica) => {
    const periods = pausesOfReplica(model, replica);
    return periods.length === 0 ? [] : [pauseFinding(model, replica, periods)];
  });

function pauseFinding(model: CaptureModel, replica: number, periods: readonly Window[]): Finding {
  const name = replicaName(model, replica);
  const [longest] = periods.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const times = periods.length === 1 ? "" : ` (${formatCount(periods.length)} such periods)`;
  const sentence = `${name} was unresponsive for ${formatDuration(longest.to - longest.from)} between ${clockTimes(model, longest)} while log blocks waited for it${times}.`;
  const window = { from: periods[0].from, to: periods[periods.length - 1].to };
  const isWaitedFor = pathsOf(model).every((path) => path.replica !== replica || path.isWaitedFor);
  return plainFinding("D16", "server_pause", isWaitedFor ? "slow" : "none", sentence, {
    replica,
    window,
    effect: effectOf(commitsAround(model, [rowsWithin(model, window.from, window.to)])),
    threshold: `no event for ${formatDuration(PAUSE_US)}`,
    source: "AG Lens default",
    checkNext: [
      `Look for a snapshot, backup or live migration of the virtual machine ${name}`,
      `Search the error log of ${name} for non-yielding schedulers and memory pressure`,
    ],
  });
}
