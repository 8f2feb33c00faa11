/** Text that lists of captures show for an analysis. */
import type { Capture } from "@aglens/contract";
import { capturesTexts as texts } from "../../messages/captures.ts";

/** A p95 over this is slow for commits, µs. */
const SLOW_P95_US = 50_000;

export const isSlow = (p95Us: number | null): boolean => p95Us !== null && p95Us > SLOW_P95_US;

/** A verdict without the commits' p95, which lists show in a column. */
export const withoutP95 = (verdict: string | null): string =>
  (verdict ?? "").replace(/(?<=^|\. )Commits finish in .{1,20} \(p95\)\. /u, "") || "Analyzed.";

/** The verdict of a capture, or the reason why it has no verdict. */
export function verdictText({
  state,
  verdict,
  problem,
}: Pick<Capture, "state" | "verdict" | "problem">): string {
  if (state === "ready") return withoutP95(verdict);
  if (state === "analysing") return texts.beingAnalyzed;
  return state === "failed" ? (problem?.detail ?? texts.analysisFailed) : texts.notAnalyzedYetLabel;
}

/** Captures by the p95 of their commits, the largest first; those without one are last. */
export function slowestFirst<C extends Pick<Capture, "id">>(
  captures: readonly C[],
  p95s: ReadonlyMap<string, number | null>,
): readonly C[] {
  const p95Of = ({ id }: C): number => p95s.get(id) ?? -1;
  return captures.toSorted((a, b) => p95Of(b) - p95Of(a));
}
