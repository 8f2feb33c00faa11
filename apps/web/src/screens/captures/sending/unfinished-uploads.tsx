import type { ReactNode } from "react";
import { navigate } from "../../../state/navigate.ts";
import type { UploadInParts } from "@aglens/contract";
import { unfinishedUploads } from "../../../data/parts-upload.ts";
import { useAnswer } from "../../../data/use-answer.ts";
import { Notice } from "../../../frame/notice.tsx";
import { sendingTexts as texts } from "../../../messages/sending.ts";
import { Button } from "../../../ui/controls.tsx";
import { formatBytes } from "../../../ui/words.ts";

/**
 * Interrupted uploads, by capture; shows nothing while there are no such uploads. @param draftId the capture that is
 * open
 */
export function UnfinishedUploads({ draftId }: { readonly draftId: string | null }): ReactNode {
  const { value } = useAnswer(unfinishedUploads);
  const uploads = (value?.uploads ?? []).filter(({ captureId }) => captureId !== draftId);
  if (uploads.length === 0) return null;
  return (
    <section aria-label={texts.uploadsThatAreNot}>
      {[...Map.groupBy(uploads, ({ captureId }) => captureId)].map(([captureId, ofCapture]) => (
        <Notice key={captureId}>
          {unfinishedText(ofCapture)}{" "}
          <Button onClick={() => navigate(`/captures/${captureId}`)}>{texts.resumeIt}</Button>
        </Notice>
      ))}
    </section>
  );
}

/** Text on how much the server has of some files of one capture. */
export function unfinishedText(
  uploads: readonly Pick<UploadInParts, "name" | "size" | "received">[],
): string {
  const received = uploads.reduce((sum, upload) => sum + upload.received, 0);
  const size = uploads.reduce((sum, upload) => sum + upload.size, 0);
  const what = uploads.length === 1 ? `${uploads[0]?.name} is` : texts.filesAre(uploads.length);
  return texts.notWholeYet(what, formatBytes(received), formatBytes(size));
}
