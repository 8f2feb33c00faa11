import { type ReactNode, useState } from "react";
import type { CaptureCheck } from "@aglens/contract";
import { Modal, ModalBody, ModalFoot } from "../../frame/modal.tsx";
import { saveFile } from "../../frame/save-file.ts";
import { howReadTexts as texts } from "../../messages/how-read.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import styles from "./how-read.module.css";

type Report = Pick<CaptureCheck, "report">;

/** The name of a capture can contain a customer's name, so the file name does not contain it. */
const FILE_NAME = "ag-lens-check.txt";

/** Saves the text of a check, byte by byte as `xel check` prints it. */
export const saveReport = ({ report }: Report): void =>
  saveFile({ name: FILE_NAME, type: "text/plain;charset=utf-8", content: report });

/** Saves the report, and shows its content before that. */
export function ReportActions({ check }: { readonly check: Report }): ReactNode {
  const [isShown, show] = useState(false);
  return (
    <div className={styles.actions}>
      <Button kind="primary" onClick={() => saveReport(check)}>
        {texts.saveReportWithoutNames} <Kbd>s</Kbd>
      </Button>
      <Button onClick={() => show(true)}>{texts.preview}</Button>
      <Modal open={isShown} onOpenChange={show} title={texts.reportWithoutNames} width={900}>
        <ModalBody label={texts.textOfTheReport}>
          <pre className={styles.report}>{check.report}</pre>
        </ModalBody>
        <ModalFoot>
          <Button size="large" onClick={() => show(false)}>
            {texts.close}
          </Button>
          <Button kind="primary" size="large" onClick={() => saveReport(check)}>
            {texts.saveReportLabel}
          </Button>
        </ModalFoot>
      </Modal>
    </div>
  );
}
