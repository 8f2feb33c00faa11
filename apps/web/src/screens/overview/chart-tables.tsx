/** The figures of each chart as a table, for who cannot see or does not want the picture. */
import type { ReactNode } from "react";
import type { Overview, Summary } from "@aglens/contract";
import type { LatencyBin } from "../../charts/overview/latency-bins.ts";
import { rateOf } from "../../charts/overview/paint-rates.ts";
import { SHARE_ORDER, isCovered, sharesOf, stagesOf } from "../../charts/overview/shares.ts";
import { stageWords, type ReplicaNames } from "../../lanes/palette.ts";
import { durationText, formatCount, formatPercent, formatUtc } from "../../ui/words.ts";

interface TableProps {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly [number, ...ReactNode[]])[];
  readonly summary: Summary;
}

function FigureTable({ caption, head, rows, summary }: TableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <section className="figure-table" aria-label={caption} tabIndex={0}>
      <table>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {["From, UTC", ...head].map((text) => (
              <th scope="col" key={text}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([from, ...cells]) => (
            <tr key={from}>
              <th scope="row">{formatUtc(summary.originTicks, from)}</th>
              {cells.map((cell, i) => (
                <td key={head[i]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function LatencyTable({
  summary,
  bins,
}: {
  readonly summary: Summary;
  readonly bins: readonly LatencyBin[];
}) {
  const rows = bins.map(
    (b) =>
      [
        b.from,
        durationText(b.to - b.from),
        formatCount(b.n),
        ...[b.p50, b.p95, b.p99, b.max].map(durationText),
      ] as const,
  );
  return (
    <FigureTable
      caption="Latency"
      head={["Length", "n", "p50", "p95", "p99", "max"]}
      rows={rows}
      summary={summary}
    />
  );
}

/** Bins that hold a block, with their start. */
function busyBins(overview: Overview): { bin: number; from: number }[] {
  return overview.blocks.flatMap((n, bin) =>
    n > 0 ? [{ bin, from: overview.from + bin * overview.binUs }] : [],
  );
}

interface OverviewProps {
  readonly summary: Summary;
  readonly overview: Overview;
}

export function ShareTable({ summary, overview, names }: OverviewProps & { readonly names: ReplicaNames }) {
  const all = sharesOf(overview.stageSums, overview.blocks.length);
  const rows = busyBins(overview).map(({ bin, from }) => {
    const shares = (isCovered(overview, bin) ? all[bin] : null) ?? SHARE_ORDER.map(() => null);
    return [from, ...shares.map((share) => formatPercent(share, 1))] as const;
  });
  const head = SHARE_ORDER.map((token) =>
    stagesOf(token)
      .map((id) => stageWords(id, names))
      .join(", "),
  );
  return <FigureTable caption="Share of remote harden by stage" head={head} rows={rows} summary={summary} />;
}

export function RateTable({ summary, overview }: OverviewProps) {
  const rows = busyBins(overview).map(
    ({ bin, from }) => [from, formatCount(overview.blocks[bin]), rateOf(overview, bin).toFixed(1)] as const,
  );
  return <FigureTable caption="Log blocks" head={["Blocks", "Per second"]} rows={rows} summary={summary} />;
}
