import { type ReactNode, useEffect, useState } from "react";
import { type CaptureAddress, captureAddress } from "../data/capture-address.ts";
import { watchProgress } from "../data/captures-client.ts";
import { useCapture } from "../screens/capture-context.ts";
import { linkedView } from "../screens/linked-view.ts";
import { navigate } from "../state/navigate.ts";
import { viewUrl } from "../state/use-view.ts";
import { Button } from "../ui/controls.tsx";
import { durationText } from "../ui/words.ts";
import styles from "./filter-row.module.css";

/** Under the strip of the beginning of a capture: how much of it that is, and the way to the whole. @param tabPath of the open screen */
export function BeginningRow({ tabPath }: { readonly tabPath: (of: CaptureAddress) => string }): ReactNode {
  const { summary, view } = useCapture();
  const { captureId, beginning } = summary;
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const end = (): void => setIsOver(true);
    return watchProgress(captureId, { onProgress: () => {}, onReady: end, onFailed: end });
  }, [captureId]);
  if (beginning === undefined) return null;
  const whole = captureAddress(captureId);
  return (
    <section className={styles.row} data-wraps="true" aria-label="Beginning of the capture">
      <output>
        {isOver ? (
          "The analysis has ended. Here is what was known while it ran."
        ) : (
          <>
            Only the first <b>{durationText(beginning.edgeUs)}</b> of {durationText(beginning.wholeUs)}: the
            rest is being analysed. There is no verdict before the whole is known.
          </>
        )}
      </output>
      <span className={styles.actions}>
        {isOver ? (
          <Button kind="primary" onClick={() => navigate(viewUrl(tabPath(whole), linkedView(view, summary)))}>
            Open the whole capture
          </Button>
        ) : (
          <Button kind="quiet" onClick={() => navigate(whole.page)}>
            How far it is
          </Button>
        )}
      </span>
    </section>
  );
}
