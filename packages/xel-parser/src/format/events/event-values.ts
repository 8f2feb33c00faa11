/** Values of event records, decoded from bytes that `checkRecord` and `checkActions` have found complete. */
import { BaseType, GUID_BYTES, ObjectKind } from "../constants.ts";
import { Damage } from "../errors.ts";
import type { ReadLimits } from "../limits.ts";
import { kindOf } from "../metadata.ts";
import type { PayloadClaim } from "./payload-claims.ts";
import { tooManyActions, type RecordPlan, type RecordPlans, type ValuePlan } from "./record-plan.ts";
import { activityIdText, guidText } from "../text.ts";
import { fixedValue, mapCode, mapText, variableValue, type XelValue } from "../types.ts";

/**
 * Throws RangeError unless all columns of a record are in the view, and Damage when a value, or all together, are
 * longer than the limits allow. `recordBytes` is the length of the complete record.
 */
export function checkFields(
  view: DataView,
  payload: number,
  { inlineEnd, descriptors }: PayloadClaim,
  recordBytes: number,
  limits: ReadLimits,
): void {
  if (payload + inlineEnd > view.byteLength) throw new RangeError("outside the buffer");
  let left = recordBytes * limits.overlap;
  for (let index = 0; index < descriptors.length; index++) {
    const at = payload + descriptors[index];
    const length = view.getUint32(at + 4, true);
    if (payload + view.getUint32(at, true) + length > view.byteLength) {
      throw new RangeError("outside the buffer");
    }
    if (length > limits.valueBytes) throw valueTooLong(length, limits);
    left -= length;
    if (left < 0) throw valuesTooLong();
  }
}

/** Throws Damage when a record's bit masks mean more text than the limits allow. */
export function checkMasks(view: DataView, payload: number, { columns, owner }: RecordPlan): void {
  let left = owner.limits.mapUnits;
  for (const { map, offset } of columns) {
    if (map === undefined || !map.bitmask) continue;
    left -= mapText(map, mapCode(view, payload + offset, map.size)).length;
    if (left < 0) throw valuesTooLong();
  }
}

/** The Damage for an event whose values overlap more than plausible; see `ReadLimits.overlap`. */
function valuesTooLong(): Damage {
  return new Damage("bad-event", "an event's values are far longer than its record");
}

function valueTooLong(bytes: number, { valueBytes }: ReadLimits): Damage {
  return new Damage("bad-event", `a value has ${bytes} bytes; ${valueBytes} are allowed`);
}

/** Where an action list ends. Throws RangeError unless its values are in the view, Damage for an unknown action or too many. */
export function checkActions(view: DataView, at: number, plans: RecordPlans): number {
  let position = at;
  for (let count = 0; ; count++) {
    const rid = view.getUint32(position, true);
    const length = view.getUint32(position + 4, true);
    position += 8;
    if (kindOf(rid) !== ObjectKind.action) return position;
    const { variable, width } = plans.action(rid);
    if (count === plans.limits.actions) throw tooManyActions(count);
    if (length > plans.limits.valueBytes) throw valueTooLong(length, plans.limits);
    // A fixed type is read by its own size, whatever length is in the list (docs/reference/xel-format.md 4.2).
    if (position + (variable ? length : width) > view.byteLength) throw new RangeError("outside the buffer");
    position += length;
  }
}

/** All columns of a record by name; columns of a type that no event can have are missing. */
export function decodeFields(view: DataView, payload: number, plan: RecordPlan): Record<string, XelValue> {
  const fields = plan.newFields();
  const { columns, owner } = plan;
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index];
    const value = columnValue(view, payload, column, owner);
    if (value !== undefined) fields[column.name] = value;
  }
  return fields;
}

/** A column of a record; undefined where its type has no value. */
export function columnValue(
  view: DataView,
  payload: number,
  column: ValuePlan,
  owner: RecordPlans,
): XelValue | undefined {
  const at = payload + column.offset;
  // The most frequent types first, without a call.
  switch (column.base) {
    case BaseType.uint64:
      return view.getBigUint64(at, true);
    case BaseType.int64:
      return view.getBigInt64(at, true);
    case BaseType.uint32:
      return view.getUint32(at, true);
    case BaseType.int32:
      return view.getInt32(at, true);
    default:
      return column.variable
        ? distantValue(view, payload + view.getUint32(at, true), view.getUint32(at + 4, true), column, owner)
        : inlineValue(view, at, column, owner);
  }
}

/** The actions of a list that begins at `at`; empty when that is -1. */
export function decodeActions(view: DataView, at: number, plans: RecordPlans): Record<string, XelValue> {
  const actions = plans.newActions();
  let position = at;
  while (position >= 0) {
    const rid = view.getUint32(position, true);
    const length = view.getUint32(position + 4, true);
    position += 8;
    if (kindOf(rid) !== ObjectKind.action) return actions;
    const plan = plans.action(rid);
    const value = actionValue(view, position, length, plan, plans);
    if (value !== undefined) actions[plan.name in actions ? plan.fullName : plan.name] = value;
    position += length;
  }
  return actions;
}

/** The value of an action whose bytes begin at `at`; undefined where its type has no value. */
export function actionValue(
  view: DataView,
  at: number,
  length: number,
  plan: ValuePlan,
  plans: RecordPlans,
): XelValue | undefined {
  return plan.variable ? distantValue(view, at, length, plan, plans) : inlineValue(view, at, plan, plans);
}

/** A value whose place is in a descriptor or a list. */
function distantValue(
  view: DataView,
  at: number,
  length: number,
  { base, isText }: ValuePlan,
  plans: RecordPlans,
): XelValue | undefined {
  if (isText) return plans.texts.textOf(view, at, length, base);
  if (base === BaseType.guid && length === GUID_BYTES) return guidValue(view, at, plans);
  return variableValue(view, at, length, base);
}

function inlineValue(view: DataView, at: number, plan: ValuePlan, plans: RecordPlans): XelValue | undefined {
  const { base, map } = plan;
  if (map !== undefined) return mapText(map, mapCode(view, at, map.size));
  if (base === BaseType.guid) return guidValue(view, at, plans);
  if (base === BaseType.activityId || base === BaseType.activityIdTransfer) {
    return activityIdText(view, at, guidValue(view, at, plans));
  }
  return fixedValue(view, at, base, plans.pointerSize);
}

function guidValue(view: DataView, at: number, plans: RecordPlans): string {
  const recent = plans.guids.find(view, at);
  if (recent !== undefined) return recent;
  const text = guidText(view, at);
  plans.guids.put(view, at, text);
  return text;
}
