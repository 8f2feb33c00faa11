import type { ReactNode } from "react";
import type { Sequence, Summary } from "@aglens/contract";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { Swatch, Value } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatDuration, formatCount, formatTime, rankText } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { knownCommits } from "../capture-view/figures.ts";
import styles from "./sequence.module.css";

function releasedBy(gate: number, summary: Summary): ReactNode {
  if (gate === 0) return texts.notKnown;
  if (gate === 1)
    return (
      <>
        <Swatch color="var(--p-disk)" /> {texts.localLogWrite}
      </>
    );
  return (
    <>
      <Swatch color="var(--s-disk)" /> {summary.replicas[gate - 1]?.name} {texts.ack}
    </>
  );
}

/** The commits of this block, and the cause that released each of them. */
export function CommitTable({ sequence }: { readonly sequence: Sequence }): ReactNode {
  const { summary, view } = useCapture();
  const ack = sequence.hops.find((hop) => hop.secondary === view.secondary)?.anchors.ackProcessed;
  const flushed = sequence.local.localFlushEnd;
  const since = (instant: number | null | undefined, start: number): number | null =>
    instant == null ? null : instant - start;
  return (
    <FigureTable<Sequence["commits"][number]>
      className={`${styles.commitTable} system-colours`}
      aria-label={texts.commitsThatWaited}
      rows={sequence.commits}
      columns={[
        {
          id: "Start",
          head: texts.commitsThatWaitedLabel(formatCount(knownCommits(summary, sequence.commits.length))),
          cell: ({ start }) => formatTime(summary, start, 6),
        },
        { id: "Queued", term: "commitQueue", cell: ({ queued }) => formatDuration(queued) },
        {
          id: "Waited",
          term: "commit",
          cell: ({ start, end }) => <Value figure={formatDuration(end - start)} strong />,
        },
        {
          id: "Rank",
          term: "rank",
          cell: ({ rank }) => rankText(rank),
          cellProps: () => ({ "data-term": "rank" }),
        },
        {
          id: "Local write done",
          cellProps: () => ({ className: "muted" }),
          cell: ({ start }) => formatDuration(since(flushed, start)),
        },
        {
          id: "Ack processed",
          cellProps: () => ({ className: "muted" }),
          cell: ({ start }) => formatDuration(since(ack, start)),
        },
        { id: "Woken after", term: "commitWakeUp", cell: ({ wokenAfter }) => formatDuration(wokenAfter) },
        {
          id: "Released by",
          term: "releasedBy",
          align: "left",
          cell: ({ gate }) => releasedBy(gate, summary),
        },
      ]}
    />
  );
}
