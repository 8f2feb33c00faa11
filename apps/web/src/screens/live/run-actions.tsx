import { type ReactNode, useState } from "react";
import { liveTexts as texts } from "../../messages/live.ts";
import { Button, Chip, Kbd } from "../../ui/controls.tsx";
import { useLiveRun } from "./live-run-context.ts";
import type { LiveState } from "./picture.ts";
import { elapsedText } from "./run-text.ts";
import styles from "./live-screen.module.css";

const STATE_WORDS: Readonly<Record<LiveState["state"], string>> = {
  attaching: "Attaching",
  running: "Recording",
  stopping: "Stopping",
  stopped: "Stopped",
};

/** Actions for the run and its view, at the right of the app bar. */
export function RunActions(): ReactNode {
  const { state, canControl, isRunning, heldAt, toggleHold, mark, keepLast, stop, share } = useLiveRun();
  const held = heldAt !== null;
  const [asked, setAsked] = useState(false);
  const recording = (
    <span className={styles.recording} data-state={state.state}>
      <i aria-hidden="true" />
      {STATE_WORDS[state.state]} <b>{elapsedText(state.now)}</b>
    </span>
  );
  // A stopped run has no commands; the screen shows above the lanes what can be opened.
  if (state.state === "stopped") return recording;
  return (
    <>
      {recording}
      <Button aria-pressed={held} onClick={toggleHold}>
        {held ? texts.followNowLabel : texts.pauseView} <Kbd>Space</Kbd>
      </Button>
      {canControl ? (
        <Button disabled={!isRunning} onClick={mark}>
          {texts.mark} <Kbd>m</Kbd>
        </Button>
      ) : null}
      {canControl ? (
        <Button disabled={!isRunning} onClick={keepLast}>
          {texts.keepLast5Min}
        </Button>
      ) : null}
      <Button onClick={share}>{texts.share}</Button>
      {!canControl ? <Chip>{texts.readOnly}</Chip> : null}
      {canControl ? (
        <Button
          disabled={!isRunning}
          onBlur={() => setAsked(false)}
          onClick={() => (asked ? stop(false) : setAsked(true))}
        >
          {asked ? texts.discardPermanently : texts.stopAndDiscard}
        </Button>
      ) : null}
      {canControl ? (
        <Button kind="primary" disabled={!isRunning} onClick={() => stop(true)}>
          {texts.stopAndKeep}
        </Button>
      ) : null}
    </>
  );
}
