import type { CaptureModel } from "../replication/tables.ts";
import { commitRules } from "./commit-rules.ts";
import { dataQualityRules } from "./data-quality-rules.ts";
import { findEpisodes, type FoundEpisode } from "./episodes.ts";
import { evidenceOf } from "./evidence.ts";
import { handlingRules } from "./handling-rules.ts";
import { chooseHeadline } from "./headline.ts";
import { logWriteRules } from "./log-write-rules.ts";
import { networkRules } from "./network-rules.ts";
import { DEFAULT_SETTINGS, type Settings } from "./settings.ts";
import type { Episode, Finding, Verdict } from "./verdict.ts";

const WEIGHT = { slow: 0, notice: 1, none: 2 } as const;

/**
 * The verdict on a capture (docs/model.md 6.1): first commit latency, then the path that releases commits, then the
 * part of that path with the largest share of the mean remote harden.
 */
export function diagnose(model: CaptureModel, settings: Settings = DEFAULT_SETTINGS): Verdict {
  const episodes = findEpisodes(model, settings);
  const rules = bySeverity([
    ...networkRules(model, settings),
    ...logWriteRules(model),
    ...handlingRules(model, settings),
    ...commitRules(model, settings),
    ...dataQualityRules(model, settings),
  ]);
  const headline = chooseHeadline(model, rules, episodes, settings);
  const findings = headline.finding ? [headline.finding, ...rules] : rules;
  return {
    sentence: headline.sentence,
    severity: headline.severity,
    place: headline.place,
    stage: headline.stage,
    evidence: evidenceOf(model, headline),
    checkNext: headline.checkNext.slice(0, 3),
    findings,
    episodes: episodes.map(withoutRows),
  };
}

/** Most severe first, then by share of remote harden; otherwise in the order of the rules. An unknown share is null. */
function bySeverity(findings: readonly Finding[]): Finding[] {
  const known = findings.map((f) => ({ ...f, share: Number.isFinite(f.share) ? f.share : null }));
  return known.sort((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity] || (b.share ?? 0) - (a.share ?? 0));
}

function withoutRows({ rows: _rows, ...episode }: FoundEpisode): Episode {
  return episode;
}
