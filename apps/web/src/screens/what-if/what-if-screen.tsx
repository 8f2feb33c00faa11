import { type ReactNode, useEffect, useState } from "react";
import type { PredictionDetail, WhatIf } from "@aglens/contract";
import { DistributionPicture } from "../../charts/replay/distribution-picture.tsx";
import { OverTimePicture } from "../../charts/replay/over-time-picture.tsx";
import { useAnswer, type AnswerOptions } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { whatIfTexts as texts } from "../../messages/what-if.ts";
import { Card, Kbd } from "../../ui/controls.tsx";
import { FoldedRows } from "../../ui/folded-rows.tsx";
import { useKeys } from "../../ui/keys.ts";
import { durationText, formatCount } from "../../ui/words.ts";
import { AnswerBand } from "../capture-view/answer-band.tsx";
import { useCapture } from "../capture-view/capture-context.ts";
import { databaseIndex } from "../capture-view/databases.ts";
import { TableTools } from "../capture-view/table-tools.tsx";
import { ChangeList } from "./change-list.tsx";
import { OwnFigure } from "./own-figure.tsx";
import { PredictionTable } from "./prediction-table.tsx";
import {
  assumptions,
  behindText,
  betweenText,
  foldedText,
  isWithoutEffect,
  unknownText,
  nothingHelpsSentence,
  predictionSentences,
  releaseNames,
} from "./what-if-text.ts";
import styles from "./what-if.module.css";
import { Term } from "../../ui/term.tsx";

/**
 * Each key stroke in a typed figure sends a request; this pause combines those of one number. The first figure was not
 * typed.
 */
const WHEN_TYPED: AnswerOptions = { pauseMs: 120, beginsAtOnce: true };

/**
 * Predicted commit latency with one change: the sentence, every change, both distributions, and the replicas that
 * release commits then.
 */
export function WhatIfScreen(): ReactNode {
  const { source, view, setView, open } = useCapture();
  const all = source.whatIf();
  // The requested change is loaded before the list, which replays the capture once for each change.
  const shown = useAnswer(view.change === null ? all : source.prediction(view.change), WHEN_TYPED);
  const list = useAnswer(all);
  const { value, isStale } = shown;
  const { error, retry } = shown.error === null ? list : shown;
  const choose = (change: string): void => setView({ change }, "replace");
  const [isOpen, setIsOpen] = useState(false);
  const chosen = value?.chosen ?? null;
  const measured = chosen?.measured.p95 ?? 0;
  const changes = withChosen(list.value?.changes ?? [], chosen);
  // The first one has the largest effect.
  const quiet = changes.slice(1).filter((change) => isWithoutEffect(change, measured));
  // A single row takes no more space than the sentence.
  const folded = quiet.length > 1 ? quiet : [];
  const listed = changes.filter(
    (change) => isOpen || change.change === chosen?.change || !folded.includes(change),
  );
  const step = (by: 1 | -1) => (event: KeyboardEvent) => {
    event.preventDefault();
    const at = listed.findIndex(({ change }) => change === (view.change ?? chosen?.change));
    const next = listed[Math.min(listed.length - 1, Math.max(0, at + by))];
    if (next !== undefined) choose(next.change);
  };
  useKeys({ previousChange: step(-1), nextChange: step(1), back: () => open("overview") });
  useStatus(value);
  if (value === null) {
    return (
      <div className="stack narrows" aria-busy={error === null}>
        <Problem sentence={error} onRetry={retry} />
        {error !== null && view.change !== null ? (
          <OtherChange onOther={() => setView({ change: null })} />
        ) : null}
      </div>
    );
  }
  return (
    <div className="stack narrows" aria-busy={isStale}>
      <Problem sentence={error} onRetry={retry} />
      {chosen === null ? (
        <NothingToChange />
      ) : (
        <Answer chosen={chosen} tried={view.change === null ? changes : []} />
      )}
      {chosen === null ? null : (
        <div className={styles.grid}>
          <Card title={texts.changeOneThing} aside={<Term id="p95">{texts.largestEffectOnP95}</Term>}>
            <ChangeList changes={listed} measured={measured} chosen={chosen.change} onChoose={choose} />
            {folded.length > 0 && (
              <FoldedRows
                sentence={foldedText(folded.length)}
                isOpen={isOpen}
                onToggle={() => setIsOpen(!isOpen)}
              />
            )}
            {list.value === null && list.error === null ? (
              <p className={styles.pending}>{texts.replayingTheOtherChanges}</p>
            ) : null}
            <Own onChange={choose} />
          </Card>
          <div className={styles.pictures}>
            <Pictures chosen={chosen} of={value.of} />
          </div>
        </div>
      )}
    </div>
  );
}

/** The list, with the chosen change added where the list does not contain it. */
function withChosen(changes: WhatIf["changes"], chosen: WhatIf["chosen"]): WhatIf["changes"] {
  if (chosen === null || changes.some(({ change }) => change === chosen.change)) return changes;
  return [...changes, chosen].toSorted((a, b) => (a.p95 ?? Number.MAX_VALUE) - (b.p95 ?? Number.MAX_VALUE));
}

function Own({ onChange }: { readonly onChange: (change: string) => void }): ReactNode {
  const { summary } = useCapture();
  return <OwnFigure summary={summary} onChange={onChange} />;
}

function OtherChange({ onOther }: { readonly onOther: () => void }): ReactNode {
  return (
    <p className={styles.empty}>
      <button type="button" className="button plain small" onClick={onOther}>
        {texts.showTheChanges}
      </button>
    </p>
  );
}

function NothingToChange(): ReactNode {
  return (
    <AnswerBand
      label={texts.prediction}
      sentences={[texts.thisCaptureAllowsNo]}
      evidence={[texts.predictionNeedsThePrimarys]}
      asideTitle=""
      aside={[]}
    />
  );
}

interface AnswerProps {
  readonly chosen: PredictionDetail;
  /** All changes, where no change was chosen; else empty. */
  readonly tried: WhatIf["changes"];
}

function Answer({ chosen, tried }: AnswerProps): ReactNode {
  const { summary, view } = useCapture();
  const name = summary.replicas[chosen.replica]?.name ?? texts.replica;
  const behind = behindText(chosen, name);
  const evidence = [
    chosen.canTell ? <Term id="p95">{texts.p95Between(<b>{betweenText(chosen.between)}</b>)}</Term> : null,
    behind && (
      <Term id="lag">
        {behind[0]}
        <b>{behind[1]}</b>
        {behind[2]}
        <b>{behind[3]}</b>
      </Term>
    ),
    <Term key="unchanged" id="p95">
      {texts.replayedUnchangedP95(
        <b>{durationText(chosen.unchanged.p95)}</b>,
        <b>{durationText(chosen.measured.p95)}</b>,
      )}
    </Term>,
  ].filter((figure) => figure !== null);
  return (
    <AnswerBand
      label={texts.prediction}
      sentences={nothingHelpsSentence(chosen, tried) ?? predictionSentences(chosen, summary)}
      evidence={evidence}
      asideTitle="Assumptions"
      aside={assumptions(chosen, name, databaseIndex(summary, view.database) !== null)}
    />
  );
}

function Pictures({ chosen, of }: { readonly chosen: PredictionDetail; readonly of: number }): ReactNode {
  const { summary } = useCapture();
  const { distribution, overTime, measured, predicted, intervals } = chosen;
  const counted = texts.ofCommitsJoined(formatCount(chosen.commits), formatCount(of));
  if (!chosen.canTell) return null;
  return (
    <>
      <Card
        title={<Term id="commit">{texts.commitLatencyNow}</Term>}
        aside={texts.shareAsSquareRoot(counted)}
      >
        <DistributionPicture
          {...distribution}
          now={measured}
          then={predicted}
          intervals={intervals}
          label={texts.commitLatencyP95Now(durationText(measured.p95), durationText(predicted.p95))}
        />
        <PredictionTable chosen={chosen} />
        <TableTools name={`prediction ${chosen.name}`} />
        <NotTold chosen={chosen} />
      </Card>
      <Card title={texts.overTimeAndWho} aside={texts.commitsReleasedOutlineNow}>
        <OverTimePicture
          {...overTime}
          capture={summary}
          names={releaseNames(summary).map((name, i) => (i === 0 ? "local" : name))}
          label={texts.p50ToP95}
        />
      </Card>
    </>
  );
}

function NotTold({ chosen }: { readonly chosen: PredictionDetail }): ReactNode {
  const sentence = unknownText(chosen);
  return sentence === "" ? null : <p className={styles.notTold}>{sentence}</p>;
}

function useStatus(value: WhatIf | null): void {
  const { setStatus } = useCapture();
  const isKnown = value !== null;
  const commits = value?.chosen?.commits ?? null;
  useEffect(() => {
    if (!isKnown) {
      setStatus(null);
      return;
    }
    setStatus(
      <>
        <span>
          {commits === null ? texts.wholeCapture : texts.predictionFromCommitsWhole(formatCount(commits))}
        </span>
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> {texts.change}
        </span>
        <span>
          <Kbd>y</Kbd> {texts.copyTheLink}
        </span>
        <span>
          <Kbd>Esc</Kbd> {texts.overview}
        </span>
      </>,
      texts.predictionNotAMeasurement,
    );
  }, [setStatus, isKnown, commits]);
}
