/** The second pass of the column decoder: one field of many records of one event type into one column. */
import { BaseType, GUID_BYTES } from "../constants.ts";
import { ABSENT, type Dictionary } from "./dictionary.ts";
import { ABSENT_INT, type GrowingColumn } from "./growing-column.ts";
import { valueText } from "../json.ts";
import type { FieldPlan } from "./plan.ts";
import { fixedValue, mapCode, variableValue } from "../types.ts";

/** Records of one event type: entries `from` to `to` of where their payloads begin and which rows they are. */
export interface Batch {
  readonly view: DataView;
  readonly payload: Uint32Array;
  readonly row: Uint32Array;
  readonly from: number;
  readonly to: number;
  /** Rows of the columns in total, including those of this batch. */
  readonly rows: number;
  readonly pointerSize: number;
  /** Room for the dictionary indices of the entries, at their places. */
  readonly indices: Uint16Array;
}

const WORD = 4294967296;
const NARROW_INDEX = 255;

/** Copies a field of all records of a batch. All bytes are in the view: the first pass has checked it. */
export function fillColumn(column: GrowingColumn, field: FieldPlan, batch: Batch): void {
  switch (column.storage) {
    case "f64":
      fillNumbers(column.f64, field, batch);
      return;
    case "int":
      if (column.form === "i32") {
        if (fillInts(column.i32, field, batch)) return;
        column.widen(batch.rows);
      }
      fillNumbers(column.f64, field, batch);
      return;
    case "u64":
      fillWords(column.u32, field, batch);
      return;
    case "u8":
      fillBytes(column.u8, field, batch);
      return;
    default:
      fillIndices(column, field, batch);
  }
}

/** Whole numbers in 32 bits; false, with some rows written, when a number does not fit. */
function fillInts(to: Int32Array, field: FieldPlan, batch: Batch): boolean {
  const { view, payload, row } = batch;
  const { offset } = field;
  const source = sourceOf(field, batch);
  switch (source) {
    case BaseType.int64:
      for (let i = batch.from; i < batch.to; i++) {
        const at = payload[i] + offset;
        const low = view.getInt32(at, true);
        if (view.getInt32(at + 4, true) !== low >> 31 || low === ABSENT_INT) return false;
        to[row[i]] = low;
      }
      return true;
    case BaseType.uint64:
      for (let i = batch.from; i < batch.to; i++) {
        const at = payload[i] + offset;
        const low = view.getInt32(at, true);
        if (view.getInt32(at + 4, true) !== 0 || low < 0) return false;
        to[row[i]] = low;
      }
      return true;
    case BaseType.uint32:
      for (let i = batch.from; i < batch.to; i++) {
        const value = view.getInt32(payload[i] + offset, true);
        if (value < 0) return false;
        to[row[i]] = value;
      }
      return true;
    default:
      for (let i = batch.from; i < batch.to; i++) {
        const value = smallNumber(view, payload[i] + offset, source);
        const int = value | 0;
        if ((int !== value || int === ABSENT_INT) && !Number.isNaN(value)) return false;
        to[row[i]] = Number.isNaN(value) ? ABSENT_INT : int;
      }
      return true;
  }
}

/** Numbers: NaN when the field's type isn't numeric. 64-bit integers above 2^53 lose their last digits. */
function fillNumbers(to: Float64Array, field: FieldPlan, batch: Batch): void {
  const { view, payload, row } = batch;
  const { offset } = field;
  const source = sourceOf(field, batch);
  switch (source) {
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
    default:
      for (let i = batch.from; i < batch.to; i++) to[row[i]] = smallNumber(view, payload[i] + offset, source);
  }
}

/** 64 bits, low word first as in the format; smaller signed integers are sign-extended. */
function fillWords(to: Uint32Array, field: FieldPlan, batch: Batch): void {
  const { view, payload, row } = batch;
  const { offset } = field;
  const source = sourceOf(field, batch);
  if (source === BaseType.uint64 || source === BaseType.int64) {
    for (let i = batch.from; i < batch.to; i++) {
      const at = payload[i] + offset;
      const word = row[i] * 2;
      to[word] = view.getInt32(at, true);
      to[word + 1] = view.getInt32(at + 4, true);
    }
    return;
  }
  for (let i = batch.from; i < batch.to; i++) {
    const value = smallNumber(view, payload[i] + offset, source);
    to[row[i] * 2] = value;
    to[row[i] * 2 + 1] = value < 0 ? 0xffffffff : 0;
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

function fillIndices(column: GrowingColumn, field: FieldPlan, batch: Batch): void {
  const { row, from, to, indices } = batch;
  const most = lookUp(column.dictionary!, field, batch);
  if (most > NARROW_INDEX && column.form === "u8") column.widen(batch.rows);
  if (column.form === "u8") {
    const { u8 } = column;
    for (let i = from; i < to; i++) u8[row[i]] = indices[i];
  } else {
    const { u16 } = column;
    for (let i = from; i < to; i++) u16[row[i]] = indices[i];
  }
}

/** Writes the index of each entry's value into `indices`, and returns the largest. */
function lookUp(dictionary: Dictionary, field: FieldPlan, batch: Batch): number {
  if (field.map !== undefined) return lookUpMaps(dictionary, field, batch);
  if (field.source === BaseType.guid) return lookUpGuids(dictionary, field, batch);
  if (field.variable) return lookUpVariables(dictionary, field, batch);
  const { view, payload, indices, pointerSize } = batch;
  const shape = { length: field.width, source: field.source, pointerSize };
  let most = 0;
  for (let i = batch.from; i < batch.to; i++) {
    const at = payload[i] + field.offset;
    indices[i] = bytesIndex(view, at, dictionary, shape);
    most = Math.max(most, indices[i]);
  }
  return most;
}

function lookUpMaps(dictionary: Dictionary, field: FieldPlan, batch: Batch): number {
  const { view, payload, indices } = batch;
  let most = 0;
  for (let i = batch.from; i < batch.to; i++) {
    indices[i] = mapIndex(view, payload[i] + field.offset, dictionary, field);
    most = Math.max(most, indices[i]);
  }
  return most;
}

function mapIndex(view: DataView, at: number, dictionary: Dictionary, field: FieldPlan): number {
  const map = field.map!;
  const code = mapCode(view, at, map.size);
  const known = code >= 0 && code < field.codes.length ? field.codes[code] : ABSENT;
  if (known !== ABSENT) return known;
  const index = dictionary.ofCode(map, code);
  if (code >= 0 && code < field.codes.length) field.codes[code] = index;
  return index;
}

/** GUIDs of one field are mostly the one before, which its four words show without a look-up. */
function lookUpGuids(dictionary: Dictionary, field: FieldPlan, batch: Batch): number {
  const { view, payload, indices } = batch;
  const { offset, variable } = field;
  let word0 = 0;
  let word1 = 0;
  let word2 = 0;
  let word3 = 0;
  let index = -1;
  let most = 0;
  for (let i = batch.from; i < batch.to; i++) {
    let at = payload[i] + offset;
    if (variable) {
      if (view.getUint32(at + 4, true) !== GUID_BYTES) {
        indices[i] = variableIndex(view, payload[i], at, dictionary, BaseType.guid);
        if (indices[i] > most) most = indices[i];
        continue;
      }
      at = payload[i] + view.getUint32(at, true);
    }
    const now0 = view.getInt32(at, true);
    const now1 = view.getInt32(at + 4, true);
    const now2 = view.getInt32(at + 8, true);
    const now3 = view.getInt32(at + 12, true);
    if (now0 !== word0 || now1 !== word1 || now2 !== word2 || now3 !== word3 || index < 0) {
      index = guidIndex(view, at, dictionary);
      if (index > most) most = index;
      word0 = now0;
      word1 = now1;
      word2 = now2;
      word3 = now3;
    }
    indices[i] = index;
  }
  return most;
}

function guidIndex(view: DataView, at: number, dictionary: Dictionary): number {
  const recent = dictionary.guids.find(view, at);
  if (recent !== undefined) return recent;
  const index = bytesIndex(view, at, dictionary, GUID_SHAPE);
  dictionary.guids.put(view, at, index);
  return index;
}

/** How a value of fixed length is read. */
interface ValueShape {
  /** Bytes. */
  readonly length: number;
  readonly source: number;
  readonly pointerSize: number;
}

const GUID_SHAPE: ValueShape = { length: GUID_BYTES, source: BaseType.guid, pointerSize: 8 };

function bytesIndex(
  view: DataView,
  at: number,
  dictionary: Dictionary,
  { length, source, pointerSize }: ValueShape,
): number {
  const known = dictionary.find(view, at, length, source);
  if (known >= 0) return known;
  const text = valueText(fixedValue(view, at, source, pointerSize) ?? "");
  return dictionary.add(view, at, length, source, text);
}

function lookUpVariables(dictionary: Dictionary, field: FieldPlan, batch: Batch): number {
  const { view, payload, indices } = batch;
  let most = 0;
  for (let i = batch.from; i < batch.to; i++) {
    indices[i] = variableIndex(view, payload[i], payload[i] + field.offset, dictionary, field.source);
    most = Math.max(most, indices[i]);
  }
  return most;
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
  const value = variableValue(view, from, length, source);
  return value === undefined ? ABSENT : dictionary.add(view, from, length, source, valueText(value));
}

/** The type to read a number by: all unsigned types of 64 bits are one, and the file sets the width of a pointer. */
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
