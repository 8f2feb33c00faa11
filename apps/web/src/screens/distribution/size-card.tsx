import type { ReactNode } from "react";
import type { Distribution, DistributionStage } from "@aglens/contract";
import { CellsPicture } from "../../charts/distribution/cells-picture.tsx";
import { distributionTexts as texts } from "../../messages/distribution.ts";
import { Card } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatBytes, formatCount, formatDuration } from "../../ui/words.ts";
import { CellAxis } from "./cell-axis.tsx";
import { rowAt } from "./cells.ts";
import { stageColor } from "../capture-view/stage-means.ts";
import styles from "./distribution.module.css";

interface Props {
  readonly sizes: NonNullable<Distribution["sizes"]>;
  readonly stage: DistributionStage;
  readonly name: string;
  readonly asTable: boolean;
}

const HEIGHT = 190;

/**
 * Write time against the block's size: a disk that is slow per byte rises to the right, a disk that is slow per write
 * does not.
 */
export function SizeCard({ sizes, stage, name, asTable }: Props): ReactNode {
  const columns = shownColumns(sizes.writes);
  const rows = sizes.edges.length - 1;
  const unknown = sizes.unknown > 0 ? texts.ofUnknownSize(formatCount(sizes.unknown)) : "";
  return (
    <Card title={texts.byBlockSize(name)} aside={texts.lineMedian(unknown)}>
      {columns.length === 0 ? (
        <p className={styles.empty}>{texts.sizesOfTheseBlocks}</p>
      ) : asTable ? (
        <SizeTable sizes={sizes} columns={columns} />
      ) : (
        <div className={styles.cells}>
          <CellAxis edges={sizes.edges} height={HEIGHT} />
          <div className="narrows">
            <CellsPicture
              counts={columns.flatMap((s) => sizes.counts.slice(s * rows, (s + 1) * rows))}
              columns={columns.length}
              rows={rows}
              color={stageColor(stage)}
              marks={columns.map((s) => {
                const us = sizes.p50[s];
                return us === null || us === undefined ? null : rowAt(sizes.edges, us);
              })}
              height={HEIGHT}
              gap={3}
              label={texts.byBlockSizeFigures(name)}
            />
            <div className={styles.sizeAxis} aria-hidden="true">
              {columns.map((s) => (
                <span key={s}>{sizeWords(sizes.sizeEdges, s)}</span>
              ))}
            </div>
          </div>
        </div>
      )}
    </Card>
  );
}

/** Sizes from the smallest to the largest that was written. */
function shownColumns(writes: readonly number[]): number[] {
  const first = writes.findIndex((n) => n > 0);
  const last = writes.findLastIndex((n) => n > 0);
  return first < 0 ? [] : Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** A bin of sizes is named by its lower edge. */
const sizeWords = (edges: readonly number[], size: number): string => formatBytes(edges[size] ?? 0);

function SizeTable({
  sizes,
  columns,
}: {
  readonly sizes: Props["sizes"];
  readonly columns: readonly number[];
}): ReactNode {
  return (
    <FigureTable<number>
      aria-label={texts.writesByBlockSize}
      rows={columns}
      columns={[
        { id: "Size from", cell: (size) => sizeWords(sizes.sizeEdges, size) },
        { id: "to under", cell: (size) => sizeWords(sizes.sizeEdges, size + 1) },
        { id: "Writes", cell: (size) => formatCount(sizes.writes[size] ?? 0) },
        { id: "Median", cell: (size) => formatDuration(sizes.p50[size] ?? null) },
      ]}
    />
  );
}
