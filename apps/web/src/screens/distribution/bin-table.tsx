import type { ReactNode } from "react";
import type { Distribution } from "@aglens/contract";
import { cumulativeShares } from "../../charts/distribution/histogram.ts";
import { distributionTexts as texts } from "../../messages/distribution.ts";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatCount, formatDuration, formatPercent } from "../../ui/words.ts";
import styles from "./distribution.module.css";

interface Props {
  readonly value: Distribution;
  readonly chosen: Distribution["rows"][number];
  readonly name: string;
}

/** The chosen stage's histogram as figures: bins with values, and the values outside of them. */
export function BinTable({ value: { edges }, chosen: { ranges }, name }: Props): ReactNode {
  const [first, second] = ranges;
  if (first === undefined) return null;
  const shares = cumulativeShares(first);
  const bins = first.counts.flatMap((count, bin) =>
    count > 0 || (second?.counts[bin] ?? 0) > 0 ? [bin] : [],
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={styles.tableBox} tabIndex={0} aria-label={texts.byDuration(name)}>
      <FigureTable<number>
        caption={texts.byDuration(name)}
        rows={bins}
        rowKey={(bin) => bin}
        columns={[
          { id: "From", cell: (bin) => formatDuration(edges[bin]) },
          { id: "to under", cell: (bin) => formatDuration(edges[bin + 1]) },
          { id: "Count", cell: (bin) => formatCount(first.counts[bin]) },
          {
            id: "Share",
            cell: (bin) => formatPercent(first.n === 0 ? null : first.counts[bin]! / first.n, 1),
          },
          { id: "At or below", cell: (bin) => formatPercent(shares[bin], 1) },
          second !== undefined && { id: "Second range", cell: (bin) => formatCount(second.counts[bin]) },
        ]}
        first={<Outside words={texts.underTheFirstBin} count={first.under} other={second?.under} />}
        last={<Outside words={texts.overTheLastBin} count={first.over} other={second?.over} />}
      />
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
      <td aria-label={texts.notGiven} colSpan={2} />
      {other === undefined ? null : <td>{formatCount(other)}</td>}
    </tr>
  );
}
