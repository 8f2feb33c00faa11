import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore, type ReactNode } from "react";
import { Minimap } from "../../../charts/minimap.tsx";
import { MINIMAP_BINS, minimapColumns, type MinimapColumns } from "@aglens/ag-model/minimap";
import { xOf } from "../../../charts/time-scale.ts";
import { type Answer, useAnswer } from "../../../data/use-answer.ts";
import { Problem } from "../../../frame/problem.tsx";
import { NoteMarks } from "../../../notes/note-row.tsx";
import { durationText } from "../../../ui/words.ts";
import { isAlone, useCapture } from "../../capture-view/capture-context.ts";
import { switchPeriods } from "../../capture-view/phases.ts";
import { lostPlacesFor, uncoveredFor } from "../../capture-view/coverage.ts";
import { isolatedColumns } from "../../../charts/timeline/isolated-columns.ts";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";
import { HappenedMarks } from "../happened/happened-marks.tsx";
import { HitTicks } from "./hit-ticks.tsx";
import { PHONE, useMedia } from "../../../ui/use-media.ts";
import type { Cursor } from "../cursor.ts";
import { useTimelineData, useTimelineSelection, useTimelineView } from "../timeline-context.ts";
import { clampRange, type Range, type Viewport } from "../viewport.ts";
import laneFrame from "../../lane-view/lane-frame.module.css";
import { WHOLE_CAPTURE } from "../../capture-view/shown-range.ts";
import styles from "./minimap-strip.module.css";

/** Length of a view below which the zoom ladder appears, µs. */
const LADDER_BELOW_US = 1_000_000;
const LADDER_SPAN_US = 4_000_000;

const RUNG_PX = 38;
/** Height of a rung in a low window. */
const RUNG_LOW_PX = 24;
/** A phone only has space for the complete capture; pinching changes the range in view. */
const RUNG_PHONE_PX = 34;

const MOST_BLOCKS = 20_000;

/** One column per pixel of the slowest block over [from, to), µs. */
function useColumns(from: number, to: number, width: number): Answer<MinimapColumns> {
  const { source, summary, view } = useCapture();
  const { lanes, isolated: keys } = useTimelineData();
  const isolated = useMemo(() => lanes.all.filter(({ key }) => keys.includes(key)), [lanes.all, keys]);
  const answer = useAnswer(
    width < 1 || to <= from ? null : source.window({ from, to }, MOST_BLOCKS, MINIMAP_BINS),
  );
  const loaded = answer.value;
  const columns = useMemo(
    () =>
      loaded && width >= 1
        ? (isolatedColumns(loaded, isolated, Math.round(width), { from, to }) ??
          minimapColumns(loaded, view.secondary, Math.round(width), summary, { from, to }))
        : null,
    [loaded, isolated, view.secondary, width, summary, from, to],
  );
  return { ...answer, value: columns };
}

/** The cursor line of the lanes continues through the strips above them. */
function CursorLine({ cursor, columns, width }: { cursor: Cursor; columns: MinimapColumns; width: number }) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = () => {
      const at = cursor.get();
      const { from, to } = columns;
      const x = at === null ? -1 : xOf({ from, to, width }, at);
      line.current!.hidden = x < 0 || x > width;
      line.current!.style.transform = `translateX(${Math.round(x)}px)`;
    };
    place();
    return cursor.subscribe(place);
  }, [cursor, columns, width]);
  return <div ref={line} className={laneFrame.cursor} hidden />;
}

function Rung(props: {
  answer: Answer<MinimapColumns>;
  uncovered: ReturnType<typeof uncoveredFor>;
  lost: ReturnType<typeof lostPlacesFor>;
  range: Range | Viewport;
  onRange: (range: Range) => void;
  width: number;
  height: number;
  title: string;
  note: string;
  children?: ReactNode;
}): ReactNode {
  const { switches: changes } = useTimelineData();
  const { cursor } = useTimelineView();
  const switches = useMemo(() => switchPeriods(changes), [changes]);
  const { answer, width, height } = props;
  const { value: columns, error, retry } = answer;
  return (
    <div className={styles.rung}>
      <div className={styles.rungName}>
        <b>{props.title}</b>
        <span className="quiet text-small">{props.note}</span>
      </div>
      {columns ? (
        <div className="relative">
          <Minimap
            columns={columns}
            uncovered={props.uncovered}
            lost={props.lost}
            switches={switches}
            range={props.range}
            onRange={props.onRange}
            width={width}
            height={height}
          />
          <CursorLine cursor={cursor} columns={columns} width={width} />
          <Problem sentence={error} onRetry={retry} />
          {props.children}
        </div>
      ) : (
        <div className="minimap" style={{ width, height }}>
          <Problem sentence={error} onRetry={retry} />
        </div>
      )}
    </div>
  );
}

/** Joins a brush with the full width of the strip below it; the brush moves without a render. */
function Funnel({
  range,
  from,
  to,
  width,
}: {
  range: Range | Viewport;
  from: number;
  to: number;
  width: number;
}): ReactNode {
  const shape = useRef<SVGPolygonElement>(null);
  useLayoutEffect(() => {
    const place = (): void => {
      const [start, end] = "get" in range ? range.get() : range;
      const [left, right] = [xOf({ from, to, width }, start), xOf({ from, to, width }, end)];
      shape.current!.setAttribute("points", `${left},0 ${Math.max(left + 3, right)},0 ${width},9 0,9`);
    };
    place();
    return "get" in range ? range.subscribe(place) : undefined;
  }, [range, from, to, width]);
  return (
    <svg className={styles.funnel} width={width} height={9} aria-hidden="true">
      <polygon ref={shape} fill="var(--line)" />
    </svg>
  );
}

/**
 * Middle of the 4 s around a view that is shorter than a second, µs; null for a longer view, or for a capture that
 * short.
 */
function ladderMiddle([from, to]: Range, duration: number): number | null {
  if (to - from >= LADDER_BELOW_US || duration <= LADDER_SPAN_US) return null;
  // Steps of a quarter keep the rung still while the view pans inside it.
  const step = LADDER_SPAN_US / 4;
  return Math.round((from + to) / 2 / step) * step;
}

/**
 * The complete capture with a brush; below 1 s in view also the 4 s around it, so that 60 ms in ten minutes is still
 * visible.
 */
export function MinimapStrip({ width }: { readonly width: number }): ReactNode {
  const { summary, view } = useCapture();
  const { isolated } = useTimelineData();
  const { viewport } = useTimelineView();
  const { notes, hits } = useTimelineSelection();
  const marked = view.where === null ? null : (hits.hits.value?.blocks ?? null);
  const duration = summary.durationUs;
  const alone = isAlone(summary);
  const isPhone = useMedia(PHONE);
  const isLow = useMedia("(max-height: 699px)");
  const height = isPhone ? RUNG_PHONE_PX : isLow ? RUNG_LOW_PX : RUNG_PX;
  const uncovered = useMemo(() => uncoveredFor(summary, view.secondary), [summary, view.secondary]);
  const lost = useMemo(() => lostPlacesFor(summary, view.secondary), [summary, view.secondary]);
  const middle = useSyncExternalStore(viewport.subscribe, () =>
    isPhone ? null : ladderMiddle(viewport.get(), duration),
  );
  const around = useMemo(
    () => clampRange([(middle ?? 0) - LADDER_SPAN_US / 2, (middle ?? 0) + LADDER_SPAN_US / 2], duration),
    [middle, duration],
  );
  const whole = useColumns(0, duration, width);
  const near = useColumns(around[0], middle === null ? around[0] : around[1], width);
  const rung = { uncovered, lost, width, height, onRange: viewport.set };
  return (
    <div className={styles.minimap}>
      <Rung
        {...rung}
        answer={whole}
        range={middle === null ? viewport : around}
        title={alone ? texts.allSources : WHOLE_CAPTURE}
        note={
          alone
            ? texts.eventsOfServers
            : marked !== null && middle === null
              ? texts.markedBelow(marked)
              : isolated.length > 0 && middle === null
                ? texts.isolatedStagesOnlyLog
                : middle === null
                  ? texts.slowestBlockPerPixel
                  : texts.slowestBlockPerPixelPart(durationText(duration))
        }
      >
        <HitTicks width={width} />
        <HappenedMarks width={width} duration={duration} />
        <NoteMarks notes={notes.notes} width={width} duration={duration} />
      </Rung>
      {middle === null ? null : (
        <>
          <Funnel range={around} from={0} to={duration} width={width} />
          <Rung
            {...rung}
            answer={near}
            range={viewport}
            title={texts.sAroundTheView}
            note={texts.sameScaleOfDuration}
          />
          <Funnel range={viewport} from={around[0]} to={around[1]} width={width} />
        </>
      )}
    </div>
  );
}
