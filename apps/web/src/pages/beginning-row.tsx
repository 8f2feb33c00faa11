import { type ReactNode, useEffect, useState } from "react";
import type { Sequence } from "@aglens/contract";
import { beginningAddress, type CaptureAddress, captureAddress } from "../data/capture-address.ts";
import { watchProgress } from "../data/captures-client.ts";
import { useHasFailed } from "../data/use-has-failed.ts";
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

/** Those of before are counted from the origin of the beginning. */
const WITHOUT_ZOOMS = { state: null };

/** Under the strip of the beginning of a capture: how much of it that is, and the way to the whole. */
export function BeginningRow({ tabPath, block }: Props): ReactNode {
  const { summary, view } = useCapture();
  const { captureId, beginning } = summary;
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const end = (): void => setIsOver(true);
    return watchProgress(captureId, { onProgress: () => {}, onReady: end, onFailed: end });
  }, [captureId]);
  const whole = captureAddress(captureId);
  const sameView = viewUrl(tabPath(whole), {
    ...linkedView(view, summary),
    origin: summary.originTicks,
    ...(block === null ? {} : { block: namedBlock(summary, block) }),
  });
  const hasFailed = useHasFailed(`${beginningAddress(captureId).api}/`);
  // What is shown stays. What is asked for now the beginning can show no more, and the whole can.
  useEffect(() => {
    if (isOver && hasFailed) navigate(sameView, { replace: true, ...WITHOUT_ZOOMS });
  }, [isOver, hasFailed, sameView]);
  if (beginning === undefined) return null;
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
          <Button kind="primary" onClick={() => navigate(sameView, WITHOUT_ZOOMS)}>
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
