import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import type { ClockSummary } from "@aglens/contract";
import { aheadText } from "../screens/capture-view/names.ts";
import { useCapture } from "../screens/capture-view/capture-context.ts";
import { clockPreview, draggedBy } from "../state/clock-preview.ts";
import { Chip } from "../ui/controls.tsx";
import { durationText, formatCount, formatUncertainty } from "../ui/words.ts";
import { Term } from "../ui/term.tsx";
import styles from "../frame/strip.module.css";
import { pagesTexts as texts } from "../messages/pages.ts";

/** Difference of a secondary's clock from the primary's, and its precision. */
export function ClockText({
  clock,
  raw,
  name,
}: {
  clock: ClockSummary;
  raw: boolean;
  name: string;
}): ReactNode {
  const { findings } = useCapture().summary.verdict;
  const hasStepped = findings.some(
    ({ cause, replica }) => cause === "clock_step" && replica === clock.secondary + 1,
  );
  const ahead = aheadText(clock);
  if (clock.status === "cannotAlign" || ahead === null)
    return <span title={clock.reason}>{texts.clockCannotBeAligned(name)}</span>;
  return (
    <span title={clock.reason}>
      {texts.clockStepped(name, hasStepped, <b>{ahead}</b>)}
      {raw ? null : (
        <>
          , <span className={styles.wordy}>{texts.alignedTo} </span>
          <b>
            <Term id="uncertainty">{formatUncertainty(clock.strictUncertaintyUs)}</Term>
          </b>
        </>
      )}
    </span>
  );
}

interface Hold {
  readonly x: number;
  /** Far enough from where it began to be no click. */
  moved: boolean;
}

/** A press that moves less than this is a click, px. */
const CLICK_PX = 4;

/**
 * Aligned or raw; raw counts the blocks whose acknowledgments arrive before they are sent. While it is pressed and
 * dragged (or with the arrow keys) it moves the secondary's bars within the uncertainty, where a screen draws them.
 */
export function ClockChip({ entry }: { entry: ClockSummary }): ReactNode {
  const { view, setView } = useCapture();
  const hold = useRef<Hold | null>(null);
  const [moved, setMoved] = useState(0);
  if (entry.status === "cannotAlign") return <Chip dashed>{texts.cannotAlign}</Chip>;
  const raw = view.clock === "raw";
  const reach = raw ? 0 : (entry.strictUncertaintyUs ?? 0);
  const slide = (us: number): void => {
    if (us !== 0 && (reach === 0 || !clockPreview.isWatched())) return;
    clockPreview.set(entry.secondary, us);
    setMoved(us);
  };
  const words = raw
    ? texts.rawUtcAcknowledgments(formatCount(entry.outOfOrderByUtc))
    : texts.timesOfBothReplicas;
  const onMove = (event: PointerEvent): void => {
    if (hold.current === null || (event.buttons & 1) === 0) return;
    const dx = event.clientX - hold.current.x;
    if (Math.abs(dx) >= CLICK_PX) hold.current.moved = true;
    if (hold.current.moved) slide(draggedBy(dx, reach));
  };
  const onKey = (event: KeyboardEvent): void => {
    const sign = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (sign === 0 || reach === 0 || !clockPreview.isWatched()) return;
    event.preventDefault();
    event.stopPropagation();
    slide(sign * reach);
  };
  return (
    <>
      <button
        type="button"
        className={styles.chip}
        data-raw={raw}
        aria-pressed={!raw}
        title={texts.keyR(words)}
        onPointerDown={(event) => {
          hold.current = { x: event.clientX, moved: false };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onMove}
        onPointerUp={() => slide(0)}
        onPointerCancel={() => slide(0)}
        onKeyDown={onKey}
        onKeyUp={() => slide(0)}
        onBlur={() => slide(0)}
        onClick={() => {
          const dragged = hold.current?.moved === true;
          hold.current = null;
          if (!dragged) setView({ clock: raw ? "aligned" : "raw" });
        }}
      >
        {moved !== 0
          ? `${moved < 0 ? "−" : "+"}${durationText(Math.abs(moved))}`
          : raw
            ? texts.rawUtc
            : texts.aligned}
      </button>
      {raw && entry.outOfOrderByUtc > 0 ? (
        <span className={styles.caution}>
          {texts.acksArriveBeforeThey(formatCount(entry.outOfOrderByUtc))}
        </span>
      ) : null}
    </>
  );
}
