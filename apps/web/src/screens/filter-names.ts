import type { Summary } from "@aglens/contract";
import type { FilterNames } from "../filter/filter-names.ts";
import { namesOfSlots, phaseIndex, primaryMoved } from "./phase.ts";

/** The names that conditions on blocks of a capture may hold; roles where servers had them one after the other. */
export function filterNamesOf(
  summary: Pick<Summary, "replicas" | "phases" | "databases">,
  shownPhase: number | null = null,
): FilterNames {
  const phase = phaseIndex(summary, shownPhase);
  const [primary = "Primary", ...secondaries] = namesOfSlots(summary, phase);
  const databases = summary.databases.map(({ name }) => name);
  if (!primaryMoved(summary, phase)) return { primary, secondaries, databases };
  const one = secondaries.length === 1;
  return {
    primary: "primary",
    secondaries: secondaries.map((_, slot) => (one ? "secondary" : `secondary ${slot + 1}`)),
    databases,
  };
}
