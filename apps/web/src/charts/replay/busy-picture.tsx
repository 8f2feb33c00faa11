import type { ReactNode } from "react";

/** Bars at most: a day of seconds would be 86,400 of them in each row, of which no screen shows more than these. */
const MOST_BARS = 600;

/**
 * Share of each second with a write running or a block in flight, 0 to 1, as bars up to a dotted line at 100 %. Where there are many
 * seconds a bar is the busiest of several.
 */
export function BusyPicture({
  busy,
  color,
  label,
}: {
  readonly busy: readonly number[];
  /** A token such as `var(--s-disk)`. */
  readonly color: string;
  readonly label: string;
}): ReactNode {
  const bars = barsOf(busy);
  return (
    <svg
      viewBox={`0 0 ${Math.max(1, bars.length)} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bars.map((share, place) =>
        share <= 0 ? null : (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- a bar is its place
            key={place}
            x={place + 0.04}
            width={0.92}
            y={1 - Math.min(1, share)}
            height={Math.min(1, share)}
            fill={color}
          />
        ),
      )}
    </svg>
  );
}

/** How many seconds a bar is of. */
export const secondsPerBar = (busy: readonly number[]): number =>
  Math.max(1, Math.ceil(busy.length / MOST_BARS));

function barsOf(busy: readonly number[]): readonly number[] {
  const seconds = secondsPerBar(busy);
  if (seconds === 1) return busy;
  return Array.from({ length: Math.ceil(busy.length / seconds) }, (_, bar) =>
    Math.max(...busy.slice(bar * seconds, (bar + 1) * seconds)),
  );
}
