/** Lines and pages of the library for tests. */
import type { LibraryCapture, LibraryPage } from "@aglens/contract";

/** An analyzed capture in which no stage stands out. */
export function libraryCapture(id: string, change: Partial<LibraryCapture> = {}): LibraryCapture {
  return {
    id,
    name: `Capture ${id}`,
    created: "2026-11-01T00:00:00.000Z",
    expires: null,
    state: "ready",
    verdict: "Commits finish in 5.92 ms (p95). No stage stands out.",
    severity: "none",
    place: "none",
    wait: "none",
    group: "Sales - SQL1, SQL2",
    groupName: "SQL1, SQL2",
    p95Us: 5_920,
    durationUs: 60e6,
    from: "2026-05-06T02:16:55.8000000Z",
    files: 2,
    bytes: 4_000_000,
    owner: null,
    shared: false,
    tags: [],
    mayChange: true,
    glyph: null,
    progress: null,
    problem: null,
    trashed: null,
    ...change,
  };
}

/** A page with these lines from `offset` on. */
export function libraryPageOf(
  captures: readonly LibraryCapture[],
  change: Partial<LibraryPage> = {},
): LibraryPage {
  return {
    captures: [...captures],
    offset: 0,
    total: captures.length,
    bytes: captures.reduce((sum, { bytes }) => sum + bytes, 0),
    totalWithoutWords: captures.length,
    views: { all: captures.length, mine: 0, shared: 0, expiring: 0, trash: 0 },
    facets: { group: [], wait: [], owner: [], tag: [] },
    storage: { all: { bytes: 95, trash: 10, limit: 100 }, own: null },
    ...change,
  };
}
