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
  if (isWithoutFile(summary, 0)) {
    return {
      latency: "Without a file of the primary there are no commits and no remote harden.",
      share: `Without a file of the primary only ${name}'s own part is known.`,
    };
  }
  if (isWithoutFile(summary, secondary + 1)) {
    return {
      latency: "",
      share: `Without a file of ${name} its part cannot be separated from the network's.`,
    };
  }
  const isMeasured = summary.commits.latency.n > 0 || (summary.stages[secondary]?.remoteHarden?.n ?? 0) > 0;
  if (isMeasured || summary.replicas[0]?.hasCounter !== false) return null;
  return {
    latency: "Without start_timestamp neither commits nor remote harden can be followed.",
    share: `Without start_timestamp the way to ${name} and back is not known.`,
  };
}
