/** The replication model: tables, stages, clocks and joins of log blocks. */
export * from "./identity.ts";
export * from "./stages.ts";
export * from "./statistics.ts";
export * from "./tables.ts";
export * from "./time.ts";
