/**
 * Drops the values of sensitive columns and actions of one event record. No other byte of its payload changes; in the list of
 * actions, bytes after a value of a fixed size are filler.
 */
import { EVENT_HEADER_BYTES, ObjectKind } from "../constants.ts";
import { hasActions } from "../events/event.ts";
import type { ActionPlan, RecordPlan, RecordPlans, ValuePlan } from "../events/record-plan.ts";
import { kindOf } from "../metadata.ts";
import type { BufferEdit } from "./buffer-edit.ts";
import { isSensitiveField } from "./sensitive-names.ts";

/** Values to drop of an event type. */
interface DropPlan {
  readonly record: RecordPlan;
  readonly dropped: readonly ValuePlan[];
  /** Shared by all plans. */
  readonly actions: SensitiveActions;
}

/** Values to drop of the event types in the metadata, compiled at the first event of a type. */
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
    const dropped = record.columns.filter(({ name }) => isSensitiveField(name));
    const plan = { record, dropped, actions: this.#actions };
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

/**
 * Drops values of a record that `checkRecord` has found complete. @param at of the record, bytes from the view's start
 */
export function dropRecordValues(view: DataView, at: number, plan: DropPlan, edit: BufferEdit): void {
  const payload = at + EVENT_HEADER_BYTES;
  const end = payload + view.getUint32(at + 20, true);
  for (const column of plan.dropped) dropColumn(view, { payload, end }, column, plan.record, edit);
  if (hasActions(view.getUint32(at + 4, true))) dropActions(view, end, plan, edit);
}

/**
 * Drops a column's value. A descriptor may point anywhere: the drop changes no byte of another column's fixed part,
 * which is no text, and no byte outside of the payload, which belongs to other records.
 */
function dropColumn(
  view: DataView,
  { payload, end }: { readonly payload: number; readonly end: number },
  column: ValuePlan,
  record: RecordPlan,
  edit: BufferEdit,
): void {
  const { from, length } = placeOf(view, payload, column);
  const isBehindFixedPart = from >= payload + record.claim.inlineEnd && from + length <= end;
  if (isBehindFixedPart) edit.dropValue(from, length, column);
  else edit.dropValue(from, length, column, (at) => at >= end || isOfAnother(at - payload, column, record));
}

/** Whether a byte is outside of the payload or in the fixed part of another column, or is the descriptor itself. */
const isOfAnother = (at: number, dropped: ValuePlan, { columns }: RecordPlan): boolean =>
  at < 0 ||
  columns.some((column) => {
    const isIn = at >= column.offset && at < column.offset + inlineWidthOf(column);
    return isIn && (column !== dropped || column.variable);
  });

/** Including the high bytes of a map, which have no effect. */
const inlineWidthOf = ({ map, width }: ValuePlan): number => map?.size ?? width;

/** Where a column's value is, bytes from the view's start. */
function placeOf(view: DataView, payload: number, column: ValuePlan): { from: number; length: number } {
  const at = payload + column.offset;
  if (!column.variable) return { from: at, length: inlineWidthOf(column) };
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
