/**
 * Parts of the overview that cannot be known, because no file of a replica was provided or because its events do not
 * contain the data.
 */
import { hasNoPrimaryFile, type Summary } from "@aglens/contract";
import { replicaNames } from "../../capture-view/names.ts";
import { replicasOfRole } from "../../capture-view/phases.ts";

/** Why the charts of latencies and of the remote path are empty; null where they are not. */
export function emptyChartsNote(
  summary: Summary,
  secondary: number,
): { readonly latency: string; readonly share: string } | null {
  const { secondary: name } = replicaNames(summary, secondary);
  const isMeasured = summary.commits.latency.n > 0 || (summary.stages[secondary]?.remoteHarden?.n ?? 0) > 0;
  if (hasNoPrimaryFile(summary) && !isMeasured) {
    return {
      latency: "Without a file of the primary there are no commits and no remote harden.",
      share: `Without a file of the primary only ${name}'s own part is known.`,
    };
  }
  const involved = [...replicasOfRole(summary, 0), ...replicasOfRole(summary, secondary + 1)];
  const missing = involved.find((replica) => isWithoutFile(summary, replica));
  if (missing !== undefined) {
    return {
      latency: "",
      share: `Without a file of ${summary.replicas[missing]?.name} its part cannot be separated from the network's.`,
    };
  }
  if (isMeasured || summary.replicas[0]?.hasCounter !== false) return null;
  return {
    latency: "Without start_timestamp neither commits nor remote harden can be followed.",
    share: `Without start_timestamp the way to ${name} and back is not known.`,
  };
}

/** True for a replica that is part of the group and has no file. */
export function isWithoutFile({ replicas }: Summary, index: number): boolean {
  const replica = replicas[index];
  return replica !== undefined && !replica.hasCapture;
}
