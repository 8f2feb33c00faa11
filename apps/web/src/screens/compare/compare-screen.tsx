import { type ReactNode, useEffect } from "react";
import type { ReplicaNames } from "../../lanes/palette.ts";
import { Problem } from "../../frame/problem.tsx";
import { compareTexts as texts } from "../../messages/compare.ts";
import { Card, Kbd, Segmented } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { unbroken } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { namesOfSlots, phaseIndex } from "../capture-view/phases.ts";
import { roleNames, useRoleNames } from "../capture-view/names.ts";
import { TableTools } from "../capture-view/table-tools.tsx";
import { ChangeTable } from "./change-table.tsx";
import type { Percentile } from "@aglens/contract";
import { comparisonSentences } from "./compare-text.ts";
import { ComparedEvents } from "./compared-events.tsx";
import { ComparedRows } from "./compared-rows.tsx";
import { SideChoice } from "./side-choice.tsx";
import { useComparison } from "./use-comparison.ts";
import styles from "./compare.module.css";
import { Term } from "../../ui/term.tsx";

const PERCENTILES: readonly Percentile[] = ["p50", "p95", "p99"];

/** Two ranges, or two captures, stage by stage: the same bins, the same scale, the changes and their certainty. */
export function CompareScreen(): ReactNode {
  const { summary, view, setView, open, setStatus } = useCapture();
  const ownNames = useRoleNames();
  const compared = useComparison();
  const { comparison, error, isStale, retry, a, b } = compared;
  const namesOfB = view.versus === null ? ownNames : b.summary && roleNames(b.summary, view.secondary);
  const names = namesOfBoth(ownNames, namesOfB);
  const secondaries = namesOfSlots(summary, phaseIndex(summary, view.phase)).slice(1);
  useKeys({ back: () => open("overview") });
  useEffect(
    () =>
      setStatus(
        <span>
          <Kbd>Esc</Kbd> {texts.overview}
        </span>,
        texts.changeUnder10,
      ),
    [setStatus],
  );
  return (
    <div className={styles.screen} aria-busy={error === null && (comparison === null || isStale)}>
      <h1 className="sr-only">{texts.beforeAndAfter}</h1>
      <Problem sentence={error} onRetry={retry} />
      <div className={styles.grid}>
        <Card className={styles.rows}>
          <header className={styles.head}>
            <h2>{texts.beforeAndAfterPer}</h2>
            <span className="quiet text-small">{texts.squareRoot}</span>
            <Segmented
              label={texts.percentileThatIsCompared}
              value={view.percentile}
              options={PERCENTILES.map((value) => ({ value, label: value, term: value }))}
              onChange={(percentile) => setView({ percentile })}
            />
          </header>
          {comparison === null ? null : <ComparedRows comparison={comparison} names={names} />}
        </Card>
        <Card className={styles.figures}>
          <h2>
            <Term id={view.percentile}>{texts.againstB(view.percentile)}</Term>
          </h2>
          <div className={styles.sides}>
            <SideChoice name="A" chosen={a} />
            <SideChoice name="B" chosen={b} />
          </div>
          {secondaries.length < 2 ? null : (
            <Segmented
              label={texts.secondary}
              value={String(view.secondary)}
              options={secondaries.map((label, slot) => ({ value: String(slot), label }))}
              onChange={(slot) => setView({ secondary: Number(slot) })}
            />
          )}
          {comparison === null ? null : (
            <>
              <ChangeTable comparison={comparison} names={names} />
              <TableTools name={texts.changesOf(view.percentile)} />
              {comparisonSentences(comparison.stages, view.percentile, names).map((sentence, i) => (
                <p key={sentence} className={i === 0 ? styles.answer : styles.more}>
                  {unbroken(sentence)}
                </p>
              ))}
              <p className="quiet text-small space-12">{texts.intervalDefinition}</p>
            </>
          )}
          <ComparedEvents a={a} b={b} />
        </Card>
      </div>
    </div>
  );
}

/** Names of the places of both sides: roles where the other capture has other servers. */
function namesOfBoth(a: ReplicaNames, b: ReplicaNames | null): ReplicaNames {
  const areAlike = b === null || (a.primary === b.primary && a.secondary === b.secondary);
  return areAlike ? a : { primary: "Primary", secondary: "Secondary" };
}
