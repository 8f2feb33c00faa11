import type { Summary } from "@aglens/contract";
import type { FilterNames } from "../filter/filter-names.ts";
import { namesOfSlots, primaryMoved } from "./phase.ts";

/** The names that conditions on blocks of a capture may hold; roles where servers had them one after the other. */
export function filterNamesOf(summary: Pick<Summary, "replicas" | "phases" | "databases">): FilterNames {
  const [primary = "Primary", ...secondaries] = namesOfSlots(summary);
  const databases = summary.databases.map(({ name }) => name);
  if (!primaryMoved(summary)) return { primary, secondaries, databases };
  const one = secondaries.length === 1;
  return {
    primary: "primary",
    secondaries: secondaries.map((_, slot) => (one ? "secondary" : `secondary ${slot + 1}`)),
    databases,
  };
}
