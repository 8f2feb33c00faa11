import type { Summary } from "@aglens/contract";
import { stageWords } from "../lanes/palette.ts";
import { replicaNames } from "./replica-names.ts";

/** Means over the whole capture under the names that SSMS and its counters give them, and what each covers; µs. */
export function ssmsAverages(
  summary: Summary,
  secondary: number,
): { readonly name: string; readonly covers: string; readonly mean: number | null }[] {
  const stages = summary.stages[secondary];
  const names = replicaNames(summary, secondary);
  return [
    { name: "Commit", covers: "queue to release", mean: summary.commits.latency.mean },
    {
      name: "Remote harden (time_to_commit)",
      covers: `to ${names.secondary} and back`,
      mean: stages?.remoteHarden.mean ?? null,
    },
    {
      name: "Primary log flush",
      covers: stageWords("localFlush", names),
      mean: stages?.localFlush.mean ?? null,
    },
    {
      name: "Secondary log flush",
      covers: stageWords("secondaryFlush", names),
      mean: stages?.secondaryFlush.mean ?? null,
    },
    {
      name: "Secondary processing",
      covers: "receive to acknowledgement sent",
      mean: stages?.secondaryTotal.mean ?? null,
    },
  ];
}
