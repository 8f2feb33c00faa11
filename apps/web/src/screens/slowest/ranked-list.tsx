/** Lists of slow blocks and commits, and of hits of a filter: ordered rows, of which one is selected. */
import { type Key, type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { slowestTexts as texts } from "../../messages/capture-view.ts";
import { Button } from "../../ui/controls.tsx";
import { type FigureColumn, FigureTable, type FigureTableProps } from "../../ui/figure-table.tsx";
import { formatCount } from "../../ui/words.ts";
import styles from "./ranked-list.module.css";

/** The first column: the row's place in the order. */
export const rankColumn = {
  id: "Rank",
  isHeadHidden: true,
  className: styles.rank,
  cell: (_: unknown, index: number): ReactNode => index + 1,
} as const satisfies FigureColumn<unknown>;

interface Props<Row> extends Omit<FigureTableProps<Row>, "rowProps"> {
  readonly rowKey: (row: Row, index: number) => Key;
  readonly isSelected: (row: Row) => boolean;
  /** Whether the list scrolls to a row that becomes selected. */
  readonly follows?: boolean;
  /** The row under the pointer; null when it leaves. */
  readonly onPoint?: ((row: Row | null) => void) | undefined;
  /** Place of a row in the complete list, where only some rows are drawn. */
  readonly rowIndex?: (row: Row) => number;
}

/** A ranked list. Each row has a `RowPress` in one of its cells, with which the keyboard reaches it. */
export function RankedList<Row>({
  isSelected,
  follows = true,
  onPoint,
  rowIndex,
  className = "",
  ...table
}: Props<Row>): ReactNode {
  const { rows, rowKey } = table;
  const line = useRef<HTMLTableRowElement>(null);
  const place = rows.findIndex(isSelected);
  const row = rows[place];
  const selected = row === undefined ? null : rowKey(row, place);
  useEffect(() => {
    if (follows && selected !== null) line.current?.scrollIntoView({ block: "nearest" });
  }, [follows, selected]);
  return (
    <FigureTable
      {...table}
      className={`${styles.ranked} ${className}`}
      onPointerLeave={() => onPoint?.(null)}
      rowProps={(each) => ({
        ref: isSelected(each) ? line : undefined,
        "aria-selected": isSelected(each),
        "aria-rowindex": rowIndex?.(each),
        onPointerEnter: () => onPoint?.(each),
        onClick: pressRow,
      })}
    />
  );
}

/** A name with a definition is above the button of its row, and presses it. */
function pressRow({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): void {
  if (target instanceof Element && target.closest("[data-term]") !== null)
    currentTarget.querySelector<HTMLElement>(`.${styles.press}`)?.click();
}

interface PressProps {
  /** Action of the button, for screen readers. */
  readonly name: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

/** A button as large as its row. */
export const RowPress = ({ name, onPress, children }: PressProps): ReactNode => (
  <button type="button" className={styles.press} aria-label={name} onClick={onPress}>
    {children}
  </button>
);

interface MoreProps {
  readonly shown: number;
  readonly total: number;
  /** Null where no more rows can be loaded. */
  readonly showMore?: (() => void) | null;
  /** Sentence for a list without more rows to load; undefined shows nothing. */
  readonly otherwise?: string;
}

/** A button for more rows; where it is absent, the number of rows. */
export function MoreRows({ shown, total, showMore = null, otherwise }: MoreProps): ReactNode {
  if (shown >= total || (showMore === null && otherwise === undefined)) return null;
  const words = `${formatCount(shown)} of ${formatCount(total)}`;
  return showMore === null ? (
    <p className={styles.rest}>{texts.first(words, otherwise).trim()}</p>
  ) : (
    <Button kind="quiet" className={styles.more} onClick={showMore}>
      {texts.showMore(words)}
    </Button>
  );
}
