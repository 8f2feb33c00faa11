import type { ReactNode } from "react";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { Button, Card } from "../../ui/controls.tsx";
import { formatCount, formatOffset } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import styles from "./marks-card.module.css";

/** Time that is shown before and after a selected mark, µs. */
const AROUND_US = 5e6;

/** Instants that a user or a rule marked while the capture was recorded live; a click shows the time around one. */
export function MarksCard(): ReactNode {
  const { summary, setView } = useCapture();
  const { marks, durationUs } = summary;
  if (marks.length === 0) return null;
  const show = (at: number): void => {
    const from = Math.max(0, Math.min(at, durationUs) - AROUND_US);
    setView({ range: [from, Math.min(durationUs, at + AROUND_US)] });
  };
  return (
    <Card title={texts.marks} aside={texts.setWhile(formatCount(marks.length))}>
      <ul className={styles.marks}>
        {marks.map(({ at, label, byRule }) => (
          <li key={`${at} ${label}`} data-rule={byRule}>
            <Button kind="quiet" title={texts.show5SBefore} onClick={() => show(at)}>
              <b>{formatOffset(summary, at)}</b> {label === "" ? texts.mark : label}
            </Button>
            <span className="quiet">{byRule ? texts.byRule : texts.byHand}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
