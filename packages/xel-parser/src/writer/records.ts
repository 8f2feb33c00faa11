/** Event records with their action lists (docs/reference/xel-format.md 4). */
import { FORMAT_VERSION, typeId } from "./base-types.ts";
import { XelWriteError } from "./error.ts";
import type { ActionLayout, Column, EventLayout } from "./layout.ts";
import { putInt64, type Output } from "./output.ts";
import type { WriterValue, WriterValues } from "./schema.ts";
import { putFixed, putVariable, variableBound } from "./values.ts";

const EVENT_HEADER_BYTES = 24;
/** Event flags: version 10 and bit 31, an action list follows (docs/reference/xel-format.md 4). */
const WITH_ACTIONS = 0x8000_000a;
const NO_GUID = new Uint8Array(16);
const ACTION_LIST_END = typeId("null");

export function putEventRecord(
  out: Output,
  layout: EventLayout,
  ticks: bigint | number,
  values: WriterValues,
): void {
  const start = out.at;
  let bound = EVENT_HEADER_BYTES + layout.inlineBytes;
  for (const column of layout.columns) if (column.variable) bound += variableBound(valueOf(column, values));
  out.reserve(bound);
  const { view } = out;
  const payload = start + EVENT_HEADER_BYTES;
  out.bytes.fill(0, start, payload + layout.inlineBytes);
  view.setUint32(start, layout.id, true);
  view.setUint32(start + 4, FORMAT_VERSION, true);
  putInt64(view, start + 12, ticks);
  let end = payload + layout.inlineBytes;
  for (const column of layout.columns) {
    const value = valueOf(column, values);
    if (column.variable) {
      const length = value === undefined ? 0 : putVariable(out, end, column, value);
      view.setUint32(payload + column.offset, end - payload, true);
      view.setUint32(payload + column.offset + 4, length, true);
      end += length;
    } else if (value !== undefined) putFixed(out, payload + column.offset, column, value);
  }
  view.setUint32(start + 20, end - payload, true);
  out.at = end;
}

/** A GUID has its 16 bytes also when it is missing; no other type has bytes then. */
const valueOf = ({ name, kind, variable }: Column, values: WriterValues): WriterValue | undefined =>
  values[name] ?? (variable && kind === "guid" ? NO_GUID : undefined);

/**
 * Action list with its end mark (docs/reference/xel-format.md 4.2).
 * @param start where its event's record begins
 */
export function putActions(
  out: Output,
  start: number,
  layouts: ReadonlyMap<string, ActionLayout>,
  actions: WriterValues,
): void {
  out.view.setUint32(start + 4, WITH_ACTIONS, true);
  for (const name in actions) {
    const layout = layouts.get(name);
    if (!layout) throw new XelWriteError("unknownName", `The schema has no action ${name}.`);
    const { column } = layout;
    const value = actions[name];
    const bound = column.variable ? variableBound(value) : column.size;
    out.u32(layout.id);
    const lengthAt = out.at;
    out.u32(0);
    out.reserve(bound);
    out.bytes.fill(0, out.at, out.at + bound);
    const length = column.variable ? putVariable(out, out.at, column, value) : column.size;
    if (!column.variable) putFixed(out, out.at, column, value);
    out.at += length;
    out.view.setUint32(lengthAt, length, true);
  }
  out.u32(ACTION_LIST_END);
  out.u32(0);
}
