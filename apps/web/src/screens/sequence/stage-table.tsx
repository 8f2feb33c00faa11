import type { ReactNode } from "react";
import type { Sequence, SequenceStage } from "@aglens/contract";
import type { StageId } from "@aglens/ag-model/replication";
import { placeOf, stageToken, type ReplicaNames } from "../../lanes/palette.ts";
import { Swatch, Value } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatDuration, formatPercent, rankText, formatUncertainty } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { isLateCapture } from "../capture-view/release.ts";
import { StageLink } from "../capture-view/capture-links.tsx";
import { useReplicaNames } from "../capture-view/names.ts";
import { isInSecondaryFile } from "./sequence-words.ts";
import styles from "./sequence.module.css";

type RowId = StageId | "unseen";

/** A row of the table: a stage, or what happens out of sight at a secondary without a file. */
type RowStage = Omit<SequenceStage, "id"> & { readonly id: RowId };

/** Rows of the table, top to bottom; parts of a stage (compression, decompression) follow it when they happened. */
const ROWS: readonly { id: RowId; label: (names: ReplicaNames) => string; part?: boolean }[] = [
  { id: "commitQueue", label: () => "Commit queue" },
  { id: "localFlush", label: (n) => `Log write, ${n.primary}` },
  { id: "captureLag", label: () => "Capture lag" },
  { id: "send", label: () => "Capture and send" },
  { id: "compression", label: () => "Compression", part: true },
  { id: "wireOut", label: () => "Network out" },
  { id: "secondaryAppend", label: () => "Receive and append" },
  { id: "decompression", label: () => "Decompression", part: true },
  { id: "secondaryFlush", label: (n) => `Log write, ${n.secondary}` },
  { id: "ackBuild", label: () => "Ack build" },
  { id: "ackSend", label: () => "Ack send" },
  { id: "wireBack", label: () => "Network back" },
  { id: "unseen", label: (n) => `Network and ${n.secondary}` },
  { id: "ackReceive", label: () => "Ack receive" },
  { id: "commitWakeUp", label: () => "Commit wake-up" },
  { id: "networkRoundTrip", label: () => "Network round trip" },
];

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

/** All that happens out of sight at a secondary without a file, as one row. */
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

/** How a stage was obtained, in words; a figure that crosses the two clocks carries its ±. */
function obtainedWords(stage: RowStage): string {
  if (stage.duration === null) return "missing";
  // Which server did is in the headline.
  if (stage.isPaused) return "stood still";
  if (stage.id === "networkRoundTrip") return "exact";
  if (stage.uncertaintyUs !== null) return `aligned ${formatUncertainty(stage.uncertaintyUs)}`;
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
  const isShown = ({ id, part = false }: (typeof ROWS)[number]): boolean =>
    (holds ? id !== "unseen" : !OF_CAPTURE.includes(id)) &&
    (id !== "captureLag" || isLateCapture(stages.get(id)?.duration)) &&
    !(part && stages.get(id)?.duration === null);
  const rows = ROWS.filter(isShown).flatMap(({ id, ...row }) => {
    const stage = stages.get(id);
    return stage === undefined ? [] : [{ ...row, id, stage }];
  });
  const scale = Math.max(1, hop?.remoteHarden ?? 0, ...rows.map(({ stage }) => stage.duration ?? 0));
  return (
    <FigureTable<(typeof rows)[number]>
      className={`${styles.stageTable} system-colours`}
      aria-label="Stages of this block"
      rows={rows}
      rowKey={({ id }) => id}
      rowProps={({ part = false }) => ({ "data-part": part })}
      columns={[
        { id: "Stage", cell: ({ id, label }) => <StageName id={id} label={label} /> },
        { id: "Duration", cell: ({ stage }) => <Value figure={formatDuration(stage.duration)} strong /> },
        {
          id: "Share of harden",
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
        { id: "Rank", cell: ({ stage }) => rankText(stage.rank) },
        { id: "Typical p50", className: styles.typical, cell: ({ stage }) => formatDuration(stage.typical) },
        {
          id: "Obtained",
          align: "left",
          className: styles.obtained,
          cell: ({ stage }) => obtainedWords(stage),
        },
      ]}
    />
  );
}

/** What no file shows has no distribution. */
function StageName({ id, label }: Pick<(typeof ROWS)[number], "id" | "label">): ReactNode {
  const { summary, view } = useCapture();
  const names = useReplicaNames();
  // Acknowledgements of an asynchronous secondary may cover several blocks at once.
  const isAsync = summary.replicas[view.secondary + 1]?.commitMode === "async";
  const words = isAsync && id === "ackBuild" ? "Until an ack covers it" : label(names);
  return (
    <>
      <Swatch color={`var(${id === "networkRoundTrip" ? "--n-out" : stageToken(id)})`} />
      {id === "unseen" ? words : <StageLink stage={id}>{words}</StageLink>}
    </>
  );
}
