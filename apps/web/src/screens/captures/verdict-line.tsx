import type { ReactNode } from "react";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { durationText } from "../../ui/words.ts";
import { isSlow } from "./verdict-text.ts";
import styles from "./verdict-line.module.css";

interface Props {
  /** Name of the capture, as a link where it can be opened. */
  readonly name: ReactNode;
  /** Time of the capture, or its servers. */
  readonly note: ReactNode;
  /** The verdict, or the reason why the capture has no verdict. */
  readonly words: string;
  /** The 95th percentile of commit latency, µs; null where it is not known. */
  readonly p95Us: number | null;
  /** Actions for the capture. */
  readonly children?: ReactNode;
}

/** A capture in one line: its name, its verdict, the p95 of its commits. */
export function VerdictLine({ name, note, words, p95Us, children }: Props): ReactNode {
  return (
    <li className={styles.line} data-slow={isSlow(p95Us)}>
      <div className={styles.name}>
        {name}
        <span className="quiet text">{note}</span>
      </div>
      <p title={words} aria-live="polite">
        {words}
      </p>
      <span className={styles.p95}>
        {p95Us === null ? null : (
          <>
            <span className="quiet text">{texts.commitP95}</span>
            <b>{durationText(p95Us)}</b>
          </>
        )}
      </span>
      <span className={styles.actions}>{children}</span>
    </li>
  );
}
