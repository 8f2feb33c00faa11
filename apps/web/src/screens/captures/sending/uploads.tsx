import type { ReactNode } from "react";
import { sendingTexts as texts } from "../../../messages/sending.ts";
import { Button } from "../../../ui/controls.tsx";
import { formatBytes } from "../../../ui/words.ts";
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
    <section className={`card ${styles.uploads}`} aria-label={texts.filesBeingSent}>
      {running.length === 0 ? null : (
        <header className="card-head">
          <h2>{texts.sendingFileOf(running.length, formatBytes(sent), formatBytes(size))}</h2>
          <Button onClick={stop}>{texts.stopSending}</Button>
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
                <progress max={upload.size} value={upload.sent} aria-label={texts.sent(upload.name)} />
              ) : (
                <span className="bad text" role="alert">
                  {upload.problem}{" "}
                  <Button kind="quiet" onClick={() => dismiss(upload.key)}>
                    {texts.dismiss}
                  </Button>
                </span>
              )}
            </li>
          ))}
      </ul>
      {waiting > 0 ? <p className={styles.waiting}>{texts.moreFilesWait(waiting)}</p> : null}
    </section>
  );
}
