import type { Cause, Finding, Severity } from "./verdict.ts";

/** A finding with some fields; the others have neutral values. */
export const plainFinding = (
  rule: string,
  cause: Cause,
  severity: Severity,
  sentence: string,
  more: Partial<Finding> = {},
): Finding => ({
  rule,
  cause,
  severity,
  sentence,
  share: null,
  stage: null,
  replica: null,
  database: null,
  window: null,
  windows: more.window ? [more.window] : [],
  effect: null,
  threshold: "",
  source: "",
  checkNext: [],
  ...more,
});
