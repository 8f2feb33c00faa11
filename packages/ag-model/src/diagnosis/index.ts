export { diagnose } from "./diagnose.ts";
export * from "./flush-classes.ts";
export type { Verdict } from "./verdict.ts";
