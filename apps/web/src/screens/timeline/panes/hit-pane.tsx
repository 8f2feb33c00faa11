import { type ReactNode, useMemo, useState } from "react";
import type { SlowBlock, SlowBlocks, Summary } from "@aglens/contract";
import { BlockBar } from "../../../charts/block-bar.tsx";
import { barLength } from "../../../charts/block-pieces.ts";
import { durationSubject } from "../../../filter/filter-text.ts";
import { Problem } from "../../../frame/problem.tsx";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { Button, Segmented, Value } from "../../../ui/controls.tsx";
import {
  durationText,
  formatCount,
  formatDuration,
  formatPercent,
  formatTime,
  utcTip,
  zoneName,
} from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { knownCommits } from "../../capture-view/figures.ts";
import { pausedPart } from "../../capture-view/stage-means.ts";
import { filterNamesOf } from "../../capture-view/names.ts";
import type { FoundHits } from "../../capture-view/found-blocks.ts";
import { MoreRows, rankColumn, RankedList, RowPress } from "../../slowest/ranked-list.tsx";
import { Reading } from "./pane-parts.tsx";
import { useTimelineSelection } from "../timeline-context.ts";
import { hitFigure, hitUs, lowerThreshold, matchedReplica, rowsInView, shareOfHits } from "./hit-list.ts";
import styles from "./hit-pane.module.css";

/** The blocks of the filter: their cost, and each of them in the chosen order. */
export function HitPane(): ReactNode {
  const { summary, view, setView } = useCapture();
  const { hits, list } = useTimelineSelection().hits;
  const found = hits.value;
  return (
    <>
      <h2>
        {texts.hit(found?.blocks ?? Number.NaN)}{" "}
        <span className={styles.share}>
          {texts.ofBlocks(
            formatCount(summary.blocks.total),
            formatPercent(found && found.blocks / Math.max(1, summary.blocks.total), 1),
          )}
        </span>
      </h2>
      <Problem sentence={hits.error ?? list.error} onRetry={hits.error === null ? list.retry : hits.retry} />
      {found === null ? (
        <Reading>{texts.countingTheBlocks}</Reading>
      ) : found.blocks === 0 ? (
        <NoHits hits={found} />
      ) : (
        <>
          <Cost hits={found} list={list.value} />
          <div className={styles.order}>
            <Segmented
              label={texts.orderOfTheHits}
              value={view.hitOrder}
              options={[
                { value: "slowest", label: texts.slowest },
                { value: "time", label: texts.time },
                { value: "commit", label: texts.commitLabel },
              ]}
              onChange={(hitOrder) => setView({ hitOrder }, "replace")}
            />
            <span>{texts.oneScale}</span>
          </div>
          {list.value === null ? null : <HitTable list={list.value} />}
        </>
      )}
    </>
  );
}

/** "24 % of SQL2 log write time and 9 % of all commit waiting: 4.23 s in 21 commits. 10 of 21 lie in the episode." */
function Cost({ hits, list }: { readonly hits: FoundHits; readonly list: SlowBlocks | null }): ReactNode {
  const { summary, view } = useCapture();
  const part = shareOfHits(hits.where, hits);
  const waited =
    knownCommits(summary, hits.commits) === null
      ? null
      : texts.ofAllCommitWaiting(formatPercent(hits.waitedShare), durationText(hits.waitedUs), hits.commits);
  const { episodes } = summary.verdict;
  const rows = list === null || list.rows.length < list.total ? null : list.rows;
  const inEpisodes =
    rows === null || episodes.length === 0
      ? null
      : rows.filter(({ time }) => episodes.some(({ from, to }) => time >= from && time < to)).length;
  return (
    <p className={styles.cost}>
      {part === null ? null : (
        <b>
          {texts.ofTime(
            formatPercent(part.share),
            durationSubject(part.condition, filterNamesOf(summary, view.phase)),
          )}
        </b>
      )}
      {waited === null ? texts.noCommit(part === null ? "" : ". ") : texts.waitedSum(part === null, waited)}
      {rows === null ? "" : stoodStillText(rows, summary)}
      {inEpisodes === null
        ? ""
        : texts.ofLie(formatCount(inEpisodes), formatCount(hits.blocks), episodes.length)}
    </p>
  );
}

/**
 * " 21 of 24 waited for SQL2, which was unresponsive." Their time is in a stage that did not cause it; "" where no hit
 * waited for an unresponsive server.
 */
function stoodStillText(rows: SlowBlocks["rows"], summary: Summary): string {
  const waited = rows.flatMap((row) => pausedPart(row, summary) ?? []);
  if (waited.length === 0) return "";
  const names = [...new Set(waited.map(({ server }) => server))].join(" or ");
  return texts.ofWaited(formatCount(waited.length), formatCount(rows.length), names);
}

/** Nothing meets the conditions: shows the largest value of the capture, and the condition that finds it. */
function NoHits({ hits }: { readonly hits: FoundHits }): ReactNode {
  const { summary, view, setView } = useCapture();
  const { where } = hits;
  const lower = lowerThreshold(where, hits);
  const alone = hits.conditions.every(({ blocks }) => blocks > 0);
  return (
    <>
      <p className={styles.cost}>
        {texts.eachConditionAlone(
          alone && where.length > 1,
          lower === null
            ? ""
            : texts.largestIs(
                durationSubject(lower.condition, filterNamesOf(summary, view.phase)),
                durationText(lower.largest),
              ),
        )}
      </p>
      {lower === null ? null : (
        <Button onClick={() => setView({ where: lower.where })}>{texts.use(durationText(lower.us))}</Button>
      )}
    </>
  );
}

/** From this number of rows on, only the rows in view are drawn. */
const VIRTUAL_FROM = 200;
const ROW_PX = 24;
const HEIGHT_PX = 528;

interface Hit {
  readonly block: SlowBlock;
  /** Place among all hits. */
  readonly index: number;
}

function HitTable({ list: { rows, total } }: { readonly list: SlowBlocks }): ReactNode {
  const { summary, view } = useCapture();
  const { select } = useTimelineSelection().hits;
  /** Rows above the first one in view: the list renders once per row, not once per pixel. */
  const [passed, setPassed] = useState(0);
  const isVirtual = rows.length >= VIRTUAL_FROM;
  const [first, end] = isVirtual
    ? rowsInView(rows.length, passed * ROW_PX, HEIGHT_PX + ROW_PX, ROW_PX)
    : [0, rows.length];
  const scaleUs = useMemo(() => Math.max(1, ...rows.map(({ stages }) => barLength(stages))), [rows]);
  const { heading, isOfOneReplica } = hitFigure(rows, summary);
  return (
    <div
      className={styles.list}
      style={isVirtual ? { maxHeight: HEIGHT_PX } : {}}
      onScroll={(event) => setPassed(Math.floor(event.currentTarget.scrollTop / ROW_PX))}
    >
      <RankedList<Hit>
        className={styles.table}
        aria-rowcount={total + 1}
        rows={rows.slice(first, end).map((block, i) => ({ block, index: first + i }))}
        rowKey={({ block }) => block.row}
        rowIndex={({ index }) => index + 2}
        isSelected={({ block }) => block.row === view.block}
        follows={false}
        first={<Undrawn rows={first} />}
        last={<Undrawn rows={rows.length - end} />}
        columns={[
          { ...rankColumn, cell: ({ index }) => index + 1 },
          {
            id: "Time",
            head: zoneName(summary),
            align: "left",
            cellProps: ({ block: { time } }) => ({ title: utcTip(summary, time) }),
            cell: ({ block: { lsn, time }, index }) => (
              <RowPress
                name={texts.selectHit(index + 1, lsn, formatTime(summary, time))}
                onPress={() => select(index)}
              >
                {formatTime(summary, time)}
              </RowPress>
            ),
          },
          {
            id: "Block",
            align: "left",
            className: styles.bar,
            cell: ({ block: { stages, paused, localStart } }) => (
              <BlockBar
                stages={stages}
                paused={paused}
                scaleUs={scaleUs}
                localStart={localStart ?? 0}
                height={10}
              />
            ),
          },
          {
            id: "Figure",
            head: heading,
            cell: ({ block }) => (
              <>
                <Value figure={formatDuration(hitUs(block))} />
                {isOfOneReplica ? null : (
                  <small className={styles.replica} title={matchedReplica(block, summary)}>
                    {matchedReplica(block, summary)}
                  </small>
                )}
              </>
            ),
          },
          { id: "Commit", cell: ({ block: { stages } }) => formatDuration(stages["commit"]) },
        ]}
      />
      <MoreRows shown={rows.length} total={total} otherwise="" />
    </div>
  );
}

/** The space of rows that are not drawn. */
const Undrawn = ({ rows }: { readonly rows: number }): ReactNode =>
  rows === 0 ? null : <tr aria-hidden="true" style={{ height: rows * ROW_PX }} />;
