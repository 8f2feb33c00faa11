/** Selects the log writer or network that a sentence on waiting is about. */

/** Fields of a `WaitingRow` that decide. */
interface Judged {
  readonly mode: string;
  readonly kind: string;
  readonly isSlow: boolean;
  readonly isQueued: boolean;
  /** µs; null or NaN where unknown. */
  readonly waitedUs: number | null;
  readonly servedUs: number | null;
}

/** Index of the slow or queued row with the largest time; without one of the row with the largest; -1 without rows. No commit waits for an asynchronous replica. */
export function worstRow(rows: readonly Judged[]): number {
  const total = ({ waitedUs, servedUs }: Judged): number => (waitedUs ?? 0) + (servedUs ?? 0);
  const rank = (row: Judged): number => {
    if (row.mode === "async" || row.kind === "unseen") return 0;
    return row.isSlow || row.isQueued ? 2 : 1;
  };
  return rows.reduce((worst, row, i) => {
    const best = rows[worst];
    if (best === undefined) return i;
    return rank(row) > rank(best) || (rank(row) === rank(best) && total(row) > total(best)) ? i : worst;
  }, -1);
}
