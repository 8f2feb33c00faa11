import { useCallback, useEffect, useLayoutEffect, useRef, type ComponentProps, type ReactNode } from "react";
import { useTokens, type Tokens } from "../lanes/palette.ts";
import { clearedContext } from "./cleared-context.ts";
import { usePixelRatio } from "../ui/use-pixel-ratio.ts";
import { inNextFrame } from "../ui/next-frame.ts";

/** Draws in CSS pixels; the context is already scaled to the device and cleared. */
export type Draw = (context: CanvasRenderingContext2D, width: number, height: number, tokens: Tokens) => void;

interface Props extends ComponentProps<"div"> {
  readonly draw: Draw;
  /** Drawn above the canvas, in the same box. */
  readonly children?: ReactNode;
}

/**
 * A canvas that fills its box, sharp on every screen. It draws in the next animation frame after a change of `draw`,
 * the size, the screen's pixels or the theme; keep `draw` stable (useCallback) so that other renders cost nothing. The
 * box is a plain element: the caller sets its height, role and pointer handlers.
 */
export function ChartCanvas({ draw, children, style, ...box }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const tokens = useTokens();
  const ratio = usePixelRatio();
  const paint = useRef<() => void>(() => {});
  const frame = useRef(0);
  const schedule = useCallback(() => {
    cancelAnimationFrame(frame.current);
    frame.current = inNextFrame(() => paint.current());
  }, []);

  useLayoutEffect(() => {
    paint.current = () => paintInto(canvas.current, draw, tokens, ratio);
    schedule();
  }, [draw, tokens, ratio, schedule]);

  useEffect(() => {
    const observer = new ResizeObserver(schedule);
    observer.observe(canvas.current!);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame.current);
    };
  }, [schedule]);

  return (
    <div {...box} style={{ position: "relative", ...style }}>
      <canvas
        ref={canvas}
        aria-hidden
        style={{ position: "absolute", inset: 0, width: "100%", height: "100%" }}
      />
      {children}
    </div>
  );
}

function paintInto(canvas: HTMLCanvasElement | null, draw: Draw, tokens: Tokens, ratio: number): void {
  if (!canvas) return;
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = clearedContext(canvas, width, height, ratio);
  context.save();
  draw(context, width, height, tokens);
  context.restore();
}
