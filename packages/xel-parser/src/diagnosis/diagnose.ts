import type { CaptureModel } from "../replication/tables.ts";
import { DEFAULT_SETTINGS, type Settings } from "./settings.ts";
import { commitLatencies } from "./stage-columns.ts";
import { statisticsOf } from "../replication/statistics.ts";
import type { Verdict } from "./verdict.ts";
import { formatDuration } from "./words.ts";

/** The verdict on a capture: ag-domain section 5. */
export function diagnose(model: CaptureModel, settings: Settings = DEFAULT_SETTINGS): Verdict {
  const p95 = statisticsOf(commitLatencies(model)).p95;
  const fine = p95 < settings.commitP95Us;
  return {
    sentence: `Commits finish in ${formatDuration(p95)} (p95).${fine ? " No stage stands out." : ""}`,
    severity: fine ? "none" : "notice",
    place: "none",
    stage: null,
    evidence: [],
    checkNext: [],
    findings: [],
    episodes: [],
  };
}
