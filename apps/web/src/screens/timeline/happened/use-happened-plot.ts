import { useCallback, useMemo, useRef, useState, type RefObject } from "react";
import type { EvidenceSamples } from "@aglens/contract";
import { clearedContext } from "../../../charts/cleared-context.ts";
import { type MetricLane, stepsOf, type Step } from "../../../charts/evidence/metric-lanes.ts";
import { paintEvidence, type PaintedTicks } from "../../../charts/evidence/paint-evidence.ts";
import { pointedEvent } from "../../../charts/evidence/pointed-event.ts";
import { type EvidenceStack, stackEvidence } from "../../../charts/evidence/stack.ts";
import { forcedTokens } from "../../../charts/timeline/forced-colors.ts";
import { HEAD_PX } from "../../../charts/timeline/heights.ts";
import { type Answer, useAnswer } from "../../../data/use-answer.ts";
import { useTokens } from "../../../lanes/palette.ts";
import { UPRIGHT_PHONE, useMedia } from "../../../ui/use-media.ts";
import { usePixelRatio } from "../../../ui/use-pixel-ratio.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { useTimelineData, useTimelineView } from "../timeline-context.ts";
import { clampRange, type Range } from "../viewport.ts";
import { rulesOf, selectedEvent } from "./use-happened.ts";

/** Values of each metric in one answer. */
const SAMPLE_BINS = 2_000;

/** The lanes of evidence files in the plot, below the lanes of log blocks. */
export interface HappenedPlot {
  /** Null where no lanes are shown. */
  readonly stack: EvidenceStack | null;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly steps: ReadonlyMap<string, readonly Step[]>;
  readonly showsQuiet: boolean;
  readonly toggleQuiet: () => void;
  /**
   * Paints a range, without a render.
   * @param ticks x of the axis' ticks, px
   * @param above height of the canvas above the rule, px
   */
  readonly paint: (range: Range, ticks: readonly number[], above: number) => void;
  /** Index of the event at a place, px from the rule above the lanes; null where none is. */
  readonly eventAt: (range: Range, x: number, y: number) => number | null;
}

const NO_TICKS: PaintedTicks = new Map();

/** @param width of the plot, px @param room height for all lanes, px */
export function useHappenedPlot(width: number, room: number): HappenedPlot {
  const { view } = useCapture();
  const { happened } = useTimelineData();
  const { range } = useTimelineView();
  const canvas = useRef<HTMLCanvasElement>(null);
  const painted = useRef(NO_TICKS);
  const [showsQuiet, setShowsQuiet] = useState(false);
  const head = useMedia(UPRIGHT_PHONE) ? HEAD_PX : 0;
  const isForced = useMedia("(forced-colors: active)");
  const own = useTokens();
  const tokens = useMemo(() => (isForced ? forcedTokens(own) : own), [own, isForced]);
  const ratio = usePixelRatio();
  const steps = useSteps();
  const lanes = happened?.shown;
  const stack = useMemo(
    () =>
      lanes === undefined || lanes.length === 0
        ? null
        : stackEvidence(lanes, range, { showsAll: showsQuiet, room, head }),
    [lanes, range, showsQuiet, room, head],
  );
  const selected = happened === null ? null : selectedEvent(happened.answer.events, view.happened);
  const rules = useMemo(() => (happened === null ? [] : rulesOf(happened.answer)), [happened]);
  const paint = useCallback(
    ([from, to]: Range, ticks: readonly number[], above: number) => {
      if (stack === null || canvas.current === null || width < 10) return;
      const context = clearedContext(canvas.current, width, stack.height + above, ratio);
      context.translate(0, above);
      painted.current = paintEvidence(context, {
        stack,
        above,
        scale: { from, to, width },
        tokens,
        ticks,
        rules,
        selected,
        steps,
      });
    },
    [stack, width, ratio, tokens, rules, selected, steps],
  );
  const eventAt = useCallback(
    ([from, to]: Range, x: number, y: number) =>
      stack === null ? null : pointedEvent(stack, painted.current, { from, to, width }, x, y),
    [stack, width],
  );
  const toggleQuiet = (): void => setShowsQuiet((shows) => !shows);
  return { stack, canvas, steps, showsQuiet, toggleQuiet, paint, eventAt };
}

const NO_STEPS: ReadonlyMap<string, readonly Step[]> = new Map();

/** Samples of the metrics that are lanes, around the range in view. */
export function useLaneSamples(): {
  readonly metrics: readonly MetricLane[];
  readonly answer: Answer<EvidenceSamples>;
} {
  const { source } = useCapture();
  const { happened } = useTimelineData();
  const { range, duration } = useTimelineView();
  const metrics = useMemo(
    () => (happened?.metrics ?? []).filter(({ key }) => happened?.chosen.includes(key)),
    [happened],
  );
  // As far again on both sides, so that a move has samples to show.
  const span = range[1] - range[0];
  const [from, to] = clampRange([range[0] - span, range[1] + span], duration);
  const indices = metrics.map(({ metric }) => metric);
  const answer = useAnswer(
    indices.length === 0 ? null : source.evidenceSamples({ from, to }, SAMPLE_BINS, indices),
  );
  return { metrics, answer };
}

function useSteps(): ReadonlyMap<string, readonly Step[]> {
  const { metrics, answer } = useLaneSamples();
  const { value } = answer;
  return useMemo(() => {
    if (value === null) return NO_STEPS;
    const series = new Map(value.series.map((each) => [each.metric, each]));
    return new Map(
      metrics.map((lane) => {
        const own = series.get(lane.metric);
        return [lane.key, own === undefined ? [] : stepsOf(own, lane)];
      }),
    );
  }, [value, metrics]);
}
