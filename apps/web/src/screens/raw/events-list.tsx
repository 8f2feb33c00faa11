import { type ReactNode, useCallback, useEffect, useState } from "react";
import type { RawEvents } from "@aglens/contract";
import { Popover } from "../../frame/popover.tsx";
import type { Answer } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { rawTexts as texts } from "../../messages/raw.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { useMedia } from "../../ui/use-media.ts";
import { formatCount } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { CsvButton } from "./csv-button.tsx";
import { DensityStrip } from "./density-strip.tsx";
import { EventDetail } from "./event-detail.tsx";
import { EventFilters } from "./event-filters.tsx";
import { EventRows } from "./event-rows.tsx";
import { orderSentence, unlistedSentence } from "./event-text.ts";
import { type ChosenEvent, useChosenEvent } from "./use-chosen-event.ts";
import { RangeChip, RowsChoice } from "./range-chip.tsx";
import { type EventList, type Filter, useEventList, useEventNames, useFilter } from "./use-event-list.ts";
import { around, useBack } from "./ways.ts";
import styles from "./raw.module.css";
import { FigureTerm } from "../../ui/term.tsx";

/**
 * All events of a range, of all replicas, in the order they fired, including their fields and their place in the file.
 */
export function EventsList(): ReactNode {
  const filter = useFilter();
  const [shown, setShown] = useState<readonly [number, number]>([0, 0]);
  const onShown = useCallback((first: number, last: number) => setShown([first, last]), []);
  const [wanted, setWanted] = useState<{ readonly row: number } | null>(null);
  const list = useEventList(filter, shown);
  const chosen = useChosenEvent(list);
  const counted = useEventNames(filter);
  const isFolded = useMedia("(max-width: 1439px)");
  const [openSequence, openTimeline] = useWays(chosen);
  useEventKeys(list, chosen, openSequence, openTimeline);
  useStatus();
  return (
    <>
      <RangeBar list={list} filter={filter} choices={isFolded ? <FoldedFilters counted={counted} /> : null} />
      <Problem sentence={list.error} onRetry={list.retry} />
      <div className={styles.body}>
        {isFolded ? null : (
          <aside className={styles.filters} aria-label={texts.filter}>
            <EventFilters counted={counted} />
          </aside>
        )}
        <section className="stack narrows shrinks" aria-label={texts.eventsLabel}>
          <EventRows list={list} chosen={chosen} wanted={wanted} onShown={onShown} />
          <ListEnd list={list} chosen={chosen} />
        </section>
        <DensityStrip list={list} shown={shown} chosen={chosen.event} onRow={(row) => setWanted({ row })} />
        <EventDetail event={chosen.event} onSequence={openSequence} onTimeline={openTimeline} />
      </div>
    </>
  );
}

/** Actions that open the chosen event's block as a sequence, and the timeline at its instant. */
function useWays({ event }: ChosenEvent): readonly [() => void, () => void] {
  const { summary, open } = useCapture();
  const openSequence = (): void => {
    if (event !== undefined) open("sequence", { block: event.block });
  };
  const openTimeline = (): void => {
    if (event === undefined || event.fire === null) return;
    open("timeline", { block: event.block, ...around(summary, event.fire) });
  };
  return [openSequence, openTimeline];
}

function useEventKeys(
  list: EventList,
  chosen: ChosenEvent,
  openSequence: () => void,
  openTimeline: () => void,
): void {
  const back = useBack();
  const step = (by: 1 | -1): void => {
    const next = chosen.row < 0 ? 0 : chosen.row + by;
    if (next >= 0 && next < list.rows) chosen.choose(next);
  };
  const stepInBlock = (by: 1 | -1): void => {
    const block = chosen.event?.block;
    let row = chosen.row + by;
    // Rows that are not on screen are not known, so the search ends there.
    while (block !== undefined && list.rowAt(row) !== undefined && list.rowAt(row)?.block !== block)
      row += by;
    if (block !== undefined && list.rowAt(row)?.block === block) chosen.choose(row);
  };
  useKeys({
    nextEvent: () => step(1),
    previousEvent: () => step(-1),
    nextOfBlock: () => stepInBlock(1),
    previousOfBlock: () => stepInBlock(-1),
    open: openSequence,
    timelineAt: openTimeline,
    back,
  });
}

/** The choice of names and replicas where it has no column of its own. */
function FoldedFilters({ counted }: { readonly counted: Answer<RawEvents> }): ReactNode {
  const { eventNames, eventReplicas } = useCapture().view;
  const chosen = eventNames.length + eventReplicas.length;
  return (
    <Popover
      className={styles.fold}
      label={chosen === 0 ? texts.namesAndReplicas : texts.namesAndReplicasChosen(formatCount(chosen))}
    >
      <EventFilters counted={counted} />
    </Popover>
  );
}

interface RangeBarProps {
  readonly list: EventList;
  readonly filter: Filter;
  /** The choice of names and replicas, where it is in this bar. */
  readonly choices: ReactNode;
}

function RangeBar({ list, filter, choices }: RangeBarProps): ReactNode {
  const { view, setView } = useCapture();
  const { eventNames, eventReplicas, eventText } = view;
  const hasFilter = eventNames.length + eventReplicas.length > 0 || eventText !== "";
  return (
    <div className={styles.bar}>
      <RowsChoice />
      <RangeChip />
      {choices}
      <input
        type="search"
        aria-label={texts.textInTheName}
        placeholder={texts.textInNameField}
        maxLength={200}
        value={eventText}
        onChange={(event) => setView({ eventText: event.target.value }, "replace")}
      />
      <output>
        <Count list={list} />
      </output>
      {list.readOn === null ? null : <Button onClick={list.readOn}>{texts.readOn}</Button>}
      {hasFilter ? (
        <Button
          kind="quiet"
          onClick={() => setView({ eventNames: [], eventReplicas: [], eventText: "" }, "replace")}
        >
          {texts.noFilter}
        </Button>
      ) : null}
      <CsvButton key={list.key} filter={filter} />
    </div>
  );
}

/** Number of events, or number of found events and of searched ones. */
function Count({ list: { total, rows, read } }: { readonly list: EventList }): ReactNode {
  if (total === null) return "–";
  if (read === null) {
    return <>{texts.eventsPart(<b>{formatCount(total)}</b>)}</>;
  }
  return (
    <>
      {texts.foundInTheFirst(
        <b>{formatCount(rows)}</b>,
        read < total ? texts.firstOf(formatCount(read), formatCount(total)) : formatCount(total),
      )}
    </>
  );
}

/** Description of the rows, and of the events that have no row. */
function ListEnd({ list, chosen }: { readonly list: EventList; readonly chosen: ChosenEvent }): ReactNode {
  const { summary, view } = useCapture();
  const { rows, total, isReading, unlisted, unreadable } = list;
  const left = unlisted === null ? null : unlistedSentence(unlisted, summary);
  const lsn = chosen.event?.lsn;
  return (
    <p className={styles.end}>
      {texts.noEventHereOnly(rows === 0 && total !== null && !isReading, view.where === null)}{" "}
      {summary.replicas[0]?.name}
      {texts.sClockMarkedRows(lsn === undefined || lsn === null, unreadable, formatCount(unreadable))}
      {left}
    </p>
  );
}

function useStatus(): void {
  const { summary, setStatus } = useCapture();
  const certain = orderSentence(summary);
  useEffect(() => {
    setStatus(
      <>
        <span>
          <Kbd>J</Kbd> <Kbd>K</Kbd> {texts.row}
        </span>
        <span>
          <Kbd>Shift</Kbd> <Kbd>J</Kbd> <Kbd>K</Kbd> {texts.eventOfTheSame}
        </span>
        <span>
          <Kbd>Enter</Kbd> {texts.sequencePart}
        </span>
        <span>
          <Kbd>L</Kbd> {texts.timelinePart}
        </span>
      </>,
      <FigureTerm>{certain}</FigureTerm>,
    );
  }, [setStatus, certain]);
}
