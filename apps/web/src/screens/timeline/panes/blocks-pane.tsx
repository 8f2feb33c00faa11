import { stageLabel } from "@aglens/ag-model/replication";
import type { ReactNode } from "react";
import type { Sequence } from "@aglens/contract";
import { BlockBar } from "../../../charts/block-bar.tsx";
import { barLength } from "../../../charts/block-pieces.ts";
import { Problem } from "../../../frame/problem.tsx";
import { type ReplicaNames, stageToken } from "../../../lanes/palette.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { Button, Kbd, Swatch } from "../../../ui/controls.tsx";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { durationText, formatDuration, formatTime, utcTip } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { knownCommits } from "../../capture-view/figures.ts";
import { blockName } from "../../capture-view/databases.ts";
import { primaryMoved } from "../../capture-view/phases.ts";
import { useReplicaNames } from "../../capture-view/names.ts";
import { type ComparedFigure, comparedRows } from "./compared-blocks.ts";
import { pausedOfHop, stagesOfHop } from "../lanes/hop-bar.ts";
import { Reading } from "./pane-parts.tsx";
import { ROLES } from "./released-by.ts";
import { selectedRows } from "./selected-rows.ts";
import { useTimelineSelection } from "../timeline-context.ts";
import laneFrame from "../../lane-view/lane-frame.module.css";
import styles from "./pane.module.css";
import { termProps } from "../../../ui/term.tsx";

/** Names of the blocks' columns, in order of time. */
const LETTERS = ["A", "B", "C", "D"] as const;

/** Several selected blocks side by side, with their differences and what they took together. */
export function BlocksPane(): ReactNode {
  const { selection, sequence, kept } = useTimelineSelection();
  const error = sequence.error ?? kept.error;
  const blocks = [...(kept.value ?? []), ...(sequence.value === null ? [] : [sequence.value])].toSorted(
    (a, b) => a.time - b.time,
  );
  const isRead = sequence.value !== null && kept.value !== null;
  return (
    <>
      <h2>{isRead ? texts.blocksSelected(blocks.length) : texts.blocksSelectedLabel}</h2>
      <Problem sentence={error} onRetry={sequence.error === null ? kept.retry : sequence.retry} />
      {isRead ? (
        <Blocks blocks={blocks} />
      ) : error === null ? (
        <Reading>{texts.readingTheBlocks}</Reading>
      ) : null}
      <div className={styles.actions}>
        <Button onClick={() => selection.select(null)}>
          {texts.selectNone} <Kbd>Esc</Kbd>
        </Button>
      </div>
    </>
  );
}

function Blocks({ blocks }: { readonly blocks: readonly Sequence[] }): ReactNode {
  const { summary, view } = useCapture();
  const given = useReplicaNames();
  const names = primaryMoved(summary) ? ROLES : given;
  const isAcross = new Set(blocks.map(({ phase }) => phase)).size > 1;
  const scaleUs = Math.max(1, ...blocks.map((block) => barLength(stagesOfHop(hopOf(block, view.secondary)))));
  return (
    <>
      {isAcross ? (
        <p className={styles.note}>
          <b>{texts.rolesChangedBetweenThem}</b> {texts.primaryIsAnotherServer}
        </p>
      ) : null}
      <ul className={styles.blocks}>
        {blocks.map((block, i) => (
          <BlockLine key={block.row} block={block} letter={LETTERS[i] ?? ""} scaleUs={scaleUs} />
        ))}
      </ul>
      <Comparison blocks={blocks} names={names} />
    </>
  );
}

interface LineProps {
  readonly block: Sequence;
  readonly letter: string;
  readonly scaleUs: number;
}

/** A block's letter, name and bar; a press makes it the current one. */
function BlockLine({ block, letter, scaleUs }: LineProps): ReactNode {
  const { summary, view, setView } = useCapture();
  const { selection } = useTimelineSelection();
  const { row } = block;
  const name = blockName(summary, block);
  const hop = hopOf(block, view.secondary);
  const isAtHand = row === view.block;
  const toHand = (): void =>
    setView({ block: row, kept: selectedRows(view).filter((each) => each !== row) }, "replace");
  return (
    <li data-at-hand={isAtHand}>
      <b>{letter}</b>
      <button type="button" aria-pressed={isAtHand} disabled={isAtHand} onClick={toHand}>
        <code>{name}</code>
      </button>
      <span title={utcTip(summary, block.time)}>{formatTime(summary, block.time)}</span>
      <Button kind="quiet" aria-label={texts.selectWithout(name)} onClick={() => selection.toggle(row)}>
        ×
      </Button>
      <BlockBar stages={stagesOfHop(hop)} paused={pausedOfHop(hop)} scaleUs={scaleUs} height={10} />
    </li>
  );
}

/** The block's path to a secondary; undefined where it was not sent there. */
const hopOf = ({ hops }: Sequence, secondary: number): Sequence["hops"][number] | undefined =>
  hops.find((each) => each.secondary === secondary);

/** A column per block, then how far they differ, then their sum. */
function Comparison({
  blocks,
  names,
}: {
  readonly blocks: readonly Sequence[];
  readonly names: ReplicaNames;
}): ReactNode {
  const { summary, view } = useCapture();
  const isPair = blocks.length === 2;
  const rows = comparedRows(blocks, view.secondary);
  const commits = blocks.reduce((sum, block) => sum + block.commits.length, 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a table that scrolls is scrolled with the keyboard too
    <section className={styles.wideTable} aria-label={texts.stagesOfTheSelected} tabIndex={0}>
      <FigureTable<(typeof rows)[number]>
        rows={rows}
        rowKey={({ figure }) => figure}
        columns={[
          { id: "Stage", cell: ({ figure }) => <FigureName figure={figure} names={names} /> },
          ...blocks.map((_, i) => ({
            id: LETTERS[i] ?? "",
            cell: ({ values }: (typeof rows)[number]) => formatDuration(values[i]),
          })),
          {
            id: isPair ? "B − A" : "Spread",
            headTitle: isPair ? texts.bLessA : texts.longestLessTheShortest,
            cell: ({ difference }) => (isPair ? signedText(difference) : durationText(difference)),
          },
          { id: "Sum", cell: ({ sum }) => formatDuration(sum) },
        ]}
      />
      <p className={laneFrame.sub}>
        {texts.waitedForThemSums(knownCommits(summary, commits) === null ? "" : texts.waitedForThem(commits))}
      </p>
    </section>
  );
}

function FigureName({
  figure,
  names,
}: {
  readonly figure: ComparedFigure;
  readonly names: ReplicaNames;
}): ReactNode {
  if (figure === "commit") return <span {...termProps("commit")}>{texts.longestCommit}</span>;
  if (figure === "remoteHarden") return <span {...termProps(figure)}>{texts.remoteHardenLabel}</span>;
  return (
    <>
      <Swatch color={`var(${stageToken(figure)})`} />
      <span {...termProps(figure)}>{stageLabel(figure, names)}</span>
    </>
  );
}

/** "+1.20 ms", "−300 µs". */
const signedText = (us: number | null): string =>
  us === null || us === 0 ? durationText(us) : `${us < 0 ? "−" : "+"}${durationText(Math.abs(us))}`;
