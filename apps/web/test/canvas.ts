/** Canvases of components: each has a log of its drawing calls. */
import { onTestFinished, vi } from "vitest";
import { drawLog, type DrawLog } from "./draw-log.ts";

/** Adds a separate log to every canvas of the document; the result finds a canvas' log. */
export function logCanvases(): (canvas: Element | null) => DrawLog {
  const logs = new Map<unknown, DrawLog>();
  const logOf = (canvas: unknown): DrawLog => {
    const log = logs.get(canvas) ?? drawLog(canvas);
    logs.set(canvas, log);
    return log;
  };
  const spy = vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(function (
    this: HTMLCanvasElement,
  ) {
    return logOf(this).context;
  } as never);
  onTestFinished(() => spy.mockRestore());
  return logOf;
}
