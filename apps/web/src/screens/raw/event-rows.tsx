/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a table cannot be placed where those before them are not drawn */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { meaningOfEvent } from "@aglens/ag-model/events";
import type { RawEvent } from "@aglens/contract";
import { rawTexts as texts } from "../../messages/raw.ts";
import { Button, Chip } from "../../ui/controls.tsx";
import { termProps } from "../../ui/term.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { useVirtualRows } from "../../ui/use-virtual-rows.ts";
import { formatCount, showsOffsets, zoneName } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { durationTitle, eventDurationFigure } from "../capture-view/event-duration.ts";
import { firedText, firedTip, gapText, isLongGap } from "./event-text.ts";
import type { ChosenEvent } from "./use-chosen-event.ts";
import type { EventList } from "./use-event-list.ts";
import styles from "./raw.module.css";

/** Height of a row, px; on a phone its name has a line of its own. */
const ROW_PX = 23;
const PHONE_ROW_PX = 42;
const OVERSCAN = 7;
/** Rows of one scrollable part: browsers cut an element that is some ten million px high. */
const PART_ROWS = 300_000;

interface Props {
  readonly list: EventList;
  readonly chosen: ChosenEvent;
  /** A row to bring to the top; a new object for each request. */
  readonly wanted: { readonly row: number } | null;
  readonly onShown: (first: number, last: number) => void;
}

/** The events as rows; only those on screen are there. */
export function EventRows({ list, chosen, wanted, onShown }: Props): ReactNode {
  const { rows, key } = list;
  const rowPx = useMedia("(max-width: 719px)") ? PHONE_ROW_PX : ROW_PX;
  const [partOf, setPart] = useState({ key, part: 0 });
  const part = partOf.key === key ? partOf.part : 0;
  const base = part * PART_ROWS;
  const length = Math.max(0, Math.min(PART_ROWS, rows - base));
  const shown = { count: length, rowPx, overscan: OVERSCAN };
  const { box, height, ref, drawn, onScroll, update } = useVirtualRows(shown);
  const [first, last] = [base + drawn[0], base + drawn[1] - 1];
  useEffect(() => onShown(first, Math.max(first, last)), [onShown, first, last]);
  const onMoved = (next: number): void => {
    if (next !== part) setPart({ key, part: next });
    else update();
  };
  useShownRow(chosen.row, { box, rows, base, height, rowPx }, onMoved);
  useWantedRow(wanted, box, rowPx, part, onMoved);
  const goTo = (next: number): void => {
    setPart({ key, part: next });
    box.current?.scrollTo({ top: 0 });
    update();
  };
  return (
    <>
      <EventHead />
      <div
        ref={ref}
        className={`virtual-rows ${styles.rows}`}
        role="grid"
        aria-label={texts.rawEvents}
        aria-rowcount={rows}
        aria-colcount={COLUMNS}
        aria-activedescendant={chosen.row >= first && chosen.row <= last ? rowId(chosen.row) : undefined}
        aria-busy={list.isReading}
        tabIndex={0}
        onScroll={onScroll}
      >
        <div role="presentation" style={{ height: length * rowPx }}>
          {Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i).map((row) => (
            <EventRow
              key={row}
              row={row}
              top={(row - base) * rowPx}
              event={list.rowAt(row)}
              before={row > 0 ? list.rowAt(row - 1) : undefined}
              chosen={chosen}
            />
          ))}
        </div>
      </div>
      {rows > PART_ROWS ? <Parts rows={rows} part={part} onPart={goTo} /> : null}
    </>
  );
}

const COLUMNS = 9;
const rowId = (row: number): string => `raw-event-${row}`;

/** The scrolled rows: from `base` on, of `rows` in all, each `rowPx` high, in a box of `height` px. */
interface Scrolled {
  readonly box: { readonly current: HTMLDivElement | null };
  readonly rows: number;
  readonly base: number;
  readonly height: number;
  readonly rowPx: number;
}

/** Scrolls to the row when another one is chosen. */
function useShownRow(
  row: number,
  { box, rows, base, height, rowPx }: Scrolled,
  onMoved: (part: number) => void,
): void {
  const report = useRef(onMoved);
  useEffect(() => {
    report.current = onMoved;
  });
  // Once it was shown, a row may be scrolled out of view; a change of the row height brings it back into view.
  const shownAt = useRef({ row: -1, rowPx });
  useEffect(() => {
    const element = box.current;
    const wasShown = row === shownAt.current.row && rowPx === shownAt.current.rowPx;
    // The row may be known before the number of rows: an element without a height cannot be scrolled.
    if (row < 0 || row >= rows || wasShown || element === null || height === 0) return;
    const part = Math.floor(row / PART_ROWS);
    const top = (row - base) * rowPx;
    const isOfThis = part * PART_ROWS === base;
    if (isOfThis) element.scrollTo({ top: scrollTopFor(top, element.scrollTop, height, rowPx) });
    if (isOfThis) shownAt.current = { row, rowPx };
    report.current(part);
  }, [row, box, rows, base, height, rowPx]);
}

/** Scrolls a requested row to the top, in the part that contains it. */
function useWantedRow(
  wanted: Props["wanted"],
  box: Scrolled["box"],
  rowPx: number,
  part: number,
  onMoved: (part: number) => void,
): void {
  const report = useRef(onMoved);
  useEffect(() => {
    report.current = onMoved;
  });
  const done = useRef<Props["wanted"]>(null);
  useEffect(() => {
    if (wanted === null || done.current === wanted) return;
    const own = Math.floor(wanted.row / PART_ROWS);
    if (own === part) {
      done.current = wanted;
      box.current?.scrollTo({ top: (wanted.row - own * PART_ROWS) * rowPx });
    }
    report.current(own);
  }, [wanted, box, rowPx, part]);
}

/** Where to scroll so that a row at `top` is on screen: no farther than needed, to the middle where it is far away. */
function scrollTopFor(top: number, now: number, height: number, rowPx: number): number {
  const above = now - top;
  const below = top + rowPx - (now + height);
  if (Math.max(above, below) > height) return Math.max(0, top - height / 2);
  return above > 0 ? top : below > 0 ? now + below : now;
}

function EventHead(): ReactNode {
  const { summary } = useCapture();
  return (
    <div className={`${styles.row} ${styles.head}`} aria-hidden="true">
      <span className={styles.number} {...termProps("fired")}>
        {showsOffsets(summary) ? texts.fired : texts.firedLabel(zoneName(summary))}
      </span>
      <span className={styles.number}>{texts.afterLast}</span>
      <span>{texts.replica}</span>
      <span className={styles.name}>{texts.event}</span>
      <span className={styles.number}>{texts.mode}</span>
      <span className={styles.number}>{texts.duration}</span>
      <span className={styles.lsn} {...termProps("lsn")}>
        {texts.blockOrAckId}
      </span>
      <span className={`${styles.number} ${styles.published}`} {...termProps("published")}>
        {texts.published}
      </span>
      <span className={styles.place} {...termProps("byteOffset")}>
        {texts.byteOffsetFile}
      </span>
    </div>
  );
}

interface RowProps {
  readonly row: number;
  readonly top: number;
  readonly event: RawEvent | undefined;
  readonly before: RawEvent | undefined;
  readonly chosen: ChosenEvent;
}

function EventRow({ row, top, event, before, chosen }: RowProps): ReactNode {
  const { summary } = useCapture();
  const place = { id: rowId(row), "aria-rowindex": row + 1, style: { transform: `translateY(${top}px)` } };
  if (event === undefined) {
    return (
      // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the grid has the focus
      <div className={styles.row} role="row" aria-busy {...place}>
        <span role="gridcell" className={styles.pale}>
          {texts.eventLabel(formatCount(row + 1))}
        </span>
      </div>
    );
  }
  const { byPublish } = event;
  const isChosen = row === chosen.row;
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- the grid has the focus and the keys
    <div
      className={styles.row}
      role="row"
      aria-selected={isChosen}
      data-block={chosen.event?.block === event.block}
      onClick={() => chosen.choose(row)}
      {...place}
    >
      <span
        role="gridcell"
        className={styles.number}
        title={byPublish ? texts.noStartTimestampPlaced : firedTip(event.fire, summary)}
      >
        {byPublish ? "≈ " : ""}
        {firedText(event.fire, summary)}
      </span>
      <span
        role="gridcell"
        className={`${styles.number} ${styles.muted}`}
        data-long={isLongGap(event, before)}
      >
        {gapText(event, before)}
      </span>
      <span role="gridcell" className={styles.replica} title={summary.replicas[event.replica]?.name}>
        <Chip place={event.onPrimary ? "primary" : "secondary"}>{summary.replicas[event.replica]?.name}</Chip>
      </span>
      <span role="gridcell" className={styles.name} title={event.name}>
        <code>{event.name}</code>
      </span>
      <span role="gridcell" className={styles.number} title={modeTitle(event)}>
        {event.mode ?? ""}
      </span>
      <span role="gridcell" className={styles.number} title={durationTitle(event)}>
        {eventDurationFigure(event)}
      </span>
      <span role="gridcell" className={styles.lsn}>
        <code>{event.lsn ?? ""}</code>
      </span>
      <span role="gridcell" className={`${styles.number} ${styles.muted} ${styles.published}`}>
        {event.timestamp.slice(11, 23)}
      </span>
      <span role="gridcell" className={`${styles.muted} ${styles.place}`} title={event.file}>
        {formatCount(event.offset)}, {event.file}
      </span>
    </div>
  );
}

/** Meaning of an event that comes once per mode: the step of this mode. */
const modeTitle = ({ name, mode }: RawEvent): string | undefined =>
  mode === null ? undefined : (meaningOfEvent(name, mode) ?? undefined);

interface PartsProps {
  readonly rows: number;
  readonly part: number;
  readonly onPart: (part: number) => void;
}

/** Shows which part of very many rows can be scrolled, with links to the previous and next part. */
function Parts({ rows, part, onPart }: PartsProps): ReactNode {
  const first = part * PART_ROWS;
  const end = Math.min(rows, first + PART_ROWS);
  return (
    <nav className={styles.parts} aria-label={texts.rangesOfEvents}>
      <Button disabled={part === 0} onClick={() => onPart(part - 1)}>
        {texts.earlier}
      </Button>
      <span>{texts.toOf(formatCount(first + 1), formatCount(end), formatCount(rows))}</span>
      <Button disabled={end === rows} onClick={() => onPart(part + 1)}>
        {texts.later}
      </Button>
    </nav>
  );
}
