/** Which secondary a capture is looked at with until somebody chooses one. */
import { releasingSecondary, type Summary } from "@aglens/contract";
import type { LinkedView, View } from "../state/view.ts";

type Capture = Pick<Summary, "replicas" | "commits">;

/** The view of a link: which secondary it leaves open is the one that commits waited for most. @param block row of its block */
export const viewOfLink = (view: LinkedView, summary: Capture, block: number | null): View => ({
  ...view,
  block,
  secondary: view.secondary ?? releasingSecondary(summary),
});
