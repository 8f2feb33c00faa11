/** A query that runs or ran, and its outcome. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { SqlResult } from "@aglens/contract";
import { isAbort, ProblemError, sentenceOf } from "../../data/problem.ts";
import type { SqlSource } from "../../data/sql-client.ts";

export interface QueryResult {
  /** The query of the result. */
  readonly sql: string;
  readonly result: SqlResult;
}

export interface QueryRun {
  /** The last result; stays while another query runs. */
  readonly last: QueryResult | null;
  readonly isRunning: boolean;
  /** Why the newest query has no result; `at` is the place of its mistake, in characters, or null. */
  readonly failure: { readonly sentence: string; readonly at: number | null } | null;
  readonly run: (sql: string) => void;
  /** Ends the query that runs; the result before it stays. */
  readonly stop: () => void;
}

/** @param before an earlier result */
export function useQueryRun(source: SqlSource, before: QueryResult | null): QueryRun {
  const [last, setLast] = useState<QueryResult | null>(before);
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<QueryRun["failure"]>(null);
  const running = useRef<AbortController | null>(null);
  const stop = useCallback(() => {
    running.current?.abort();
    setRunning(false);
  }, []);
  const run = useCallback(
    (sql: string) => {
      running.current?.abort();
      const abort = (running.current = new AbortController());
      setRunning(true);
      setFailure(null);
      source.rows(sql, abort.signal).then(
        (result) => {
          if (abort.signal.aborted) return;
          setRunning(false);
          setLast({ sql, result });
        },
        (error: unknown) => {
          if (abort.signal.aborted || isAbort(error)) return;
          setRunning(false);
          setFailure({ sentence: sentenceOf(error), at: error instanceof ProblemError ? error.at : null });
        },
      );
    },
    [source],
  );
  useEffect(() => () => running.current?.abort(), []);
  return { last, isRunning, failure, run, stop };
}
