import type { ReactNode } from "react";

/** Share of each second with a write running or a block in flight, 0 to 1, as bars up to a dotted line at 100 %. */
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
  return (
    <svg
      viewBox={`0 0 ${Math.max(1, busy.length)} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {busy.map((share, second) =>
        share <= 0 ? null : (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- a second is its place
            key={second}
            x={second + 0.04}
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
