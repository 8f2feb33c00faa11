/** What the overview cannot know, because no file of a replica was given or because its events do not say it. */
import type { Summary } from "@aglens/contract";
import { replicaNames } from "../replica-names.ts";
import { isWithoutFile } from "../without-file.ts";

/** Why the charts of latencies and of the remote path are empty; null where they are not. */
export function emptyChartsNote(
  summary: Summary,
  secondary: number,
): { readonly latency: string; readonly share: string } | null {
  const { secondary: name } = replicaNames(summary, secondary);
  const isMeasured = summary.commits.latency.n > 0 || (summary.stages[secondary]?.remoteHarden?.n ?? 0) > 0;
  // After a change of roles commits may be those of another primary, whose file is there.
  if (isWithoutFile(summary, 0) && !isMeasured) {
    return {
      latency: "Without a file of the primary there are no commits and no remote harden.",
      share: `Without a file of the primary only ${name}'s own part is known.`,
    };
  }
  const missing = [0, secondary + 1].find((replica) => isWithoutFile(summary, replica));
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
