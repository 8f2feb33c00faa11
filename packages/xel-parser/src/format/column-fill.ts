/** The second pass of the column decoder: one field of many records of one event type into one column. */
import type { PagedColumn } from "./column-pages.ts";
import { BaseType } from "./constants.ts";
import { ABSENT, type Dictionary } from "./dictionary.ts";
import { valueText } from "./json.ts";
import type { FieldPlan } from "./plan.ts";
import { fixedValue, mapCode, mapText, variableValue } from "./types.ts";

/** Records of one event type: entries `from` to `to` of where their payloads begin and which rows they are. */
export interface Batch {
  readonly view: DataView;
  readonly payload: Uint32Array;
  readonly row: Uint32Array;
  readonly from: number;
  readonly to: number;
  readonly pointerSize: number;
}

const WORD = 4294967296;

/** Takes a field of all records of a batch. What is read is in the view: the first pass has checked it. */
export function fillColumn(column: PagedColumn, field: FieldPlan, batch: Batch): void {
  switch (column.storage) {
    case "f64":
    case "int":
      fillNumbers(column.f64, field, batch);
      return;
    case "u64":
      fillWords(column.words, field, batch);
      return;
    case "u8":
      fillBytes(column.u8, field, batch);
      return;
    default:
      fillIndices(column.u16, column.dictionary!, field, batch);
  }
}

/** Numbers: NaN when the field's type is none. 64-bit integers above 2^53 lose their last digits. */
function fillNumbers(to: Float64Array, field: FieldPlan, batch: Batch): void {
  const { view, payload, row } = batch;
  const { offset } = field;
  switch (sourceOf(field, batch)) {
    case BaseType.int64:
      for (let i = batch.from; i < batch.to; i++) {
        const at = payload[i] + offset;
        to[row[i]] = view.getInt32(at + 4, true) * WORD + view.getUint32(at, true);
      }
      return;
    case BaseType.uint64:
      for (let i = batch.from; i < batch.to; i++) {
        const at = payload[i] + offset;
        to[row[i]] = view.getUint32(at + 4, true) * WORD + view.getUint32(at, true);
      }
      return;
    case BaseType.uint32:
      for (let i = batch.from; i < batch.to; i++) to[row[i]] = view.getUint32(payload[i] + offset, true);
      return;
    default: {
      const source = sourceOf(field, batch);
      for (let i = batch.from; i < batch.to; i++) to[row[i]] = smallNumber(view, payload[i] + offset, source);
    }
  }
}

/** 64 bits, low word first as the format has it; smaller signed integers are sign-extended. */
function fillWords(to: Uint32Array, field: FieldPlan, batch: Batch): void {
  const { view, payload, row } = batch;
  const { offset } = field;
  const source = sourceOf(field, batch);
  const whole = source === BaseType.uint64 || source === BaseType.int64;
  for (let i = batch.from; i < batch.to; i++) {
    const at = payload[i] + offset;
    const word = row[i] * 2;
    if (whole) {
      to[word] = view.getUint32(at, true);
      to[word + 1] = view.getUint32(at + 4, true);
    } else {
      const value = smallNumber(view, at, source);
      to[word] = value;
      to[word + 1] = value < 0 ? 0xffffffff : 0;
    }
  }
}

/** The low 8 bits; of a boolean 0 or 1. */
function fillBytes(to: Uint8Array, field: FieldPlan, batch: Batch): void {
  const { view, payload, row } = batch;
  const { offset } = field;
  const source = sourceOf(field, batch);
  if (isInteger(source)) {
    for (let i = batch.from; i < batch.to; i++) to[row[i]] = view.getUint8(payload[i] + offset);
  } else {
    for (let i = batch.from; i < batch.to; i++) to[row[i]] = smallNumber(view, payload[i] + offset, source);
  }
}

function fillIndices(to: Uint16Array, dictionary: Dictionary, field: FieldPlan, batch: Batch): void {
  const { view, payload, row } = batch;
  const { offset, source, map } = field;
  for (let i = batch.from; i < batch.to; i++) {
    const at = payload[i] + offset;
    if (map !== undefined) to[row[i]] = mapIndex(view, at, dictionary, field);
    else if (field.variable) to[row[i]] = variableIndex(view, payload[i], at, dictionary, source);
    else if (source === BaseType.guid) to[row[i]] = guidIndex(view, at, dictionary);
    else to[row[i]] = fixedIndex(view, at, dictionary, field, batch.pointerSize);
  }
}

function mapIndex(view: DataView, at: number, dictionary: Dictionary, field: FieldPlan): number {
  const map = field.map!;
  const code = mapCode(view, at, map.size);
  const known = code >= 0 && code < field.codes.length ? field.codes[code] : ABSENT;
  if (known !== ABSENT) return known;
  const index = dictionary.ofText(mapText(map, code));
  if (code >= 0 && code < field.codes.length) field.codes[code] = index;
  return index;
}

function guidIndex(view: DataView, at: number, dictionary: Dictionary): number {
  const recent = dictionary.guids.find(view, at);
  if (recent !== undefined) return recent;
  const index = bytesIndex(view, at, 16, dictionary, BaseType.guid, 8);
  dictionary.guids.put(view, at, index);
  return index;
}

function fixedIndex(
  view: DataView,
  at: number,
  dictionary: Dictionary,
  { source, width }: FieldPlan,
  pointerSize: number,
): number {
  return bytesIndex(view, at, width, dictionary, source, pointerSize);
}

function bytesIndex(
  view: DataView,
  at: number,
  length: number,
  dictionary: Dictionary,
  source: number,
  pointerSize: number,
): number {
  const known = dictionary.find(view, at, length, source);
  if (known >= 0) return known;
  const text = valueText(fixedValue(view, at, source, pointerSize) ?? "");
  return dictionary.add(view, at, length, source, text);
}

function variableIndex(
  view: DataView,
  payload: number,
  at: number,
  dictionary: Dictionary,
  source: number,
): number {
  const from = payload + view.getUint32(at, true);
  const length = view.getUint32(at + 4, true);
  const known = dictionary.find(view, from, length, source);
  if (known >= 0) return known;
  return dictionary.add(view, from, length, source, valueText(variableValue(view, from, length, source)));
}

/** The type to read a number by: all unsigned types of 64 bits are one, and a pointer is as wide as the file says. */
function sourceOf({ source }: FieldPlan, { pointerSize }: Batch): number {
  if (source === BaseType.pointer) return pointerSize === 4 ? BaseType.uint32 : BaseType.uint64;
  return source === BaseType.cpuCycle || source === BaseType.filetime ? BaseType.uint64 : source;
}

function isInteger(source: number): boolean {
  return source >= BaseType.int8 && source <= BaseType.uint64;
}

/** A number of at most 32 bits, or a float; NaN of a type that is no number. */
function smallNumber(view: DataView, at: number, source: number): number {
  switch (source) {
    case BaseType.uint32:
      return view.getUint32(at, true);
    case BaseType.int32:
      return view.getInt32(at, true);
    case BaseType.uint16:
      return view.getUint16(at, true);
    case BaseType.int16:
      return view.getInt16(at, true);
    case BaseType.int8:
    case BaseType.uint8:
      return view.getUint8(at);
    case BaseType.boolean:
      return view.getUint8(at) === 0 ? 0 : 1;
    case BaseType.float64:
      return view.getFloat64(at, true);
    case BaseType.float32:
      return view.getFloat32(at, true);
    default:
      return Number.NaN;
  }
}
