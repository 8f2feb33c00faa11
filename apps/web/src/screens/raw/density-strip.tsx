import { type PointerEvent, type ReactNode, useCallback, useMemo, useRef } from "react";
import { formatTimeOfDay } from "@aglens/ag-model/words";
import type { EventDensity, RawEvent, Summary } from "@aglens/contract";
import { ChartCanvas, type Draw } from "../../charts/canvas.tsx";
import { hatch } from "../../charts/hatch.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { rawTexts as texts } from "../../messages/raw.ts";
import { useSize } from "../../ui/use-size.ts";
import { formatCount, formatOffset, formatTime, localOrigin, showsOffsets } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { uncoveredPeriods } from "../capture-view/coverage.ts";
import { barWidths, binsOfHeight, instantAt, rowAtInstant, yOf } from "./density.ts";
import { type EventList, useFilter } from "./use-event-list.ts";
import styles from "./raw.module.css";

interface Props {
  readonly list: EventList;
  /** First and last row on screen. */
  readonly shown: readonly [number, number];
  readonly chosen: RawEvent | undefined;
  /** Scrolls a row into view. */
  readonly onRow: (row: number) => void;
}

/** Number of time labels next to the strip. */
const LABELS = 7;

/**
 * Number of events over time, with time downwards over the complete range. It is the time scale of the equidistant
 * rows. The frame marks the rows on screen; a press or a drag scrolls to a time, as the keyboard does in the grid.
 */
export function DensityStrip({ list, shown, chosen, onRow }: Props): ReactNode {
  const { source, summary } = useCapture();
  const { range, replicas } = useFilter();
  const strip = useRef<HTMLDivElement>(null);
  const [stripRef, { height }] = useSize<HTMLDivElement>(strip);
  const density = useAnswer(
    height < 1 ? null : source.eventDensity(range, replicas, binsOfHeight(height)),
  ).value;
  const scroll = ({ clientY, buttons }: PointerEvent): void => {
    const box = strip.current?.getBoundingClientRect();
    if (density === null || box === undefined || buttons !== 1) return;
    onRow(rowAtInstant(density, instantAt(density, clientY - box.top, box.height), list));
  };
  return (
    <aside className={styles.density} aria-label={texts.eventsOverTime}>
      <p aria-hidden="true">{headOf(summary)}</p>
      <div
        ref={stripRef}
        className={styles.strip}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          scroll(event);
        }}
        onPointerMove={scroll}
      >
        {density === null ? null : (
          <>
            <Bars density={density} />
            <Frame density={density} list={list} shown={shown} height={height} />
            <Line density={density} at={chosen?.fire ?? null} height={height} />
            <Labels density={density} height={height} />
          </>
        )}
      </div>
      <p className="sr-only">{density === null ? "" : densityText(density, summary, replicas)}</p>
    </aside>
  );
}

/** Replicas from left to right; with two replicas the bars grow from the middle. */
const headOf = ({ replicas }: Summary): ReactNode =>
  replicas.map(({ name }) => (
    <span key={name} title={name}>
      {name}
    </span>
  ));

/** @param only replicas whose events are listed; all replicas where it is empty */
function densityText({ counts }: EventDensity, { replicas }: Summary, only: readonly number[]): string {
  const each = counts.flatMap((bins, i) => {
    if (only.length > 0 && !only.includes(i)) return [];
    const events = bins.reduce((sum, count) => sum + count, 0);
    const quiet = bins.filter((count) => count === 0).length;
    return texts.eventsNone(replicas[i]?.name ?? "", formatCount(events), quiet, bins.length);
  });
  return each.join("; ");
}

/** A column of bars for each replica; time without its events is hatched. */
function Bars({ density }: { readonly density: EventDensity }): ReactNode {
  const { summary } = useCapture();
  const widths = useMemo(() => barWidths(density), [density]);
  const draw = useCallback<Draw>(
    (context, width, height, tokens) => {
      const column = width / widths.length;
      for (const [from, to, replica] of uncoveredPeriods(summary)) {
        const [top, end] = [
          Math.max(0, yOf(density, from, height)),
          Math.min(height, yOf(density, to, height)),
        ];
        if (end > top) hatch(context, tokens, [column * replica, top, column, end - top]);
      }
      widths.forEach((bins, replica) => {
        context.fillStyle = replica === 0 ? tokens["--p-disk"] : tokens["--s-disk"];
        const step = height / bins.length;
        bins.forEach((share, bin) => {
          if (share === 0) return;
          const bar = Math.max(1, share * (column - 2));
          const left = replica === 0 ? column - 1 - bar : column * replica + 1;
          context.fillRect(left, bin * step, bar, Math.max(1, step - 0.5));
        });
      });
      context.fillStyle = tokens["--line"];
      for (let replica = 1; replica < widths.length; replica++)
        context.fillRect(column * replica - 0.5, 0, 1, height);
    },
    [density, summary, widths],
  );
  return <ChartCanvas className={styles.bars} draw={draw} />;
}

interface FrameProps extends Pick<Props, "list" | "shown"> {
  readonly density: EventDensity;
  readonly height: number;
}

/** Frame around the rows on screen, as far as they have been read. */
function Frame({ density, list, shown: [first, last], height }: FrameProps): ReactNode {
  const from = list.rowAt(first)?.fire ?? null;
  const to = list.rowAt(Math.min(last, list.rows - 1))?.fire ?? null;
  if (from === null || to === null) return null;
  const top = yOf(density, from, height);
  return <i className={styles.frame} style={{ top, height: Math.max(3, yOf(density, to, height) - top) }} />;
}

function Line({
  density,
  at,
  height,
}: {
  readonly density: EventDensity;
  readonly at: number | null;
  readonly height: number;
}): ReactNode {
  return at === null ? null : <i className={styles.line} style={{ top: yOf(density, at, height) }} />;
}

function Labels({ density, height }: { readonly density: EventDensity; readonly height: number }): ReactNode {
  const { summary } = useCapture();
  const { from, to } = density;
  const step = (to - from) / (LABELS - 1);
  // With milliseconds the label has no space for the hour, which the rows show.
  const clock = (at: number): string =>
    step < 1e6
      ? formatTimeOfDay(localOrigin(summary, at), at, 3).slice("00:".length)
      : formatTime(summary, at, 0);
  const words = (at: number): string =>
    showsOffsets(summary) ? formatOffset(summary, at, Math.max(1, step / 10)) : clock(at);
  return Array.from({ length: LABELS }, (_, i) => from + i * step).map((at, i) => (
    <span key={i} aria-hidden="true" style={{ top: (i / (LABELS - 1)) * Math.max(0, height - 12) }}>
      {words(at)}
    </span>
  ));
}
