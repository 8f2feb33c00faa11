/** Searches and figures over columns of numbers; nothing here knows what the numbers mean. */
export * from "./ascending-rows.ts";
export * from "./bin-finder.ts";
export * from "./bin-levels.ts";
export * from "./binned-values.ts";
export * from "./extremes.ts";
export * from "./gather.ts";
export * from "./growing-column.ts";
export * from "./narrow-column.ts";
export * from "./near-ranks.ts";
export * from "./packed-column.ts";
export * from "./ranked-column.ts";
export * from "./ranked-rows.ts";
export * from "./search.ts";
export * from "./seeded.ts";
export * from "./selection.ts";
export * from "./sparse-column.ts";
export * from "./statistics.ts";
