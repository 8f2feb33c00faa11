/** Actions of records into columns: only records of event types with requested actions, which few sessions collect. */
import { ACTIONS_FLAG, EVENT_HEADER_BYTES, ObjectKind } from "../constants.ts";
import { valueText } from "../json.ts";
import { kindOf } from "../metadata.ts";
import { fixedValue, variableValue } from "../types.ts";
import type { Batch } from "./column-fill.ts";
import { ABSENT } from "./dictionary.ts";
import { ABSENT_INT, type GrowingColumn } from "./growing-column.ts";
import type { ActionPlan } from "./plan.ts";

/** Largest dictionary index of 8 bits. */
const NARROW_INDEX = 255;

/**
 * Copies the actions of all records of a batch that have any. The first pass has checked each list, except for values
 * of a fixed type, which are read by their own size (docs/reference/xel-format.md 4.2).
 * @param columnOf column of actions by its index in the request
 */
export function fillActions(
  columnOf: (index: number) => GrowingColumn,
  actions: readonly ActionPlan[],
  batch: Batch,
): void {
  const { view, payload, from, to } = batch;
  for (let i = from; i < to; i++) {
    const record = payload[i] - EVENT_HEADER_BYTES;
    if ((view.getInt32(record + 4, true) & ACTIONS_FLAG) === 0) continue;
    let at = payload[i] + view.getUint32(record + 20, true);
    for (;;) {
      const rid = view.getUint32(at, true);
      const length = view.getUint32(at + 4, true);
      at += 8;
      if (kindOf(rid) !== ObjectKind.action) break;
      for (const action of actions)
        if (action.rid === rid) fillAction(columnOf(action.column), action, { batch, i, at, length });
      at += length;
    }
  }
}

/** A value in an action list. */
interface ListedValue {
  readonly batch: Batch;
  /** Entry of the batch. */
  readonly i: number;
  readonly at: number;
  /** Bytes, as the list has it. */
  readonly length: number;
}

function fillAction(column: GrowingColumn, action: ActionPlan, { batch, i, at, length }: ListedValue): void {
  const { view, row, rows, pointerSize } = batch;
  const { source, variable } = action;
  const bytes = variable ? length : action.width;
  if (at + bytes > view.byteLength) return;
  const { dictionary } = column;
  if (dictionary === undefined) {
    const value = variable ? undefined : fixedValue(view, at, source, pointerSize);
    const number = typeof value === "number" || typeof value === "bigint" ? Number(value) : Number.NaN;
    column.i32[row[i]] = number === (number | 0) ? number : ABSENT_INT;
    return;
  }
  let index = dictionary.find(view, at, bytes, source);
  if (index < 0) {
    const value = variable
      ? variableValue(view, at, bytes, source)
      : fixedValue(view, at, source, pointerSize);
    const text = valueText(value ?? "");
    index = value === undefined ? ABSENT : dictionary.add(view, at, bytes, source, column.textOf(text));
  }
  if (index > NARROW_INDEX && column.form === "u8") column.widen(rows);
  if (column.form === "u8") column.u8[row[i]] = index;
  else column.u16[row[i]] = index;
}
