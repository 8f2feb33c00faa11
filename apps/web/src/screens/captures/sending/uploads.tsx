import type { ReactNode } from "react";
import { Button } from "../../../ui/controls.tsx";
import { formatBytes } from "../../../ui/words.ts";
import { countedWords } from "../../capture-view/figures.ts";
import { useDraft } from "./draft.ts";
import { RecognitionPlace } from "../recognition-place.tsx";
import styles from "./uploads.module.css";

/**
 * Two files are sent at a time. More rows would only show that their files wait, and all of them would move whenever a
 * file is complete.
 */
const MOST_ROWS = 8;

/** Files that are being sent to the server: sent bytes, a stop button, and errors. */
export function Uploads(): ReactNode {
  const { capture, uploads, stop, dismiss } = useDraft();
  if (uploads.length === 0) return null;
  const running = uploads.filter((upload) => upload.problem === null);
  const sent = running.reduce((sum, upload) => sum + upload.sent, 0);
  const size = running.reduce((sum, upload) => sum + upload.size, 0);
  const next = new Set(running.slice(0, MOST_ROWS));
  const waiting = running.length - next.size;
  return (
    <section className={`card ${styles.uploads}`} aria-label="Files being sent">
      {running.length === 0 ? null : (
        <header className="card-head">
          <h2>
            Sending {countedWords(running.length, "file")}, {formatBytes(sent)} of {formatBytes(size)}
          </h2>
          <Button onClick={stop}>Stop sending</Button>
        </header>
      )}
      {capture !== null && running.some((upload) => upload.sent >= upload.size) ? (
        <RecognitionPlace captureId={capture.id} />
      ) : null}
      <ul>
        {uploads
          .filter((upload) => upload.problem !== null || next.has(upload))
          .map((upload) => (
            <li key={upload.key}>
              <span className={`mono ${styles.name}`}>{upload.name}</span>
              {upload.problem === null ? (
                <progress max={upload.size} value={upload.sent} aria-label={`${upload.name} sent`} />
              ) : (
                <span className="bad text" role="alert">
                  {upload.problem}{" "}
                  <Button kind="quiet" onClick={() => dismiss(upload.key)}>
                    Dismiss
                  </Button>
                </span>
              )}
            </li>
          ))}
      </ul>
      {waiting > 0 ? (
        <p className={styles.waiting}>
          {countedWords(waiting, "more file")} {waiting === 1 ? "waits" : "wait"}
        </p>
      ) : null}
    </section>
  );
}
