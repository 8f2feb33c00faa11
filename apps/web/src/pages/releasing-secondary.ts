/** Which secondary a capture is looked at with until somebody chooses one. */
import { releasingSecondary, type Summary } from "@aglens/contract";
import type { LinkedView, View } from "../state/view.ts";

type Capture = Pick<Summary, "replicas" | "commits">;

/** The view with a secondary: what a link leaves open is the one that commits waited for most. */
export const withSecondary = (view: LinkedView, summary: Capture): View => ({
  ...view,
  secondary: view.secondary ?? releasingSecondary(summary),
});
