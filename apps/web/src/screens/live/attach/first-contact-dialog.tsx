import { type ReactNode, useState } from "react";
import type { ContactLine, ContactState, FirstContact } from "@aglens/contract";
import { Button } from "../../../ui/controls.tsx";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { formatCount } from "../../../ui/words.ts";
import { Check } from "../../../frame/field.tsx";
import { Modal, ModalBody, ModalFoot } from "../../../frame/modal.tsx";
import { Notice } from "../../../frame/notice.tsx";
import { Problem } from "../../../frame/problem.tsx";
import { saveFile } from "../../../frame/save-file.ts";
import { attachTexts as texts } from "../../../messages/attach.ts";
import type { Connection } from "./attach.ts";
import { type ContactStage, useFirstContact } from "./use-first-contact.ts";
import styles from "./first-contact-dialog.module.css";

interface Props {
  /** As the user typed it. */
  readonly server: string;
  readonly connection: Connection | string;
  readonly onClose: () => void;
}

const FILE = "ag-lens-first-contact.txt";

/** Tries every statement of live mode on a server, shows what differs, and saves it as a text without names. */
export function FirstContactDialog({ server, connection, onClose }: Props): ReactNode {
  const { stage, start, stop, reset } = useFirstContact(connection);
  const [readsStream, setReadsStream] = useState(false);
  return (
    <Modal open onOpenChange={onClose} title={texts.attachAndCheckLabel(server)} width={760}>
      <ModalBody>
        {stage.is === "done" ? (
          <Result result={stage.result} />
        ) : (
          <>
            <Terms />
            <Check
              checked={readsStream}
              disabled={stage.is === "running"}
              onChange={(reads) => setReadsStream(reads)}
            >
              {texts.readTheEventStream}
            </Check>
            <div aria-live="polite">
              <Progress stage={stage} />
            </div>
          </>
        )}
      </ModalBody>
      <ModalFoot>
        <NextStep stage={stage} onStart={() => start(readsStream)} onStop={stop} onAgain={reset} />
        {stage.is === "done" ? (
          <Button
            kind="primary"
            onClick={() => saveFile({ name: FILE, type: "text/plain", content: stage.result.text })}
          >
            {texts.saveTextFile}
          </Button>
        ) : null}
      </ModalFoot>
    </Modal>
  );
}

interface NextStepProps {
  readonly stage: ContactStage;
  readonly onStart: () => void;
  readonly onStop: () => void;
  /** Back to the choice. */
  readonly onAgain: () => void;
}

function NextStep({ stage, onStart, onStop, onAgain }: NextStepProps): ReactNode {
  if (stage.is === "running") return <Button onClick={onStop}>{texts.stop}</Button>;
  if (stage.is === "done") return <Button onClick={onAgain}>{texts.checkAgain}</Button>;
  return (
    <Button kind="primary" onClick={onStart}>
      {texts.checkEveryStatement}
    </Button>
  );
}

/** Explains which data is sent, and what the text contains. */
function Terms(): ReactNode {
  return (
    <div className={styles.terms}>
      <p>{texts.agLensSendsEach}</p>
      <p>{texts.resultIsAText}</p>
    </div>
  );
}

function Progress({ stage }: { readonly stage: ContactStage }): ReactNode {
  if (stage.is === "failed") return <Problem sentence={stage.sentence} />;
  if (stage.is !== "running") return null;
  const { done, of, line } = stage.progress ?? { done: 0, of: 1, line: null };
  return (
    <div className="space-12">
      <progress className="full" max={of} value={done} aria-label={texts.statementsTried} />
      <p className="quiet text">
        {line === null ? texts.connecting : texts.ofPart(done, of, line.statement)}
      </p>
    </div>
  );
}

const STATE_WORDS: Readonly<Record<ContactState, string>> = {
  failed: "failed",
  differs: "differs",
  notTried: texts.notTried,
  asExpected: texts.asExpected,
};

function Result({ result }: { readonly result: FirstContact }): ReactNode {
  const { lines, left, text } = result;
  return (
    <>
      {left === null ? null : <Notice role="alert">{left}</Notice>}
      <p className={styles.summary}>{summaryOf(lines)}</p>
      <Lines lines={lines.filter(isOdd)} />
      <details className={styles.rest}>
        <summary>{lines.some(isOdd) ? texts.allOtherLines : texts.allLines}</summary>
        <Lines lines={lines.filter((line) => !isOdd(line))} />
      </details>
      <h3 className={styles.heading}>{texts.textFile}</h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by key */}
      <pre className={styles.text} tabIndex={0} aria-label={texts.textFile}>
        {text}
      </pre>
    </>
  );
}

const isOdd = ({ state }: ContactLine): boolean => state === "failed" || state === "differs";

function Lines({ lines }: { readonly lines: readonly ContactLine[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <FigureTable<ContactLine>
      className={styles.lines}
      rows={lines}
      rowKey={({ statement }) => statement}
      columns={[
        {
          id: "Statement",
          cell: ({ statement, section }) => (
            <>
              {statement} <span className="quiet text">{texts.liveProtocolMd(section)}</span>
            </>
          ),
        },
        {
          id: "Result",
          align: "left",
          cell: ({ state }) => STATE_WORDS[state],
          cellProps: ({ state }) => ({ "data-bad": state === "failed" || state === "differs" }),
        },
        {
          id: "Answer",
          align: "left",
          className: styles.answer,
          cell: ({ answer, differences }) => (
            <>
              {answer}
              {differences.map((difference) => (
                <p key={difference} className="text">
                  {difference}
                </p>
              ))}
            </>
          ),
        },
        { id: "Time", cell: ({ ms }) => (ms === null ? "" : `${formatCount(Math.round(ms))}\u2009ms`) },
      ]}
    />
  );
}

/** "2 differ, 1 failed, 27 as expected." */
function summaryOf(lines: readonly ContactLine[]): string {
  const count = (state: ContactState): number => lines.filter((line) => line.state === state).length;
  const parts = (["failed", "differs", "notTried", "asExpected"] as const)
    .filter((state) => count(state) > 0)
    .map(
      (state) => `${count(state)} ${count(state) > 1 && state === "differs" ? "differ" : STATE_WORDS[state]}`,
    );
  return texts.lines(lines.length, parts.join(", "));
}
