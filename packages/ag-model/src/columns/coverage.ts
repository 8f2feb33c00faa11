import { largest, smallest } from "../numbers/extremes.ts";
import type { CaptureModel, Replica } from "../replication/shapes/tables.ts";

/** Time that the files of every captured replica cover, [from, to] in µs; NaN twice when no time is common. */
export function commonCoverage(model: CaptureModel): [number, number] {
  const covered = model.replicas.filter((r) => r.hasCapture && Number.isFinite(r.from));
  const from = largest(covered.map((r) => r.from));
  const to = smallest(covered.map((r) => r.to));
  return from < to ? [from, to] : [Number.NaN, Number.NaN];
}

/** Secondaries whose files share no time with the primary's. */
export function replicasApart({ replicas: [primary, ...secondaries] }: CaptureModel): Replica[] {
  if (!primary?.hasCapture) return [];
  return secondaries.filter((r) => r.hasCapture && (r.to <= primary.from || r.from >= primary.to));
}
