/**
 * Columns of a model that are computed once: instants of anchors, durations of stages and spans, latencies of commits,
 * and the rows in a range.
 */
export * from "./anchors.ts";
export * from "./commit-columns.ts";
export * from "./coverage.ts";
export * from "./database-rows.ts";
export * from "./duration-key.ts";
export * from "./per-model.ts";
export * from "./phase-scope.ts";
export * from "./pauses.ts";
export * from "./pick.ts";
export * from "./release.ts";
export * from "./remote-shares.ts";
export * from "./rows-in-range.ts";
export * from "./selection.ts";
export * from "./stage-columns.ts";
export * from "./write-parts.ts";
export * from "./anchor-spans.ts";
export * from "./wait-parts.ts";
