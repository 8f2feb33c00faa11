import { useCallback, useEffect, useRef, type ReactNode } from "react";
import { clearedContext } from "../../../charts/cleared-context.ts";
import { hitTicks } from "../../../charts/timeline/hit-ticks.ts";
import { positionOf } from "../../../charts/timeline/spans.ts";
import { blockSpan } from "../../../charts/timeline/buffered.ts";
import { xOf } from "../../../charts/time-scale.ts";
import { useTokens } from "../../../lanes/palette.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { usePixelRatio } from "../../../ui/use-pixel-ratio.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { useTimelineData, useTimelineView } from "../timeline-context.ts";
import styles from "./hit-row.module.css";
import { inNextFrame } from "../../../ui/next-frame.ts";

const HEIGHT = 16;
const TICK_TOP = 4;
const TICK_HEIGHT = 9;

/** Above the lanes: places of the filter's blocks in view. */
export function HitRow({ width }: { readonly width: number }): ReactNode {
  return useTimelineData().hitBuffer === null ? null : <TicksInView width={width} />;
}

function TicksInView({ width }: { readonly width: number }): ReactNode {
  const { view } = useCapture();
  const { hitBuffer } = useTimelineData();
  const { viewport } = useTimelineView();
  const canvas = useRef<HTMLCanvasElement>(null);
  const tokens = useTokens();
  const ratio = usePixelRatio();
  const paint = useCallback((): void => {
    const window = hitBuffer?.blocks ?? hitBuffer?.bins;
    if (!window || width < 10 || !canvas.current) return;
    const [from, to] = viewport.get();
    const scale = { from, to, width };
    const context = clearedContext(canvas.current, width, HEIGHT, ratio);
    context.fillStyle = tokens["--ink-2"];
    for (const [left, wide] of hitTicks(window, scale)) context.fillRect(left, TICK_TOP, wide, TICK_HEIGHT);
    const chosen = blockSpan(hitBuffer, positionOf(hitBuffer, view.block));
    if (chosen === null) return;
    context.fillStyle = tokens["--ink"];
    const left = Math.floor(xOf(scale, chosen[0]));
    context.fillRect(
      left,
      TICK_TOP - 2,
      Math.max(3, Math.ceil(xOf(scale, chosen[1])) - left),
      TICK_HEIGHT + 4,
    );
  }, [hitBuffer, viewport, width, tokens, ratio, view.block]);
  useEffect(() => {
    let frame = inNextFrame(paint);
    const unsubscribe = viewport.subscribe(() => {
      cancelAnimationFrame(frame);
      frame = inNextFrame(paint);
    });
    return () => {
      unsubscribe();
      cancelAnimationFrame(frame);
    };
  }, [viewport, paint]);
  return (
    <div className={styles.row}>
      <span>{texts.hits}</span>
      <canvas className="block" ref={canvas} style={{ width, height: HEIGHT }} aria-hidden="true" />
    </div>
  );
}
