import { type ReactNode, useMemo } from "react";
import type { PausedPath, RangeStatistics, SlowestSort, Summary } from "@aglens/contract";
import { REMOTE_STAGE_IDS, type RemoteStageId } from "@aglens/ag-model/replication";
import { type RegimePair, twoRegimes } from "../../../charts/timeline/regimes.ts";
import { type Answer, useAnswer } from "../../../data/use-answer.ts";
import { Problem } from "../../../frame/problem.tsx";
import type { Lane } from "../../../lanes/lanes.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { Button, Kbd, Swatch, Value } from "../../../ui/controls.tsx";
import { formatDuration, formatOffset, formatPercent, formatTime, utcTip } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { phaseIndex, primaryMoved } from "../../capture-view/phases.ts";
import { useReplicaNames } from "../../capture-view/names.ts";
import { laneText } from "../lanes/block-tip.tsx";
import { slowestSort } from "../lanes/lane-order.ts";
import { Answered, Readouts } from "./pane-parts.tsx";
import { StagesOfRange } from "./range-pane.tsx";
import { ROLES } from "./released-by.ts";
import { useTimelineData, useTimelineSelection } from "../timeline-context.ts";
import type { Range } from "../viewport.ts";
import laneFrame from "../../lane-view/lane-frame.module.css";
import styles from "./pane.module.css";

/** Rows of the slowest blocks of a stage. */
const SLOWEST = 8;

interface Props {
  readonly answer: Answer<RangeStatistics>;
  /** The range of the request, µs. */
  readonly range: Range;
}

/** The isolated lanes, one after the other: percentiles, part of remote harden, slowest blocks; then all stages for comparison. */
export function IsolatedPane({ answer, range }: Props): ReactNode {
  const { summary, view, setView } = useCapture();
  const { lanes, isolated } = useTimelineData();
  const given = useReplicaNames();
  const own = lanes.all.filter(({ key }) => isolated.includes(key));
  return (
    <>
      <div className={styles.againstHead}>
        <h2>{own.length === 1 ? texts.oneStageAlone : texts.lanes(own.length)}</h2>
        <Button kind="quiet" onClick={() => setView({ isolated: [] })}>
          {texts.allStages} <Kbd>Esc</Kbd>
        </Button>
      </div>
      <Answered answer={answer}>
        {(statistics) => (
          <>
            <p className={laneFrame.sub}>{texts.blockInViewOther(statistics.blocks)}</p>
            {own.map((lane) => (
              <IsolatedLane key={lane.key} lane={lane} statistics={statistics} range={range} />
            ))}
            <StagesOfRange
              where={texts.inView}
              stages={statistics.stages[view.secondary]}
              names={primaryMoved(summary) ? ROLES : given}
            />
          </>
        )}
      </Answered>
    </>
  );
}

interface LaneProps {
  readonly lane: Lane;
  readonly statistics: RangeStatistics;
  readonly range: Range;
}

function IsolatedLane({ lane, statistics, range }: LaneProps): ReactNode {
  const { summary, open } = useCapture();
  const { ofDatabases } = useTimelineData();
  const { selection } = useTimelineSelection();
  const of = lane.database === null ? statistics : ofDatabases.get(lane.database);
  const figures =
    lane.figure === "commit" ? of?.commitLatency : of?.stages[Math.max(0, lane.secondary)]?.[lane.figure];
  const onPath = REMOTE_STAGE_IDS.find((id) => id === lane.figure);
  return (
    <section className={styles.isolated} aria-label={laneText(lane, summary)}>
      <h3>
        <Swatch color={`var(${lane.color})`} /> {laneText(lane, summary)}
      </h3>
      {figures === undefined || figures.n === 0 ? (
        <p className={laneFrame.sub}>{texts.noBlockInView}</p>
      ) : (
        <>
          <Readouts figures={figures} shown={["p50", "p95", "p99", "max"]} single={texts.oneBlock} />
          {onPath === undefined || of === undefined ? null : (
            <PartOfHarden lane={lane} id={onPath} statistics={of} range={range} />
          )}
          <SlowestOfLane lane={lane} range={range} />
          <div className={styles.actions}>
            <Button onClick={() => selection.selectSlowest(lane, range, false)}>{texts.slowestInView}</Button>
            <Button onClick={() => open("distribution", { stage: slowestSort(lane) })}>
              {texts.distribution}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

/** The stage's share of the mean remote harden; on both sides where an episode divides the view. */
function PartOfHarden({
  lane: { secondary, color, database },
  id,
  statistics,
  range: [from, to],
}: LaneProps & { readonly id: RemoteStageId }): ReactNode {
  const { summary } = useCapture();
  const { buffer } = useTimelineData();
  // Regimes cover all databases.
  const blocks = database === null ? buffer.value?.blocks : null;
  const regimes = blocks ? twoRegimes(blocks, summary, secondary, from, to) : null;
  const stages = statistics.stages[secondary];
  const whole = {
    name: texts.partOfRemoteHarden,
    us: stages?.[id].mean ?? null,
    totalUs: stages?.remoteHarden.mean ?? null,
    paused: statistics.paused[secondary] ?? null,
  };
  const parts =
    regimes === null
      ? [whole]
      : regimes.pair.map((each, i) => ({
          name: i === 0 ? texts.partOfRemoteHardenLabel(firstText(regimes, summary)) : restText(regimes),
          us: each.stages[id],
          totalUs: each.total,
          paused: each.paused,
        }));
  return parts.map(({ name, us, totalUs, paused }) => {
    const still = paused?.stages[id] ?? 0;
    const share = us === null || totalUs === null || !(totalUs > 0) ? null : (us - still) / totalUs;
    return (
      <div key={name} className={styles.regime}>
        <div>
          <span>{name}</span>
          <b>{formatPercent(share, 1)}</b>
        </div>
        <ShareBar share={share ?? 0} color={color} />
        {paused === null || still === 0 || totalUs === null ? null : (
          <p className={laneFrame.sub}>
            {texts.wasUnresponsiveForMore(
              summary.replicas[paused.replica]?.name ?? texts.server,
              formatPercent(still / totalUs, 1),
            )}
          </p>
        )}
      </div>
    );
  });
}

/** Time of the first regime: until when, or from when to when. */
function firstText({ kind, pair: [{ from, to }] }: RegimePair, summary: Summary): string {
  const until = texts.until(formatOffset(summary, to, 100_000));
  return kind === "edge" ? until : texts.from(formatOffset(summary, from, 100_000), until);
}

const restText = ({ kind, pair: [, { blocks }] }: RegimePair): string =>
  `${kind === "inside" ? texts.otherwise : texts.afterIt}, ${texts.blockPart(blocks)}`;

const ShareBar = ({ share, color }: { readonly share: number; readonly color: string }): ReactNode => (
  <div className={styles.share} aria-hidden="true">
    <i style={{ width: `${Math.min(100, share * 100)}%`, background: `var(${color})` }} />
  </div>
);

/** Whether a server was unresponsive for most of a stage: its bar then has the color of no place. */
const isPaused = (paused: PausedPath, sort: SlowestSort): boolean =>
  paused !== null && Object.keys(paused.stages).some((id) => id === sort);

/** The slowest blocks of the lane's stage in view, on one scale; a press selects one. */
function SlowestOfLane({ lane, range: [from, to] }: Pick<LaneProps, "lane" | "range">): ReactNode {
  const { source, summary, view } = useCapture();
  const { selection } = useTimelineSelection();
  const sort = slowestSort(lane);
  const { database } = lane;
  const own = useMemo(
    () => (database === null ? source : source.scoped({ database, phase: phaseIndex(summary, view.phase) })),
    [source, summary, database, view.phase],
  );
  const { value, error, retry } = useAnswer(
    own.slowest({
      range: { from, to },
      sort,
      descending: true,
      secondary: Math.max(0, lane.secondary),
      limit: SLOWEST,
      where: view.where,
    }),
  );
  const rows = (value?.rows ?? []).filter(({ stages }) => stages[sort] !== null);
  const longest = Math.max(1, ...rows.map(({ stages }) => stages[sort] ?? 0));
  return (
    <>
      <Problem sentence={error} onRetry={retry} />
      {rows.length === 0 ? null : <h4>{texts.slowestOfThisStage}</h4>}
      <ul className={styles.slowest}>
        {rows.map(({ row, time, lsn, stages, paused }) => (
          <li key={row}>
            <button
              type="button"
              aria-label={texts.selectBlock(lsn, formatTime(summary, time))}
              title={utcTip(summary, time)}
              onClick={() => selection.select(row)}
            >
              {formatTime(summary, time)}
            </button>
            <ShareBar
              share={(stages[sort] ?? 0) / longest}
              color={isPaused(paused, sort) ? "--wait" : lane.color}
            />
            <Value figure={formatDuration(stages[sort])} />
          </li>
        ))}
      </ul>
    </>
  );
}
