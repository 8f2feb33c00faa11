import { useEffect, useMemo, useRef, useSyncExternalStore, type ReactNode } from "react";
import { Minimap } from "../../charts/minimap.tsx";
import { minimapColumns, type MinimapColumns } from "../../charts/minimap-columns.ts";
import { type Answer, useAnswer } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { durationText } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { uncoveredFor } from "../coverage.ts";
import { useMedia } from "../../ui/use-media.ts";
import type { Cursor } from "./cursor.ts";
import { useTimeline } from "./timeline-context.ts";
import { clampRange, type Range, type Viewport } from "./viewport.ts";

/** Below this much in view the zoom ladder appears, µs. */
const LADDER_BELOW_US = 1_000_000;
const LADDER_SPAN_US = 4_000_000;

const RUNG_PX = 38;
/** Where the window itself is low. */
const RUNG_LOW_PX = 24;

/** One column per pixel of the slowest block over [from, to), µs. */
function useColumns(from: number, to: number, width: number): Answer<MinimapColumns> {
  const { source, view } = useCapture();
  const bins = Math.max(100, Math.round(width));
  const answer = useAnswer(width < 1 || to <= from ? null : source.window({ from, to }, 20_000, bins));
  const loaded = answer.value;
  const columns = useMemo(
    () => (loaded && width >= 1 ? minimapColumns(loaded, view.secondary, Math.round(width)) : null),
    [loaded, view.secondary, width],
  );
  return { ...answer, value: columns };
}

function useRange(viewport: Viewport): Range {
  return useSyncExternalStore(viewport.subscribe, viewport.get);
}

/** The cursor line of the lanes goes on through the strips above them. */
function CursorLine({ cursor, columns, width }: { cursor: Cursor; columns: MinimapColumns; width: number }) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = () => {
      const at = cursor.get();
      const x = at === null ? -1 : ((at - columns.from) / (columns.to - columns.from)) * width;
      line.current!.hidden = x < 0 || x > width;
      line.current!.style.transform = `translateX(${Math.round(x)}px)`;
    };
    place();
    return cursor.subscribe(place);
  }, [cursor, columns, width]);
  return <div ref={line} className="tl-cursor" hidden />;
}

function Rung(props: {
  answer: Answer<MinimapColumns>;
  uncovered: readonly (readonly [number, number])[];
  range: Range;
  onRange: (range: Range) => void;
  width: number;
  height: number;
  title: string;
  note: string;
}): ReactNode {
  const { cursor } = useTimeline();
  const { answer, width, height } = props;
  const { value: columns, error, retry } = answer;
  return (
    <div className="tl-rung">
      <div className="tl-rung-name">
        <b>{props.title}</b>
        <span>{props.note}</span>
      </div>
      {columns ? (
        <div className="tl-rung-plot">
          <Minimap
            columns={columns}
            uncovered={props.uncovered}
            range={props.range}
            onRange={props.onRange}
            width={width}
            height={height}
          />
          <CursorLine cursor={cursor} columns={columns} width={width} />
          <Problem sentence={error} onRetry={retry} />
        </div>
      ) : (
        <div className="minimap" style={{ width, height }}>
          <Problem sentence={error} onRetry={retry} />
        </div>
      )}
    </div>
  );
}

/** Joins a brush with the full width of the strip below it. */
function Funnel({
  range,
  from,
  to,
  width,
}: {
  range: Range;
  from: number;
  to: number;
  width: number;
}): ReactNode {
  const x = (t: number) => ((t - from) / (to - from)) * width;
  const [a, b] = [x(range[0]), Math.max(x(range[0]) + 3, x(range[1]))];
  return (
    <svg className="tl-funnel" width={width} height={9} aria-hidden="true">
      <polygon points={`${a},0 ${b},0 ${width},9 0,9`} fill="var(--line)" />
    </svg>
  );
}

/** `width` of the plot, px. The whole capture with a brush; below 1 s in view also the 4 s around it, so that 60 ms in ten minutes is still a place. */
export function MinimapStrip({ width }: { readonly width: number }): ReactNode {
  const { summary, view } = useCapture();
  const { secondary } = view;
  const { viewport } = useTimeline();
  const onRange = viewport.set;
  const range = useRange(viewport);
  const height = useMedia("(max-height: 699px)") ? RUNG_LOW_PX : RUNG_PX;
  const duration = summary.durationUs;
  const uncovered = useMemo(() => uncoveredFor(summary, secondary), [summary, secondary]);
  const whole = useColumns(0, duration, width);
  const ladder = range[1] - range[0] < LADDER_BELOW_US && duration > LADDER_SPAN_US;
  const centre = (range[0] + range[1]) / 2;
  // Steps of a quarter keep the rung still while the view pans inside it.
  const anchor = Math.round(centre / (LADDER_SPAN_US / 4)) * (LADDER_SPAN_US / 4);
  const around = clampRange([anchor - LADDER_SPAN_US / 2, anchor + LADDER_SPAN_US / 2], duration);
  const near = useColumns(around[0], ladder ? around[1] : around[0], width);
  return (
    <div className="tl-minimap">
      <Rung
        answer={whole}
        uncovered={uncovered}
        range={ladder ? around : range}
        onRange={onRange}
        width={width}
        height={height}
        title="Whole capture"
        note={
          ladder ? `${durationText(duration)}, slowest block per pixel` : "slowest block per pixel, log scale"
        }
      />
      {ladder ? (
        <>
          <Funnel range={around} from={0} to={duration} width={width} />
          <Rung
            answer={near}
            uncovered={uncovered}
            range={range}
            onRange={onRange}
            width={width}
            height={height}
            title="4 s around the view"
            note="same scale of duration"
          />
          <Funnel range={range} from={around[0]} to={around[1]} width={width} />
        </>
      ) : null}
    </div>
  );
}
