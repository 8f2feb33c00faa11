/** The values of one event record, kept or dropped: what of the record holds neither is overwritten too. */
import { EVENT_HEADER_BYTES, ObjectKind } from "../constants.ts";
import { hasActions } from "../events/event.ts";
import type { ActionPlan, RecordPlan, RecordPlans, ValuePlan } from "../events/record-plan.ts";
import { kindOf } from "../metadata.ts";
import type { BufferEdit } from "./buffer-edit.ts";
import { isSensitiveField } from "./sensitive-names.ts";

/** What is dropped of an event type. */
interface DropPlan {
  readonly record: RecordPlan;
  readonly columns: readonly { readonly column: ValuePlan; readonly isDropped: boolean }[];
  /** Of the columns. */
  readonly dropped: readonly ValuePlan[];
  /** Bytes that the inline parts take, which follow each other without gaps; -1 where they do not. */
  readonly inlineBytes: number;
  /** Shared by all plans. */
  readonly actions: SensitiveActions;
}

/** What is dropped of the event types that metadata describes, found when the first event of a type comes. */
export class DropPlans {
  readonly owner: RecordPlans;
  readonly #plans = new Map<RecordPlan, DropPlan>();
  readonly #actions = new SensitiveActions();

  constructor(owner: RecordPlans) {
    this.owner = owner;
  }

  of(record: RecordPlan): DropPlan {
    return this.#plans.get(record) ?? this.#compile(record);
  }

  #compile(record: RecordPlan): DropPlan {
    const columns = record.columns.map((column) => ({ column, isDropped: isSensitiveField(column.name) }));
    const dropped = columns.filter(({ isDropped }) => isDropped).map(({ column }) => column);
    const plan = {
      record,
      columns,
      dropped,
      inlineBytes: inlineBytesOf(record.columns),
      actions: this.#actions,
    };
    this.#plans.set(record, plan);
    return plan;
  }
}

/** Whether actions are dropped, judged once per action. */
class SensitiveActions {
  readonly #known = new Map<ActionPlan, boolean>();

  has(action: ActionPlan): boolean {
    let isDropped = this.#known.get(action);
    if (isDropped === undefined) this.#known.set(action, (isDropped = isSensitiveField(action.name)));
    return isDropped;
  }
}

function inlineBytesOf(columns: readonly ValuePlan[]): number {
  let bytes = 0;
  for (const column of columns.toSorted((one, other) => one.offset - other.offset)) {
    if (column.offset !== bytes) return -1;
    bytes += inlineWidthOf(column);
  }
  return bytes;
}

/** With the high bytes of a map, which count for nothing. */
const inlineWidthOf = ({ map, width }: ValuePlan): number => map?.size ?? width;

/** Drops values of a record that `checkRecord` has found whole. @param at of the record, bytes from the view's start */
export function dropRecordValues(view: DataView, at: number, plan: DropPlan, edit: BufferEdit): void {
  const payload = at + EVENT_HEADER_BYTES;
  const end = payload + view.getUint32(at + 20, true);
  dropColumns(view, payload, end, plan, edit);
  if (hasActions(view.getUint32(at + 4, true))) dropActions(view, end, plan, edit);
}

function dropColumns(view: DataView, payload: number, end: number, plan: DropPlan, edit: BufferEdit): void {
  const used = endOfValues(view, payload, end, plan);
  if (used === -1) return dropScatteredColumns(view, payload, end, plan.columns, edit);
  for (const column of plan.dropped) {
    const { from, length } = placeOf(view, payload, column);
    edit.dropValue(from, length, column);
  }
  if (used < end) edit.clear(used, end);
}

/** Where values end that follow each other without gaps; -1 where they do not. */
function endOfValues(
  view: DataView,
  payload: number,
  end: number,
  { record, inlineBytes }: DropPlan,
): number {
  if (inlineBytes === -1) return -1;
  const { descriptors } = record;
  let next = payload + inlineBytes;
  for (let index = 0; index < descriptors.length; index++) {
    const at = payload + descriptors[index];
    const length = view.getUint32(at + 4, true);
    if (length === 0) continue;
    if (payload + view.getUint32(at, true) !== next) return -1;
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

function dropActions(view: DataView, at: number, { record, actions }: DropPlan, edit: BufferEdit): void {
  let position = at;
  for (;;) {
    const rid = view.getUint32(position, true);
    const length = view.getUint32(position + 4, true);
    position += 8;
    if (kindOf(rid) !== ObjectKind.action) return;
    const action = record.owner.action(rid);
    if (actions.has(action)) edit.dropValue(position, length, action);
    else if (!action.variable) edit.clear(position + inlineWidthOf(action), position + length);
    position += length;
  }
}
