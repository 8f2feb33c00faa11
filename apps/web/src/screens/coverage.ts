/** What the files of a capture do not cover, for hatching: idle is plain, missing is hatched (docs/design.md 1). */
import type { Summary } from "@aglens/contract";

/** Stretches before and after each replica's files: from, to (µs), replica index. */
export function uncoveredStretches({
  replicas,
  durationUs,
}: Summary): readonly (readonly [number, number, number])[] {
  return replicas.flatMap(({ hasCapture, from, to }, i) =>
    hasCapture
      ? [[0, from ?? 0, i] as const, [to ?? durationUs, durationUs, i] as const].filter(([a, b]) => b > a)
      : [],
  );
}

/** Those of them that touch the figures of one secondary: the primary's and its own. */
export function uncoveredFor(summary: Summary, secondary: number): readonly (readonly [number, number])[] {
  return uncoveredStretches(summary)
    .filter(([, , replica]) => replica === 0 || replica === secondary + 1)
    .map(([from, to]) => [from, to] as const);
}
