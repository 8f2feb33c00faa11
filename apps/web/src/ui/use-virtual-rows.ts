import { type RefCallback, type RefObject, type UIEvent, useRef, useState } from "react";
import { useSize } from "./use-size.ts";

/** Many rows of one height in a box that scrolls. */
interface Rows {
  readonly count: number;
  /** Height of a row, px. */
  readonly rowPx: number;
  /** Rows that are drawn outside of both edges, so that a turn of the wheel shows no empty ones. */
  readonly overscan: number;
  /** Height of the fixed head of the box, px. */
  readonly headPx?: number;
}

interface VirtualRows {
  readonly box: RefObject<HTMLDivElement | null>;
  /** Ref of the box that scrolls. */
  readonly ref: RefCallback<HTMLDivElement>;
  /** Height of the box, px; 0 until it is known. */
  readonly height: number;
  readonly onScroll: (event: UIEvent) => void;
  /** First row that is drawn, and the one after the last. */
  readonly drawn: readonly [first: number, end: number];
  /** The same without the rows outside of the edges. */
  readonly visible: readonly [first: number, end: number];
  /** Draws the visible rows after the box was scrolled in another way than `onScroll`. */
  readonly update: () => void;
  /** Scrolls a row into sight, no farther than needed. */
  readonly reveal: (row: number) => void;
}

/** Which of many rows are drawn: one division, where a library would keep an object for each of millions. */
export function useVirtualRows({ count, rowPx, overscan, headPx = 0 }: Rows): VirtualRows {
  const box = useRef<HTMLDivElement | null>(null);
  const [ref, { height }] = useSize<HTMLDivElement>(box);
  const [top, setTop] = useState(0);
  const inside = Math.max(rowPx, height - headPx);
  const within = (row: number): number => Math.min(count, Math.max(0, row));
  const visible = [within(Math.floor(top / rowPx)), within(Math.ceil((top + inside) / rowPx))] as const;
  return {
    box,
    ref,
    height,
    onScroll: ({ currentTarget }) => setTop(currentTarget.scrollTop),
    drawn: [within(visible[0] - overscan), within(visible[1] + overscan)],
    visible,
    update: () => setTop(box.current?.scrollTop ?? 0),
    reveal: (row) => {
      const element = box.current;
      if (element === null) return;
      const rowTop = row * rowPx;
      if (rowTop < element.scrollTop) element.scrollTop = rowTop;
      else if (rowTop + rowPx > element.scrollTop + inside) element.scrollTop = rowTop + rowPx - inside;
    },
  };
}
