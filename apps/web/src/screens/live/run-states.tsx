import type { ReactNode } from "react";
import { navigate } from "../../state/navigate.ts";
import { Button } from "../../ui/controls.tsx";
import { useLiveRun } from "./live-run-context.ts";
import styles from "./live-screen.module.css";

/** The end of the run on every replica, and the next page to open. */
export function RunEnded(): ReactNode {
  const { captureId, endings } = useLiveRun().state;
  return (
    <section className={styles.stopped} aria-label="The run has ended">
      <div>
        <p>
          <b>The run has ended.</b> {captureId === null ? "It was discarded." : "It is a capture now."}
        </p>
        <ul>
          {endings.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
      {captureId === null ? (
        <Button onClick={() => navigate("/")}>All captures</Button>
      ) : (
        <Button kind="primary" onClick={() => navigate(`/captures/${captureId}`)}>
          Open the capture
        </Button>
      )}
    </section>
  );
}

/** Replaces the lanes before the first log block, and explains what the run waits for. */
export function NoLanesYet(): ReactNode {
  const { state } = useLiveRun();
  const reading = state.replicas.some((replica) => replica.state === "reading");
  return (
    <p className={styles.waiting}>
      {reading
        ? "AG Lens reads the sessions, and no log block has arrived yet. Lanes appear with the first commit of a database in the group."
        : "AG Lens creates the sessions. Lanes appear with the first commit of a database in the group."}
    </p>
  );
}
