/** The values of one event record, kept or dropped: what of the record holds neither is overwritten too. */
import { EVENT_HEADER_BYTES, ObjectKind } from "../constants.ts";
import { hasActions } from "../events/event.ts";
import type { RecordPlan, RecordPlans, ValuePlan } from "../events/record-plan.ts";
import { kindOf } from "../metadata.ts";
import type { BufferEdit } from "./buffer-edit.ts";
import { isSensitiveField } from "./sensitive-names.ts";

/** What is dropped of an event type. */
interface DropPlan {
  readonly columns: readonly { readonly column: ValuePlan; readonly isDropped: boolean }[];
  /** Bytes that the inline parts take, which follow each other without gaps; -1 where they do not. */
  readonly inlineBytes: number;
}

const dropPlans = new WeakMap<RecordPlan, DropPlan>();

/** Drops values of a record that `decodeEvent` has found whole. @param at of the record, bytes from the view's start */
export function dropRecordValues(view: DataView, at: number, plans: RecordPlans, edit: BufferEdit): void {
  const plan = plans.event(view.getUint32(at, true));
  const payload = at + EVENT_HEADER_BYTES;
  const end = payload + view.getUint32(at + 20, true);
  dropColumns(view, payload, end, dropPlanOf(plan), edit);
  if (hasActions(view.getUint32(at + 4, true))) dropActions(view, end, plans, edit);
}

function dropPlanOf(plan: RecordPlan): DropPlan {
  const known = dropPlans.get(plan);
  if (known !== undefined) return known;
  const inline = plan.columns.toSorted((one, other) => one.offset - other.offset);
  let inlineBytes = 0;
  for (const column of inline) {
    inlineBytes = column.offset === inlineBytes ? column.offset + inlineWidthOf(column) : -1;
    if (inlineBytes === -1) break;
  }
  const columns = plan.columns.map((column) => ({ column, isDropped: isSensitiveField(column.name) }));
  const made = { columns, inlineBytes };
  dropPlans.set(plan, made);
  return made;
}

/** With the high bytes of a map, which count for nothing. */
const inlineWidthOf = ({ map, width }: ValuePlan): number => map?.size ?? width;

function dropColumns(
  view: DataView,
  payload: number,
  end: number,
  { columns, inlineBytes }: DropPlan,
  edit: BufferEdit,
): void {
  const used = inlineBytes === -1 ? -1 : endOfValues(view, payload, end, columns, payload + inlineBytes);
  if (used === -1) return dropScatteredColumns(view, payload, end, columns, edit);
  for (const { column, isDropped } of columns) {
    if (!isDropped) continue;
    const { from, length } = placeOf(view, payload, column);
    edit.dropValue(from, length, column);
  }
  edit.clear(used, end);
}

/** Where values end that follow each other without gaps; -1 where they do not. */
function endOfValues(
  view: DataView,
  payload: number,
  end: number,
  columns: DropPlan["columns"],
  inlineEnd: number,
): number {
  let next = inlineEnd;
  for (const { column } of columns) {
    if (!column.variable) continue;
    const { from, length } = placeOf(view, payload, column);
    if (length === 0) continue;
    if (from !== next) return -1;
    next += length;
  }
  return next <= end ? next : -1;
}

/**
 * Values in any order, with gaps, or overlapping. A dropped value wins over a kept one that shares its bytes; inline parts stay, for
 * they are no text. Bytes outside of the payload belong to other records.
 */
function dropScatteredColumns(
  view: DataView,
  payload: number,
  end: number,
  columns: DropPlan["columns"],
  edit: BufferEdit,
): void {
  const last = Math.min(end, view.byteLength);
  const inline = new Uint8Array(Math.max(last - payload, 0));
  const covered = new Uint8Array(inline.length);
  for (const { column, isDropped } of columns) {
    const own = column.variable || !isDropped;
    if (own) inline.fill(1, column.offset, column.offset + inlineWidthOf(column));
    const { from, length } = placeOf(view, payload, column);
    covered.fill(1, Math.max(from - payload, 0), Math.max(from + length - payload, 0));
  }
  const keeps = (at: number): boolean => inline[at - payload] !== 0;
  for (const { column, isDropped } of columns) {
    const { from, length } = placeOf(view, payload, column);
    if (isDropped) edit.dropValue(from, length, column, keeps);
  }
  for (let from = 0; from < inline.length;) {
    let to = from + 1;
    const isFree = inline[from] === 0 && covered[from] === 0;
    while (to < inline.length && isFree === (inline[to] === 0 && covered[to] === 0)) to++;
    if (isFree) edit.clear(payload + from, payload + to);
    from = to;
  }
}

/** Where a column's value is, bytes from the view's start. */
function placeOf(view: DataView, payload: number, column: ValuePlan): { from: number; length: number } {
  const at = payload + column.offset;
  if (!column.variable) return { from: at, length: column.width };
  return { from: payload + view.getUint32(at, true), length: view.getUint32(at + 4, true) };
}

function dropActions(view: DataView, at: number, plans: RecordPlans, edit: BufferEdit): void {
  let position = at;
  for (;;) {
    const rid = view.getUint32(position, true);
    const length = view.getUint32(position + 4, true);
    position += 8;
    if (kindOf(rid) !== ObjectKind.action) return;
    const action = plans.action(rid);
    if (isSensitiveField(action.name)) edit.dropValue(position, length, action);
    else if (!action.variable) edit.clear(position + inlineWidthOf(action), position + length);
    position += length;
  }
}
