import type { ReactNode } from "react";
import type { SqlLimits, SqlTableInfo } from "@aglens/contract";
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
          Stop <Kbd>Esc</Kbd>
        </Button>
      ) : (
        <Button kind="primary" disabled={text.trim() === ""} onClick={onRun}>
          Run <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd>
        </Button>
      )}
      <Button kind="quiet" disabled={text.trim() === "" || format.isRunning} onClick={format.run}>
        Format
      </Button>
      <Button kind="quiet" disabled={text.trim() === ""} onClick={onSave}>
        Save
      </Button>
      {limits === null ? null : (
        <p className={styles.limits}>
          Read only. At most <b>{limits.seconds} s</b>, <b>{formatBytes(limits.memoryBytes)}</b>,{" "}
          <b>{formatCount(limits.rows)}</b> rows. No files, no network.
        </p>
      )}
      <output className={styles.outcome} data-failed={failures.length > 0}>
        {run.isRunning ? (
          "Running"
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
    return table === undefined ? [] : [`${name} (${formatCount(table.rows)} rows)`];
  });
  return (
    <>
      <span aria-hidden="true">✓</span> {result.rows === 1 ? "1 row" : `${formatCount(result.rows)} rows`} in{" "}
      <b>{durationText(result.ms * MS_US)}</b>
      {from.length === 0 ? "" : ` from ${from.join(", ")}`}
      {sql === text ? "" : "; text changed since"}
    </>
  );
}

/** The effect of a limit on the result, and ways to get a smaller result. */
export function stoppedSentence({ result }: QueryResult, limits: SqlLimits | null): string | null {
  const rows = result.rows === 0 ? "no rows yet" : `${formatCount(result.rows)} rows so far`;
  const smaller = "A shorter range of utc, fewer captures or columns, or an aggregate would be smaller.";
  switch (result.stopped) {
    case null:
      return null;
    case "time":
      return `Stopped at ${limits?.seconds ?? 10} s, ${rows}. ${smaller}`;
    case "memory":
      return `Stopped at ${formatBytes(limits?.memoryBytes ?? 0)} of memory, ${rows}. ${smaller}`;
    case "rows":
      return `The first ${formatCount(result.rows)} rows; there are more. CSV and Parquet end there too.`;
    case "bytes":
      return `The first ${formatCount(result.rows)} rows; more are too large to be sent. Fewer or shorter columns let more rows through.`;
  }
}
