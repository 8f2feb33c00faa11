import type { ReactNode } from "react";
import { unbroken } from "../../ui/words.ts";
import styles from "./answer-band.module.css";

interface Props {
  readonly label: string;
  readonly sentences: readonly string[];
  /** True for a fault: the bar at the left is crimson. */
  readonly isSlow?: boolean;
  readonly evidence: readonly ReactNode[];
  readonly asideTitle: string;
  readonly aside: readonly string[];
  /** Controls under the list. */
  readonly actions?: ReactNode;
}

/** The answer of a screen, shown first: sentences, the figures that support them, and a short list on the right. */
export function AnswerBand({
  label,
  sentences,
  isSlow = false,
  evidence,
  asideTitle,
  aside,
  actions,
}: Props): ReactNode {
  return (
    <section className={styles.verdict} data-severity={isSlow ? "slow" : "none"} aria-label={label}>
      <div className="fills">
        <h1 className={styles.verdictSentence} aria-live="polite">
          {unbroken(sentences.join(" "))}
        </h1>
        <ul className={styles.evidence}>
          {evidence.map((figure, i) => (
            // oxlint-disable-next-line react/no-array-index-key -- figures keep their places
            <li key={i}>{figure}</li>
          ))}
        </ul>
      </div>
      {aside.length > 0 && (
        <div className={styles.checkNext}>
          <h2>{asideTitle}</h2>
          <ul>
            {aside.map((line) => (
              <li key={line}>{unbroken(line)}</li>
            ))}
          </ul>
          {actions}
        </div>
      )}
    </section>
  );
}
