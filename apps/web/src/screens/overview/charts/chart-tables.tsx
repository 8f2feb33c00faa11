/** The figures of each chart as a table, for users who cannot see the picture or do not want it. */
import type { ReactNode } from "react";
import type { Overview } from "@aglens/contract";
import type { LatencyBin } from "../../../charts/overview/latency-bins.ts";
import { rateOf } from "../../../charts/overview/paint-rates.ts";
import { SHARE_ORDER, isCovered, sharesOf } from "../../../charts/overview/shares.ts";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { durationText, formatCount, formatPercent, formatTime, zoneName } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { backedPercentiles } from "../../capture-view/figures.ts";
import { colorName } from "../../../lanes/palette.ts";
import { overviewTexts as texts } from "../../../messages/overview.ts";
import { useOverview } from "../overview-context.ts";
import styles from "./chart-tables.module.css";

type Row = readonly [from: number, ...cells: ReactNode[]];

interface TableProps {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly Row[];
}

function BinTable({ caption, head, rows }: TableProps) {
  const { summary } = useCapture();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className={styles.bins} aria-label={caption} tabIndex={0}>
      <FigureTable<Row>
        rows={rows}
        rowKey={([from]) => from}
        caption={caption}
        columns={[
          { id: `From, ${zoneName(summary)}`, cell: ([from]) => formatTime(summary, from) },
          ...head.map((id, i) => ({ id, cell: ([, ...cells]: Row) => cells[i] })),
        ]}
      />
    </section>
  );
}

export function LatencyTable({ bins }: { readonly bins: readonly LatencyBin[] }) {
  const rows = bins.map((bin) => {
    const { p50, p95, p99, max } = backedPercentiles(bin);
    const figures = [p50, p95, p99, max].map(durationText);
    return [bin.from, durationText(bin.to - bin.from), formatCount(bin.n), ...figures] as const;
  });
  return <BinTable caption={texts.latency} head={["Length", "n", "p50", "p95", "p99", "max"]} rows={rows} />;
}

/** Bins with at least one block, with their start. */
function busyBins(overview: Overview): { bin: number; from: number }[] {
  return overview.blocks.flatMap((n, bin) =>
    n > 0 ? [{ bin, from: overview.from + bin * overview.binUs }] : [],
  );
}

interface OverviewProps {
  readonly overview: Overview;
}

export function ShareTable({ overview }: OverviewProps) {
  const { names } = useOverview();
  const all = sharesOf(overview.stageSums, overview.blocks.length);
  const rows = busyBins(overview).map(({ bin, from }) => {
    const shares = (isCovered(overview, bin) ? all[bin] : null) ?? SHARE_ORDER.map(() => null);
    return [from, ...shares.map((share) => formatPercent(share, 1))] as const;
  });
  const head = SHARE_ORDER.map((token) => colorName(token, names));
  return <BinTable caption={texts.shareOfRemoteHarden} head={head} rows={rows} />;
}

export function RateTable({ overview }: OverviewProps) {
  const rows = busyBins(overview).map(
    ({ bin, from }) => [from, formatCount(overview.blocks[bin]), rateOf(overview, bin).toFixed(1)] as const,
  );
  return <BinTable caption={texts.logBlocks} head={["Blocks", texts.perSecond]} rows={rows} />;
}
