/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a table cannot be placed where those before them are not drawn */
import { type ComponentProps, type CSSProperties, type ReactNode, useEffect, useMemo } from "react";
import type { SqlResult, SqlResultColumn } from "@aglens/contract";
import { sqlTexts as texts } from "../../messages/sql.ts";
import { Value } from "../../ui/controls.tsx";
import { useVirtualRows } from "../../ui/use-virtual-rows.ts";
import { cellText, type CellText, isExceeded, fullTime } from "./cell-text.ts";
import styles from "./sql.module.css";
import { termProps } from "../../ui/term.tsx";

/** Height of a row, px. */
const ROW_PX = 20;
const OVERSCAN = 8;
/** Number of rows that determine the width of a column, and width of a letter, px. */
const SAMPLE = 200;
const LETTER_PX = 7.5;
const MOST_LETTERS = 60;

interface Props {
  readonly result: SqlResult;
  readonly selected: number | null;
  readonly onSelect: (row: number) => void;
  readonly onOpen: (row: number) => void;
}

/** Rows of a result; only those on screen are there. */
export function ResultTable({ result, selected, onSelect, onOpen }: Props): ReactNode {
  const { columns, rows } = result;
  const words = useMemo(() => columns.map(cellText), [columns]);
  const template = useMemo(() => templateOf(columns, words), [columns, words]);
  const list = useVirtualRows({ count: rows, rowPx: ROW_PX, overscan: OVERSCAN, headPx: ROW_PX });
  const [first, end] = list.drawn;
  useEffect(() => {
    if (selected !== null) list.reveal(selected);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a row that was shown may be scrolled away again
  }, [selected]);
  return (
    <div
      ref={list.ref}
      className="virtual-rows figures relative scrolls inset-focus shrinks"
      role="grid"
      aria-label={texts.result}
      aria-rowcount={rows + 1}
      aria-colcount={columns.length}
      aria-activedescendant={
        selected !== null && selected >= first && selected < end ? rowId(selected) : undefined
      }
      tabIndex={0}
      style={{ "--columns": template } as CSSProperties}
      onScroll={list.onScroll}
    >
      <div className={`${styles.row} ${styles.head}`} role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <span key={column.name} role="columnheader" data-number={isNumber(column)} {...headProps(column)}>
            {column.name}
          </span>
        ))}
      </div>
      <div role="presentation" className={styles.all} style={{ height: rows * ROW_PX }}>
        {Array.from({ length: end - first }, (_, i) => first + i).map((row) => (
          // oxlint-disable-next-line jsx-a11y/interactive-supports-focus, jsx-a11y/click-events-have-key-events -- the grid has the focus and the keys
          <div
            key={row}
            id={rowId(row)}
            role="row"
            className={styles.row}
            aria-rowindex={row + 2}
            aria-selected={row === selected}
            style={{ transform: `translateY(${row * ROW_PX}px)` }}
            onClick={() => onSelect(row)}
            onDoubleClick={() => onOpen(row)}
          >
            {columns.map((column, i) => (
              <Cell key={column.name} column={column} row={row} words={words[i]} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Columns whose names mean the same as on screens. */
const isStatistic = (name: string): name is "p50" | "p95" | "p99" | "max" | "mean" | "lsn" =>
  ["p50", "p95", "p99", "max", "mean", "lsn"].includes(name);

/** The column's type and unit, and the definition of its name. */
function headProps({ name, type, unit }: SqlResultColumn): Partial<ComponentProps<"span">> {
  const title = [name, type, unit].filter((part) => part !== null).join(", ");
  return isStatistic(name) ? termProps(name, title) : { title };
}

const rowId = (row: number): string => `result-row-${row}`;
const isNumber = ({ kind }: SqlResultColumn): boolean => kind === "number";

function Cell({
  column,
  row,
  words,
}: {
  readonly column: SqlResultColumn;
  readonly row: number;
  readonly words: CellText | undefined;
}): ReactNode {
  const value = column.values[row] ?? null;
  const title = column.kind === "time" && typeof value === "number" ? fullTime(value) : titleOf(value);
  return (
    <span
      role="gridcell"
      data-number={isNumber(column)}
      data-exceeded={isExceeded(column.name, value)}
      title={title}
    >
      {words === undefined ? null : <Value figure={words(value)} />}
    </span>
  );
}

/** The complete value, where a cell may be too narrow for it. */
const titleOf = (value: SqlResultColumn["values"][number]): string | undefined =>
  value === null ? texts.noValue : String(value);

/** Columns as wide as the longest of their first values, up to a maximum; the remaining width stays empty. */
function templateOf(columns: readonly SqlResultColumn[], words: readonly CellText[]): string {
  return columns
    .map(({ name, values }, i) => {
      const shown = values.slice(0, SAMPLE).map((value) => {
        const { value: text = "", unit = "" } = words[i]?.(value) ?? {};
        return text.length + (unit === "" ? 0 : unit.length + 1);
      });
      const letters = Math.min(MOST_LETTERS, Math.max(name.length, ...shown));
      return `${Math.round(letters * LETTER_PX + 16)}px`;
    })
    .concat("1fr")
    .join(" ");
}
