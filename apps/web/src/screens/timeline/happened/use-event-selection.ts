import { useMemo, useState } from "react";
import { useCapture } from "../../capture-view/capture-context.ts";
import type { BlockSelection } from "../use-block-selection.ts";
import { clampRange, type Viewport } from "../viewport.ts";
import { type Happened, nameOf, selectedEvent } from "./use-happened.ts";

/** The selected event of evidence files, and the actions that change it. */
export interface EventSelection {
  /** Index into the answer's events; null without one. */
  readonly selected: number | null;
  /** The lanes of evidence files are shown, and nothing else is selected: the pane and the keys are about events. */
  readonly isActive: boolean;
  /** Selects an event and brings it into view; null selects none. */
  readonly select: (index: number | null) => void;
  /** Selects the next or previous event in time; from the view where none is selected. */
  readonly step: (by: 1 | -1) => void;
  /** Whether the lines of the selected event are open, and what opens and closes them. */
  readonly showsSource: boolean;
  readonly showSource: (shows: boolean) => void;
}

export function useEventSelection(
  happened: Happened | null,
  viewport: Viewport,
  { selectedRange }: Pick<BlockSelection, "selectedRange">,
): EventSelection {
  const { summary, view, setView } = useCapture();
  const [showsSource, showSource] = useState(false);
  const events = happened?.answer.events;
  const { happened: named } = view;
  const selected = useMemo(
    () => (events === undefined ? null : selectedEvent(events, named)),
    [events, named],
  );
  const isActive =
    happened !== null &&
    happened.shown.length > 0 &&
    view.block === null &&
    view.where === null &&
    view.isolated.length === 0 &&
    selectedRange === null;
  const select = (index: number | null): void => {
    const event = index === null ? undefined : events?.[index];
    setView(
      {
        happened: index === null || events === undefined ? null : nameOf(events, index),
        block: null,
        kept: [],
        selected: null,
      },
      "replace",
    );
    if (event !== undefined) bringIntoView(viewport, event.at, summary.durationUs);
  };
  const step = (by: 1 | -1): void => {
    if (happened === null || events === undefined) return;
    const next = nextEvent(happened, selected, viewport.get(), by);
    if (next !== null) select(next);
  };
  return { selected, isActive, select, step, showsSource: showsSource && selected !== null, showSource };
}

/** The event after or before the selected one; without one, from the start or the end of the view. */
export function nextEvent(
  { inTurn, answer: { events } }: Pick<Happened, "inTurn" | "answer">,
  selected: number | null,
  [from, to]: readonly [number, number],
  by: 1 | -1,
): number | null {
  const place = selected === null ? -1 : inTurn.indexOf(selected);
  if (place >= 0) return inTurn[place + by] ?? null;
  const at = selected === null ? null : (events[selected]?.at ?? null);
  const isAhead = (index: number): boolean =>
    by === 1 ? events[index]!.at >= (at ?? from) : events[index]!.at <= (at ?? to);
  return (by === 1 ? inTurn.find(isAhead) : inTurn.findLast(isAhead)) ?? null;
}

/** Moves the view where an event is outside of it: the event is in the middle, and the zoom stays. */
function bringIntoView(viewport: Viewport, at: number, durationUs: number): void {
  const [from, to] = viewport.get();
  if (at >= from && at <= to) return;
  const half = (to - from) / 2;
  viewport.set(clampRange([at - half, at + half], Math.max(1, durationUs)));
}
