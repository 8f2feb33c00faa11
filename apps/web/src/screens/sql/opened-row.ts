/** Finds the blocks of a row: by its block, else by its time. */
import type { SqlResult } from "@aglens/contract";

export interface OpenedRow {
  /** Null in a result of one capture without that column. */
  readonly capture: string | null;
  /** Row of `blocks`; null where the row has no block. */
  readonly block: number | null;
  /** The row's period: its start in µs since 1970, and its length; null where the row has no time. */
  readonly stretch: { readonly from: number; readonly lengthUs: number } | null;
}

/** @returns null where a row is of no block and no time */
export function openedRow({ columns }: SqlResult, row: number): OpenedRow | null {
  const valueOf = (name: string) => columns.find((column) => column.name === name)?.values[row] ?? null;
  const [capture, block] = [valueOf("capture"), valueOf("block")];
  const time = columns.find(({ kind }) => kind === "time");
  const from = time?.values[row];
  const opened: OpenedRow = {
    capture: typeof capture === "string" ? capture : null,
    block: typeof block === "number" && block >= 0 ? block : null,
    stretch: typeof from === "number" ? { from, lengthUs: leastStep(time?.values ?? []) } : null,
  };
  return opened.capture === null && opened.block === null && opened.stretch === null ? null : opened;
}

/** Between two neighbors in time, µs; a second where there is one time. */
function leastStep(values: SqlResult["columns"][number]["values"]): number {
  const times = [...new Set(values.filter((value): value is number => typeof value === "number"))];
  times.sort((a, b) => a - b);
  const steps = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  return steps.length === 0 ? 1_000_000 : Math.min(...steps.slice(0, 10_000));
}
