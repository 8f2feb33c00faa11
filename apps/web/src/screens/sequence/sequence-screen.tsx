import { useEffect, type ReactNode } from "react";
import type { Distribution, Sequence } from "@aglens/contract";
import { Problem } from "../../frame/problem.tsx";
import { sequenceTexts as texts } from "../../messages/sequence.ts";
import { Button, Kbd, Segmented } from "../../ui/controls.tsx";
import { useKeptKeys, useKeys } from "../../ui/keys.ts";
import { CaptureContext, TAB_LABELS, useCapture } from "../capture-view/capture-context.ts";
import { databaseName } from "../capture-view/databases.ts";
import { EqualLsns } from "../capture-view/capture-links.tsx";
import { inItsPhase } from "../capture-view/phases.ts";
import { splitCount } from "../capture-view/write-split.tsx";
import { CommitTable } from "./commit-table.tsx";
import { EventTable } from "./event-table.tsx";
import { PictureBox } from "./picture-box.tsx";
import { clockText, factsText, waitedText } from "./sequence-text.ts";
import { StageTable } from "./stage-table.tsx";
import { SplitBox, useSplit } from "./split-box.tsx";
import { type OpenSequence, useOpenSequence } from "./use-open-sequence.ts";
import styles from "./sequence.module.css";
import { FigureTerm } from "../../ui/term.tsx";

/** One log block from commit to commit: the picture to scale, its stages, its commits and its raw events. */
export function SequenceScreen(): ReactNode {
  const opened = useOpenSequence();
  const { sequence, slowOrder } = opened;
  const steps = useSteps(opened);
  const capture = useCapture();
  const { view, setView } = capture;
  const split = useSplit(view.split === "log");
  useKeys({ splitWrites: () => setView({ split: view.split === "log" ? null : "log" }) });
  useSequenceStatus(sequence.value, split.value);
  if (sequence.value === null) return <NoSequence {...opened} />;
  const its = inItsPhase(capture.summary, sequence.value);
  return (
    <CaptureContext value={{ ...capture, summary: its.summary }}>
      <div className={styles.sequence} data-testid="sequence" aria-busy={sequence.isStale}>
        <Problem sentence={slowOrder.error} onRetry={slowOrder.retry} />
        <Problem sentence={sequence.error} onRetry={sequence.retry} />
        <SequenceHead sequence={its.sequence} steps={steps} />
        {split.problem}
        {view.split === "log" ? (
          <SplitBox sequence={its.sequence} value={split.value} />
        ) : (
          <PictureBox sequence={its.sequence} />
        )}
        <div className={styles.tables}>
          <StageTable sequence={its.sequence} />
          <div className={styles.right}>
            <CommitTable sequence={its.sequence} />
            <EventTable sequence={its.sequence} />
          </div>
        </div>
      </div>
    </CaptureContext>
  );
}

/** State without a block: it is being read, cannot be read, or the capture has no blocks. */
function NoSequence({ sequence, slowOrder }: OpenSequence): ReactNode {
  if (sequence.code === "block-not-found") return <NoSuchBlock sentence={sequence.error} />;
  const failed = [sequence, slowOrder].find(({ error }) => error !== null);
  if (failed) return <Problem sentence={failed.error} onRetry={failed.retry} />;
  if (slowOrder.value?.length === 0 && !slowOrder.isStale)
    return <p className={styles.empty}>{texts.thisCaptureHoldsNo}</p>;
  return <output className={styles.empty}>{texts.readingTheBlock}</output>;
}

/** For a link to a block of another analysis, or a link written by hand: offers the slowest block. */
function NoSuchBlock({ sentence }: { readonly sentence: string | null }): ReactNode {
  const { setView, open } = useCapture();
  return (
    <div className={styles.missing}>
      <Problem sentence={sentence} />
      <Button kind="primary" onClick={() => setView({ block: null })}>
        {texts.showTheSlowestBlock}
      </Button>
      <Button onClick={() => open("overview", { block: null })}>{texts.overview}</Button>
    </div>
  );
}

interface Steps {
  /** Shows the slow block before or after this one; null at either end. */
  readonly previous: (() => void) | null;
  readonly next: (() => void) | null;
}

/** Buttons along the slow blocks, and along all blocks in time; both have keys. */
function useSteps({ sequence, slowOrder }: OpenSequence): Steps {
  const { view, setView, open, cameFrom } = useCapture();
  const { value: block } = sequence;
  const order = slowOrder.value ?? [];
  // Steps start from the block that was chosen last, even while it is being read.
  const position = order.indexOf(view.block ?? block?.row ?? -1);
  const show = (row: number | null | undefined): (() => void) | null =>
    row === null || row === undefined ? null : () => setView({ block: row });
  const steps = { previous: show(order[position - 1]), next: show(order[position + 1]) };
  const isOrdering = slowOrder.value === null && slowOrder.error === null;
  const read = sequence.isStale ? null : block;
  const isReading = read === null && sequence.error === null;
  useKeptKeys(isOrdering || isReading);
  useKeys({
    ...(isOrdering ? {} : { nextSlow: () => steps.next?.(), previousSlow: () => steps.previous?.() }),
    ...(isReading
      ? {}
      : {
          previousBlock: () => show(read?.previousInTime)?.(),
          nextBlock: () => show(read?.nextInTime)?.(),
        }),
    back: () => open(cameFrom ?? "timeline"),
  });
  return steps;
}

const hasSplit = ({ split, hops }: Sequence): boolean =>
  split !== null || hops.some((hop) => hop.split !== null);

function useSequenceStatus(sequence: Sequence | null, split: Distribution | null): void {
  const { summary, view, cameFrom, setStatus } = useCapture();
  const back = TAB_LABELS[cameFrom ?? "timeline"].toLowerCase();
  useEffect(() => {
    if (sequence && split)
      setStatus(
        <>
          <span>{splitCount(split)}</span>
          <span>
            <Kbd>s</Kbd> {texts.splitOnOff}
          </span>
          <span>
            <Kbd>n</Kbd> <Kbd>p</Kbd> {texts.nextPreviousSlow}
          </span>
        </>,
        texts.partsAddUp,
      );
    else if (sequence)
      setStatus(
        <>
          <span>{waitedText(sequence)}</span>
          {hasSplit(sequence) ? (
            <span>
              <Kbd>s</Kbd> {texts.splitTheLogWrite}
            </span>
          ) : null}
        </>,
        <>
          <FigureTerm>{clockText(summary, view.secondary)}</FigureTerm> <Kbd>Esc</Kbd> {texts.backTo(back)}
        </>,
      );
  }, [sequence, split, summary, view.secondary, back, setStatus]);
}

function SequenceHead({
  sequence,
  steps,
}: {
  readonly sequence: Sequence;
  readonly steps: Steps;
}): ReactNode {
  const { summary, view, setView } = useCapture();
  const secondaries = summary.replicas.slice(1);
  return (
    <header className={styles.head}>
      <h1>
        {databaseName(summary, sequence.database) ?? texts.block} <code>{sequence.lsn}</code>
      </h1>
      <EqualLsns block={sequence} />
      <span className={styles.facts}>{factsText(sequence, summary)}</span>
      <span className={styles.spring} />
      {secondaries.length > 1 ? (
        <Segmented
          label={texts.secondary}
          value={String(view.secondary)}
          options={secondaries.map((replica, s) => ({ value: String(s), label: replica.name }))}
          onChange={(value) => setView({ secondary: Number(value) })}
        />
      ) : null}
      {view.split === "log" ? null : (
        <Segmented
          label={texts.scale}
          value={view.scale}
          options={[
            { value: "time", label: texts.toScale },
            { value: "even", label: texts.evenSteps },
          ]}
          onChange={(scale) => setView({ scale })}
        />
      )}
      <Button onClick={() => steps.previous?.()} disabled={steps.previous === null}>
        <span aria-hidden="true">‹</span> <span className={styles.step}>{texts.previousSlow}</span>{" "}
        <Kbd>p</Kbd>
      </Button>
      <Button onClick={() => steps.next?.()} disabled={steps.next === null}>
        <span className={styles.step}>{texts.nextSlow}</span> <span aria-hidden="true">›</span> <Kbd>n</Kbd>
      </Button>
    </header>
  );
}
