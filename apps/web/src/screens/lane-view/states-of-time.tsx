import type { ReactNode } from "react";
import { definitionOf, type TermId } from "../../messages/terms.ts";
import { Term } from "../../ui/term.tsx";
import { timelineLanesTexts } from "../../messages/timeline-lanes.ts";
import styles from "./states-of-time.module.css";

/** Patterns of time without bars, each with its definition. */
export function StatesOfTime({ states }: { readonly states: readonly TermId[] }): ReactNode {
  return (
    <span className={styles.states}>
      {timelineLanesTexts.noBars}
      {states.map((state) => (
        <Term key={state} id={state}>
          <i data-state={state} />
          <span className="sr-only">{definitionOf(state).name}</span>
        </Term>
      ))}
    </span>
  );
}
