/** Next steps from the search box: the keymap's actions and orders of the slowest blocks, found by their words. */
import type { SlowestSort } from "@aglens/contract";
import { IS_ALONE } from "../alone.ts";
import { isLocalId } from "../data/local-server.ts";
import { navigate } from "../state/navigate.ts";
import { STAGES, stageName } from "@aglens/ag-model/replication";
import { pagesTexts } from "../messages/pages.ts";
import { KEYMAP, type KeyEntry, type KeyId } from "../ui/keymap.ts";
import { hasTab, isAlone, type OpenCapture } from "../screens/capture-view/capture-context.ts";
import { replicaNames } from "../screens/capture-view/names.ts";

export interface Command {
  readonly key: string;
  readonly words: string;
  /** Where it leads, or the key that does the same. */
  readonly note: string;
  readonly run: () => void;
}

/** Shorter texts mean too much. */
const LEAST = 2;
/** Largest number of listed commands; more would be out of sight. */
const MOST = 40;

/**
 * Commands in whose words every word of the text begins a word: "slow net" means "slowest by Network out". All for an
 * empty text.
 */
export const matchingCommands = (commands: readonly Command[], text: string): Command[] =>
  matchingText(commands, text, ({ words }) => words);

/** The entries in whose words every word of the text begins a word; all for an empty text, none for one letter. */
export function matchingText<T>(entries: readonly T[], text: string, wordsFor: (entry: T) => string): T[] {
  const asked = wordsOf(text);
  const letters = asked.join("").length;
  if (letters > 0 && letters < LEAST) return [];
  return entries
    .filter((entry) => {
      const has = wordsOf(wordsFor(entry));
      return asked.every((word) => has.some((one) => one.startsWith(word)));
    })
    .slice(0, MOST);
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/u)
    .filter((word) => word !== "");

/** The commands of an analyzed capture; `actions` are those that the keymap has words for. */
export function commandsOf(
  { source, summary, view, open, addEvidence }: OpenCapture,
  actions: Partial<Record<KeyId, () => void>>,
): Command[] {
  const named = (KEYMAP as readonly KeyEntry[]).flatMap(({ id, does, shown }): Command[] => {
    const run = actions[id as KeyId];
    return run === undefined ? [] : [{ key: id, words: does, note: pagesTexts.key(shown.join(" ")), run }];
  });
  const names = replicaNames(summary, view.secondary);
  const orders: { id: SlowestSort; words: string }[] = [
    { id: "commit", words: "commit" },
    ...STAGES.map(({ id }) => ({ id, words: stageName(id, names) })),
  ];
  const slowest = orders.map(({ id, words }) => ({
    key: `sort-${id}`,
    words: pagesTexts.slowestBy(words),
    note: pagesTexts.overview,
    run: () => open("overview", { sort: id, descending: true }),
  }));
  const commits = {
    key: "slowest-commits",
    words: pagesTexts.slowestCommits,
    note: pagesTexts.rawEvents,
    run: () => open("raw-events", { rows: "commits" }),
  };
  const adding =
    addEvidence === undefined
      ? []
      : [
          {
            key: "add-evidence",
            words: pagesTexts.addEvidence,
            note: pagesTexts.otherFiles,
            run: addEvidence,
          },
        ];
  const alone = isAlone(summary);
  // A visitor with a link may have no access to the server's watches.
  const isOnServer = !IS_ALONE && !isLocalId(source.id) && source.beside(source.id) !== null;
  const watching = {
    key: "watches",
    words: pagesTexts.watches,
    note: pagesTexts.availabilityGroups,
    run: () => navigate("/watches"),
  };
  return [
    ...named,
    ...(hasTab(alone, "raw-events") ? [commits] : []),
    ...adding,
    ...(isOnServer ? [watching] : []),
    ...(hasTab(alone, "overview") ? slowest : []),
  ];
}
