/** Which secondary a capture is looked at with until somebody chooses one. */
import type { Summary } from "@aglens/contract";
import type { LinkedView, View } from "../state/view.ts";

type Capture = Pick<Summary, "replicas" | "commits">;

/** The secondary whose acknowledgement released most commits; the first where none released any. */
export function releasingSecondary({ replicas, commits }: Capture): number {
  const released = replicas.slice(1).map((_, secondary) => commits.gates[secondary + 1] ?? 0);
  return Math.max(0, released.indexOf(Math.max(0, ...released)));
}

/** The view with a secondary: what a link leaves open is the one that commits waited for most. */
export const withSecondary = (view: LinkedView, summary: Capture): View => ({
  ...view,
  secondary: view.secondary ?? releasingSecondary(summary),
});
