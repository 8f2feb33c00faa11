/** Selects the captures of the library: by view, facets and words, sorted, with the counts of every choice. */
import { CAPTURE_WAITS, LIBRARY_VIEWS } from "@aglens/contract";
import type {
  CaptureWait,
  FacetChoice,
  LibraryCapture,
  LibraryColumn,
  LibraryPage,
  LibrarySort,
  LibraryView,
  StorageUse,
} from "@aglens/contract";
import { searchTest } from "./library-search.ts";

/** A capture with the fields for lines, facets and words. */
export type LibraryLine = LibraryCapture & {
  /** Name, verdict, group, servers, databases, owner and tags, in lower case. */
  readonly words: string;
};

/** A query of the library. Several choices of one facet are an "or", facets and words together an "and". */
export interface LibraryQuestion {
  readonly view: LibraryView;
  readonly q: string;
  readonly group: readonly string[];
  readonly wait: readonly string[];
  readonly owner: readonly string[];
  readonly tag: readonly string[];
  readonly sort: LibrarySort;
  readonly offset: number;
  readonly limit: number;
}

type Facet = "group" | "wait" | "owner" | "tag";
const FACETS: readonly Facet[] = ["group", "wait", "owner", "tag"];
/** A separate view lists captures this long before they expire. */
const EXPIRES_SOON_MS = 7 * 24 * 3_600_000;

/** Value of the choice of captures that have no group, or no owner. */
const NOBODY = "";

/** A line has one choice of most facets, and one per tag. */
const FACET_VALUES: Readonly<Record<Facet, (line: LibraryLine) => readonly string[]>> = {
  group: ({ groupName }) => [groupName ?? NOBODY],
  wait: ({ wait }) => [wait],
  owner: ({ owner }) => [owner?.id ?? NOBODY],
  tag: ({ tags }) => tags,
};

/**
 * A page of the library.
 * @param lines all that the person may see, with those in the trash
 * @param personId the person of the request; null where users don't sign in
 * @param now ms since 1970
 */
export function libraryPage(
  lines: readonly LibraryLine[],
  question: LibraryQuestion,
  personId: string | null,
  now: number,
): Omit<LibraryPage, "storage"> {
  const inView = lines.filter((line) => isInView(line, question.view, personId, now));
  const hasWords = searchTest(question.q, now);
  const withWords = inView.filter((line) => hasWords(searched(line)));
  const found = withWords.filter((line) => isChosen(line, question));
  const page = sortedBy(question.sort, found).slice(question.offset, question.offset + question.limit);
  return {
    captures: page.map(withoutWords),
    offset: question.offset,
    total: found.length,
    bytes: sum(found, ({ bytes }) => bytes),
    totalWithoutWords: inView.filter((line) => isChosen(line, question)).length,
    views: Object.fromEntries(
      LIBRARY_VIEWS.map((view) => [view, lines.filter((line) => isInView(line, view, personId, now)).length]),
    ) as Record<LibraryView, number>,
    facets: {
      group: choices("group", inView, withWords, question),
      wait: choices("wait", inView, withWords, question),
      owner: choices("owner", inView, withWords, question),
      tag: choices("tag", inView, withWords, question),
    },
  };
}

function withoutWords(line: LibraryLine): LibraryCapture {
  const { words: _, ...capture } = line;
  return capture;
}

/** Bytes of the files of some captures. @param limit 0 for no limit */
export function storageUse(
  lines: readonly Pick<LibraryLine, "bytes" | "trashed">[],
  limit: number,
): StorageUse {
  return {
    bytes: sum(lines, ({ bytes }) => bytes),
    trash: sum(lines, ({ bytes, trashed }) => (trashed === null ? 0 : bytes)),
    limit: limit === 0 ? null : limit,
  };
}

function isInView(line: LibraryLine, view: LibraryView, personId: string | null, now: number): boolean {
  if (view === "trash") return line.trashed !== null && line.mayChange;
  if (line.trashed !== null) return false;
  if (view === "mine") return personId !== null && line.owner?.id === personId;
  if (view === "shared") return personId !== null && line.shared && line.owner?.id !== personId;
  if (view === "all") return true;
  return line.expires !== null && Date.parse(line.expires) - now < EXPIRES_SOON_MS;
}

/** Whether a line has a choice of each facet that has one, but for one facet. */
function isChosen(line: LibraryLine, question: LibraryQuestion, except?: Facet): boolean {
  return FACETS.every((facet) => {
    const chosen = question[facet];
    return (
      facet === except ||
      chosen.length === 0 ||
      FACET_VALUES[facet](line).some((value) => chosen.includes(value))
    );
  });
}

/** Choices of the entire view, counted with the words and the other facets: a choice without captures stays. */
function choices(
  facet: Facet,
  inView: readonly LibraryLine[],
  withWords: readonly LibraryLine[],
  question: LibraryQuestion,
): FacetChoice[] {
  const valuesOf = FACET_VALUES[facet];
  const all = new Map<string, FacetChoice & { of: number }>();
  for (const line of inView) {
    for (const value of valuesOf(line)) {
      const before = all.get(value);
      all.set(value, { value, name: nameOf(facet, value, line), count: 0, of: (before?.of ?? 0) + 1 });
    }
  }
  for (const value of question[facet]) {
    if (!all.has(value)) all.set(value, { value, name: value, count: 0, of: 0 });
  }
  for (const line of withWords.filter((each) => isChosen(each, question, facet))) {
    for (const value of valuesOf(line)) {
      const choice = all.get(value);
      if (choice !== undefined) all.set(value, { ...choice, count: choice.count + 1 });
    }
  }
  const listed = [...all.values()].toSorted(
    facet === "wait" ? (a, b) => waitIndex(a.value) - waitIndex(b.value) : byCountThenName,
  );
  return listed.map(({ value, name, count }) => ({ value, name, count }));
}

const waitIndex = (value: string): number => CAPTURE_WAITS.indexOf(value as CaptureWait);

// Sorted by the view's own counts: the order must not change while a user makes choices.
const byCountThenName = (a: { of: number; name: string }, b: { of: number; name: string }): number =>
  b.of - a.of || compareText(a.name, b.name);

const nameOf = (facet: Facet, value: string, { owner }: LibraryLine): string =>
  facet === "owner" ? (owner?.name ?? "") : value;

const searched = (line: LibraryLine) => ({
  words: line.words,
  group: line.groupName ?? "",
  owner: line.owner?.name ?? "",
  tags: line.tags,
  wait: line.wait,
  p95Us: line.p95Us,
  bytes: line.bytes,
  expiresMs: line.expires === null ? null : Date.parse(line.expires),
});

/** Time of a capture's recording, ms since 1970; before its files are known, its time of creation. */
const capturedAt = ({ from, created }: LibraryLine): number => Date.parse(from ?? created);

const COLUMN_VALUES: Readonly<Record<LibraryColumn, (line: LibraryLine) => string | number | null>> = {
  group: ({ groupName }) => groupName,
  name: ({ name }) => name,
  p95: ({ p95Us }) => p95Us,
  captured: capturedAt,
  length: ({ durationUs }) => durationUs,
  size: ({ bytes }) => bytes,
  owner: ({ owner }) => owner?.name ?? null,
  expires: ({ expires, trashed }) => {
    const until = trashed?.restorableUntil ?? expires;
    return until === null ? null : Date.parse(until);
  },
};

/**
 * Drafts are last, and lines without a value are before them in both directions; equal ones newest first, then by id,
 * so that pages never overlap.
 */
function sortedBy(sort: LibrarySort, lines: readonly LibraryLine[]): LibraryLine[] {
  const direction = sort.startsWith("-") ? -1 : 1;
  const valueOf = COLUMN_VALUES[sort.replace("-", "") as LibraryColumn];
  // Dates are read once, not once for each comparison.
  const keyed = lines.map((line) => ({ line, value: valueOf(line), captured: capturedAt(line) }));
  keyed.sort(
    (a, b) =>
      Number(a.line.isDraft ?? false) - Number(b.line.isDraft ?? false) ||
      compareValues(a.value, b.value, direction) ||
      b.captured - a.captured ||
      (a.line.id < b.line.id ? -1 : 1),
  );
  return keyed.map(({ line }) => line);
}

function compareValues(
  left: string | number | null,
  right: string | number | null,
  direction: 1 | -1,
): number {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return (
    direction * (typeof left === "number" ? left - (right as number) : compareText(left, right as string))
  );
}

const collator = new Intl.Collator("en", { numeric: true });
const compareText = (a: string, b: string): number => collator.compare(a, b);

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
