import type { ReactNode } from "react";
import type { Distribution } from "@aglens/contract";
import { distributionTexts as texts } from "../../messages/distribution.ts";
import { Card, Swatch } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatCount, formatDuration, formatPercent, unbroken } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { FLUSH_CLASSES } from "../capture-view/figures.ts";
import { useRoleNames } from "../capture-view/names.ts";
import { TableTools } from "../capture-view/table-tools.tsx";
import { shapeSentences } from "./distribution-text.ts";
import { stageColor, distributionStageName } from "../capture-view/stage-means.ts";
import { WriteSplitPane } from "../capture-view/write-split.tsx";
import { MiddleEllipsis } from "../../ui/middle-ellipsis.tsx";
import styles from "./distribution.module.css";
import { Term, termProps } from "../../ui/term.tsx";

const PERCENTILES = ["p50", "p95", "p99", "max"] as const;

/** Percentiles of every stage, log writes by class, and sentences on the shapes. */
export function FiguresCard({
  value,
  isSplit,
}: {
  readonly value: Distribution;
  /** Whether the parts of log writes are shown. */
  readonly isSplit: boolean;
}): ReactNode {
  return (
    <Card className={styles.figures}>
      {isSplit ? (
        <div className={styles.split}>
          <WriteSplitPane value={value} />
        </div>
      ) : null}
      <Percentiles value={value} />
      <WriteClasses value={value} />
      <Shapes value={value} />
    </Card>
  );
}

function Percentiles({ value }: { readonly value: Distribution }): ReactNode {
  const { view, setView } = useCapture();
  const names = useRoleNames();
  const rows = value.rows.flatMap(({ stage, ranges }) =>
    ranges.map((range, i) => ({ stage, range, isSecond: i > 0 })),
  );
  return (
    <>
      <h2>{texts.percentiles}</h2>
      <FigureTable<(typeof rows)[number]>
        className={styles.percentiles}
        aria-label={texts.percentiles}
        rows={rows}
        rowProps={({ stage, isSecond }) => ({ "data-second": isSecond, "data-chosen": stage === view.stage })}
        columns={[
          {
            id: "Stage",
            cell: ({ stage, range, isSecond }) =>
              isSecond ? (
                <span className={styles.secondName}>{texts.secondRange(formatCount(range.n))}</span>
              ) : (
                <button
                  type="button"
                  className={styles.link}
                  {...termProps(stage)}
                  onClick={() => setView({ stage }, "replace")}
                >
                  <Swatch color={`var(${stageColor(stage)})`} />
                  <MiddleEllipsis text={distributionStageName(stage, names)} />
                </button>
              ),
          },
          ...PERCENTILES.map((id) => ({
            id,
            cell: ({ range }: (typeof rows)[number]) => formatDuration(range[id]),
          })),
        ]}
      />
      <TableTools name="percentiles" />
    </>
  );
}

function WriteClasses({ value }: { readonly value: Distribution }): ReactNode {
  const names = useRoleNames();
  const writes = value.rows.flatMap(({ stage, ranges }) =>
    ranges.flatMap((range, i) =>
      range.classes === null || range.n === 0
        ? []
        : [{ stage, classes: range.classes, n: range.n, isSecond: i > 0 }],
    ),
  );
  if (writes.length === 0) return null;
  return (
    <>
      <h2>
        <Term id="writeClasses">{texts.logWritesByClass}</Term>
      </h2>
      <FigureTable<(typeof writes)[number]>
        className={styles.classes}
        aria-label={texts.logWritesByClass}
        rows={writes}
        rowProps={({ isSecond }) => ({ "data-second": isSecond })}
        columns={[
          {
            id: "Replica",
            isHeadHidden: true,
            cell: ({ stage, isSecond }) =>
              isSecond ? texts.secondRangePart : stage === "localFlush" ? names.primary : names.secondary,
          },
          ...FLUSH_CLASSES.map(({ key, label }) => ({
            id: key,
            term: key,
            head: (
              <>
                {key}
                <small>{label}</small>
              </>
            ),
            cell: ({ classes, n }: (typeof writes)[number]) => (
              <>
                {formatCount(classes[key])} <small>{formatPercent(classes[key] / n, 1)}</small>
              </>
            ),
            cellProps: ({ classes }: (typeof writes)[number]) => ({
              "data-bad": key === "bad" && classes.bad > 0,
            }),
          })),
        ]}
      />
    </>
  );
}

function Shapes({ value }: { readonly value: Distribution }): ReactNode {
  const names = useRoleNames();
  const sentences = shapeSentences(value, names);
  return (
    <>
      <h2>{texts.shapes}</h2>
      {sentences.map((sentence) => (
        <p key={sentence}>{unbroken(sentence)}</p>
      ))}
      {sentences.length > 0 ? (
        <p>{texts.twoHumpsAreTwo}</p>
      ) : (
        <p>{value.scale === "log" ? texts.noStageHasTwo : texts.humpsAreLooked}</p>
      )}
      <p>{texts.barsHeight}</p>
    </>
  );
}
