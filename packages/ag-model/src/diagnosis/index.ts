export { diagnose, diagnosePhase } from "./diagnose.ts";
export * from "./flush-classes.ts";
export { CAUSES, type Finding, type Severity, type Verdict } from "./verdict.ts";
