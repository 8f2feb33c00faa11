import type { ReactNode } from "react";

/** Largest number of bars: a day would have 86,400 seconds in each row, more than a screen can show. */
const MOST_BARS = 600;
const SECOND_US = 1_000_000;

interface Props {
  /** Share of each second with a write running or a block in flight, 0 to 1. */
  readonly busy: readonly number[];
  /** Length of an entry where each entry of `busy` is the busiest of several seconds, µs. */
  readonly entryUs?: number | undefined;
  /** Range of the picture, µs: a second at its edge may be incomplete. */
  readonly range: readonly [from: number, to: number];
  /** Periods without events of a server, µs. */
  readonly uncovered: readonly (readonly [number, number])[];
  /** A token such as `var(--s-disk)`. */
  readonly color: string;
  readonly label: string;
}

/**
 * Busy share of each second, as bars up to a dotted line at 100 %; unknown time is hatched. Where there are many
 * seconds, a bar is the busiest of several.
 */
export function BusyPicture({ busy, entryUs = SECOND_US, range, uncovered, color, label }: Props): ReactNode {
  const [begin, end] = range;
  const bars = barsOf(busy, entryUs, range);
  const percent = (us: number): string => `${(100 * us) / Math.max(1, end - begin)}%`;
  return (
    <svg role="img" aria-label={label}>
      {uncovered.map(([from, to], i) => (
        <rect
          // oxlint-disable-next-line react/no-array-index-key -- files of two servers may lack the same period
          key={i}
          x={percent(from - begin)}
          width={percent(to - from)}
          height="100%"
          fill="url(#hatch)"
        />
      ))}
      {bars.shares.map((share, place) =>
        share <= 0 ? null : (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- a bar is its place
            key={place}
            x={percent(bars.fromUs - begin + (place + 0.04) * bars.barUs)}
            width={percent(0.92 * bars.barUs)}
            y={`${100 * (1 - Math.min(1, share))}%`}
            height={`${100 * Math.min(1, share)}%`}
            fill={color}
          />
        ),
      )}
    </svg>
  );
}

/** Number of seconds per bar. @param entryUs as `Props` */
export const secondsPerBar = (
  busy: readonly number[],
  entryUs: number | undefined,
  range: Props["range"],
): number => barsOf(busy, entryUs ?? SECOND_US, range).barUs / SECOND_US;

interface Bars {
  /** Begin of the first bar, and length of each bar, µs. */
  readonly fromUs: number;
  readonly barUs: number;
  readonly shares: readonly number[];
}

/** The bars of a time: those at its edges may begin before it and end after it. */
function barsOf(busy: readonly number[], entryUs: number, [begin, end]: Props["range"]): Bars {
  const first = Math.max(0, Math.floor(begin / entryUs));
  const shown = busy.slice(first, Math.ceil(end / entryUs));
  const entries = Math.max(1, Math.ceil(shown.length / MOST_BARS));
  const shares = Array.from({ length: Math.ceil(shown.length / entries) }, (_, bar) =>
    Math.max(...shown.slice(bar * entries, (bar + 1) * entries)),
  );
  return { fromUs: first * entryUs, barUs: entries * entryUs, shares };
}
