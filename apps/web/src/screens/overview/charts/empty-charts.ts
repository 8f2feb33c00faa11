/**
 * Parts of the overview that cannot be known, because no file of a replica was provided or because its events do not
 * contain the data.
 */
import { hasNoPrimaryFile, type Summary } from "@aglens/contract";
import { overviewTexts as texts } from "../../../messages/overview.ts";
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
      latency: texts.withoutPrimaryFile,
      share: texts.ownPartOnly(name),
    };
  }
  const involved = [...replicasOfRole(summary, 0), ...replicasOfRole(summary, secondary + 1)];
  const missing = involved.find((replica) => isWithoutFile(summary, replica));
  if (missing !== undefined) {
    return {
      latency: "",
      share: texts.partNotSeparable(summary.replicas[missing]?.name),
    };
  }
  if (isMeasured || summary.replicas[0]?.hasCounter !== false) return null;
  return {
    latency: texts.withoutStartTimestamp,
    share: texts.withoutStartTimestampThe(name),
  };
}

/** True for a replica that is part of the group and has no file. */
export function isWithoutFile({ replicas }: Summary, index: number): boolean {
  const replica = replicas[index];
  return replica !== undefined && !replica.hasCapture;
}
