import type { ReactNode } from "react";
import type { CaptureFile } from "@aglens/contract";
import { CheckIcon, WarningIcon } from "../../frame/icons.tsx";
import { Button } from "../../ui/controls.tsx";
import { useDraft } from "./draft.ts";
import styles from "./capture-card.module.css";

interface Props {
  readonly file: CaptureFile;
  /** Why another file is used for it, or none; null where the user may use it. */
  readonly unused: string | null;
}

/** A file that takes no part: unreadable, left out, or only names. */
export function RestRow({ file, unused }: Props): ReactNode {
  const { correct, remove } = useDraft();
  const unreadable = file.kind === "unreadable";
  return (
    <div className={styles.restRow} data-unreadable={unreadable}>
      {unreadable ? <WarningIcon /> : <CheckIcon />}
      <p role={unreadable ? "alert" : undefined}>
        {unused === null ? (
          <>
            <span className={`mono ${styles.restName}`}>{file.name}</span> {restWords(file)}
          </>
        ) : (
          unused
        )}
      </p>
      {file.kind === "xel" && unused === null ? (
        <Button
          onClick={() =>
            void correct(file.id, { role: file.detectedRole === "secondary" ? "secondary" : "primary" })
          }
        >
          Use it
        </Button>
      ) : null}
      <Button kind="quiet" aria-label={`Remove ${file.name}`} onClick={() => void remove(file.id)}>
        Remove
      </Button>
    </div>
  );
}

function restWords(file: CaptureFile): string {
  if (file.kind === "topology") return "adds the names of replicas and databases.";
  if (file.kind === "unreadable") return file.message ?? "cannot be read.";
  return "is left out.";
}
