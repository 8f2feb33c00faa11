import { type ReactNode, useEffect, useState } from "react";
import { EventName } from "@aglens/ag-model/events";
import type { CaptureScope } from "@aglens/ag-model/query";
import { worstRow } from "@aglens/ag-model/replay";
import { hasNoPrimaryFile, type Summary, type Waiting, type WaitingRow } from "@aglens/contract";
import { useAnswer } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { waitingTexts as texts } from "../../messages/waiting.ts";
import { Card, Kbd } from "../../ui/controls.tsx";
import { FoldedRows } from "../../ui/folded-rows.tsx";
import { useKeys } from "../../ui/keys.ts";
import { formatCount } from "../../ui/words.ts";
import { AnswerBand } from "../capture-view/answer-band.tsx";
import { useCapture } from "../capture-view/capture-context.ts";
import { databaseIndex } from "../capture-view/databases.ts";
import { unzoomedRange, WHOLE_CAPTURE } from "../capture-view/shown-range.ts";
import { phaseIndex } from "../capture-view/phases.ts";
import { TableTools } from "../capture-view/table-tools.tsx";
import { TimeChoice } from "../capture-view/time-choice.tsx";
import { RowsChoice, useNextRows } from "./rows-choice.tsx";
import { SharedWrites } from "./shared-writes.tsx";
import { WaitingRows } from "./waiting-rows.tsx";
import { foldedText, waitingAdvice, waitingEvidence, waitingSentences, writerName } from "./waiting-text.ts";
import styles from "./waiting.module.css";
import { WhoWaitedScreen } from "./who-waited-screen.tsx";
import { waitingRowsOf } from "./who-waited-text.ts";
import { FigureTerm } from "../../ui/term.tsx";

/** Commits by their clients, or the log writers and networks that log blocks waited for. */
export function WaitingScreen(): ReactNode {
  const { summary, view } = useCapture();
  const by = waitingRowsOf(view, summary);
  return by === "queues" ? <Queues /> : <WhoWaitedScreen by={by} />;
}

/**
 * Slow, queued or both: log writers and networks with their wait time, service time and use. Those that are neither are
 * in one sentence.
 */
function Queues(): ReactNode {
  const { source, summary, view, open } = useCapture();
  const answer = useAnswer(source.waiting());
  const { error, retry } = answer;
  const scope = {
    database: databaseIndex(summary, view.database),
    phase: phaseIndex(summary, view.phase),
  };
  const value = answer.value && ofScope(answer.value, scope);
  const [picked, setPicked] = useState<WaitingRow | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const rows = value?.rows ?? [];
  const worst = rows[value?.worst ?? -1];
  const chosen = picked !== null && rows.includes(picked) ? picked : worst;
  const quiet = rows.filter((row) => row !== worst && isQuiet(row));
  // A single row takes no more space than the sentence.
  const folded = quiet.length > 1 ? quiet : [];
  const shown = isOpen ? rows : rows.filter((row) => row === chosen || !folded.includes(row));
  const choose = (place: number): void => setPicked(shown[place] ?? chosen ?? null);
  const step = (by: 1 | -1) => (event: KeyboardEvent) => {
    event.preventDefault();
    if (chosen !== undefined) choose(shown.indexOf(chosen) + by);
  };
  useKeys({
    waitingRow: ({ key }) => choose(Number(key) - 1),
    previousChange: step(-1),
    nextChange: step(1),
    open: () => open("timeline"),
    back: () => open("overview"),
    nextRows: useNextRows("queues"),
  });
  const range = unzoomedRange(view.range, summary);
  useStatus(value && shown);
  if (value === null) {
    return (
      <div className="stack narrows" aria-busy={error === null}>
        <Problem sentence={error} onRetry={retry} />
      </div>
    );
  }
  return (
    <div className="stack narrows">
      <Problem sentence={error} onRetry={retry} />
      <Answer waiting={value} />
      {rows.length === 0 ? null : (
        <div className={styles.cards}>
          <Card>
            <div className="row gap-16 wrap">
              <RowsChoice by="queues" />
              <TimeChoice followsZoom={false} />
            </div>
            <WaitingRows rows={shown} summary={summary} range={range} chosen={chosen} onChoose={setPicked} />
            {folded.length > 0 && (
              <FoldedRows sentence={foldedText(folded)} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
            )}
            <TableTools name="waiting" />
          </Card>
          <div className={styles.below}>
            <Shared row={chosen} rows={rows} summary={summary} />
          </div>
        </div>
      )}
    </div>
  );
}

/** Neither slow nor queued, and in no episode of the verdict. */
const isQuiet = ({ isSlow, isQueued, episode }: WaitingRow): boolean =>
  !isSlow && !isQueued && episode === null;

/** The rows of one phase, and of its log writers those of one database: all databases share the networks. */
function ofScope(waiting: Waiting, { database, phase }: CaptureScope): Waiting {
  if (database === null && phase === null) return waiting;
  const rows = waiting.rows.filter(
    (row) =>
      (database === null || row.kind !== "logWrite" || row.database === database) &&
      (phase === null || row.phase === phase),
  );
  return { rows, worst: worstRow(rows) };
}

function Answer({ waiting: { rows, worst } }: { readonly waiting: Waiting }): ReactNode {
  const { summary } = useCapture();
  const row = rows[worst];
  if (row === undefined) {
    const hasPrimary = !hasNoPrimaryFile(summary);
    return (
      <AnswerBand
        label={texts.waiting}
        sentences={[hasPrimary ? texts.noLogWrite : texts.withoutThePrimarysFile]}
        evidence={[
          hasPrimary
            ? texts.waitingIsRead(EventName.flushStart, EventName.flushComplete)
            : texts.howLongTheSecondaries,
        ]}
        asideTitle=""
        aside={[]}
      />
    );
  }
  return (
    <AnswerBand
      label={texts.waiting}
      sentences={waitingSentences(row, rows, summary)}
      isSlow={row.isSlow || row.isQueued}
      evidence={waitingEvidence(row, rows, summary).map(([before, figure = "", after]) => (
        <>
          {before}
          <b>
            <FigureTerm>{figure}</FigureTerm>
          </b>
          {after}
        </>
      ))}
      asideTitle={texts.checkNext}
      aside={waitingAdvice(row, rows, summary)}
    />
  );
}

function Shared({
  row,
  rows,
  summary,
}: {
  readonly row: WaitingRow | undefined;
  readonly rows: readonly WaitingRow[];
  readonly summary: Summary;
}): ReactNode {
  // Where no write has several blocks, there is nothing to compare.
  if (row === undefined || row.sharedWrites.every(({ blocks, writes }) => blocks === 1 || writes === 0))
    return null;
  const writes = row.sharedWrites.reduce((sum, each) => sum + each.writes, 0);
  return (
    <Card
      title={texts.blocksThatShareOneWrite(writerName(row, rows, summary))}
      aside={texts.writes(formatCount(writes))}
    >
      <SharedWrites row={row} />
    </Card>
  );
}

/** @param rows null until they are known: later figures would move the key hints */
function useStatus(rows: readonly WaitingRow[] | null): void {
  const { setStatus } = useCapture();
  const length = rows?.length ?? null;
  useEffect(() => {
    if (length === null) {
      setStatus(null);
      return;
    }
    setStatus(
      <>
        <span>{texts.figuresOfThe(WHOLE_CAPTURE.toLowerCase())}</span>
        {length > 1 ? (
          <span>
            <Kbd>1</Kbd> {texts.to} <Kbd>{Math.min(9, length)}</Kbd> {texts.chooseARow}
          </span>
        ) : null}
        <span>
          <Kbd>Enter</Kbd> {texts.timeline}
        </span>
        <span>
          <Kbd>Esc</Kbd> {texts.overview}
        </span>
      </>,
      texts.networksShareOfTime,
    );
  }, [setStatus, length]);
}
