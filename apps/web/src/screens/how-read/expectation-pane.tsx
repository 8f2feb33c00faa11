import type { ReactNode } from "react";
import type { Expectation } from "@aglens/contract";
import { howReadTexts as texts } from "../../messages/how-read.ts";
import { capitalised } from "../../ui/words.ts";
import { Card } from "../../ui/controls.tsx";
import { countText, STATE_WORDS } from "./expectation-text.ts";
import styles from "./how-read.module.css";

/**
 * The selected expectation: the expected data, the data of these files, the differences, and the results that depend on
 * it.
 */
export function ExpectationPane({ expectation }: { readonly expectation: Expectation }): ReactNode {
  const { state, title, expected, found, examples, results } = expectation;
  return (
    <Card title={title} aside={STATE_WORDS[state]} aria-label={texts.selectedExpectation} aria-live="polite">
      <dl className={styles.facts} data-state={state}>
        <dt>{texts.expected}</dt>
        <dd>{expected}</dd>
        <dt>{texts.found}</dt>
        <dd>
          {capitalised(found)}.
          {state === "absent" ? null : <span className="block">{capitalised(countText(expectation))}.</span>}
        </dd>
        {examples.length === 0 ? null : (
          <>
            <dt>{texts.notAsExpected}</dt>
            <dd>
              <ul>
                {examples.map((example) => (
                  <li key={example}>{example}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
        <dt>{texts.resultsThatRest}</dt>
        <dd className={styles.rest}>{results}</dd>
      </dl>
    </Card>
  );
}
