import type { ReactNode } from "react";
import { useCapture } from "../screens/capture-view/capture-context.ts";
import {
  isWithoutCommits,
  modePhaseName,
  modeSwitches,
  modeSwitchText,
  phaseIndex,
  phaseName,
  roleSwitches,
} from "../screens/capture-view/phases.ts";
import { durationText, formatTime } from "../ui/words.ts";
import styles from "../frame/strip.module.css";
import { pagesTexts as texts } from "../messages/pages.ts";

/**
 * Changes of roles with the time without commits, and changes of availability modes; the selected phase, and the way
 * back.
 */
export function RoleSwitches(): ReactNode {
  const { summary, view, setView } = useCapture();
  const switches = roleSwitches(summary);
  const modes = modeSwitches(summary);
  const [first] = switches;
  if (first === undefined && modes.length === 0) return null;
  const phase = phaseIndex(summary, view.phase);
  return (
    <div className={styles.item}>
      <ModeChanges />
      {first === undefined ? null : switches.length === 1 ? (
        <span>
          {texts.switch(
            <b>{formatTime(summary, first.to, 0)}</b>,
            durationText(first.to - first.from),
            <span className={styles.wordy}>
              {isWithoutCommits(first) ? texts.withoutCommits : texts.withoutAKnownCommit}
            </span>,
          )}
        </span>
      ) : (
        <span>{texts.switches(<b>{switches.length}</b>)}</span>
      )}
      {phase === null ? null : (
        <button type="button" data-phase className={styles.chip} onClick={() => setView({ phase: null })}>
          {texts.alone(modePhaseName(summary, phase) ?? phaseName(summary, phase))}{" "}
          <span aria-hidden="true">×</span>
          <span className="sr-only">{texts.showAllPhases}</span>
        </button>
      )}
    </div>
  );
}

/** The only change of availability mode in words, or the number of changes. */
function ModeChanges(): ReactNode {
  const { summary } = useCapture();
  const words = modeSwitches(summary).map((each) => modeSwitchText(summary, each));
  if (words.length === 0) return null;
  return (
    <span title={words.join("\n")}>{words.length === 1 ? words[0] : texts.changesOfMode(words.length)}</span>
  );
}
