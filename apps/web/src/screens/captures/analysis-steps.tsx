import type { ReactNode } from "react";
import type { Progress } from "@aglens/contract";
import { CheckIcon } from "../../frame/icons.tsx";
import { formatCount } from "../../ui/words.ts";
import styles from "./progress-screen.module.css";

type Phase = Progress["phase"];

const STEPS: readonly { phase: Phase; words: string; now: string }[] = [
  { phase: "decode", words: "Decode events", now: "decoding events" },
  { phase: "roles", words: "Find roles and replicas", now: "finding roles and replicas" },
  { phase: "join", words: "Join log blocks", now: "joining log blocks" },
  { phase: "align", words: "Align clocks", now: "aligning clocks" },
  { phase: "measure", words: "Measure stages", now: "measuring stages" },
  { phase: "verdict", words: "Verdict", now: "finding the verdict" },
  { phase: "store", words: "Store", now: "storing the tables" },
];
const ORDER: readonly Phase[] = ["receiving", "waiting", ...STEPS.map((step) => step.phase), "done"];

/** The steps of an analysis: done, running, still to come. */
export function AnalysisSteps({ progress }: { readonly progress: Progress | null }): ReactNode {
  const phase = progress?.phase ?? "receiving";
  return (
    <ol className={styles.steps}>
      {STEPS.map((step) => (
        <Step key={step.phase} words={stepWords(step, progress)} state={stepState(step.phase, phase)} />
      ))}
    </ol>
  );
}

function Step({ words, state }: { words: string; state: "done" | "now" | "later" }): ReactNode {
  return (
    <li data-state={state} aria-current={state === "now" ? "step" : undefined}>
      {state === "done" ? <CheckIcon size={12} /> : <span className={styles.stepMark} aria-hidden="true" />}
      {words}
    </li>
  );
}

function stepState(step: Phase, now: Phase): "done" | "now" | "later" {
  const difference = ORDER.indexOf(step) - ORDER.indexOf(now);
  if (difference < 0) return "done";
  return difference === 0 ? "now" : "later";
}

function stepWords(step: (typeof STEPS)[number], progress: Progress | null): string {
  if (step.phase === "join" && progress !== null && progress.blocks > 0)
    return `${step.words}, ${formatCount(progress.blocks)}`;
  return step.words;
}

/** What the analysis does in a phase. */
export function phaseWords(phase: Phase): string {
  return STEPS.find((step) => step.phase === phase)?.now ?? "waiting for other analyses";
}
