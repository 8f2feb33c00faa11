export * from "./api.ts";
export * from "./window.ts";
