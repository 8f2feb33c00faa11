import type { ReactNode } from "react";
import type { CommitOrder, RangeStatistics, SlowCommits } from "@aglens/contract";
import { useAnswer } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { rawTexts as texts } from "../../messages/raw.ts";
import { Card, Segmented, Value } from "../../ui/controls.tsx";
import { durationText, formatCount, formatDuration, formatPercent } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { backedPercentiles } from "../capture-view/figures.ts";
import { halfSentence } from "../slowest/commit-columns.tsx";
import { MoreRows } from "../slowest/ranked-list.tsx";
import { useSlowCommits } from "../slowest/use-slow-commits.ts";
import { CommitTable } from "./commit-table.tsx";
import { ListBar, useListedRange, useListKeys } from "./slow-list.tsx";
import styles from "./raw.module.css";
import { Term } from "../../ui/term.tsx";

const ORDERS: readonly { readonly value: CommitOrder; readonly label: string }[] = [
  { value: "waited", label: texts.waited },
  { value: "wokenAfter", label: texts.wokenAfter },
  { value: "queued", label: texts.queued },
  { value: "time", label: texts.time },
];

/** The commits of the range that waited longest: how few account for half of all wait time, and where each waited. */
export function CommitsList(): ReactNode {
  const { source, view, setView } = useCapture();
  const range = useListedRange();
  const list = useSlowCommits(range, true, view.commitOrder);
  const statistics = useAnswer(source.statistics(range, view.where));
  useListKeys(list);
  const { value, isStale, error, retry } = list.answer;
  return (
    <>
      <ListBar table="commits" range={range} total={value?.total ?? null}>
        <Segmented
          label={texts.order}
          value={view.commitOrder}
          options={ORDERS}
          onChange={(commitOrder) => setView({ commitOrder })}
        />
      </ListBar>
      <div className={styles.table}>
        <Problem sentence={error} onRetry={retry} />
        {value === null ? null : value.total === 0 ? (
          <p className={styles.note}>{texts.noCommit}</p>
        ) : (
          <>
            <Waiting commits={value} statistics={statistics.value} />
            <Card className={styles.commits} aria-label={texts.slowestCommits} aria-busy={isStale}>
              <CommitTable rows={value.rows} order={view.commitOrder} />
              <MoreRows shown={value.rows.length} total={value.total} showMore={list.showMore} />
            </Card>
          </>
        )}
      </div>
    </>
  );
}

interface WaitingProps {
  readonly commits: SlowCommits;
  /** Statistics of the same range and filter; null until they are loaded. */
  readonly statistics: RangeStatistics | null;
}

/**
 * Total wait time of the range: how few commits account for half of it, its percentiles, and how many commits each
 * cause released.
 */
function Waiting({ commits, statistics }: WaitingProps): ReactNode {
  const { rows, waitedUs } = commits;
  const listed = rows.reduce((sum, { waited }) => sum + (waited ?? 0), 0);
  const figures = statistics && backedPercentiles(statistics.commitLatency);
  const byAck = statistics?.gates.slice(1).reduce((sum, n) => sum + n, 0);
  return (
    <div className={styles.waiting}>
      <p>
        <b>{halfSentence(commits)}</b>
        <span>
          {texts.listedHoldOf(
            formatCount(rows.length),
            formatPercent(waitedUs === 0 ? 0 : listed / waitedUs),
            durationText(waitedUs),
          )}
        </span>
      </p>
      <dl>
        {(["p50", "p95", "p99", "max"] as const).map((name) => (
          <div key={name}>
            <dt>
              <Term id={name}>{name}</Term>
            </dt>
            <dd>
              <Value figure={formatDuration(figures?.[name] ?? null)} strong />
            </dd>
          </div>
        ))}
        <div>
          <dt>
            <Term id="releasedBy">{texts.releasedByAnAck}</Term>
          </dt>
          <dd>
            <b>{formatCount(byAck)}</b>
          </dd>
        </div>
        <div>
          <dt>{texts.byTheLocalWrite}</dt>
          <dd>
            <b>{formatCount(statistics?.gates[0])}</b>
          </dd>
        </div>
      </dl>
    </div>
  );
}
