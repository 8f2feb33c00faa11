import { useCallback, useRef, type KeyboardEvent, type PointerEvent } from "react";
import { ChartCanvas, type Draw } from "./canvas.tsx";
import { hatch } from "./hatch.ts";
import { logHeight } from "./duration-scale.ts";
import type { MinimapColumns } from "./minimap-columns.ts";
import { placeToken, type Tokens } from "../lanes/palette.ts";
import { PlacedBars } from "./place-patterns.ts";
import "./charts.css";

interface Props {
  readonly columns: MinimapColumns;
  /** What the brush frames, µs. */
  readonly range: readonly [number, number];
  /** Stretches that a file does not cover, µs; hatched, since missing is not idle. */
  readonly uncovered?: readonly (readonly [number, number])[];
  /** `done` is false while dragging. */
  readonly onRange: (range: [number, number], done: boolean) => void;
  readonly width: number;
  readonly height: number;
}

type Grip = "from" | "to" | "move" | "new";

interface Drag {
  readonly grip: Grip;
  readonly at: number;
  readonly range: readonly [number, number];
}

const NONE: NonNullable<Props["uncovered"]> = [];
const HANDLE = 6;
/** The brush never gets thinner than this on screen, so that a short view is still a place. */
const LEAST_WIDTH = 3;

/** The whole capture, one column per pixel, with a brush that frames what the charts show. */
export function Minimap({ columns, range, uncovered = NONE, onRange, width, height }: Props) {
  const { from, to } = columns;
  const span = to - from;
  const drag = useRef<Drag | null>(null);
  const last = useRef<[number, number] | null>(null);
  const draw = useCallback<Draw>(
    (context, w, h, tokens) => {
      for (const [start, end] of uncovered) {
        const x = ((start - from) / span) * w;
        hatch(context, tokens, x, 0, ((end - start) / span) * w, h);
      }
      drawColumns(context, w, h, columns, tokens);
    },
    [columns, uncovered, from, span],
  );
  const left = ((range[0] - from) / span) * width;
  const right = Math.max(((range[1] - from) / span) * width, left + LEAST_WIDTH);

  const timeAt = (event: PointerEvent): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return from + (Math.min(width, Math.max(0, event.clientX - box.left)) / width) * span;
  };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const at = timeAt(event);
    const x = ((at - from) / span) * width;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { grip: gripAt(x, left, right, range[1] - range[0] >= span), at, range };
    last.current = null;
  };
  const move = (event: PointerEvent): void => {
    if (!drag.current) return;
    const next = dragged(drag.current, timeAt(event), from, to);
    if (next[1] - next[0] <= 0) return;
    last.current = next;
    onRange(next, false);
  };
  const up = (): void => {
    if (drag.current && last.current) onRange(last.current, true);
    drag.current = null;
  };
  const key = (end: 0 | 1) => (event: KeyboardEvent) => {
    const sign = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (sign === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onRange(nudged(range, end, (sign * span * (event.shiftKey ? 10 : 1)) / 200, from, to), true);
  };

  return (
    <ChartCanvas
      className="minimap"
      draw={draw}
      style={{ width, height }}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
      onDoubleClick={() => onRange([from, to], true)}
    >
      <div className="wash" style={{ left: 0, width: Math.max(0, left) }} />
      <div className="wash" style={{ left: right, right: 0 }} />
      <div className="frame" style={{ left, width: right - left }}>
        {([0, 1] as const).map((end) => (
          <div
            key={end}
            className={end === 0 ? "handle from" : "handle to"}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a range input has one thumb, a brush has two
            role="slider"
            tabIndex={0}
            aria-label={end === 0 ? "Start of what is in view" : "End of what is in view"}
            aria-valuemin={0}
            aria-valuemax={Math.round(span / 1e3)}
            aria-valuenow={Math.round((range[end] - from) / 1e3)}
            aria-valuetext={`${((range[end] - from) / 1e6).toFixed(2)} s`}
            onKeyDown={key(end)}
          />
        ))}
      </div>
    </ChartCanvas>
  );
}

/** Draws the columns into a box, on whole pixels. */
export function drawColumns(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  columns: MinimapColumns,
  tokens: Tokens,
): void {
  const bars = new PlacedBars();
  const count = columns.slowest.length;
  const column = width / count;
  for (let i = 0; i < count; i++) {
    const us = columns.slowest[i];
    if (!(us > 0)) continue;
    const h = Math.max(1, logHeight(us) * (height - 2));
    const place = columns.place[i];
    context.fillStyle = tokens[placeToken(place)];
    // Whole pixels: fractions would let the ground shine through between columns.
    const x = Math.floor(i * column);
    const w = Math.max(1, Math.ceil((i + 1) * column) - x);
    context.fillRect(x, height - h, w, h);
    bars.add(place, x, height - h, w, h);
  }
  bars.cut(context, tokens, width, height);
}

function gripAt(x: number, left: number, right: number, whole: boolean): Grip {
  if (Math.abs(x - left) <= HANDLE) return "from";
  if (Math.abs(x - right) <= HANDLE) return "to";
  // A brush over everything cannot be moved; dragging in it draws a new one.
  return x > left && x < right && !whole ? "move" : "new";
}

/** Range after dragging a grip to `at`; stays inside [low, high]. */
export function dragged(drag: Drag, at: number, low: number, high: number): [number, number] {
  const [from, to] = drag.range;
  if (drag.grip === "move") {
    const by = Math.min(high - to, Math.max(low - from, at - drag.at));
    return [from + by, to + by];
  }
  const fixed = drag.grip === "from" ? to : drag.grip === "to" ? from : drag.at;
  return [Math.min(fixed, at), Math.max(fixed, at)];
}

function nudged(
  range: readonly [number, number],
  end: 0 | 1,
  by: number,
  low: number,
  high: number,
): [number, number] {
  const least = (high - low) / 1e6;
  if (end === 0) return [Math.min(range[1] - least, Math.max(low, range[0] + by)), range[1]];
  return [range[0], Math.max(range[0] + least, Math.min(high, range[1] + by))];
}
