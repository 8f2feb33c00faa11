import type { ReactNode } from "react";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { lengthText } from "./watch-text.ts";
import styles from "./watches.module.css";

const MINUTE_MS = 60_000;

/** Meaning of the signs on strips. @param span of the strip, ms */
export function StripLegend({ width, span }: { readonly width: number; readonly span: number }): ReactNode {
  const column = Math.max(MINUTE_MS, span / Math.max(1, width));
  const entries = [
    ["line", texts.legendMean(lengthText(Math.round(column / MINUTE_MS) * MINUTE_MS))],
    ["stroke", texts.legendLongest],
    ["limit", texts.legendLimit],
    ["mark", texts.legendRecording],
    ["refused", texts.legendRefused],
    ["hatch", texts.notPolled],
  ] as const;
  return (
    <ul className={styles.legend}>
      {entries.map(([sign, words]) => (
        <li key={sign}>
          <i data-sign={sign} aria-hidden="true" /> {words}
        </li>
      ))}
    </ul>
  );
}
