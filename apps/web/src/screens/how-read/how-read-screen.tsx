import { type ReactNode, useEffect } from "react";
import type { CaptureCheck } from "@aglens/contract";
import { CopyCode } from "../../frame/copy.tsx";
import { KeyHint } from "../../frame/key-hint.tsx";
import { howReadTexts as texts } from "../../messages/how-read.ts";
import { Card } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { AnswerBand } from "../capture-view/answer-band.tsx";
import { TAB_LABELS, useCapture } from "../capture-view/capture-context.ts";
import { checkCounts } from "./check-counts.tsx";
import { ExpectationPane } from "./expectation-pane.tsx";
import { ExpectationTable } from "./expectation-table.tsx";
import { NoCheck } from "./no-check.tsx";
import { ReportActions, saveReport } from "./report-actions.tsx";
import { useExpectations } from "./use-expectations.ts";
import styles from "./how-read.module.css";

const COMMAND = texts.xelCheckFolder;

/**
 * Whether the files are as the model expects: the first failure, every expectation, and the results that depend on it.
 */
export function HowReadScreen(): ReactNode {
  const { check } = useCapture().summary;
  return check === undefined ? <NoCheck /> : <Checked check={check} />;
}

function Checked({ check }: { readonly check: CaptureCheck }): ReactNode {
  const { open, cameFrom } = useCapture();
  const { rows, chosen, choose, step, stepToNotMet } = useExpectations(check.expectations);
  const steps = (by: 1 | -1) => (event: KeyboardEvent) => {
    event.preventDefault();
    step(by);
  };
  useKeys({
    nextExpectation: steps(1),
    previousExpectation: steps(-1),
    nextNotMet: stepToNotMet,
    saveReport: () => saveReport(check),
    back: () => open(cameFrom ?? "overview"),
  });
  useStatus(check);
  return (
    <div className="stack narrows">
      <AnswerBand
        label={texts.check}
        sentences={[check.sentence]}
        isSlow={check.expectations.some(({ state }) => state === "not")}
        evidence={checkCounts(check)}
        asideTitle="Report"
        aside={[texts.itContainsCountsEvent]}
        actions={<ReportActions check={check} />}
      />
      <div className={styles.grid}>
        <ExpectationTable rows={rows} chosen={chosen} onChoose={choose} />
        <div className={styles.pane}>
          {chosen === null ? null : <ExpectationPane expectation={chosen} />}
          <Card title={texts.sameCheck}>
            <CopyCode code={COMMAND} label={texts.commandOfTheSame} />
            <p className="muted text space-8">{texts.folderContainsTheFiles}</p>
          </Card>
        </div>
      </div>
    </div>
  );
}

function useStatus({ expectations, files }: CaptureCheck): void {
  const { setStatus, cameFrom } = useCapture();
  const back = TAB_LABELS[cameFrom ?? "overview"].toLowerCase();
  const counts = `${texts.expectationPart(expectations.length)}, ${texts.eventFile(files)}`;
  useEffect(
    () =>
      setStatus(
        <>
          <span>{texts.howThisWasRead(counts)}</span>
          <KeyHint keys={["j", "k"]}>{texts.nextPreviousRow}</KeyHint>
          <KeyHint keys={["n"]}>{texts.nextNotMet}</KeyHint>
          <KeyHint keys={["s"]}>{texts.saveReport}</KeyHint>
          <KeyHint keys={["Esc"]}>{back}</KeyHint>
        </>,
        texts.customerDataIsntPart,
      ),
    [setStatus, counts, back],
  );
}
