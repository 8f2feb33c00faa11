import type { ReactNode } from "react";
import type { Sequence, SequenceStage } from "@aglens/contract";
import { type StageId, stageLabel } from "@aglens/ag-model/replication";
import { placeOf, stageToken, type ReplicaNames } from "../../lanes/palette.ts";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { Swatch, Value } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatDuration, formatPercent, rankText, formatUncertainty } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { isLateCapture } from "../capture-view/release.ts";
import { StageLink } from "../capture-view/capture-links.tsx";
import { useReplicaNames } from "../capture-view/names.ts";
import { isInSecondaryFile } from "./sequence-text.ts";
import styles from "./sequence.module.css";
import { FigureTerm, Term } from "../../ui/term.tsx";

type RowId = StageId | "unseen";

/** A row of the table: a stage, or the unseen part at a secondary without a file. */
type RowStage = Omit<SequenceStage, "id"> & { readonly id: RowId };

/** Rows of the table, top to bottom. */
const ROWS: readonly RowId[] = [
  "commitQueue",
  "localFlush",
  "captureLag",
  "send",
  "compression",
  "wireOut",
  "secondaryAppend",
  "decompression",
  "secondaryFlush",
  "ackBuild",
  "ackSend",
  "wireBack",
  "unseen",
  "ackReceive",
  "commitWakeUp",
  "networkRoundTrip",
];

/** Stages inside of the row above, shown when they happened. */
const PARTS: ReadonlySet<RowId> = new Set(["compression", "decompression"]);

function rowName(id: RowId, names: ReplicaNames): string {
  if (id === "unseen") return texts.networkAndLabel(names.secondary);
  return stageLabel(id, names);
}

const BESIDE: Readonly<Partial<Record<RowId, string>>> = {
  commitQueue: "before",
  captureLag: "before",
  commitWakeUp: "after",
  localFlush: "parallel",
  networkRoundTrip: "sum",
  compression: "inside",
  decompression: "inside",
};

/** Stages that only the secondary's own file shows. */
const OF_CAPTURE: readonly RowId[] = [
  "wireOut",
  "secondaryAppend",
  "decompression",
  "secondaryFlush",
  "ackBuild",
  "ackSend",
  "wireBack",
  "networkRoundTrip",
];

/** The unseen part at a secondary without a file, as one row. */
function unseenStage(hop: Sequence["hops"][number] | undefined): RowStage {
  const { sendEnd, ackReceived } = hop?.anchors ?? {};
  const duration = sendEnd == null || ackReceived == null ? null : ackReceived - sendEnd;
  return {
    id: "unseen",
    from: sendEnd ?? null,
    to: ackReceived ?? null,
    duration,
    share: duration === null || hop?.remoteHarden == null ? null : duration / hop.remoteHarden,
    rank: null,
    typical: null,
    obtained: duration === null ? "missing" : "measured",
    isPaused: false,
    uncertaintyUs: null,
  };
}

/** How a stage was obtained; a figure that crosses the two clocks has its ±. */
function obtainedText(stage: RowStage): string {
  if (stage.duration === null) return "missing";
  // The headline names the server.
  if (stage.isPaused) return texts.wasUnresponsivePart;
  if (stage.id === "networkRoundTrip") return "exact";
  if (stage.uncertaintyUs !== null) return texts.aligned(formatUncertainty(stage.uncertaintyUs));
  return stage.obtained;
}

/** Every stage of the block with duration, share, rank and how it was obtained. */
export function StageTable({ sequence }: { readonly sequence: Sequence }): ReactNode {
  const { summary, view } = useCapture();
  const { secondary } = view;
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  const stages = new Map<RowId, RowStage>(hop?.stages.map((stage) => [stage.id, stage]));
  const holds = isInSecondaryFile(sequence, summary, secondary);
  if (!holds) stages.set("unseen", unseenStage(hop));
  const isShown = (id: RowId): boolean =>
    (holds ? id !== "unseen" : !OF_CAPTURE.includes(id)) &&
    (id !== "captureLag" || isLateCapture(stages.get(id)?.duration)) &&
    !(PARTS.has(id) && stages.get(id)?.duration === null);
  const rows = ROWS.filter(isShown).flatMap((id) => {
    const stage = stages.get(id);
    return stage === undefined ? [] : [{ id, stage }];
  });
  const scale = Math.max(1, hop?.remoteHarden ?? 0, ...rows.map(({ stage }) => stage.duration ?? 0));
  return (
    <FigureTable<(typeof rows)[number]>
      className={`${styles.stageTable} system-colours`}
      aria-label={texts.stagesOfThisBlock}
      rows={rows}
      rowKey={({ id }) => id}
      rowProps={({ id }) => ({ "data-part": PARTS.has(id) })}
      columns={[
        { id: "Stage", cell: ({ id }) => <StageCell id={id} /> },
        { id: "Duration", cell: ({ stage }) => <Value figure={formatDuration(stage.duration)} strong /> },
        {
          id: "Share of harden",
          term: "share",
          cellProps: () => ({ className: "muted" }),
          cell: ({ id, stage: { share } }) =>
            share === null ? (BESIDE[id] ?? "–") : formatPercent(share, 1),
        },
        {
          id: "Bar, to scale",
          isHeadHidden: true,
          className: styles.bar,
          cell: ({ id, stage: { duration } }) => (
            <span
              hidden={duration === null}
              style={{
                width: `${Math.min(100, (100 * Math.max(0, duration ?? 0)) / scale)}%`,
                background: `var(${stageToken(id)})`,
                opacity: placeOf(id) === "primary" ? 0.7 : 1,
              }}
            />
          ),
        },
        {
          id: "Rank",
          term: "rank",
          cell: ({ stage }) => rankText(stage.rank),
          cellProps: () => ({ "data-term": "rank" }),
        },
        {
          id: "Typical p50",
          term: "p50",
          className: styles.typical,
          cell: ({ stage }) => formatDuration(stage.typical),
        },
        {
          id: "Obtained",
          term: "obtained",
          align: "left",
          className: styles.obtained,
          cell: ({ stage }) => <FigureTerm>{obtainedText(stage)}</FigureTerm>,
        },
      ]}
    />
  );
}

/** A stage that no file shows has no distribution. */
function StageCell({ id }: { readonly id: RowId }): ReactNode {
  const { summary, view } = useCapture();
  const names = useReplicaNames();
  // Acknowledgments of an asynchronous secondary may cover several blocks at once.
  const isAsync = summary.replicas[view.secondary + 1]?.commitMode === "async";
  const words = isAsync && id === "ackBuild" ? texts.untilAnAckCovers : rowName(id, names);
  return (
    <>
      <Swatch color={`var(${id === "networkRoundTrip" ? "--n-out" : stageToken(id)})`} />
      {id === "unseen" ? <Term id="unseen">{words}</Term> : <StageLink stage={id}>{words}</StageLink>}
    </>
  );
}
