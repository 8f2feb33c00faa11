import type { ReactNode } from "react";
import { liveTexts as texts } from "../../messages/live.ts";
import { navigate } from "../../state/navigate.ts";
import { Button } from "../../ui/controls.tsx";
import { useLiveRun } from "./live-run-context.ts";
import styles from "./live-screen.module.css";

/** The end of the run on every replica, and the next page to open. */
export function RunEnded(): ReactNode {
  const { captureId, endings } = useLiveRun().state;
  return (
    <section className={styles.stopped} aria-label={texts.runHasEnded}>
      <div>
        <p>
          <b>{texts.runHasEndedLabel}</b> {captureId === null ? texts.itWasDiscarded : texts.itIsACapture}
        </p>
        <ul>
          {endings.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
      {captureId === null ? (
        <Button onClick={() => navigate("/")}>{texts.allCaptures}</Button>
      ) : (
        <Button kind="primary" onClick={() => navigate(`/captures/${captureId}`)}>
          {texts.openTheCapture}
        </Button>
      )}
    </section>
  );
}

/** Replaces the lanes before the first log block, and explains what the run waits for. */
export function NoLanesYet(): ReactNode {
  const { state } = useLiveRun();
  const reading = state.replicas.some((replica) => replica.state === "reading");
  return <p className={styles.waiting}>{reading ? texts.agLensReads : texts.agLensCreates}</p>;
}
