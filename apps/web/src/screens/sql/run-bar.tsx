import type { ReactNode } from "react";
import type { SqlLimits, SqlTableInfo } from "@aglens/contract";
import { sqlTexts as texts } from "../../messages/sql.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import { durationText, formatBytes, formatCount } from "../../ui/words.ts";
import type { Format } from "./use-format.ts";
import type { QueryResult, QueryRun } from "./use-query-run.ts";
import styles from "./sql.module.css";

interface Props {
  readonly run: QueryRun;
  readonly text: string;
  readonly limits: SqlLimits | null;
  readonly tables: readonly SqlTableInfo[];
  readonly onRun: () => void;
  readonly onSave: () => void;
  readonly format: Format;
}

/** Runs the query; shows its estimated effort before the run, and its outcome after it. */
export function RunBar({ run, text, limits, tables, onRun, onSave, format }: Props): ReactNode {
  const failures = [run.failure?.sentence, format.error].filter((sentence) => sentence != null);
  return (
    <div className={styles.runBar}>
      {run.isRunning ? (
        <Button kind="primary" onClick={run.stop}>
          {texts.stop} <Kbd>Esc</Kbd>
        </Button>
      ) : (
        <Button kind="primary" disabled={text.trim() === ""} onClick={onRun}>
          {texts.run} <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd>
        </Button>
      )}
      <Button kind="quiet" disabled={text.trim() === "" || format.isRunning} onClick={format.run}>
        {texts.format}
      </Button>
      <Button kind="quiet" disabled={text.trim() === ""} onClick={onSave}>
        {texts.save}
      </Button>
      {limits === null ? null : (
        <p className={styles.limits}>
          {texts.readOnlyAtMost(
            <b>{limits.seconds} s</b>,
            <b>{formatBytes(limits.memoryBytes)}</b>,
            <b>{formatCount(limits.rows)}</b>,
          )}
        </p>
      )}
      <output className={styles.outcome} data-failed={failures.length > 0}>
        {run.isRunning ? (
          texts.runningLabel
        ) : failures.length > 0 ? (
          failures.join(" ")
        ) : (
          <Outcome last={run.last} text={text} tables={tables} />
        )}
      </output>
    </div>
  );
}

const MS_US = 1000;

/** `24 rows in 38 ms, from hops (6,038 rows)`. */
function Outcome({
  last,
  text,
  tables,
}: Pick<Props, "text" | "tables"> & { readonly last: QueryResult | null }): ReactNode {
  if (last === null) return null;
  const { result, sql } = last;
  const from = result.read.flatMap((name) => {
    const table = tables.find((each) => each.name === name);
    return table === undefined ? [] : [texts.rowsPart(name, formatCount(table.rows))];
  });
  return (
    <>
      <span aria-hidden="true">✓</span>{" "}
      {texts.rowInFromText(
        result.rows,
        <b>{durationText(result.ms * MS_US)}</b>,
        from.length === 0 ? "" : texts.from(from.join(", ")),
        sql === text,
      )}
    </>
  );
}

/** The effect of a limit on the result, and ways to get a smaller result. */
export function stoppedSentence({ result }: QueryResult, limits: SqlLimits | null): string | null {
  const rows = result.rows === 0 ? texts.noRowsYet : texts.rowsSoFar(formatCount(result.rows));
  const smaller = texts.shorterRangeOfUtc;
  switch (result.stopped) {
    case null:
      return null;
    case "time":
      return texts.stoppedAtS(limits?.seconds ?? 10, rows, smaller);
    case "memory":
      return texts.stoppedAtOfMemory(formatBytes(limits?.memoryBytes ?? 0), rows, smaller);
    case "rows":
      return texts.firstRowsThere(formatCount(result.rows));
    case "bytes":
      return texts.firstRowsMore(formatCount(result.rows));
  }
}
