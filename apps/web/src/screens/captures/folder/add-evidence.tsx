import { type ReactNode, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import type { Capture } from "@aglens/contract";
import { type CaptureAddress, useReadEvidenceAgain } from "../../../data/capture-address.ts";
import { captureById } from "../../../data/captures-client.ts";
import { useAnswer } from "../../../data/use-answer.ts";
import { Modal, ModalBody, ModalFoot } from "../../../frame/modal.tsx";
import { Notice } from "../../../frame/notice.tsx";
import { Problem } from "../../../frame/problem.tsx";
import { capturesTexts } from "../../../messages/captures.ts";
import { happenedTexts } from "../../../messages/happened.ts";
import { folderTexts as texts } from "../../../messages/folder.ts";
import { Button } from "../../../ui/controls.tsx";
import { useCapture } from "../../capture-view/capture-context.ts";
import { DraftContext, draftOf } from "../sending/draft.ts";
import type { PickedFile } from "../sending/picked-files.ts";
import { Uploads } from "../sending/uploads.tsx";
import { useFilePicker } from "../sending/use-file-picker.tsx";
import { FolderGroups } from "./folder-groups.tsx";
import { FolderSide } from "./folder-side.tsx";
import { supportFolder } from "./support-folder.ts";
import styles from "./folder.module.css";

const WIDTH = 920;

interface Props {
  readonly address: CaptureAddress;
  /** Files that were dropped on the page; empty where the user chooses them here. */
  readonly files: readonly PickedFile[];
  readonly onOpenChange: (open: boolean) => void;
}

/** Adds evidence files to an analyzed capture, and shows the use of each. */
export function AddEvidence({ address, files, onOpenChange }: Props): ReactNode {
  const { value: capture, error, retry } = useAnswer(captureById(address.id));
  if (capture !== null) return <Adding {...{ capture, address, files, onOpenChange }} />;
  return (
    <Modal open onOpenChange={onOpenChange} title={happenedTexts.addEvidence} width={WIDTH}>
      <Problem sentence={error} onRetry={retry} />
    </Modal>
  );
}

interface AddingProps extends Props {
  readonly capture: Capture;
}

function Adding({ capture: first, address, files, onOpenChange }: AddingProps): ReactNode {
  const [draft] = useState(() => draftOf(first));
  const { capture, uploads, notice, add, stop } = useStore(draft);
  const [editing, setEditing] = useState(false);
  const picker = useFilePicker(add);
  useEffect(() => {
    if (files.length > 0) void add(files);
  }, [files, add]);
  const isSending = uploads.some(({ problem }) => problem === null);
  const readAgain = useReadAgain(address, capture ?? first, isSending);
  const close = (): void => {
    stop();
    if (isSending) readAgain();
    onOpenChange(false);
  };
  const folder = supportFolder(evidenceOf(capture ?? first));
  return (
    <DraftContext value={draft}>
      <Modal open onOpenChange={close} title={happenedTexts.addEvidence} width={WIDTH}>
        <ModalBody>
          <p className="muted">{folder === null ? texts.whichFiles : texts.analysisStays}</p>
          {notice === null ? null : <Notice>{notice}</Notice>}
          <Uploads />
          {folder === null ? null : (
            <div className={styles.inDialog}>
              <FolderGroups folder={folder} capture={first} editing={editing} onAddFile={picker.choose} />
              <FolderSide
                folder={folder}
                editing={editing}
                onAddFile={() => picker.choose()}
                onEdit={() => setEditing(true)}
              />
            </div>
          )}
          {picker.input}
        </ModalBody>
        <ModalFoot>
          <Button onClick={() => picker.choose()}>{capturesTexts.chooseFiles}</Button>
          <Button kind="primary" disabled={isSending} onClick={close}>
            {texts.done}
          </Button>
        </ModalFoot>
      </Modal>
    </DraftContext>
  );
}

/** Answers about the evidence are read again once all files have arrived, and after each other change of them. */
function useReadAgain(address: CaptureAddress, { files }: Capture, isSending: boolean): () => void {
  const { onChanged } = useCapture();
  const readEvidenceAgain = useReadEvidenceAgain();
  const read = useRef(files);
  const readAgain = (): void => {
    readEvidenceAgain(address);
    onChanged?.();
  };
  useEffect(() => {
    if (isSending || read.current === files) return;
    read.current = files;
    readAgain();
  });
  return readAgain;
}

/** The evidence files alone: others can't change without another analysis. */
const evidenceOf = ({ files, unused }: Capture): Pick<Capture, "files" | "groups" | "unused"> => ({
  files: files.filter(({ kind }) => kind === "evidence"),
  groups: [],
  unused,
});
