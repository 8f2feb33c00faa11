export * from "./tables.ts";
export * from "./stages.ts";
export * from "./statistics.ts";
export * from "./identity.ts";
export * from "./time.ts";
