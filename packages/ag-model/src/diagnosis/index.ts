export { diagnose, episodesOfVerdict, diagnosePhase } from "./diagnose.ts";
export * from "./flush-classes.ts";
export { CAUSES, windowsOf, type Finding, type Severity, type Verdict, type Window } from "./verdict.ts";
