import { type RefCallback, type UIEvent, useRef, useState } from "react";
import { useSize } from "../../../ui/use-size.ts";

/** Height of a row, px. */
export const ROW_PX = 30;
/** Rows that are kept beyond both edges, so that a turn of the wheel shows no empty ones. */
const BEYOND = 8;

interface Rows {
  /** Of the box that scrolls. */
  readonly ref: RefCallback<HTMLDivElement>;
  readonly onScroll: (event: UIEvent) => void;
  /** First row that is drawn, and the one after the last. */
  readonly drawn: readonly [first: number, end: number];
  /** The same without those beyond the edges. */
  readonly visible: readonly [first: number, end: number];
  /** Scrolls a row into sight. */
  readonly reveal: (row: number) => void;
}

/** Which of many rows of one height are drawn. @param headPx height of what stays at the top of the box */
export function useRows(count: number, headPx: number): Rows {
  const box = useRef<HTMLDivElement | null>(null);
  const [ref, { height }] = useSize<HTMLDivElement>(box);
  const [top, setTop] = useState(0);
  const inside = Math.max(ROW_PX, height - headPx);
  const within = (row: number): number => Math.min(count, Math.max(0, row));
  const visible = [within(Math.floor(top / ROW_PX)), within(Math.ceil((top + inside) / ROW_PX))] as const;
  return {
    ref,
    onScroll: ({ currentTarget }) => setTop(currentTarget.scrollTop),
    drawn: [within(visible[0] - BEYOND), within(visible[1] + BEYOND)],
    visible,
    reveal: (row) => {
      const element = box.current;
      if (element === null) return;
      const rowTop = row * ROW_PX;
      if (rowTop < element.scrollTop) element.scrollTop = rowTop;
      else if (rowTop + ROW_PX > element.scrollTop + inside) element.scrollTop = rowTop + ROW_PX - inside;
    },
  };
}
