import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { SqlFormat } from "@aglens/contract";
import type { ReadyQuery } from "@aglens/contract/ready-queries";
import { guessedChoice, type Picture, pictureOf } from "../../charts/query/picture.ts";
import type { SqlSource } from "../../data/sql-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { lazyScreen } from "../../frame/lazy-screen.tsx";
import { Message } from "../../frame/page.tsx";
import { fileName, saveFile } from "../../frame/save-file.ts";
import { sqlTexts as texts } from "../../messages/sql.ts";
import { useView } from "../../state/use-view.ts";
import { useKeys } from "../../ui/keys.ts";
import { type OpenedRow, openedRow } from "./opened-row.ts";
import { forgetQuery, keepQuery, ownQueries, titleOf } from "./own-queries.ts";
import { QueryRail } from "./query-rail.tsx";
import { ResultBar } from "./result-bar.tsx";
import { ResultPicture } from "./result-picture.tsx";
import { ResultTable } from "./result-table.tsx";
import { RunBar, stoppedSentence } from "./run-bar.tsx";
import styles from "./sql.module.css";
import { useFormat } from "./use-format.ts";
import { type QueryResult, type QueryRun, useQueryRun } from "./use-query-run.ts";

/** The editor is the largest script, and results can be read without it. */
const Editor = lazyScreen(async () => (await import("./editor.tsx")).Editor);

interface Props {
  /** Keep the object stable: a new object is a new console. */
  readonly source: SqlSource;
  readonly ready: readonly ReadyQuery[];
  /** Opens the blocks of a row. */
  readonly onOpen: (row: OpenedRow) => void;
  /** Copies the link to the query, and shows a short message. */
  readonly onCopyLink: () => void;
  /** The current selection, for the status bar. */
  readonly onStatus: (words: string) => void;
  /** Content next to the ready queries. */
  readonly aside?: ReactNode;
  /** Whether the first ready query runs when there was no query before. */
  readonly runsFirst?: boolean;
}

/** Queries in SQL: ready ones and the user's own, the text, and its rows as a table and a picture. */
export function Console(props: Props): ReactNode {
  const { source, ready, onOpen, onCopyLink, onStatus, aside } = props;
  const [view, setView] = useView();
  const asked = useAnswer(source.tables());
  const before = sessionOf(source.key);
  const [text, setText] = useState(() => view.sql ?? before?.text ?? ready[0]?.sql ?? "");
  const run = useQueryRun(source, view.sql === null ? (before?.last ?? null) : null);
  const [own, setOwn] = useState(ownQueries);
  const { last } = run;
  const tables = asked.value?.tables ?? [];
  const limits = asked.value?.limits ?? null;
  useEffect(() => keepSession(source.key, { text, last }), [source, text, last]);
  useLinkedQuery(view.sql, setText, run.run);
  useFirstQuery(props, view.sql === null && before === null, run.run);
  const runText = (sql: string): void => {
    setText(sql);
    if (sql === view.sql) run.run(sql);
    else setView({ sql, sqlPicture: null, sqlRow: null });
  };
  const selected =
    last !== null && view.sqlRow !== null && view.sqlRow < last.result.rows ? view.sqlRow : null;
  const select = (sqlRow: number): void => setView({ sqlRow }, "replace");
  useResultKeys({ ...run, last, selected, select, onOpen, run: () => runText(text) });
  useEffect(() => onStatus(selected === null ? "" : texts.rowSelected(selected + 1)), [onStatus, selected]);
  const save = useCommand(async (format: SqlFormat) => {
    if (last === null) return;
    const content = await source.file(last.sql, format);
    saveFile({ name: `${fileName(titleOf(last.sql))}.${format}`, type: content.type, content });
  });
  const format = useFormat(text, setText);
  const picture = usePicture(last, view.sqlPicture);
  if (asked.error !== null && asked.value === null)
    return <Message title={texts.thereIsNoSql} detail={asked.error} onRetry={asked.retry} />;
  return (
    <div className={styles.console} data-show={view.sqlShow}>
      <QueryRail
        ready={ready}
        own={own}
        tables={tables}
        sql={text}
        onRun={(sql) => runInRows(runText, sql)}
        onForget={(title) => setOwn(forgetQuery(title) ?? own)}
        aside={aside}
      />
      <QueryMenu queries={[...ready, ...own]} sql={text} onRun={runText} />
      <div className={styles.editor}>
        <Editor
          text={text}
          tables={tables}
          mistake={run.failure?.at ?? null}
          onText={setText}
          onRun={() => runText(text)}
          onStop={run.stop}
        />
      </div>
      <RunBar
        run={run}
        text={text}
        limits={limits}
        tables={tables}
        onRun={() => runText(text)}
        format={format}
        onSave={() => setOwn(keepQuery(text) ?? own)}
      />
      {last === null ? (
        <Nothing isRunning={run.isRunning} hasFailed={run.failure !== null} />
      ) : (
        <>
          <ResultBar
            last={last}
            picture={picture}
            choice={view.sqlPicture ?? guessedChoice(last.result.columns)}
            show={view.sqlShow}
            onShow={(sqlShow) => setView({ sqlShow }, "replace")}
            onChoice={(sqlPicture) => setView({ sqlPicture }, "replace")}
            onCopyLink={onCopyLink}
            save={save}
          />
          <Stopped sentence={stoppedSentence(last, limits)} />
          <div className={styles.result} aria-busy={run.isRunning}>
            {view.sqlShow === "chart" ? null : (
              <ResultTable
                key={last.sql}
                result={last.result}
                selected={selected}
                onSelect={select}
                onOpen={(row) => openRow(last, row, onOpen)}
              />
            )}
            {view.sqlShow === "table" ? null : (
              <ResultPicture picture={picture} selected={selected} onSelect={select} />
            )}
          </div>
        </>
      )}
    </div>
  );
}

/** Key presses belong to the new rows, not to the query that was chosen. */
function runInRows(run: (sql: string) => void, sql: string): void {
  run(sql);
  document.getElementById("content")?.focus();
}

/** The query of the address is run when the page opens with it, and whenever it changes. */
function useLinkedQuery(
  sql: string | null,
  setText: (text: string) => void,
  run: (sql: string) => void,
): void {
  useEffect(() => {
    if (sql === null) return;
    setText(sql);
    run(sql);
  }, [sql, setText, run]);
}

/** Without a query in the address the first ready one runs: the page opens with rows, and its address stays as it is. */
function useFirstQuery(
  { runsFirst = false, ready }: Pick<Props, "runsFirst" | "ready">,
  isNew: boolean,
  run: (sql: string) => void,
): void {
  const first = useRef(runsFirst && isNew ? ready[0]?.sql : undefined);
  useEffect(() => {
    if (first.current !== undefined) run(first.current);
  }, [run]);
}

function usePicture(
  last: QueryResult | null,
  chosen: ReturnType<typeof useView>[0]["sqlPicture"],
): Picture | null {
  return useMemo(() => {
    if (last === null) return null;
    const { columns } = last.result;
    const guessed = guessedChoice(columns);
    const picture = chosen === null ? null : pictureOf(columns, chosen);
    return picture ?? (guessed === null ? null : pictureOf(columns, guessed));
  }, [last, chosen]);
}

function openRow({ result }: QueryResult, row: number, onOpen: (row: OpenedRow) => void): void {
  const opened = openedRow(result, row);
  if (opened !== null) onOpen(opened);
}

interface ResultKeys extends Pick<QueryRun, "isRunning" | "stop"> {
  readonly last: QueryResult | null;
  readonly selected: number | null;
  readonly select: (row: number) => void;
  readonly onOpen: (row: OpenedRow) => void;
  readonly run: () => void;
}

function useResultKeys({ isRunning, stop, last, selected, select, onOpen, run }: ResultKeys): void {
  const step = (by: number): void => {
    const rows = last?.result.rows ?? 0;
    if (rows > 0) select(Math.max(0, Math.min(rows - 1, selected === null ? 0 : selected + by)));
  };
  useKeys({
    runSql: run,
    nextResult: () => step(1),
    previousResult: () => step(-1),
    ...(last === null || selected === null ? {} : { openResult: () => openRow(last, selected, onOpen) }),
    ...(isRunning ? { back: stop } : {}),
  });
}

/** In a narrow window, this menu replaces the rail. */
function QueryMenu({
  queries,
  sql,
  onRun,
}: {
  readonly queries: readonly ReadyQuery[];
  readonly sql: string;
  readonly onRun: (sql: string) => void;
}): ReactNode {
  const known = queries.some((query) => query.sql === sql);
  return (
    <label className={styles.menu}>
      <span className="sr-only">{texts.queryLabel}</span>
      <select value={known ? sql : ""} onChange={({ target }) => onRun(target.value)}>
        {known ? null : <option value="">{texts.ownQuery}</option>}
        {queries.map((query) => (
          <option key={query.title} value={query.sql}>
            {query.title}
          </option>
        ))}
      </select>
    </label>
  );
}

function Nothing({
  isRunning,
  hasFailed,
}: {
  readonly isRunning: boolean;
  readonly hasFailed: boolean;
}): ReactNode {
  const words = isRunning ? texts.running : hasFailed ? texts.noRowsTheQuery : texts.runTheQuery;
  return <p className={styles.nothing}>{words}</p>;
}

const Stopped = ({ sentence }: { readonly sentence: string | null }): ReactNode =>
  sentence === null ? null : <output className={styles.stopped}>{sentence}</output>;

/** State of a console, which is kept while its screen is unmounted by a change of tabs. */
interface Session {
  readonly text: string;
  readonly last: QueryResult | null;
}

const sessions = new Map<string, Session>();

/** @param key of the source that is queried */
const sessionOf = (key: string): Session | null => sessions.get(key) ?? null;

const keepSession = (key: string, session: Session): void => void sessions.set(key, session);
