export * from "./access.ts";
export * from "./api.ts";
export * from "./capture-tables.ts";
export * from "./export-tables.ts";
export * from "./live.ts";
export * from "./replay.ts";
export * from "./window.ts";
export * from "./zod.ts";
