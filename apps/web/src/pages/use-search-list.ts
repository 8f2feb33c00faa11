/** Entries of the search box for a text: conditions with their counts, places of the capture, commands. */
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { blockFilterText, type BlockFilter, conditionText, MOST_CONDITIONS } from "@aglens/contract";
import type { Answer } from "../data/use-answer.ts";
import { filterText, conditionMeaning } from "../filter/filter-text.ts";
import { filterOf, type FilterProblem, isFilterText, readFilter } from "../filter/read-filter.ts";
import { pagesTexts } from "../messages/pages.ts";
import { useCapture } from "../screens/capture-view/capture-context.ts";
import { filterNamesOf } from "../screens/capture-view/names.ts";
import { filterPreview, keptConditions } from "../state/filter-preview.ts";
import type { KeyId } from "../ui/keymap.ts";
import { matchingText } from "./commands.ts";
import { recentFilters, type SuggestedFilter, suggestedFilters } from "./filter-suggestions.ts";
import { recentTexts, rememberText } from "./recent-texts.ts";
import { commandsFound, placesFound, type SearchHit } from "./search-hits.ts";
import { useFound, type Found } from "./use-found.ts";
import { type CountsByFilter, useHitCounts } from "./use-hit-counts.ts";

export interface SearchList {
  readonly hits: readonly SearchHit[];
  /** Place that the text means; null for a filter. */
  readonly found: Answer<Found> | null;
  /** The part of a filter that cannot be read. */
  readonly problem: FilterProblem | null;
}

const CLOSED: SearchList = { hits: [], found: null, problem: null };

/** Largest number of suggestions next to the typed filter. */
const MOST_MORE = 6;
/** Only a pause in typing is worth a preview of the hits, ms. */
const PREVIEW_MS = 80;

/** @param isOpen the list is shown: nothing is listed or counted before */
export function useSearchList(
  text: string,
  isOpen: boolean,
  actions: Partial<Record<KeyId, () => void>>,
): SearchList {
  const capture = useCapture();
  const { source, summary } = capture;
  const { phase } = capture.view;
  const names = useMemo(() => filterNamesOf(summary, phase), [summary, phase]);
  const isFilter = isFilterText(text);
  const found = useFound(source, summary, isFilter ? "" : text);
  const read = useMemo(() => (isFilter ? readFilter(text, names) : null), [isFilter, text, names]);
  const kept = useKeptFilter();
  usePreview(read?.conditions ?? null, kept.length);
  const suggested = useMemo(
    // Computed only when the list opens, so that a page opens faster; recent filters are read again each time the list
    // opens.
    () =>
      isOpen
        ? { own: suggestedFilters(summary, names), recent: recentFilters(recentTexts(), names) }
        : { own: [], recent: [] },
    [summary, names, isOpen],
  );
  const listed = filtersListed(text, read, suggested, names);
  const counts = useHitCounts(source, isOpen ? listed.map(({ filter }) => filter) : []);
  if (!isOpen) return CLOSED;
  const filterHits = listed.map((each) => asHit(each, counts, capture.setView, kept));
  if (read !== null) return { hits: filterHits, found: null, problem: read.problem };
  const isEmpty = text.trim() === "";
  if (!isEmpty && found.value === null && found.error === null) return { hits: [], found, problem: null };
  const places = placesFound(found.value, capture);
  return {
    hits: [...places, ...filterHits, ...commandsFound(text, capture, actions)],
    found: isEmpty ? null : found,
    problem: null,
  };
}

interface ListedFilter extends SuggestedFilter {
  readonly group: string;
}

type Names = ReturnType<typeof filterNamesOf>;

/** The filter that is typed, in its readings, and suggestions that fit the text. */
function filtersListed(
  text: string,
  read: ReturnType<typeof readFilter> | null,
  { own, recent }: { readonly own: readonly SuggestedFilter[]; readonly recent: readonly SuggestedFilter[] },
  names: Names,
): ListedFilter[] {
  if (read === null) {
    const matching = (filters: readonly SuggestedFilter[]) =>
      matchingText(filters, text, ({ words, note }) => `${words} ${note}`);
    return [
      ...matching(own).map((each) => ({ ...each, group: pagesTexts.conditionsOfThisCapture })),
      ...matching(recent).map((each) => ({ ...each, group: pagesTexts.usedBeforeLabel })),
    ];
  }
  const readings = readingsOf(text, read, names);
  const typed = new Set(readings.map(({ filter }) => blockFilterText(filter)));
  const more = own.filter(({ filter }) => !typed.has(blockFilterText(filter))).slice(0, MOST_MORE);
  return [
    ...readings.map((each) => ({ ...each, group: pagesTexts.readAs })),
    ...more.map((each) => ({ ...each, group: pagesTexts.moreConditions })),
  ];
}

/**
 * The possible readings of a text: with the nearest words in place of its unreadable part, and without its last
 * condition.
 */
function readingsOf(
  text: string,
  { conditions, problem }: ReturnType<typeof readFilter>,
  names: Names,
): SuggestedFilter[] {
  const meaning = (filter: BlockFilter): string =>
    filter.map((condition) => conditionMeaning(condition, names)).join(", ");
  const reading = (filter: BlockFilter): SuggestedFilter => ({
    filter,
    words: filterText(filter, names),
    note: meaning(filter.slice(-1)) === filterText(filter.slice(-1), names) ? "" : meaning(filter.slice(-1)),
  });
  const mended = (problem?.nearest ?? []).flatMap((word) => {
    const again = readFilter(withWord(text, problem!, word), names);
    return again.problem === null && again.conditions.length > 0 ? [again.conditions] : [];
  });
  const shorter = conditions.length > 1 && problem === null ? [conditions.slice(0, -1)] : [];
  const whole = conditions.length > 0 ? [conditions] : [];
  const all = problem === null ? [...whole, ...shorter] : [...mended, ...whole];
  return all.flatMap((each) => {
    const filter = filterOf(each);
    return filter === null ? [] : [reading(filter)];
  });
}

/** The text with a word in place of its unreadable part. */
export const withWord = (text: string, { from, to }: FilterProblem, word: string): string =>
  text.slice(0, from) + word + text.slice(to);

function asHit(
  { filter, words, note, group }: ListedFilter,
  counts: CountsByFilter,
  setView: ReturnType<typeof useCapture>["setView"],
  kept: BlockFilter,
): SearchHit {
  const count = counts.get(blockFilterText(filter));
  return {
    key: `filter-${group}-${blockFilterText(filter)}`,
    label: words,
    note,
    words: true,
    group,
    count: count === undefined ? "" : pagesTexts.blockPart(count.blocks),
    completes: words.replaceAll("\u2009", " "),
    open: () => {
      rememberText(words.replaceAll("\u2009", " "));
      setView({ where: withConditions(kept, filter) });
    },
  };
}

/** Both filters' conditions, each once. */
function withConditions(kept: BlockFilter, added: BlockFilter): BlockFilter {
  const texts = new Set(kept.map(conditionText));
  return [...kept, ...added.filter((condition) => !texts.has(conditionText(condition)))].slice(
    0,
    MOST_CONDITIONS,
  );
}

/** The active conditions without those that are still typed. */
function useKeptFilter(): BlockFilter {
  const { where } = useCapture().view;
  return keptConditions(where, useSyncExternalStore(filterPreview.subscribe, filterPreview.get));
}

/**
 * Shows the hits of the typed filter after a pause; an unreadable text keeps the last ones, and an empty box shows
 * none.
 */
function usePreview(conditions: BlockFilter | null, kept: number): void {
  useEffect(() => {
    if (conditions === null) {
      filterPreview.set(null);
      return undefined;
    }
    if (conditions.length === 0 || kept + conditions.length > MOST_CONDITIONS) return undefined;
    const timer = setTimeout(() => filterPreview.set(conditions), PREVIEW_MS);
    return () => clearTimeout(timer);
  }, [conditions, kept]);
  useEffect(() => () => filterPreview.set(null), []);
}
