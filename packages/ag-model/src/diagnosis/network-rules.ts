import { stageStatistics } from "../columns/index.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { largestAspect, replicaName, shareOf, waitedFor } from "./aspects.ts";
import type { Settings } from "./settings.ts";
import type { Finding } from "./verdict.ts";
import { formatDuration, formatPercent, formatRoughly } from "../words/words.ts";

/** D3: the network round trip to each secondary that commits may wait for. */
export function networkRules(model: CaptureModel, settings: Settings): Finding[] {
  return waitedFor(model).flatMap((secondary) => network(model, secondary, settings));
}

function network(model: CaptureModel, secondary: number, settings: Settings): Finding[] {
  const trip = stageStatistics(model, secondary, "networkRoundTrip");
  const isLargest = largestAspect(model, secondary)?.stage === "networkRoundTrip";
  // The mean, so that a slow stretch of an otherwise fast network counts.
  if (!(isLargest && trip.mean > settings.roundTripLanUs) && !(trip.p50 > settings.roundTripUs)) return [];
  const share = shareOf(model, secondary, ["wireOut", "wireBack"]);
  const name = replicaName(model, secondary + 1);
  const part = Number.isNaN(share) ? "" : `, ${formatPercent(share)} of remote harden time`;
  const distance = isDistance(model, secondary);
  return [
    {
      rule: "D3",
      severity: trip.p95 > settings.roundTripSevereUs ? "slow" : "notice",
      sentence:
        `The network round trip to ${name} is ${formatDuration(trip.mean)} on average (exact)${part}; ` +
        `minimum ${formatDuration(minimum(model, secondary))}${distance ? ": distance" : ""}.`,
      share: Number.isNaN(share) ? null : share,
      stage: "networkRoundTrip",
      secondary,
      checkNext: distance
        ? [
            `ping ${name}: minimum against ${formatRoughly(minimum(model, secondary))}`,
            `Whether ${name} has to be synchronous over this distance`,
            "TCP CwndRestart and VPN or WAN hops on the path",
          ]
        : [
            `Retransmits and path changes ${replicaName(model, 0)} to ${name}`,
            "psping to the endpoint port: minimum against average",
            "Adapter Bytes Total/sec against bandwidth, Resent Messages/sec",
          ],
    },
  ];
}

/** Smallest round trip to a secondary, µs. */
function minimum(model: CaptureModel, secondary: number): number {
  const clock = model.clocks.find((c) => c.secondary === secondary);
  return clock ? clock.minNetworkRoundTripUs : Number.NaN;
}

/** A high minimum with little above it is distance; a low one with a high p95 is congestion or loss (D3). */
export function isDistance(model: CaptureModel, secondary: number): boolean {
  const { p50, p95 } = stageStatistics(model, secondary, "networkRoundTrip");
  return minimum(model, secondary) > p50 / 2 && p95 < p50 * 2;
}
