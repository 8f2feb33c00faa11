import { type ReactNode, useEffect, useRef, useState } from "react";
import type { LibraryColumn, LibrarySort } from "@aglens/contract";
import { useReaderZone } from "../../../frame/use-reader-zone.ts";
import { libraryTexts as texts } from "../../../messages/library.ts";
import { useKeys } from "../../../ui/keys.ts";
import { useVirtualRows } from "../../../ui/use-virtual-rows.ts";
import { clockName } from "../../../ui/zone.ts";
import { nextSort, sortDirection, toggled } from "./library-address.ts";
import { LibraryRow } from "./library-row.tsx";
import type { LibraryList, RowRange } from "./use-library.ts";
import styles from "./library-table.module.css";

/** Height of the sticky head, px. */
const HEAD_PX = 28;
const ROW_PX = 30;
const OVERSCAN = 8;

interface Column {
  readonly id: string;
  readonly title: string;
  /** Column that a click on the head sorts by; without it the head is plain text. */
  readonly sorts?: LibraryColumn;
}

const COLUMNS: readonly Column[] = [
  { id: "group", title: texts.group, sorts: "group" },
  { id: "name", title: texts.captureLabel, sorts: "name" },
  { id: "minimap", title: texts.minimap },
  { id: "verdict", title: texts.verdict },
  { id: "p95", title: texts.commitP95, sorts: "p95" },
  { id: "captured", title: texts.captured, sorts: "captured" },
  { id: "length", title: texts.length, sorts: "length" },
  { id: "size", title: texts.size, sorts: "size" },
  { id: "owner", title: texts.owner, sorts: "owner" },
  { id: "tag", title: texts.tag },
  { id: "expires", title: texts.expiresIn, sorts: "expires" },
];

interface Props {
  readonly list: LibraryList;
  /** Called with the visible rows. */
  readonly onRows: (rows: RowRange) => void;
  /** Moves the selected captures, or the capture of the focused row, to the trash. */
  readonly onTrash: (ids: readonly string[]) => void;
  /** Opens the tags of the same captures. */
  readonly onTag: (ids: readonly string[]) => void;
  readonly hasOwners: boolean;
}

/** One row per capture; only visible rows are drawn. */
export function LibraryTable({ list, onRows, onTrash, onTag, hasOwners }: Props): ReactNode {
  const { address, change, page, captureAt, setRows } = list;
  const total = page?.total ?? 0;
  const { ref, onScroll, drawn, visible, reveal } = useVirtualRows({
    count: total,
    rowPx: ROW_PX,
    overscan: OVERSCAN,
    headPx: HEAD_PX,
  });
  const { row, setRow, body } = useFocusedRow(total, reveal);
  const [first, end] = drawn;
  const [top, bottom] = visible;
  useEffect(() => {
    setRows([first, end]);
    onRows([top, bottom]);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- both only store what they are given
  }, [first, end, top, bottom]);
  const focused = row === null ? undefined : captureAt(row);
  /** Runs an action on the selected captures, or else on the capture of the focused row. */
  const withMeant = (act: (ids: readonly string[]) => void): void => {
    if (address.view === "trash") return;
    if (address.sel.length > 0) act(address.sel);
    else if (focused?.mayChange === true) act([focused.id]);
  };
  useKeys({
    nextRow: () => setRow(row === null ? top : row + 1),
    previousRow: () => setRow(row === null ? top : row - 1),
    tickRow: () => {
      if (focused !== undefined) change({ sel: toggled(address.sel, focused.id) });
    },
    trashRow: () => withMeant(onTrash),
    tags: () => withMeant(onTag),
  });
  // A column without values in any row would take space from the verdict.
  const hasTags = (page?.facets.tag.length ?? 0) > 0;
  const columns = COLUMNS.filter(({ id }) => (hasOwners || id !== "owner") && (hasTags || id !== "tag"));
  const now = new Date().toISOString();
  const clock = clockName(useReaderZone());
  return (
    <div className={`virtual-rows ${styles.box}`} ref={ref} onScroll={onScroll}>
      <table
        className={styles.table}
        aria-rowcount={total + 1}
        aria-label={texts.capturesLabel}
        data-tags={hasTags}
      >
        <thead>
          <tr>
            <th scope="col" className={styles.tick}>
              <span className="sr-only">{texts.selectedLabel}</span>
            </th>
            {columns.map((column) => (
              <ColumnHead
                key={column.id}
                column={column.id === "captured" ? { ...column, title: `${column.title}, ${clock}` } : column}
                sort={address.sort}
                isTrash={address.view === "trash"}
                onSort={(sort) => change({ sort })}
              />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Spacer rows={first} />
          {Array.from({ length: end - first }, (_, i) => {
            const index = first + i;
            const capture = captureAt(index);
            return capture === undefined ? (
              <Spacer key={index} rows={1} />
            ) : (
              <LibraryRow
                key={capture.id}
                capture={capture}
                index={index}
                isSelected={address.sel.includes(capture.id)}
                hasOwner={hasOwners}
                hasTags={hasTags}
                now={now}
                onToggle={() => change({ sel: toggled(address.sel, capture.id) })}
                onFocus={() => setRow(index, "stays")}
              />
            );
          })}
          <Spacer rows={total - end} />
        </tbody>
      </table>
    </div>
  );
}

/** The row with the keyboard focus; null before the first one. */
function useFocusedRow(total: number, reveal: (row: number) => void) {
  const [row, setRow] = useState<number | null>(null);
  const [wants, setWants] = useState(0);
  const body = useRef<HTMLTableSectionElement | null>(null);
  useEffect(() => {
    if (wants === 0 || row === null) return;
    const element = body.current?.querySelector<HTMLElement>(
      `[data-row="${row}"] a, [data-row="${row}"] input`,
    );
    const link = body.current?.querySelector<HTMLElement>(`[data-row="${row}"] a`);
    (link ?? element)?.focus({ preventScroll: true });
  }, [wants, row]);
  return {
    row: row === null || total === 0 ? null : Math.min(row, total - 1),
    body,
    setRow: (next: number, focus: "move" | "stays" = "move"): void => {
      const within = Math.min(total - 1, Math.max(0, next));
      if (within < 0) return;
      setRow(within);
      if (focus === "stays") return;
      reveal(within);
      setWants((count) => count + 1);
    },
  };
}

/** Space of rows that are not drawn. */
function Spacer({ rows }: { readonly rows: number }): ReactNode {
  if (rows <= 0) return null;
  return <tr aria-hidden="true" style={{ height: rows * ROW_PX }} />;
}

interface HeadProps {
  readonly column: Column;
  readonly sort: LibrarySort;
  readonly isTrash: boolean;
  readonly onSort: (sort: LibrarySort) => void;
}

function ColumnHead({ column: { id, title, sorts }, sort, isTrash, onSort }: HeadProps): ReactNode {
  const words = isTrash && id === "expires" ? texts.deletedIn : title;
  if (sorts === undefined) {
    return (
      <th scope="col" data-column={id}>
        {words}
      </th>
    );
  }
  const direction = sortDirection(sort, sorts);
  return (
    <th scope="col" data-column={id} aria-sort={direction}>
      <button type="button" onClick={() => onSort(nextSort(sort, sorts))}>
        {words}
        <span aria-hidden="true">
          {direction === undefined ? "" : direction === "ascending" ? "\u2009↑" : "\u2009↓"}
        </span>
      </button>
    </th>
  );
}
