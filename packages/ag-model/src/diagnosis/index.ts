export { diagnose } from "./diagnose.ts";
export * from "./flush-classes.ts";
export { CAUSES, type Cause, type Finding, type Verdict } from "./verdict.ts";
