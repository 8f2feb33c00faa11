/** D3: the network round trip to each secondary that commits may wait for. */
import { stageColumn, stageStatistics } from "../../columns/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import type { Aspect, PassedLimit } from "../aspect.ts";
import { onPathOf, shareOfCommits } from "../effect.ts";
import { replicaName, type Path } from "../paths.ts";
import type { Settings } from "../settings.ts";
import { largestRemotePart, REMOTE_PARTS, shareOfHarden } from "../shares.ts";
import { roundTrip } from "../waiting.ts";
import { formatDuration, formatPercent, formatRoughly } from "../../words/words.ts";

export function networkAspect(model: CaptureModel, path: Path, settings: Settings): Aspect {
  const to = model.hops.length > 1 ? ` to ${replicaName(model, path.replica)}` : "";
  return {
    cause: "network",
    rule: "D3",
    stage: "networkRoundTrip",
    place: "network",
    replica: path.replica,
    path,
    parts: REMOTE_PARTS.network,
    time: roundTrip(model, path),
    figure: stageColumn(model, path.secondary, "networkRoundTrip"),
    words: `the round trip${to} was`,
    label: `Slow network${to}`,
    share: shareOfCommits(model, roundTrip(model, path), onPathOf(path.secondary)),
    limit: settings.handlingExcess,
    passed: networkLimit(model, path, settings),
    source: "AG Lens default",
    checkNext: networkChecks(model, path),
  };
}

function networkLimit(model: CaptureModel, path: Path, settings: Settings): PassedLimit | null {
  const { replica, secondary } = path;
  const trip = stageStatistics(model, secondary, "networkRoundTrip");
  const isLargest = largestRemotePart(model, secondary) === "network";
  const limit = isLargest ? settings.roundTripLanUs : settings.roundTripUs;
  // The mean, so that a slow period of an otherwise fast network counts.
  if (!(trip.mean > limit) && !(trip.p50 > settings.roundTripUs)) return null;
  const share = shareOfHarden(model, secondary, REMOTE_PARTS.network);
  const part = Number.isNaN(share) ? "" : `, ${formatPercent(share)} of remote harden time`;
  return {
    severity: trip.p95 > settings.roundTripSevereUs ? "slow" : "notice",
    sentence:
      `The network round trip to ${replicaName(model, replica)} is ${formatDuration(trip.p50)} at p50 and ${formatDuration(trip.p95)} at p95 (exact)${part}; ` +
      `minimum ${formatDuration(minimum(model, path))}${isDistance(model, path) ? ": distance" : ""}.`,
    threshold: `mean over ${formatDuration(limit)}`,
  };
}

function networkChecks(model: CaptureModel, path: Path): string[] {
  const name = replicaName(model, path.replica);
  if (isDistance(model, path)) {
    return [
      `Run ping ${name}, and compare its minimum with ${formatRoughly(minimum(model, path))}`,
      `Decide whether ${name} has to be synchronous over this distance`,
      "Read TCP CwndRestart, and trace VPN or WAN hops on the path",
    ];
  }
  return [
    `Watch Segments Retransmitted/sec from ${replicaName(model, 0)} to ${name}`,
    "Run psping to the endpoint port",
    "Compare Bytes Total/sec with the bandwidth",
  ];
}

/** Smallest round trip to a secondary, µs. */
function minimum(model: CaptureModel, { secondary }: Path): number {
  const clock = model.clocks.find((c) => c.secondary === secondary);
  return clock ? clock.minNetworkRoundTripUs : Number.NaN;
}

/**
 * A fault that began when reading did looks like distance: a running picture has to be this long before it reports
 * distance, µs.
 */
const LEAST_LIVE_US = 15_000_000;

/** A high minimum with little above it is distance; a low one with a high p95 is congestion or loss (D3). */
export function isDistance(model: CaptureModel, path: Path): boolean {
  const { time } = model.blocks;
  if (model.source === "live" && (time.at(-1) ?? 0) - (time[0] ?? 0) < LEAST_LIVE_US) return false;
  const { p50, p95 } = stageStatistics(model, path.secondary, "networkRoundTrip");
  return minimum(model, path) > p50 / 2 && p95 < p50 * 2;
}
