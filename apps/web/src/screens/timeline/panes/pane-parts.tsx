/** Parts of the panes next to the lanes. */
import type { ReactNode } from "react";
import type { Statistics } from "@aglens/contract";
import type { Answer } from "../../../data/use-answer.ts";
import { Problem } from "../../../frame/problem.tsx";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { Value } from "../../../ui/controls.tsx";
import { durationText, formatDuration } from "../../../ui/words.ts";
import { backedPercentiles } from "../../capture-view/figures.ts";
import { backedNames, type Percentile } from "../../capture-view/statistics-columns.tsx";
import laneFrame from "../../lane-view/lane-frame.module.css";
import styles from "./pane.module.css";
import { Term } from "../../../ui/term.tsx";
import type { TermId } from "../../../messages/terms.ts";

/**
 * Placeholder for figures that are being read. Rulers and notes below are shown together with the figures, because
 * these would push them down.
 */
export function Reading({ children }: { readonly children: ReactNode }): ReactNode {
  return <p className={`${laneFrame.sub} ${styles.reading}`}>{children}</p>;
}

/** The figures of a range: a placeholder while they are read, the error, or the pale figures of the previous range. */
export function Answered<T>({
  answer: { value, isStale, error, retry },
  children,
}: {
  readonly answer: Answer<T>;
  readonly children: (value: T) => ReactNode;
}): ReactNode {
  return (
    <>
      <Problem sentence={error} onRetry={retry} />
      {value === null ? (
        error === null && <Reading>{texts.readingTheFigures}</Reading>
      ) : (
        <div className={styles.figures} aria-busy={isStale}>
          {children(value)}
        </div>
      )}
    </>
  );
}

/** One of the large figures at the head of the pane. */
export function Readout({
  label,
  term,
  children,
}: {
  label: string;
  term?: TermId;
  children: ReactNode;
}): ReactNode {
  return (
    <div className={styles.readout}>
      <span>{term === undefined ? label : <Term id={term}>{label}</Term>}</span>
      {children}
    </div>
  );
}

interface ReadoutsProps {
  readonly figures: Statistics;
  readonly shown: readonly Percentile[];
  /** Text before the name of a percentile. */
  readonly prefix?: string;
  /** Label of a single value. */
  readonly single: string;
  /** The same figures of the rest; null until they are loaded. Undefined without a rest. */
  readonly rest?: Statistics | null;
}

/** Percentiles with enough values; a single value has one figure. */
export function Readouts({ figures, shown, prefix = "", single, rest }: ReadoutsProps): ReactNode {
  const backed = backedPercentiles(figures);
  const others = rest && backedPercentiles(rest);
  const names = figures.n === 1 ? (["max"] as const) : backedNames(shown, [figures]);
  return (
    <div className={styles.readouts} data-columns={shown.length}>
      {names.map((name) => (
        <Readout key={name} term={name} label={figures.n === 1 ? single : `${prefix}${name}`}>
          <Value figure={formatDuration(backed[name])} strong />
          {rest === undefined ? null : <span>{texts.rest(durationText(others?.[name]))}</span>}
        </Readout>
      ))}
    </div>
  );
}

/** Lines with a name and a text; a line with null is absent. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, words: string | null])[];
}): ReactNode {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, words]) =>
        words === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
