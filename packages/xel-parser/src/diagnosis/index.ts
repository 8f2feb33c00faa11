export { diagnose } from "./diagnose.ts";
export * from "./flush-classes.ts";
export { DEFAULT_SETTINGS, type Settings } from "./settings.ts";
export type { Episode, EvidenceFigure, Finding, Severity, Verdict, VerdictPlace } from "./verdict.ts";
export * from "./words.ts";
