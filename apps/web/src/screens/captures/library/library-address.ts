/**
 * State of the library in its address: `?view=&q=&group=&wait=&owner=&tag=&sort=&sel=`; default values are not written.
 */
import { LibrarySort, LibraryView, type LibraryColumn } from "@aglens/contract";

export interface LibraryAddress {
  readonly view: LibraryView;
  readonly q: string;
  readonly group: readonly string[];
  readonly wait: readonly string[];
  readonly owner: readonly string[];
  readonly tag: readonly string[];
  readonly sort: LibrarySort;
  /** Ids of the selected captures. */
  readonly sel: readonly string[];
}

export const LIBRARY_FACETS = ["group", "wait", "owner", "tag"] as const;
export type LibraryFacet = (typeof LIBRARY_FACETS)[number];

/** No choice of any facet. */
export const NO_CHOICE: Readonly<Record<LibraryFacet, readonly string[]>> = {
  group: [],
  wait: [],
  owner: [],
  tag: [],
};

const NEWEST_FIRST: LibrarySort = "-captured";
/** An address stays short enough for every browser. */
const MOST_SELECTED = 50;

/** Reads an address; ignores invalid parts. */
export function readLibraryAddress(search: string): LibraryAddress {
  const params = new URLSearchParams(search);
  return {
    view: LibraryView.catch("all").parse(params.get("view")),
    q: params.get("q") ?? "",
    group: params.getAll("group"),
    wait: params.getAll("wait"),
    owner: params.getAll("owner"),
    tag: params.getAll("tag"),
    sort: LibrarySort.catch(NEWEST_FIRST).parse(params.get("sort")),
    sel: params
      .getAll("sel")
      .filter((id) => id !== "")
      .slice(0, MOST_SELECTED),
  };
}

/** The query string, without `?`; empty for all captures, newest first. */
export function writeLibraryAddress(address: LibraryAddress): string {
  const params = questionParams(address);
  for (const id of address.sel.slice(0, MOST_SELECTED)) params.append("sel", id);
  return params.toString();
}

/** Parameters of the request to the server: everything except the selection. */
export function questionParams({ view, q, sort, ...facets }: LibraryAddress): URLSearchParams {
  const params = new URLSearchParams();
  if (view !== "all") params.set("view", view);
  if (q !== "") params.set("q", q);
  for (const facet of LIBRARY_FACETS) for (const value of facets[facet]) params.append(facet, value);
  if (sort !== NEWEST_FIRST) params.set("sort", sort);
  return params;
}

/** A list with one value added, or removed where the list contained it. */
export function toggled(values: readonly string[], value: string): readonly string[] {
  return values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
}

/** Columns that are first sorted in descending order. */
const LARGEST_FIRST: ReadonlySet<LibraryColumn> = new Set(["p95", "captured", "length", "size"]);

/** The order after a click on a column's head: its usual order first, then the reverse. */
export function nextSort(sort: LibrarySort, column: LibraryColumn): LibrarySort {
  const usual: LibrarySort = LARGEST_FIRST.has(column) ? `-${column}` : column;
  if (sort !== usual) return usual;
  return usual === column ? `-${column}` : column;
}

/** The sort direction of a column for ARIA. */
export function sortDirection(
  sort: LibrarySort,
  column: LibraryColumn,
): "ascending" | "descending" | undefined {
  if (sort === column) return "ascending";
  return sort === `-${column}` ? "descending" : undefined;
}
