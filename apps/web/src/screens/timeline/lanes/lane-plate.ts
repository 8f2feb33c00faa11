import type { Summary } from "@aglens/contract";
import type { Lane } from "../../../lanes/lanes.ts";
import { namesOfSlots } from "../../capture-view/phases.ts";

/** Name of the replica that has a lane's role in a phase; null for a lane without a replica in this phase. */
export function plateName(
  summary: Pick<Summary, "replicas" | "phases">,
  phase: number,
  { place, shape, secondary }: Pick<Lane, "place" | "shape" | "secondary">,
): string | null {
  const [primary, ...secondaries] = namesOfSlots(summary, phase);
  if (place === "primary") return primary ?? null;
  const isUsed = (summary.phases[phase]?.commitModes[secondary] ?? null) !== null;
  const name = secondaries[secondary];
  if (!isUsed || primary === undefined || name === undefined) return null;
  if (place === "secondary") return name;
  return shape === "slopeBack" ? `${name} to ${primary}` : `${primary} to ${name}`;
}
