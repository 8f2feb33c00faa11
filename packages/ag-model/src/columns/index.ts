/** Columns of a model that are computed once: stages, stretches, latencies, and which rows lie in a range. */
export * from "./rows-in-range.ts";
export * from "./stage-columns.ts";
export * from "./stretches.ts";
