/** Places of ticks and their texts in a lane: each text is whole or absent, and no two are over each other. */
import { xOf, type TimeScale } from "../time-scale.ts";
import type { EventTick } from "./happened-lanes.ts";

/** Height of a row of ticks with texts, px. */
export const ROW_PX = 17;
/** Width of a tick, px. */
export const TICK_PX = 3;
/** Between a tick and its text, px. */
const GAP_PX = 5;
/** More ticks than this in view are dense: only main ones have texts. */
const MOST_TEXTS = 120;

export interface PlacedTick {
  readonly tick: EventTick;
  /** Middle of the tick, px. */
  readonly x: number;
  /** Left edge of the duration that ended there, px; null without one. */
  readonly left: number | null;
  /** Half width of the uncertainty, px. */
  readonly plusMinus: number;
  readonly row: number;
  /** It is below a text that was placed before it: only its foot is drawn, so that the text can be read. */
  readonly isUnder: boolean;
  /** Left edge and width of its text, px; null without room. */
  readonly label: { readonly x: number; readonly width: number } | null;
}

type Interval = readonly [from: number, to: number];

/**
 * Places the ticks in view. Main ones are first to get room for their text, then the others by time.
 * @param ticks by time
 * @param measure width of a text, px
 */
export function placeTicks(
  ticks: readonly EventTick[],
  scale: TimeScale,
  rows: number,
  measure: (text: string, isBold: boolean) => number,
): PlacedTick[] {
  const shown = ticks.filter(({ at, from }) => at >= scale.from && (from ?? at) <= scale.to);
  const taken = Array.from({ length: rows }, (): Interval[] => []);
  const texts = Array.from({ length: rows }, (): Interval[] => []);
  const isFree = (row: number, [from, to]: Interval): boolean =>
    from >= 0 && to <= scale.width && taken[row].every(([start, end]) => to < start || from > end);
  /** In a single row a text would be over the ticks behind it. */
  const hidesTick = (own: EventTick, from: number, width: number): boolean =>
    shown.some((other) => {
      const x = xOf(scale, other.at);
      return other !== own && x >= from - GAP_PX && x <= from + width;
    });
  const isDense = shown.length > MOST_TEXTS;
  const seen = new Set<number>();
  const inTurn = [...shown.filter(({ isMain }) => isMain), ...shown.filter(({ isMain }) => !isMain)];
  return inTurn.flatMap((tick): PlacedTick[] => {
    const x = xOf(scale, tick.at);
    const left = tick.from === null ? null : xOf(scale, tick.from);
    const plusMinus = (tick.plusMinusUs / (scale.to - scale.from)) * scale.width;
    const pixel = Math.round(x);
    // A tick on the pixel of another one is the same picture; bars may differ in their length.
    if (isDense && !tick.isMain && left === null && seen.has(pixel)) return [];
    seen.add(pixel);
    const start = Math.max(0, Math.min(left ?? x, x - plusMinus) - 1);
    const end = Math.min(scale.width, Math.max(x + TICK_PX, x + plusMinus));
    const place = { tick, x, left, plusMinus };
    if (!isDense || tick.isMain) {
      const width = measure(tick.text, tick.isMain);
      for (const side of ["after", "before"] as const) {
        const at = side === "after" ? end + GAP_PX : start - GAP_PX - width;
        const room: Interval = side === "after" ? [start, at + width + GAP_PX] : [at - GAP_PX, end];
        const row = taken.findIndex((_, i) => isFree(i, room));
        if (row < 0 || (rows === 1 && !tick.isMain && hidesTick(tick, at, width))) continue;
        taken[row].push(room);
        texts[row].push([at, at + width]);
        return [{ ...place, row, isUnder: false, label: { x: at, width } }];
      }
    }
    const isBare = (row: number): boolean => texts[row].every(([from, to]) => end < from || start > to);
    // Next to other ticks rather than over a text.
    const free = taken.findIndex((_, i) => isFree(i, [start, end]));
    const row = Math.max(0, free >= 0 ? free : texts.findIndex((_, i) => isBare(i)));
    taken[row].push([start, end]);
    return [{ ...place, row, isUnder: !isBare(row), label: null }];
  });
}

/** A word that fits a width: complete, or cut at a letter with a period; empty where fewer than three letters fit. */
export function cutWord(words: readonly string[], width: number, measure: (text: string) => number): string {
  const fits = words.find((word) => measure(word) <= width);
  if (fits !== undefined) return fits;
  const shortest = words.at(-1) ?? "";
  for (let length = shortest.length - 1; length >= 3; length -= 1) {
    const cut = `${shortest.slice(0, length).trimEnd()}.`;
    if (measure(cut) <= width) return cut;
  }
  return "";
}
