/** Bytes of single values (docs/reference/xel-format.md 5). */
import { XelWriteError } from "./error.ts";
import { guidBytes } from "./guid.ts";
import type { Column } from "./layout.ts";
import { putInt64, putUtf16, type Output } from "./output.ts";
import type { WriterValue } from "./schema.ts";

/** Upper bound of the bytes of a variable-length value. */
export function variableBound(value: WriterValue | undefined): number {
  if (value === undefined) return 0;
  if (value instanceof Uint8Array) return value.length;
  return typeof value === "string" ? value.length * 2 : 0;
}

function badValue(name: string, kind: string, value: WriterValue): XelWriteError {
  return new XelWriteError("badValue", `${name} of type ${kind} cannot hold ${String(value).slice(0, 60)}.`);
}

function asNumber(name: string, kind: string, value: WriterValue): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  throw badValue(name, kind, value);
}

function asInteger64(name: string, kind: string, value: WriterValue): number | bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  if (typeof value === "string" && /^(0x[0-9a-f]+|-?\d+)$/i.test(value)) return BigInt(value);
  throw badValue(name, kind, value);
}

const LOW_32 = 0xffff_ffffn;

function putMap(out: Output, at: number, column: Column, value: WriterValue): void {
  const code = typeof value === "string" ? column.codes!.get(value) : value;
  if (code === undefined) throw badValue(column.name, "map", value);
  const { view } = out;
  if (column.size === 8) {
    putInt64(view, at, asInteger64(column.name, "map", code));
    return;
  }
  const number = typeof code === "bigint" ? Number(code & LOW_32) : asNumber(column.name, "map", code);
  if (column.size === 1) view.setUint8(at, number);
  else if (column.size === 2) view.setUint16(at, number, true);
  else view.setUint32(at, number, true);
}

function putGuid(out: Output, at: number, value: WriterValue): number {
  const bytes = value instanceof Uint8Array && value.length === 16 ? value : guidBytes(String(value));
  out.bytes.set(bytes, at);
  return bytes.length;
}

function putActivityId(out: Output, at: number, value: WriterValue): void {
  if (value instanceof Uint8Array && value.length === 20) {
    out.bytes.set(value, at);
    return;
  }
  const [guid, sequence] = String(value).split(":");
  out.bytes.set(guidBytes(guid), at);
  out.view.setUint32(at + 16, Number(sequence ?? 0), true);
}

/** Writes a fixed-size value at `at`; the place is already zero and reserved. */
export function putFixed(out: Output, at: number, column: Column, value: WriterValue): void {
  const { name, kind } = column;
  const { view } = out;
  switch (kind) {
    case "map":
      return putMap(out, at, column, value);
    case "boolean":
      return view.setUint8(at, value ? 1 : 0);
    case "int8":
    case "uint8":
      return view.setUint8(at, asNumber(name, kind, value));
    case "int16":
    case "uint16":
      return view.setUint16(at, asNumber(name, kind, value), true);
    case "int32":
    case "uint32":
      return view.setUint32(at, asNumber(name, kind, value), true);
    case "float32":
      return view.setFloat32(at, asNumber(name, kind, value), true);
    case "float64":
      return view.setFloat64(at, asNumber(name, kind, value), true);
    case "guid":
      putGuid(out, at, value);
      return;
    case "activity_id":
    case "activity_id_xfer":
      return putActivityId(out, at, value);
    default:
      return putInt64(view, at, asInteger64(name, kind, value));
  }
}

/** Writes a variable-length value at `at` and returns its bytes. */
export function putVariable(out: Output, at: number, column: Column, value: WriterValue): number {
  if (column.kind === "guid") return putGuid(out, at, value);
  if (value instanceof Uint8Array) {
    out.bytes.set(value, at);
    return value.length;
  }
  if (typeof value !== "string" || column.kind === "binary_data")
    throw badValue(column.name, column.kind, value);
  if (column.kind === "ansi_string") {
    for (let i = 0; i < value.length; i++) out.bytes[at + i] = value.charCodeAt(i);
    return value.length;
  }
  if (column.kind === "callstack") return putCallStack(out, at, value);
  return putUtf16(out.view, at, value);
}

function putCallStack(out: Output, at: number, text: string): number {
  const addresses = text.split(/\s+/).filter((line) => line !== "");
  addresses.forEach((address, i) => putInt64(out.view, at + 8 * i, BigInt(address)));
  return addresses.length * 8;
}
