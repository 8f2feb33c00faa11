import type { ReactNode } from "react";
import type { Progress } from "@aglens/contract";
import { CheckIcon } from "../../../frame/icons.tsx";
import { progressTexts as texts } from "../../../messages/progress.ts";
import type { ExpectedTime } from "./expected-time.ts";
import { countText, timeText, type StepState } from "./step-text.ts";
import styles from "./progress-screen.module.css";

type Phase = Progress["phase"];

const STEPS: readonly { phase: Phase; words: string; now: string }[] = [
  { phase: "decode", words: texts.decodeEvents, now: texts.decodingEvents },
  { phase: "roles", words: texts.findRolesAndReplicas, now: texts.findingRolesAndReplicas },
  { phase: "join", words: texts.joinLogBlocks, now: texts.joiningLogBlocks },
  { phase: "align", words: texts.alignClocks, now: texts.aligningClocks },
  { phase: "measure", words: texts.measureStages, now: texts.measuringStages },
  { phase: "verdict", words: "Verdict", now: texts.findingTheVerdict },
  { phase: "store", words: "Store", now: texts.storingTheTables },
];
const ORDER: readonly Phase[] = ["receiving", "waiting", ...STEPS.map((step) => step.phase), "done"];

interface Props {
  readonly progress: Progress | null;
  readonly time: ExpectedTime | null;
}

/**
 * The steps of an analysis, completed, running and pending: the count of each step, and its actual or expected
 * duration.
 */
export function AnalysisSteps({ progress, time }: Props): ReactNode {
  const now = progress?.phase ?? "receiving";
  return (
    <ol className={styles.steps}>
      {STEPS.map(({ phase, words }) => {
        const expected = time?.phases.find((each) => each.phase === phase) ?? null;
        const state = stepState(phase, now);
        return (
          <li key={phase} data-state={state} aria-current={state === "now" ? "step" : undefined}>
            {state === "done" ? (
              <CheckIcon size={12} />
            ) : (
              <span className={styles.stepMark} aria-hidden="true" />
            )}
            <span className={styles.stepName}>{words}</span>
            <i className={styles.stepBar} aria-hidden="true">
              <b style={{ width: `${100 * (expected?.share ?? 0)}%` }} />
            </i>
            <span className={styles.stepCount}>{countText(phase, state, progress)}</span>
            <span className={styles.stepTime}>{expected && timeText(expected, progress)}</span>
          </li>
        );
      })}
    </ol>
  );
}

function stepState(step: Phase, now: Phase): StepState {
  const difference = ORDER.indexOf(step) - ORDER.indexOf(now);
  if (difference < 0) return "done";
  return difference === 0 ? "now" : "later";
}

/** Name of a phase; empty for one that does nothing. */
export const phaseName = (phase: Phase): string => STEPS.find((step) => step.phase === phase)?.words ?? "";

/** Text for the work of the analysis in a phase. */
export function phaseText(phase: Phase): string {
  return STEPS.find((step) => step.phase === phase)?.now ?? texts.waitingForOtherAnalyses;
}
