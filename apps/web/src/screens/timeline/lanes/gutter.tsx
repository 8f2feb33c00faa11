import { type ReactNode, useRef } from "react";
import type { RangeStatistics } from "@aglens/contract";
import { places, type LaneBox } from "../../../charts/timeline/heights.ts";
import { lostInLane } from "../../../charts/timeline/lost-places.ts";
import type { Lane } from "../../../lanes/lanes.ts";
import { droppedLane, movedLane } from "../../../lanes/pinned-lanes.ts";
import { Value } from "../../../ui/controls.tsx";
import { MiddleEllipsis } from "../../../ui/middle-ellipsis.tsx";
import { isTerm } from "../../../messages/terms.ts";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";
import { termProps } from "../../../ui/term.tsx";
import { useKeys } from "../../../ui/keys.ts";
import { durationText, formatDuration } from "../../../ui/words.ts";
import { hasP95, type LaneFigures, laneFigures } from "../../capture-view/capture-lanes.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import type { DatabaseStatistics } from "../panes/use-database-statistics.ts";
import { useTimelineData } from "../timeline-context.ts";
import { laneKeyOf, useLaneDrag } from "./use-lane-drag.ts";
import laneFrame from "../../lane-view/lane-frame.module.css";
import styles from "./gutter.module.css";

/** p95 over this many times the limit turns crimson. */
const FAR_OVER = 5;

interface Props {
  readonly boxes: readonly LaneBox[];
  /** False while pending data may still move the lanes: they have no names until then. */
  readonly isPlaced: boolean;
  /** Lanes in the order of their number keys, including hidden ones. */
  readonly numbered: readonly Lane[];
  /** Thin lanes that one row replaces in a low window, shown or not. */
  readonly quiet: readonly Lane[];
  /** Top of the row that replaces them, px. */
  readonly quietTop: number;
  readonly showsQuiet: boolean;
  readonly onQuiet: () => void;
  readonly statistics: RangeStatistics | null;
  /** Statistics of the two sides of a role change, in place of both columns; null without a role change. */
  readonly sides: readonly RangeStatistics[] | null;
  /** Statistics for lanes of a single database, by the database's index. */
  readonly ofDatabases: DatabaseStatistics;
  readonly onLane: (lane: Lane, tall: boolean) => void;
  /** Keys of the lanes that are pinned above the others. */
  readonly pinned: readonly string[];
  readonly onPinned: (pinned: readonly string[]) => void;
  /** Opens the menu of a lane, by its key. */
  readonly onMenu: (key: string) => void;
  /** Indices of the replicas whose lanes are folded. */
  readonly folded: readonly number[];
  readonly replicaNames: readonly string[];
  readonly onGroup: (replica: number) => void;
  /** Names of the rows right under the commits. */
  readonly underCommits: ReactNode;
}

interface LaneProps {
  readonly box: LaneBox;
  readonly index: number;
  readonly figures: LaneFigures;
  /** On both sides of a change of roles. */
  readonly sides: readonly LaneFigures[] | null;
  /** Any lane has a p95. */
  readonly hasP95: boolean;
  /** Replica whose group the lane belongs to. */
  readonly name: string;
  /** The lane has its group's fold button. */
  readonly opensGroup: boolean;
  readonly onLane: Props["onLane"];
  readonly onMenu: Props["onMenu"];
}

function GutterLane({
  box,
  index,
  figures,
  sides,
  hasP95,
  name,
  opensGroup,
  onLane,
  onMenu,
}: LaneProps): ReactNode {
  const { summary } = useCapture();
  const { isolated } = useTimelineData();
  const isSetBack = isolated.length > 0 && !isolated.includes(box.lane.key);
  const { lane, tall, top, height, head = 0 } = box;
  const columns = columnsOfLane(figures, sides, hasP95);
  const losses = lostInLane(summary.lost, lane);
  const lost = texts.lostEvents(
    losses.reduce((sum, { events }) => sum + events, 0),
    losses.some(({ anchor }) => anchor === null),
  );
  const limit = Number.isFinite(lane.limitUs) ? texts.limit(durationText(lane.limitUs)) : "";
  const note = texts.pressForATall(`${lost}${limit}`, index + 1, lane.pinned);
  return (
    <button
      type="button"
      className={opensGroup ? `${laneFrame.lane} ${styles.opens}` : laneFrame.lane}
      data-place={lane.place}
      data-size={tall ? "tall" : "thin"}
      data-set-back={isSetBack}
      data-lane={lane.key}
      data-pinned={lane.pinned}
      style={head > 0 ? { top: top - head, height: head } : { top, height }}
      {...(isTerm(lane.figure) ? termProps(lane.figure, note) : { title: note })}
      aria-pressed={tall}
      onClick={() => onLane(lane, !tall)}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(lane.key);
      }}
    >
      {lane.heading && tall ? (
        <MiddleEllipsis text={lane.heading} className={laneFrame.place} kept={14} />
      ) : null}
      <span className={laneFrame.laneRow}>
        <span className={laneFrame.laneName}>
          <MiddleEllipsis text={lane.label} kept={6} />
          <span className="sr-only">
            {texts.pinned(lane.replica === 0 ? "" : `, ${name}`, lane.pinned)}
            {lost === "" ? "" : `. ${lost}`}
          </span>
        </span>
        {columns.map(({ words, us, isP95 }) => {
          const far = isP95 && us !== null && us > FAR_OVER * lane.limitUs;
          return (
            <span key={words} data-far={far}>
              <span className="sr-only">, {words} </span>
              <Value figure={formatDuration(us)} />
              {far ? <span className="sr-only">{texts.farOverItsLimit}</span> : null}
            </span>
          );
        })}
      </span>
    </button>
  );
}

interface LaneColumn {
  readonly words: string;
  /** µs */
  readonly us: number | null;
  readonly isP95: boolean;
}

/** p50 and p95; with a role change p95 on both sides of it, because no figure covers both sides. */
const columnsOfLane = (
  figures: LaneFigures,
  sides: readonly LaneFigures[] | null,
  hasP95: boolean,
): readonly LaneColumn[] =>
  sides === null
    ? [
        { words: "p50", us: figures.p50, isP95: false },
        ...(hasP95 ? [{ words: "p95", us: figures.p95, isP95: true }] : []),
      ]
    : sides.map(({ p95 }, i) => ({ words: i === 0 ? "p95 before" : "after", us: p95, isP95: true }));

interface FoldProps {
  readonly box: LaneBox;
  readonly name: string;
  readonly folded: boolean;
  readonly onGroup: Props["onGroup"];
}

/** Folds a replica's lanes; it is at the first of them. */
function FoldButton({ box: { lane, tall, top }, name, folded, onGroup }: FoldProps): ReactNode {
  const does = texts.lanesOf(folded, name);
  return (
    <button
      type="button"
      className={styles.fold}
      data-size={tall ? "tall" : "thin"}
      style={{ top }}
      aria-expanded={!folded}
      aria-label={does}
      title={texts.shift(does, lane.replica + 1)}
      onClick={() => onGroup(lane.replica)}
    >
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <path d={folded ? "M2 0 L7 4 L2 8 Z" : "M0 2 L8 2 L4 7 Z"} />
      </svg>
    </button>
  );
}

/** "4 quiet lanes, up to 3.20 ms": replaces the thin lanes where they have no space; shows when they are not quiet. */
export function quietText(quiet: readonly Lane[], statistics: RangeStatistics | null): string {
  const figures = quiet.map((lane) => ({ ...laneFigures(lane, statistics), limit: lane.limitUs }));
  const over = figures.filter(({ p95, limit }) => (p95 ?? 0) > limit).length;
  const most = Math.max(...figures.map(({ max }) => max ?? 0));
  const lanes = texts.lane(quiet.length);
  if (over > 0) return texts.thinOverTheLimit(quiet.length, lanes, over);
  return texts.quiet(quiet.length, lanes, most, durationText(most));
}

function QuietRow({ quiet, quietTop, showsQuiet, statistics, onQuiet }: Props): ReactNode {
  return (
    <button
      type="button"
      className={styles.quiet}
      style={{ top: quietTop }}
      aria-expanded={showsQuiet}
      onClick={onQuiet}
    >
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        <path d={showsQuiet ? "M0 2 L8 2 L4 7 Z" : "M2 0 L7 4 L2 8 Z"} />
      </svg>
      <span>{quietText(quiet, statistics)}</span>
    </button>
  );
}

/**
 * The lane of each replica that has its fold button: the first one with a heading, so that the button is in one place.
 * Pinned lanes are outside their group.
 */
export function groupHeads(boxes: readonly LaneBox[]): LaneBox[] {
  const own = boxes.filter(({ lane }) => !lane.pinned);
  return [...new Set(own.map(({ lane }) => lane.replica))].flatMap((replica) => {
    const group = own.filter(({ lane }) => lane.replica === replica);
    return group.find(({ lane, tall }) => tall && lane.heading !== "") ?? group[0] ?? [];
  });
}

/** Lane names with p50 and p95 of the range in view; a click makes a lane tall or thin. */
export function Gutter(props: Props): ReactNode {
  const heads = groupHeads(props.boxes);
  const { pinned, onPinned } = props;
  const gutter = useRef<HTMLFieldSetElement>(null);
  const dragged = useLaneDrag(gutter, props.boxes, (key, above) => onPinned(droppedLane(pinned, key, above)));
  const move = (by: -1 | 1) => (): void => {
    const key = laneKeyOf(document.activeElement);
    if (key !== null) onPinned(movedLane(pinned, key, by));
  };
  useKeys({ laneUp: move(-1), laneDown: move(1) });
  return (
    <fieldset
      ref={gutter}
      className={`${laneFrame.gutter} ${styles.gutter}`}
      data-placed={props.isPlaced}
      aria-label={texts.lanes}
    >
      {props.boxes.map((box) => (
        <GutterLane
          key={box.lane.key}
          box={box}
          index={props.numbered.indexOf(box.lane)}
          figures={laneFigures(
            box.lane,
            box.lane.database === null
              ? props.statistics
              : (props.ofDatabases.get(box.lane.database) ?? null),
          )}
          sides={props.sides?.map((each) => laneFigures(box.lane, each)) ?? null}
          hasP95={hasP95(props.statistics)}
          name={props.replicaNames[box.lane.replica] ?? ""}
          opensGroup={heads.includes(box)}
          onLane={props.onLane}
          onMenu={props.onMenu}
        />
      ))}
      {props.underCommits}
      {heads.map((box) => (
        <FoldButton
          key={box.lane.replica}
          box={box}
          name={props.replicaNames[box.lane.replica] ?? texts.thisReplica}
          folded={props.folded.includes(box.lane.replica)}
          onGroup={props.onGroup}
        />
      ))}
      {props.quiet.length === 0 ? null : <QuietRow {...props} />}
      {dragged === null ? null : <div className={styles.drop} style={{ top: dragged.y - 3 }} />}
      {places(props.boxes).map((p) => (
        <i
          key={`${p.top}`}
          className={laneFrame.edge}
          data-place={p.place}
          style={{ top: p.top, height: p.bottom - p.top }}
        />
      ))}
    </fieldset>
  );
}
