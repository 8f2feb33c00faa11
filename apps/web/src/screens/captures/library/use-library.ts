import { useEffect, useState } from "react";
import { useSearch } from "wouter";
import type { LibraryCapture, LibraryPage } from "@aglens/contract";
import { navigate } from "../../../state/navigate.ts";
import { LIBRARY_PAGE, libraryPage } from "../../../data/library-client.ts";
import { useAnswer } from "../../../data/use-answer.ts";
import {
  type LibraryAddress,
  questionParams,
  readLibraryAddress,
  writeLibraryAddress,
} from "./library-address.ts";

/** Interval between requests for captures that are being analyzed, ms. */
const ANALYZING_MS = 2_000;

/** Rows that are on the screen, the first and the one after the last. */
export type RowRange = readonly [first: number, end: number];

/** The library at its address, with the pages that the screen needs. */
export interface LibraryList {
  readonly address: LibraryAddress;
  /**
   * Shows another part of the list. Each change is an entry of the browser's history, except search text and selection.
   */
  readonly change: (change: Partial<LibraryAddress>) => void;
  /** Totals, facets and counts; null before the first answer. */
  readonly page: LibraryPage | null;
  /** The capture of a row; undefined while its page is being loaded. */
  readonly captureAt: (row: number) => LibraryCapture | undefined;
  readonly setRows: (rows: RowRange) => void;
  readonly error: string | null;
  readonly retry: () => void;
}

export function useLibrary(): LibraryList {
  const search = useSearch();
  const address = readLibraryAddress(search);
  const [[first, end], setRows] = useState<RowRange>([0, 1]);
  const query = questionParams(address);
  const pageOf = (row: number): number => Math.floor(Math.max(0, row) / LIBRARY_PAGE) * LIBRARY_PAGE;
  const [top, bottom] = [pageOf(first), pageOf(end - 1)];
  const upper = useAnswer(libraryPage(query, top));
  const lower = useAnswer(bottom === top ? null : libraryPage(query, bottom), { keepsValue: false });
  const pages = [upper.value, lower.value].filter((page) => page !== null);
  const captureAt = (row: number): LibraryCapture | undefined =>
    pages.map(({ captures, offset }) => captures[row - offset]).find((capture) => capture !== undefined);
  const retry = (): void => {
    upper.retry();
    if (bottom !== top) lower.retry();
  };
  useRepeated(
    pages.some(({ captures }) => captures.some(({ state }) => state === "analysing")),
    retry,
  );
  return {
    address,
    change: (change) => {
      const next = writeLibraryAddress({ ...address, ...change });
      // Search text and selection add no entries to the browser's history.
      const replace = change.q !== undefined || change.sel !== undefined;
      navigate(next === "" ? "/captures" : `/captures?${next}`, { replace });
    },
    page: upper.value,
    captureAt,
    setRows,
    error: upper.error ?? lower.error,
    retry,
  };
}

function useRepeated(isWanted: boolean, ask: () => void): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setInterval(ask, ANALYZING_MS);
    return () => clearInterval(timer);
  });
}
