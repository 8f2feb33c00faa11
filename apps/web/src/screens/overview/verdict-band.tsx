import { Fragment, type ReactNode } from "react";
import { Link } from "wouter";
import type { Summary } from "@aglens/contract";
import { helpOfCause } from "../../messages/causes.ts";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { Findings, HowMeasured } from "./findings.tsx";
import { withFigures } from "./figures.ts";
import { CauseLine } from "./cause-line.tsx";
import { useEvidence } from "../capture-view/use-evidence.ts";
import { VerdictSentence } from "./how-read-link.tsx";
import { useOverview } from "./overview-context.ts";
import { UnawaitedReplicas, useAsynchronousReplicas } from "./unawaited-replicas.tsx";
import styles from "../capture-view/answer-band.module.css";
import { termOfEvidence } from "../../messages/terms.ts";
import { FigureTerm, termProps } from "../../ui/term.tsx";

/** Words of an evidence, with the definition of the name in them. */
function EvidenceTerm({
  words,
  children,
}: {
  readonly words: string;
  readonly children: ReactNode;
}): ReactNode {
  const term = termOfEvidence(words);
  return term === null ? children : <span {...termProps(term)}>{children}</span>;
}

/** Link to the meaning of a cause, and to the instructions for its checks. */
const HelpOnVerdict = ({ cause }: { readonly cause: Summary["verdict"]["cause"] }): ReactNode => (
  <Link className={styles.help} href={`/help/${helpOfCause(cause)}`}>
    {texts.howToCheck}
  </Link>
);

/** The slow part, the figures that support it, and the next checks. */
export function VerdictBand(): ReactNode {
  const { summary, words } = useOverview().judged;
  const { verdict, warnings } = summary;
  const { checkNext } = verdict;
  const asynchronous = useAsynchronousReplicas();
  const evidence = useEvidence();
  return (
    <section className={styles.verdict} data-severity={verdict.severity} aria-label={texts.verdict}>
      <div className="fills">
        <h1 className={styles.verdictSentence}>
          <VerdictSentence summary={summary} />
        </h1>
        <CauseLine />
        <ul className={styles.evidence}>
          {words !== null && <li className={styles.scope}>{words}:</li>}
          {verdict.evidence.map((figure) => (
            <li key={`${figure.before}${figure.value}${figure.after}`}>
              <EvidenceTerm words={figure.before}>{figure.before}</EvidenceTerm>{" "}
              <b>
                <FigureTerm>{figure.value}</FigureTerm>
              </b>{" "}
              <EvidenceTerm words={figure.after}>
                {withFigures(figure.after).map(({ text, at, strong }) =>
                  strong ? <b key={at}>{text}</b> : <Fragment key={at}>{text}</Fragment>,
                )}
              </EvidenceTerm>
            </li>
          ))}
        </ul>
        <div className={styles.more}>
          <Findings summary={summary} evidence={evidence} />
          {warnings.length > 0 && (
            <details className={styles.notes}>
              <summary>{texts.warningsAboutThisCapture(warnings.length)}</summary>
              <ul>
                {warnings.map((warning) => (
                  <li key={warning}>{warning}</li>
                ))}
              </ul>
            </details>
          )}
          <HowMeasured summary={summary} />
        </div>
      </div>
      {checkNext.length === 0 && asynchronous.length > 0 && <UnawaitedReplicas replicas={asynchronous} />}
      {checkNext.length > 0 && (
        <div className={styles.checkNext}>
          <h2>
            {texts.checkNext} <HelpOnVerdict cause={verdict.cause} />
          </h2>
          <ul>
            {checkNext.slice(0, 3).map((advice) => (
              <li key={advice}>{advice}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
