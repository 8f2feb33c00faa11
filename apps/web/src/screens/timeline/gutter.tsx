import type { ReactNode } from "react";
import type { RangeStatistics } from "xel-parser/contract";
import type { LaneBox } from "../../charts/timeline/heights.ts";
import type { Lane } from "../../charts/timeline/lanes.ts";
import { Value } from "../../ui/controls.tsx";
import { durationText, formatDuration } from "../../ui/words.ts";

interface Figures {
  readonly p50: number | null;
  readonly p95: number | null;
}

/** p95 over this many times the limit turns crimson. */
const FAR_OVER = 5;

interface Props {
  readonly boxes: readonly LaneBox[];
  readonly statistics: RangeStatistics | null;
  /** Lanes made of several stages, whose percentiles come from the blocks themselves. */
  readonly combined: ReadonlyMap<string, Figures>;
  readonly onLane: (lane: Lane, tall: boolean) => void;
}

function figuresOf(lane: Lane, { statistics, combined }: Props): Figures {
  const own = combined.get(lane.key);
  if (own) return own;
  if (!statistics) return { p50: null, p95: null };
  const found =
    lane.shape === "commits"
      ? statistics.commitLatency
      : statistics.stages[Math.max(0, lane.secondary)]?.[lane.stages[0]];
  return { p50: found?.p50 ?? null, p95: found?.p95 ?? null };
}

function GutterLane({
  box,
  index,
  figures,
  onLane,
}: {
  box: LaneBox;
  index: number;
  figures: Figures;
  onLane: Props["onLane"];
}): ReactNode {
  const { lane, tall, top, height } = box;
  const far = figures.p95 !== null && figures.p95 > FAR_OVER * lane.limitUs;
  const limit = Number.isFinite(lane.limitUs) ? `, limit ${durationText(lane.limitUs)}` : "";
  return (
    <button
      type="button"
      className={`tl-lane ${lane.place} ${tall ? "tall" : "thin"}`}
      style={{ top, height }}
      title={`${lane.label}${limit}; ${index + 1}: tall or thin`}
      aria-pressed={tall}
      onClick={() => onLane(lane, !tall)}
    >
      {lane.heading && tall ? <span className="tl-place">{lane.heading}</span> : null}
      <span className="tl-lane-row">
        <span className="tl-lane-name">{lane.label}</span>
        <span>
          <Value figure={formatDuration(figures.p50)} />
        </span>
        <span className={far ? "far" : undefined}>
          <Value figure={formatDuration(figures.p95)} />
        </span>
      </span>
    </button>
  );
}

/** Lane names with p50 and p95 of what is in view; a click makes a lane tall or thin. */
export function Gutter(props: Props): ReactNode {
  return (
    <div className="tl-gutter">
      {props.boxes.map((box, i) => (
        <GutterLane
          key={box.lane.key}
          box={box}
          index={i}
          figures={figuresOf(box.lane, props)}
          onLane={props.onLane}
        />
      ))}
      {places(props.boxes).map((p) => (
        <i
          key={`${p.top}`}
          className={`tl-edge ${p.place}`}
          style={{ top: p.top, height: p.bottom - p.top }}
        />
      ))}
    </div>
  );
}

/** Runs of lanes of one place, for the coloured edge. */
export function places(boxes: readonly LaneBox[]): { place: string; top: number; bottom: number }[] {
  const runs: { place: string; top: number; bottom: number }[] = [];
  for (const { lane, top, height } of boxes) {
    const last = runs.at(-1);
    if (last && last.place === lane.place && !lane.opensPlace) last.bottom = top + height;
    else runs.push({ place: lane.place, top, bottom: top + height });
  }
  return runs;
}
