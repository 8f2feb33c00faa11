import type { ReactNode } from "react";

/** Bars at most: a day of seconds would be 86,400 of them in each row, of which no screen shows more than these. */
const MOST_BARS = 600;
const SECOND_US = 1_000_000;

interface Props {
  /** Share of each second with a write running or a block in flight, 0 to 1. */
  readonly busy: readonly number[];
  /** Where an entry of `busy` is the busiest of several seconds, how long they are together, µs. */
  readonly entryUs?: number | undefined;
  /** Of the capture, µs: its last second may be a part of one. */
  readonly durationUs: number;
  /** Stretches of which a server has no events, µs. */
  readonly uncovered: readonly (readonly [number, number])[];
  /** A token such as `var(--s-disk)`. */
  readonly color: string;
  readonly label: string;
}

/**
 * How busy each second was, as bars up to a dotted line at 100 %; hatched is what is not known. Where there are many seconds a bar is
 * the busiest of several.
 */
export function BusyPicture({ busy, entryUs, durationUs, uncovered, color, label }: Props): ReactNode {
  const barUs = secondsPerBar(busy, entryUs) * SECOND_US;
  const percent = (us: number): string => `${(100 * us) / Math.max(1, durationUs)}%`;
  return (
    <svg role="img" aria-label={label}>
      {uncovered.map(([from, to], i) => (
        <rect
          // oxlint-disable-next-line react/no-array-index-key -- files of two servers may lack the same stretch
          key={i}
          x={percent(from)}
          width={percent(to - from)}
          height="100%"
          fill="url(#hatch)"
        />
      ))}
      {barsOf(busy).map((share, place) =>
        share <= 0 ? null : (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- a bar is its place
            key={place}
            x={percent((place + 0.04) * barUs)}
            width={percent(0.92 * barUs)}
            y={`${100 * (1 - Math.min(1, share))}%`}
            height={`${100 * Math.min(1, share)}%`}
            fill={color}
          />
        ),
      )}
    </svg>
  );
}

/** How many seconds a bar is of. @param entryUs as `Props` */
export const secondsPerBar = (busy: readonly number[], entryUs = SECOND_US): number =>
  entriesPerBar(busy) * (entryUs / SECOND_US);

const entriesPerBar = (busy: readonly number[]): number => Math.max(1, Math.ceil(busy.length / MOST_BARS));

function barsOf(busy: readonly number[]): readonly number[] {
  const entries = entriesPerBar(busy);
  if (entries === 1) return busy;
  return Array.from({ length: Math.ceil(busy.length / entries) }, (_, bar) =>
    Math.max(...busy.slice(bar * entries, (bar + 1) * entries)),
  );
}
