/**
 * Conditions that a capture suggests before the user types: the verdict's, the classes of log writes, the releasers of
 * commits.
 */
import { blockFilterText, type BlockCondition, type BlockFilter, type Summary } from "@aglens/contract";
import { hasNoSecondary, type FilterStage } from "@aglens/contract";
import { type FilterNames, isOnPrimary, slowLimit } from "../filter/filter-names.ts";
import { filterText } from "../filter/filter-text.ts";
import { readFilter } from "../filter/read-filter.ts";
import { pagesTexts } from "../messages/pages.ts";
import { replicasOfRole } from "../screens/capture-view/phases.ts";

export interface SuggestedFilter {
  readonly filter: BlockFilter;
  /** As it is typed. */
  readonly words: string;
  /** Reason for the suggestion. */
  readonly note: string;
}

const over = (stage: FilterStage, secondary: number | null, amount: number): BlockCondition => ({
  kind: "duration",
  stage,
  secondary: hasNoSecondary(stage) ? null : secondary,
  comparison: { sign: ">", amount },
});

/** Largest number of suggested databases. */
const MOST_DATABASES = 6;

/** The conditions of a capture, the verdict's first, without repeats. */
export function suggestedFilters(
  summary: Pick<Summary, "verdict" | "replicas" | "databases" | "phases">,
  names: FilterNames,
): SuggestedFilter[] {
  const writers = [names.primary, ...names.secondaries].flatMap((name, role) =>
    replicasOfRole(summary, role).some((index) => summary.replicas[index]?.hasCapture)
      ? [{ name, replica: role }]
      : [],
  );
  const offered: readonly (readonly [BlockCondition, string])[] = [
    ...verdictConditions(summary),
    ...writers.map(
      ({ name, replica }) =>
        [{ kind: "class", writeClass: "bad", replica }, pagesTexts.slowLogWrites(name)] as const,
    ),
    ...writers.map(
      ({ name, replica }) =>
        [{ kind: "class", writeClass: "busy", replica }, pagesTexts.busyLogWrites(name)] as const,
    ),
    ...names.secondaries.map(
      (name, slot) => [{ kind: "gate", secondary: slot }, pagesTexts.releasedBySAck(name)] as const,
    ),
    [{ kind: "gate", secondary: null }, pagesTexts.releasedBySOwn(names.primary)],
    [over("commit", null, slowLimit("commit")), pagesTexts.slowCommitsWhatSessions],
    [over("networkRoundTrip", null, slowLimit("networkRoundTrip")), pagesTexts.slowNetworkOut],
    [{ kind: "size", comparison: { sign: ">", amount: 60_000 } }, pagesTexts.fullLogBlocks],
    ...(names.databases.length > 1 ? names.databases.slice(0, MOST_DATABASES) : []).map(
      (name, database) => [{ kind: "database", database }, pagesTexts.logBlocksOf(name)] as const,
    ),
  ];
  const seen = new Set<string>();
  return offered.flatMap(([condition, note]) => {
    const filter = [condition];
    const key = blockFilterText(filter);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ filter, words: filterText(filter, names), note }];
  });
}

/** The stage that the verdict names, from its limit on. */
function verdictConditions({
  verdict: { stage, replica },
}: Pick<Summary, "verdict">): (readonly [BlockCondition, string])[] {
  if (stage === null) return [];
  const secondary = isOnPrimary(stage) || replica === null || replica === 0 ? null : replica - 1;
  return [[over(stage, secondary, slowLimit(stage)), pagesTexts.whatTheVerdictNames]];
}

/** Filters that can be read of texts typed before. */
export function recentFilters(recent: readonly string[], names: FilterNames): SuggestedFilter[] {
  return recent.flatMap((typed) => {
    const { conditions, problem } = readFilter(typed, names);
    if (problem !== null || conditions.length === 0) return [];
    return [{ filter: conditions, words: filterText(conditions, names), note: pagesTexts.usedBefore }];
  });
}
