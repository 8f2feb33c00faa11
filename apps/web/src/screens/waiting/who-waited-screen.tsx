import { type ReactNode, useEffect } from "react";
import { EventName } from "@aglens/ag-model/events";
import type { ClientGroup, Summary, WhoWaited } from "@aglens/contract";
import { useAnswer } from "../../data/use-answer.ts";
import { CopyCode } from "../../frame/copy.tsx";
import { TextLink } from "../../frame/app-bar.tsx";
import { Problem } from "../../frame/problem.tsx";
import { whoWaitedTexts as texts } from "../../messages/waiting.ts";
import { IS_ALONE } from "../../alone.ts";
import { Button, Card, Kbd } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { FigureTerm } from "../../ui/term.tsx";
import { durationText, formatCount } from "../../ui/words.ts";
import { AnswerBand } from "../capture-view/answer-band.tsx";
import { useCapture } from "../capture-view/capture-context.ts";
import { filterNamesOf } from "../capture-view/names.ts";
import { conditionMeaning } from "../../filter/filter-text.ts";
import { shownRange } from "../capture-view/shown-range.ts";
import { TableTools } from "../capture-view/table-tools.tsx";
import { TimeChoice } from "../capture-view/time-choice.tsx";
import { withoutClients } from "./client-filter.ts";
import { RowsChoice, useNextRows } from "./rows-choice.tsx";
import styles from "./who-waited.module.css";
import { WhoWaitedTable } from "./who-waited-table.tsx";
import { clientName, highestP95, lostSentence, whoSentences } from "./who-waited-text.ts";

/** Commits by session, application or statement: how long they waited, and in which places. */
export function WhoWaitedScreen({ by }: { readonly by: ClientGroup }): ReactNode {
  const { source, summary, view, open, setView } = useCapture();
  const [from, to] = shownRange(view, summary);
  const { value, error, isStale, retry } = useAnswer(source.whoWaited(by, { from, to }, view.where));
  const clear = (): void => setView({ where: withoutClients(view.where) });
  const hasClients = view.where?.some(({ kind }) => kind === "client") === true;
  const next = useNextRows(by);
  useKeys({
    nextRows: next,
    previousChange: () => focusRow(-1),
    nextChange: () => focusRow(1),
    back: () => (hasClients ? clear() : open("overview")),
  });
  useStatus(value, by);
  if (value === null)
    return (
      <div className="stack narrows" aria-busy={error === null}>
        <Problem sentence={error} onRetry={retry} />
      </div>
    );
  const state = value.recorded[RECORDED_KEYS[by]];
  return (
    <div className="stack narrows" aria-busy={isStale}>
      <Problem sentence={error} onRetry={retry} />
      {state === "recorded" ? (
        <Answer waited={value} rangeUs={to - from} />
      ) : (
        <Missing by={by} state={state} />
      )}
      <div className={styles.cards}>
        <Card>
          <div className={styles.head}>
            <h2>{texts.title}</h2>
            <RowsChoice by={by} />
            <TimeChoice followsZoom />
          </div>
          {state === "recorded" && value.rows.length > 0 ? (
            <>
              <WhoWaitedTable waited={value} />
              <TableTools name="who-waited" />
            </>
          ) : (
            <MissingHelp by={by} state={state} />
          )}
        </Card>
        <aside className={styles.rail}>
          {state === "recorded" && <FilterCard waited={value} clear={clear} />}
          <StatementsCard waited={value} />
          <SourceCard waited={value} summary={summary} />
        </aside>
      </div>
    </div>
  );
}

const RECORDED_KEYS = {
  session: "sessions",
  application: "applications",
  statement: "statements",
} as const;

/** Actions by the rows that need them, as sessions name them. */
const ACTIONS: Readonly<Record<ClientGroup, string>> = {
  session: "session_id",
  application: "client_app_name",
  statement: "sql_text",
};

/** Rows are buttons in the order of the table. */
function focusRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row="client"]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
}

function Answer({ waited, rangeUs }: { readonly waited: WhoWaited; readonly rangeUs: number }): ReactNode {
  const { summary } = useCapture();
  const { all, applications, by } = waited;
  const highest = highestP95(waited);
  const figure = (count: number, words: string): ReactNode => (
    <>
      <b>{formatCount(count)}</b> {words}
    </>
  );
  return (
    <AnswerBand
      label={texts.title}
      sentences={whoSentences(waited, summary, rangeUs)}
      evidence={[
        figure(
          all.commits,
          all.sessions === null
            ? texts.commitsOf(all.commits)
            : texts.commitsOfSessions(all.commits, all.sessions),
        ),
        ...(applications === null ? [] : [figure(applications, texts.applicationsOf(applications))]),
        ...(highest === null
          ? []
          : [
              <>
                {texts.hasHighestP95(
                  by === "statement" ? texts.oneStatement : clientName(highest, by, summary),
                )}
                <b>
                  <FigureTerm>{durationText(highest.p95Us)}</FigureTerm>
                </b>
              </>,
            ]),
      ]}
      asideTitle=""
      aside={[]}
    />
  );
}

interface MissingProps {
  readonly by: ClientGroup;
  readonly state: "recorded" | "dropped" | "absent";
}

function Missing({ by, state }: MissingProps): ReactNode {
  const sentence = state === "dropped" ? texts.dropped[by] : texts.notRecorded[by];
  return <AnswerBand label={texts.title} sentences={[sentence]} evidence={[]} asideTitle="" aside={[]} />;
}

/** How to get the rows: the event with its action, and what it costs. */
function MissingHelp({ by, state }: MissingProps): ReactNode {
  if (state === "recorded") return <p className={styles.note}>{texts.noCommit}</p>;
  if (state === "dropped")
    return <p className={styles.note}>{by === "statement" ? texts.uploadAgain : texts.droppedHelp}</p>;
  const code = texts.eventWithAction(EventName.commit, ACTIONS[by]);
  return (
    <div className={styles.note}>
      <p>{texts.needsAction(ACTIONS[by])}</p>
      <p>{by === "statement" ? texts.addStatement : texts.addAction}</p>
      <CopyCode code={code} label={texts.copyEvent} />
      {IS_ALONE ? null : <TextLink href="/guide?clients">{texts.openGuide}</TextLink>}
    </div>
  );
}

function FilterCard({
  waited,
  clear,
}: {
  readonly waited: WhoWaited;
  readonly clear: () => void;
}): ReactNode {
  const { summary, view, open } = useCapture();
  const names = filterNamesOf(summary, view.phase);
  const conditions = view.where?.filter(({ kind }) => kind === "client") ?? [];
  return (
    <Card title={texts.filter}>
      <p>{texts.pressARow}</p>
      {conditions.length === 0 ? null : (
        <>
          <p>
            {conditions.map((condition) => (
              <code key={conditionMeaning(condition, names)} className={styles.condition}>
                {conditionMeaning(condition, names)}
              </code>
            ))}
          </p>
          {waited.matched === null ? null : (
            <p>
              {texts.match(formatCount(waited.matched), formatCount(waited.all.commits))}{" "}
              {texts.blocksOfCommits}
            </p>
          )}
          <p className="row gap-8 wrap">
            <Button kind="primary" onClick={() => open("timeline")}>
              {texts.showInTimeline}
            </Button>
            <Button onClick={clear}>{texts.clearFilter}</Button>
          </p>
        </>
      )}
    </Card>
  );
}

/** Whether statements can be shown, and why not. */
function StatementsCard({ waited: { recorded, rows, by } }: { readonly waited: WhoWaited }): ReactNode {
  const action = ACTIONS.statement;
  const isHidden = by === "statement" && rows.some(({ statement }) => statement === undefined);
  return (
    <Card title={texts.statements}>
      {recorded.statements === "dropped" ? (
        <>
          <p>
            <b>{texts.dropped.statement}</b> {texts.filesHaveStatements(action)}
          </p>
          <p>{texts.uploadAgain}</p>
        </>
      ) : recorded.statements === "absent" ? (
        <p>{texts.statementsAbsent(action)}</p>
      ) : (
        <p>{isHidden ? texts.linkHidesStatements : texts.statementsKept}</p>
      )}
    </Card>
  );
}

function SourceCard({
  waited,
  summary,
}: {
  readonly waited: WhoWaited;
  readonly summary: Summary;
}): ReactNode {
  const { by, rows } = waited;
  const without = rows.find(({ value }) => value === 0)?.commits ?? 0;
  const sources: readonly (readonly [string, ReactNode])[] = [
    [texts.sourceSession, <code key="session">{ACTIONS.session}</code>],
    [texts.sourceApplication, <code key="application">{ACTIONS.application}</code>],
    [texts.sourceStatement, <code key="statement">{ACTIONS.statement}</code>],
    [texts.sourceWait, texts.startToEnd],
    [texts.sourcePlace, texts.stagesBeforeRelease],
  ];
  const lost = lostSentence(summary);
  return (
    <Card title={texts.sourceOfEachColumn}>
      <dl className={styles.sources}>
        {sources.map(([name, of]) => (
          <div key={name} className={styles.source}>
            <dt>{name}</dt>
            <dd>{of}</dd>
          </div>
        ))}
      </dl>
      {without === 0 && lost === "" ? null : (
        <p>
          {without === 0 ? "" : texts.commitsWithout(without, texts.noName[by])} {lost}
        </p>
      )}
    </Card>
  );
}

/** @param waited null until it is known: later figures would move the key hints */
function useStatus(waited: WhoWaited | null, by: ClientGroup): void {
  const { setStatus } = useCapture();
  const rows = waited?.rows.length ?? null;
  useEffect(() => {
    if (rows === null) {
      setStatus(null);
      return;
    }
    setStatus(
      <>
        <span>{texts.rowsByWait[by](rows)}</span>
        {rows > 1 ? (
          <span>
            <Kbd>j</Kbd> <Kbd>k</Kbd> {texts.nextRow}
          </span>
        ) : null}
        {rows > 0 ? (
          <span>
            <Kbd>Enter</Kbd> {texts.filterToRow}
          </span>
        ) : null}
        <span>
          <Kbd>u</Kbd> {texts.switchRows}
        </span>
      </>,
      texts.sqlHasRows,
    );
  }, [setStatus, rows, by]);
}
