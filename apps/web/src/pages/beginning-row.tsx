import { type ReactNode, useEffect, useState } from "react";
import type { Sequence } from "@aglens/contract";
import { type CaptureAddress, captureAddress } from "../data/capture-address.ts";
import { watchProgress } from "../data/captures-client.ts";
import { useCapture } from "../screens/capture-context.ts";
import { linkedView, namedBlock } from "../screens/linked-view.ts";
import { navigate } from "../state/navigate.ts";
import { viewUrl } from "../state/use-view.ts";
import { Button } from "../ui/controls.tsx";
import { durationText } from "../ui/words.ts";
import styles from "./filter-row.module.css";

interface Props {
  /** Of the open screen. */
  readonly tabPath: (of: CaptureAddress) => string;
  /** The selected one. */
  readonly block: Sequence | null;
}

/** Under the strip of the beginning of a capture: how much of it that is, and the way to the whole. */
export function BeginningRow({ tabPath, block }: Props): ReactNode {
  const { summary, view } = useCapture();
  const { captureId, beginning } = summary;
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const end = (): void => setIsOver(true);
    return watchProgress(captureId, { onProgress: () => {}, onReady: end, onFailed: end });
  }, [captureId]);
  if (beginning === undefined) return null;
  const whole = captureAddress(captureId);
  const openWhole = (): void => {
    const same = { ...linkedView(view, summary), origin: summary.originTicks };
    const named = block === null ? {} : { block: namedBlock(summary, block) };
    // Zooms of before are counted from the origin of the beginning.
    navigate(viewUrl(tabPath(whole), { ...same, ...named }), { state: null });
  };
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
          <Button kind="primary" onClick={openWhole}>
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
