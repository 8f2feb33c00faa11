/**
 * The rows of the raw events. Without names and text every event of the range is a row, and the pages on screen are
 * requested. With names or text, or with a filter of blocks, the search reads from the beginning of the range, a
 * bounded number of events at a time.
 */
import { useState } from "react";
import type { RawEvent, RawEvents } from "@aglens/contract";
import { MOST_EVENTS_READ, type RawEventsOptions } from "../../data/capture-source.ts";
import { type Answer, useAnswer } from "../../data/use-answer.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { isFirstPart, shownRange } from "../capture-view/shown-range.ts";

export interface EventList {
  /** Changes with the range and the filters: known rows then belong to another list. */
  readonly key: string;
  /** Number of events of the range and the replicas; null until it is known. */
  readonly total: number | null;
  readonly rows: number;
  /** The event of a row; undefined while it is being loaded. */
  readonly rowAt: (row: number) => RawEvent | undefined;
  /**
   * Events that a search has read so far; null without a search. `readOn` reads more, and is null when nothing is left.
   */
  readonly read: number | null;
  readonly readOn: (() => void) | null;
  readonly isReading: boolean;
  readonly unlisted: RawEvents["unlisted"] | null;
  readonly unreadable: number;
  readonly error: string | null;
  readonly retry: () => void;
}

/** Rows of one page. */
const PAGE_ROWS = 200;
/**
 * A search continues automatically up to this number of answers, and reads as many more at each request of the user.
 */
const READS_AT_ONCE = 5;
/** A search also stops at this number of rows. */
const ENOUGH_ROWS = 500;
/** The search begins after a pause in typing, ms. */
const TYPING_MS = 200;

/** Conditions of the listed events; `where` is the filter of blocks that applies to all screens. */
export type Filter = Pick<RawEventsOptions, "range" | "replicas" | "names" | "text" | "where">;

export function useFilter(): Filter {
  const { summary, view } = useCapture();
  const { eventReplicas: replicas, eventNames: names, eventText, where } = view;
  const [from, to] = shownRange(view, summary);
  return {
    // The complete capture needs no range, and has one address.
    range: view.range === null && !isFirstPart(summary) ? null : { from, to },
    replicas,
    names,
    text: eventText.trim(),
    where,
  };
}

/** @param shown first and last row on screen */
export function useEventList(filter: Filter, shown: readonly [number, number]): EventList {
  const isSearch = filter.names.length > 0 || filter.text !== "" || (filter.where ?? null) !== null;
  const pages = usePages(isSearch ? null : filter, shown);
  const search = useSearch(isSearch ? filter : null);
  return { ...(isSearch ? search : pages), key: JSON.stringify(filter) };
}

type Rows = Omit<EventList, "key">;

function usePages(filter: Filter | null, [firstRow, lastRow]: readonly [number, number]): Rows {
  const { source } = useCapture();
  const first = Math.floor(firstRow / PAGE_ROWS);
  const last = Math.floor(lastRow / PAGE_ROWS);
  const question = (page: number) =>
    filter && source.rawEvents({ ...filter, first: { position: page * PAGE_ROWS }, read: PAGE_ROWS });
  const one = useAnswer(question(first), { keepsValue: false });
  const other = useAnswer(last === first ? null : question(last), { keepsValue: false });
  const [counted, setCounted] = useState<{ readonly key: string; readonly answer: RawEvents } | null>(null);
  const key = JSON.stringify(filter);
  const answer = one.value ?? other.value;
  if (answer !== null && counted?.key !== key) setCounted({ key, answer });
  const known = counted?.key === key ? counted.answer : null;
  const events = new Map(
    [one.value, other.value].flatMap((page) => page?.events ?? []).map((event) => [event.position, event]),
  );
  return {
    total: known?.total ?? null,
    rows: known?.total ?? 0,
    rowAt: (row) => events.get(row),
    read: null,
    readOn: null,
    isReading: one.value === null,
    unlisted: known?.unlisted ?? null,
    unreadable: (one.value?.unreadable ?? 0) + (other.value?.unreadable ?? 0),
    error: one.error ?? other.error,
    retry: () => {
      if (one.error !== null) one.retry();
      if (other.error !== null) other.retry();
    },
  };
}

interface Search {
  readonly key: string;
  readonly answers: readonly RawEvents[];
  readonly mostAnswers: number;
}

function useSearch(filter: Filter | null): Rows {
  const { source } = useCapture();
  const key = JSON.stringify(filter);
  const [kept, setKept] = useState<Search>({ key, answers: [], mostAnswers: READS_AT_ONCE });
  const search = kept.key === key ? kept : { key, answers: [], mostAnswers: READS_AT_ONCE };
  const { answers, mostAnswers } = search;
  const events = answers.flatMap((answer) => answer.events);
  const next = answers.length === 0 ? 0 : (answers.at(-1)?.next ?? null);
  const goesOn = answers.length < mostAnswers && events.length < ENOUGH_ROWS;
  const { value, error, retry } = useAnswer(
    filter !== null && next !== null && goesOn
      ? source.rawEvents({ ...filter, first: { position: next }, read: MOST_EVENTS_READ })
      : null,
    { keepsValue: false, pauseMs: answers.length === 0 ? TYPING_MS : 0, beginsAtOnce: true },
  );
  if (value !== null && value.position === next) setKept({ ...search, answers: [...answers, value] });
  return {
    total: answers[0]?.total ?? null,
    rows: events.length,
    rowAt: (row) => events[row],
    read: answers.reduce((sum, { read }) => sum + read, 0),
    readOn:
      next === null || goesOn
        ? null
        : () => setKept({ ...search, mostAnswers: answers.length + READS_AT_ONCE }),
    isReading: next !== null && goesOn,
    unlisted: answers[0]?.unlisted ?? null,
    unreadable: answers.reduce((sum, { unreadable }) => sum + unreadable, 0),
    error,
    retry,
  };
}

/** Count of each event name among the first events of the range, regardless of the chosen names. */
export function useEventNames(filter: Filter): Answer<RawEvents> {
  const { source } = useCapture();
  // No event has this name: the answer has the counts alone.
  const names = ["-"];
  const question = source.rawEvents({
    ...filter,
    names,
    text: "",
    first: { position: 0 },
    read: MOST_EVENTS_READ,
  });
  return useAnswer(question);
}
