/** Tables of figures: their markup is here, their look in base.css. */
import { type ComponentPropsWithRef, Fragment, type Key, type ReactNode } from "react";
import { isTerm, type TermId } from "../messages/terms.ts";
import { Value } from "./controls.tsx";
import { Term } from "./term.tsx";
import type { Figure } from "./words.ts";

type Attributes<Tag extends "table" | "tr" | "td"> = Omit<ComponentPropsWithRef<Tag>, "children"> & {
  readonly [name: `data-${string}`]: string | number | boolean | undefined;
};

/** A column of a table of figures: its head, and its cell in each row. */
export interface FigureColumn<Row> {
  /** Unique in its table. */
  readonly id: string;
  /** The id where it is skipped. */
  readonly head?: ReactNode;
  /** Whether only screen readers get the head. */
  readonly isHeadHidden?: boolean;
  readonly headTitle?: string | undefined;
  /** Definition of the head. The ids of percentiles have theirs. */
  readonly term?: TermId;
  /** Figures are aligned right; the first column and words are aligned left. */
  readonly align?: "left";
  /** Class of the head and of every cell. */
  readonly className?: string | undefined;
  readonly sort?: "ascending" | "descending" | "none" | undefined;
  readonly cell: (row: Row, index: number) => ReactNode | Figure;
  readonly cellProps?: (row: Row) => Attributes<"td">;
}

/** A table of figures: its columns, of which one that is false is absent, and its rows. */
export interface FigureTableProps<Row> extends Omit<Attributes<"table">, "rows"> {
  readonly columns: readonly (FigureColumn<Row> | false)[];
  readonly rows: readonly Row[];
  /** The row's place in the list where it is skipped. */
  readonly rowKey?: (row: Row, index: number) => Key;
  readonly rowProps?: (row: Row, index: number) => Attributes<"tr">;
  /** A table row under another one; null for no row. */
  readonly cellsBelow?: (row: Row) => ReactNode;
  /** Name of the table for screen readers, where no other element names it. */
  readonly caption?: string;
  /** Whether only screen readers get the heads. */
  readonly isHeadHidden?: boolean;
  /** Table rows above and under all others. */
  readonly first?: ReactNode;
  readonly last?: ReactNode;
}

/** A table whose first column names its rows. */
export function FigureTable<Row>({
  columns,
  rows,
  rowKey = (_, index) => index,
  rowProps,
  cellsBelow,
  caption,
  isHeadHidden = false,
  first,
  last,
  className = "",
  ...rest
}: FigureTableProps<Row>): ReactNode {
  const shown = columns.filter((column) => column !== false);
  return (
    <table className={`figure-table ${className}`} {...rest}>
      {caption === undefined ? null : <caption className="sr-only">{caption}</caption>}
      <thead className={isHeadHidden ? "sr-only" : undefined}>
        <tr>{shown.map(headOf)}</tr>
      </thead>
      <tbody>
        {first}
        {rows.map((row, index) => (
          <Fragment key={rowKey(row, index)}>
            <tr {...rowProps?.(row, index)}>
              {shown.map((column, place) => cellOf(column, row, index, place === 0))}
            </tr>
            {cellsBelow?.(row)}
          </Fragment>
        ))}
        {last}
      </tbody>
    </table>
  );
}

function headOf<Row>(column: FigureColumn<Row>): ReactNode {
  const { id, isHeadHidden = false, headTitle, align, className, sort } = column;
  const term = column.term ?? (column.head === undefined && isTerm(id) ? id : undefined);
  const words = column.head ?? id;
  const head = term === undefined || isHeadHidden ? words : <Term id={term}>{words}</Term>;
  return (
    <th key={id} scope="col" className={className} title={headTitle} data-align={align} aria-sort={sort}>
      {isHeadHidden ? <span className="sr-only">{head}</span> : head}
    </th>
  );
}

function cellOf<Row>(column: FigureColumn<Row>, row: Row, index: number, isName: boolean): ReactNode {
  const { id, className, align, cell, cellProps } = column;
  const content = cell(row, index);
  const props = {
    className,
    "data-align": align,
    ...cellProps?.(row),
    children: isFigure(content) ? <Value figure={content} /> : content,
  };
  return isName ? <th key={id} scope="row" {...props} /> : <td key={id} {...props} />;
}

const isFigure = (content: ReactNode | Figure): content is Figure =>
  typeof content === "object" && content !== null && "unit" in content;
