export { diagnose, episodesOfVerdict, diagnosePhase, takeEpisodes } from "./diagnose.ts";
export * from "./flush-classes.ts";
export { CAUSES, windowsOf, type Finding, type Severity, type Verdict, type Window } from "./verdict.ts";
