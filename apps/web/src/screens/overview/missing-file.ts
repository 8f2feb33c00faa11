/** What the overview can not know because no file of a replica was given. */
import type { Summary } from "@aglens/contract";
import { replicaNames } from "../replica-names.ts";
import { isWithoutFile } from "../without-file.ts";

/** Why the charts of the remote path are empty; null where every file is there. */
export function missingFileNote(
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
  if (!isWithoutFile(summary, secondary + 1)) return null;
  return {
    latency: "",
    share: `Without a file of ${name} its part cannot be separated from the network's.`,
  };
}
