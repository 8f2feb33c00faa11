import { useEffect, useState } from "react";
import type { Sequence, Summary } from "@aglens/contract";
import type { CaptureSource } from "../../data/capture-source.ts";
import type { View } from "../../state/view.ts";

/** Slow blocks that n and p step through. */
const SLOW_LIMIT = 200;

/**
 * The selected block (or, when none is selected, the slowest) and the rows of the slowest blocks in the view's order.
 */
export function useSequence(
  source: CaptureSource,
  summary: Summary,
  view: View,
): { sequence: Sequence | null; slowOrder: readonly number[]; error: string | null } {
  const [slowOrder, setSlowOrder] = useState<readonly number[]>([]);
  const [sequence, setSequence] = useState<Sequence | null>(null);
  const [error, setError] = useState<string | null>(null);
  const row = view.block ?? slowOrder[0];
  const { sort, descending, secondary } = view;

  useEffect(() => {
    const abort = new AbortController();
    const range = { from: 0, to: summary.durationUs };
    source
      .slowest({ range, sort, descending, secondary, limit: SLOW_LIMIT, offset: 0 }, abort.signal)
      .then((slow) => {
        setSlowOrder(slow.rows.map((block) => block.row));
        if (slow.rows.length === 0) setError("This capture holds no log block with a remote path.");
      })
      .catch((problem: unknown) => {
        if (!abort.signal.aborted) setError(String(problem instanceof Error ? problem.message : problem));
      });
    return () => abort.abort();
  }, [source, summary, sort, descending, secondary]);

  useEffect(() => {
    if (row === undefined) return undefined;
    const abort = new AbortController();
    source
      .sequence(row, abort.signal)
      .then((answer) => {
        setSequence(answer);
        setError(null);
      })
      .catch((problem: unknown) => {
        if (!abort.signal.aborted) setError(String(problem instanceof Error ? problem.message : problem));
      });
    return () => abort.abort();
  }, [source, row]);

  return { sequence, slowOrder, error };
}
