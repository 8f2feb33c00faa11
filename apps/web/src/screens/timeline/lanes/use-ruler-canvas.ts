import { type RefObject, useCallback, useMemo, useRef } from "react";
import { clearedContext } from "../../../charts/cleared-context.ts";
import { type DrawnRuler, paintRulerEnd, paintRulers } from "../../../charts/timeline/paint-ruler.ts";
import {
  drawnAt,
  endText,
  lengthOf,
  type Measured,
  rulerEndAt,
  rulerEndOfBar,
} from "../../../charts/timeline/ruler.ts";
import type { Scene } from "../../../charts/timeline/scene.ts";
import type { Ruler, RulerEnd } from "@aglens/contract";
import { usePixelRatio } from "../../../ui/use-pixel-ratio.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { laneText } from "./block-tip.tsx";
import type { MenuTarget } from "./menu-target.ts";
import { useTimelineData, useTimelineSelection } from "../timeline-context.ts";

export interface RulerCanvas {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  /** The canvas is needed: there are rulers, or one is measured. */
  readonly isShown: boolean;
  readonly isMeasuring: boolean;
  /** Paints the rulers over the lanes as they were painted last. */
  readonly paint: () => void;
  /** Shows where an end would be; null while the pointer is elsewhere. */
  readonly hover: (
    place: { readonly x: number; readonly y: number; readonly isFree: boolean } | null,
  ) => void;
  /** Places an end, px. */
  readonly place: (x: number, y: number, isFree: boolean) => void;
  /** Begins at an instant, or at the start of the bar there. */
  readonly beginAt: (target: MenuTarget) => void;
  /** Begins, places an end at the focused bar, or ends measuring. */
  readonly onKey: () => void;
}

/** Lanes, clock shift and uncertainties that rulers are measured with. */
export function useMeasured(): Measured {
  const { summary } = useCapture();
  const { lanes } = useTimelineData();
  const { all, shift } = lanes;
  return useMemo(
    () => ({
      lanes: all,
      shift,
      uncertainty: summary.replicas
        .slice(1)
        .map((_, s) => summary.clocks.find((c) => c.secondary === s)?.strictUncertaintyUs ?? Number.NaN),
    }),
    [all, shift, summary],
  );
}

/** The canvas of the rulers, above that of the lanes, so that moving rulers repaints no lane. */
export function useRulerCanvas(scene: RefObject<Scene | null>, width: number, height: number): RulerCanvas {
  const { summary } = useCapture();
  const { buffer } = useTimelineData();
  const { rulers } = useTimelineSelection();
  const canvas = useRef<HTMLCanvasElement>(null);
  const hovered = useRef<RulerEnd | null>(null);
  const ratio = usePixelRatio();
  const measured = useMeasured();
  const { list, measuring } = rulers;
  const loaded = buffer.value;
  const draw = useCallback(
    (ruler: Ruler): DrawnRuler => ({
      ends: ruler,
      at: [drawnAt(ruler[0], measured), drawnAt(ruler[1], measured)],
      ...lengthOf(ruler, measured),
      words: wordsOf(ruler, (end) => endText(end, measured.lanes, loaded, (lane) => laneText(lane, summary))),
    }),
    [measured, loaded, summary],
  );
  const drawn = useMemo(() => list.map(draw), [list, draw]);
  const paint = useCallback(() => {
    if (!canvas.current || !scene.current) return;
    const context = clearedContext(canvas.current, width, height, ratio);
    const first = measuring?.first ?? null;
    const next = measuring === null ? null : hovered.current;
    const begun = first && next ? [draw([first, next])] : [];
    paintRulers(context, scene.current, [...drawn, ...begun], height);
    const end = next ?? first;
    if (end && begun.length === 0) paintRulerEnd(context, scene.current, end, drawnAt(end, measured), height);
  }, [scene, width, height, ratio, drawn, draw, measuring, measured]);
  const endAt = (x: number, y: number, isFree: boolean): RulerEnd | null =>
    scene.current && rulerEndAt(scene.current, measured, x, y, isFree);
  return {
    canvas,
    isShown: list.length > 0 || measuring !== null,
    isMeasuring: measuring !== null,
    paint,
    hover: (place) => {
      hovered.current = place && endAt(place.x, place.y, place.isFree);
      paint();
    },
    place: (x, y, isFree) => {
      const end = endAt(x, y, isFree);
      if (end) rulers.place(end);
    },
    beginAt: ({ at, bar }) => {
      const edge = bar && loaded && rulerEndOfBar(loaded, bar.lane, bar.row, "start", measured);
      rulers.begin(edge ?? { at, edge: null });
    },
    onKey: () => {
      const end = scene.current && endOfFocus(scene.current, measuring?.first ? "end" : "start", measured);
      if (end && measuring === null) rulers.begin(end);
      else if (end) rulers.place(end);
      else if (measuring === null) rulers.begin();
      else rulers.back();
    },
  };
}

/** Start or end of the bar with the keyboard focus. */
function endOfFocus(
  { focus, boxes, buffer }: Scene,
  side: "start" | "end",
  measured: Measured,
): RulerEnd | null {
  const lane = focus && boxes.find((box) => box.lane.key === focus.key)?.lane;
  const row = focus && buffer.blocks?.row[focus.block];
  return lane && row !== null && row !== undefined ? rulerEndOfBar(buffer, lane, row, side, measured) : null;
}

function wordsOf([from, to]: Ruler, words: (end: RulerEnd) => string | null): string[] {
  const [first, second] = [words(from), words(to)];
  return [first, second && `to ${second}`].filter((part) => part !== null);
}
