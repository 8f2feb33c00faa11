import { type ReactNode, useEffect } from "react";
import type { CaptureCheck } from "@aglens/contract";
import { CopyCode } from "../../frame/copy.tsx";
import { KeyHint } from "../../frame/key-hint.tsx";
import { Card } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { AnswerBand } from "../capture-view/answer-band.tsx";
import { TAB_LABELS, useCapture } from "../capture-view/capture-context.ts";
import { countedWords } from "../capture-view/figures.ts";
import { checkCounts } from "./check-counts.tsx";
import { ExpectationPane } from "./expectation-pane.tsx";
import { ExpectationTable } from "./expectation-table.tsx";
import { NoCheck } from "./no-check.tsx";
import { ReportActions, saveReport } from "./report-actions.tsx";
import { useExpectations } from "./use-expectations.ts";
import styles from "./how-read.module.css";

const COMMAND = "xel check FOLDER";

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
        label="Check"
        sentences={[check.sentence]}
        isSlow={check.expectations.some(({ state }) => state === "not")}
        evidence={checkCounts(check)}
        asideTitle="Report"
        aside={["It contains counts, event names and column names. It has no name or id of yours."]}
        actions={<ReportActions check={check} />}
      />
      <div className={styles.grid}>
        <ExpectationTable rows={rows} chosen={chosen} onChoose={choose} />
        <div className={styles.pane}>
          {chosen === null ? null : <ExpectationPane expectation={chosen} />}
          <Card title="Same check on the command line">
            <CopyCode code={COMMAND} label="command of the same check" />
            <p className="muted text space-8">FOLDER contains the files of all replicas.</p>
          </Card>
        </div>
      </div>
    </div>
  );
}

function useStatus({ expectations, files }: CaptureCheck): void {
  const { setStatus, cameFrom } = useCapture();
  const back = TAB_LABELS[cameFrom ?? "overview"].toLowerCase();
  const counts = `${countedWords(expectations.length, "expectation")}, ${countedWords(files, "event file")}`;
  useEffect(
    () =>
      setStatus(
        <>
          <span>How this was read: {counts}</span>
          <KeyHint keys={["j", "k"]}>next, previous row</KeyHint>
          <KeyHint keys={["n"]}>next not met</KeyHint>
          <KeyHint keys={["s"]}>save report</KeyHint>
          <KeyHint keys={["Esc"]}>{back}</KeyHint>
        </>,
        "Customer data isn't part of the report",
      ),
    [setStatus, counts, back],
  );
}
