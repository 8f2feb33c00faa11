import type { ReactNode } from "react";
import type { Distribution } from "@aglens/contract";
import { cumulativeShares } from "../../charts/distribution/histogram.ts";
import { Value } from "../../ui/controls.tsx";
import { formatCount, formatDuration, formatPercent } from "../../ui/words.ts";
import styles from "./distribution.module.css";

interface Props {
  readonly value: Distribution;
  readonly chosen: Distribution["rows"][number];
  readonly name: string;
}

/** The chosen stage's histogram as figures: bins that hold something, and what lies outside them. */
export function BinTable({ value: { edges }, chosen: { ranges }, name }: Props): ReactNode {
  const [first, second] = ranges;
  if (first === undefined) return null;
  const shares = cumulativeShares(first);
  const bins = first.counts.flatMap((count, bin) =>
    count > 0 || (second?.counts[bin] ?? 0) > 0 ? [bin] : [],
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={styles.tableBox} tabIndex={0} aria-label={`${name} by duration`}>
      <table className="figure-table">
        <caption className="sr-only">{name} by duration</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">to under</th>
            <th scope="col">Count</th>
            <th scope="col">Share</th>
            <th scope="col">At or below</th>
            {second === undefined ? null : <th scope="col">Second range</th>}
          </tr>
        </thead>
        <tbody>
          <Outside words="under the first bin" count={first.under} other={second?.under} />
          {bins.map((bin) => (
            <tr key={bin}>
              <th scope="row">
                <Value figure={formatDuration(edges[bin])} />
              </th>
              <td>
                <Value figure={formatDuration(edges[bin + 1])} />
              </td>
              <td>{formatCount(first.counts[bin])}</td>
              <td>{formatPercent(first.n === 0 ? null : first.counts[bin]! / first.n, 1)}</td>
              <td>{formatPercent(shares[bin], 1)}</td>
              {second === undefined ? null : <td>{formatCount(second.counts[bin])}</td>}
            </tr>
          ))}
          <Outside words="over the last bin" count={first.over} other={second?.over} />
        </tbody>
      </table>
    </section>
  );
}

function Outside({
  words,
  count,
  other,
}: {
  readonly words: string;
  readonly count: number;
  readonly other: number | undefined;
}): ReactNode {
  if (count === 0 && (other ?? 0) === 0) return null;
  return (
    <tr>
      <th scope="row" colSpan={2}>
        {words}
      </th>
      <td>{formatCount(count)}</td>
      <td aria-label="not given" colSpan={2} />
      {other === undefined ? null : <td>{formatCount(other)}</td>}
    </tr>
  );
}
