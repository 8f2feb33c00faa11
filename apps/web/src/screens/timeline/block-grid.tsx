/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a table of text would not be a grid of choices; cells select blocks */
import { useMemo, type ReactNode } from "react";
import type { Lane } from "../../charts/timeline/lanes.ts";
import { lowerBound } from "../../charts/timeline/layout.ts";
import type { Buffer } from "../../charts/timeline/spans.ts";
import { durationText, formatOffset } from "../../ui/words.ts";
import type { Range } from "./viewport.ts";

const MOST_CELLS = 200;

interface Props {
  readonly buffer: Buffer | null;
  readonly lanes: readonly Lane[];
  readonly range: Range;
  readonly selectedRow: number | null;
  readonly onSelect: (row: number) => void;
}

/** The lanes as a grid for screen readers: rows are lanes, cells the blocks in view, at most 200 of them in all. */
export function BlockGrid({ buffer, lanes, range, selectedRow, onSelect }: Props): ReactNode {
  const positions = useMemo(() => {
    if (!buffer?.blocks) return [];
    const { time } = buffer.blocks.blocks;
    const first = lowerBound(time, range[0]);
    const last = lowerBound(time, range[1]);
    const most = Math.max(1, Math.floor(MOST_CELLS / Math.max(1, lanes.length)));
    const step = Math.max(1, (last - first) / most);
    return Array.from({ length: Math.min(most, last - first) }, (_, i) => Math.floor(first + i * step));
  }, [buffer, range, lanes.length]);
  const barLanes = lanes.filter((l) => l.shape !== "commits");
  // A grid must have cells; before the blocks are there a sentence stands for it.
  if (positions.length === 0) return <p className="sr-only">No log blocks in view</p>;
  return (
    <div className="sr-only" role="grid" aria-label="Blocks in view by lane" aria-colcount={positions.length}>
      {barLanes.map((lane) => (
        <div role="row" key={lane.key} aria-label={lane.label} tabIndex={-1}>
          {positions.map((p) => {
            const spans = buffer!.spans.get(lane.key);
            const duration = spans ? spans.end[p] - spans.start[p] : Number.NaN;
            const row = buffer!.blocks!.row[p];
            return (
              <div
                key={row}
                role="gridcell"
                aria-selected={row === selectedRow}
                tabIndex={-1}
                onClick={() => onSelect(row)}
                onKeyDown={(e) => e.key === "Enter" && onSelect(row)}
              >
                {lane.label}, {durationText(duration)}, {formatOffset(buffer!.blocks!.blocks.time[p])}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}
