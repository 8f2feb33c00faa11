/** How the log writes of a range are split: a sentence, the figures of each part, and a way to record what is missing. */
import type { ReactNode } from "react";
import { partsOf, writePart } from "@aglens/ag-model/replication";
import type { Distribution, DistributionStage } from "@aglens/contract";
import { Link } from "wouter";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import { Swatch } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { Term } from "../../ui/term.tsx";
import { durationText, formatDuration, formatPercent } from "../../ui/words.ts";
import { useRoleNames } from "./names.ts";
import { stageColor } from "./stage-means.ts";
import styles from "./write-split.module.css";

type Split = Distribution["splits"][number];
type Histogram = Distribution["rows"][number]["ranges"][number];

/** The durations of a stage in the first range of an answer. */
export const rowOf = ({ rows }: Distribution, id: DistributionStage): Histogram | undefined =>
  rows.find(({ stage }) => stage === id)?.ranges[0];

/** Least share of a part that the sentence names. */
const LEAST_SHARE = 0.5;

/** Log writes up to this are good, µs (docs/contribute/model/diagnosis.md 6.2, D1). */
const SLOW_US = 10_000;

const totalOf = ({ sums }: Split): number => sums.queue + sums.device + sums.completion;

/** Name of the server of a split log write. */
export function useServerOf(): (split: Split) => string {
  const names = useRoleNames();
  return ({ stage }) => (stage === "localFlush" ? names.primary : names.secondary);
}

/** `The device takes 90 % of the log writes on SQL1.` */
function sentencesOf(value: Distribution, split: Split, server: string): readonly [string, string] {
  const parts = partsOf(split.stage).map((id) => ({
    id,
    label: writePart(id).label,
    share: split.sums[writePart(id).part] / totalOf(split),
  }));
  const [most] = parts.toSorted((a, b) => b.share - a.share);
  if (most === undefined || !(most.share >= LEAST_SHARE)) return [texts.noPartTakesHalf(server), ""];
  const other = parts.find(({ id }) => writePart(id).part === (most === parts[0] ? "device" : "queue"))!;
  const p95 = rowOf(value, other.id)?.p95;
  const first = texts.partTakes(most.label, formatPercent(most.share), server);
  return [first, p95 === null || p95 === undefined ? "" : texts.otherPart(other.label, durationText(p95))];
}

/** The figures of one split log write. Percentiles of parts don't add up; shares are of sums. */
function SplitFigures({ value, split }: { readonly value: Distribution; readonly split: Split }): ReactNode {
  const server = useServerOf()(split);
  const [first, second] = sentencesOf(value, split, server);
  const isSlow = (rowOf(value, split.stage)?.p95 ?? 0) > SLOW_US;
  const rows = [
    { id: split.stage, label: texts.logWrite, share: 1 },
    ...partsOf(split.stage).map((id) => ({
      id,
      label: writePart(id).label,
      share: split.sums[writePart(id).part] / totalOf(split),
    })),
  ];
  return (
    <>
      <p className={styles.sentence} data-slow={isSlow}>
        <strong>{first}</strong> {second}
      </p>
      <FigureTable<(typeof rows)[number]>
        aria-label={texts.splitOn(server)}
        rows={rows}
        columns={[
          {
            id: "Part",
            cell: ({ id, label }) => (
              <span className={styles.part}>
                <Swatch color={`var(${stageColor(id)})`} />
                <Term id={id}>{label}</Term>
              </span>
            ),
          },
          { id: "p50", cell: ({ id }) => formatDuration(rowOf(value, id)?.p50) },
          { id: "p95", cell: ({ id }) => formatDuration(rowOf(value, id)?.p95) },
          { id: "Share", head: texts.share, cell: ({ share }) => formatPercent(share) },
        ]}
      />
    </>
  );
}

/** The split of each server that records file writes, or how to record them. */
export function WriteSplitPane({ value }: { readonly value: Distribution }): ReactNode {
  const { splits } = value;
  return (
    <div className={styles.pane}>
      {splits.length === 0 ? (
        <>
          <h2>{texts.logWriteSplit}</h2>
          <p>
            <strong>{texts.notRecorded}</strong> {texts.noFileHasFileWrites}
          </p>
        </>
      ) : (
        splits.map((split) => <SplitFigures key={split.stage} value={value} split={split} />)
      )}
      {splits.length === 0 ? null : <p className="muted">{texts.timesOfOneClock}</p>}
      {splits.length > 1 ? null : (
        <p>
          <Link className="button plain small" href="/guide?split=log">
            {texts.addToRecording}
          </Link>
        </p>
      )}
    </div>
  );
}

/** `Log write split in 2,841 of 2,841 writes` */
export const splitCount = ({ splits }: Distribution): string =>
  texts.splitIn(
    splits.reduce((sum, { split }) => sum + split, 0).toLocaleString("en"),
    splits.reduce((sum, { writes }) => sum + writes, 0).toLocaleString("en"),
  );
