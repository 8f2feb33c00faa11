/** A capture as a trace for tools that draw tracks over time (docs/reference/perfetto.md). */
export { captureTrace } from "./capture-trace.ts";
export type { CaptureTrace, TraceArg, TraceCounter, TraceLane } from "./trace.ts";
