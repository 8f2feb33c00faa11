import type { ReactNode } from "react";
import { useCapture } from "../screens/capture-context.ts";
import { phaseIndex } from "../screens/phase.ts";
import { isWithoutCommits, phaseName, roleSwitches } from "../screens/role-switches.ts";
import { durationText, formatUtc } from "../ui/words.ts";
import styles from "../frame/strip.module.css";

/** When roles changed and how long nothing committed; the phase that everything is narrowed to, and the way back. */
export function RoleSwitches(): ReactNode {
  const { summary, view, setView } = useCapture();
  const switches = roleSwitches(summary);
  const [first] = switches;
  if (first === undefined) return null;
  const phase = phaseIndex(summary, view.phase);
  return (
    <div className={styles.item}>
      {switches.length === 1 ? (
        <span>
          Switch <b>{formatUtc(summary, first.to, 0)}</b>, {durationText(first.to - first.from)}
          <span className={styles.wordy}>
            {isWithoutCommits(first) ? " without commits" : " without a known commit"}
          </span>
        </span>
      ) : (
        <span>
          <b>{switches.length}</b> switches
        </span>
      )}
      {phase === null ? null : (
        <button type="button" data-phase className={styles.chip} onClick={() => setView({ phase: null })}>
          {phaseName(summary, phase)} alone <span aria-hidden="true">×</span>
          <span className="sr-only">, show all phases</span>
        </button>
      )}
    </div>
  );
}
