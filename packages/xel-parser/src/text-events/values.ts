import { filetimeOfUnixMs, type TypeName, type XelValue } from "../format/index.ts";

/** Type of a field or action where a file does not declare it; undefined where it is unknown. */
export type TypeOf = (event: string, field: string) => TypeName | undefined;

const NUMBERS = new Set(["int8", "int16", "int32", "uint8", "uint16", "uint32", "char", "wchar"]);
const BIG_NUMBERS = new Set(["int64", "uint64", "cpu_cycle"]);
const REALS = new Set(["float32", "float64"]);
const INTEGER = /^-?\d+$/u;
const CANONICAL_INTEGER = /^(0|-?[1-9]\d{0,18}|1\d{19})$/u;

/**
 * The value that the .xel reader returns for a field that was printed as `text`. Without a type, an integer, true or
 * false is read as such, and everything else is text.
 */
export function valueOf(text: string, type: TypeName | undefined): XelValue {
  if (type === undefined) return inferred(text);
  if (NUMBERS.has(type)) return INTEGER.test(text) ? Number(text) : text;
  if (BIG_NUMBERS.has(type)) return INTEGER.test(text) ? BigInt(text) : text;
  if (REALS.has(type)) return realOf(text);
  switch (type) {
    case "boolean":
      return booleanOf(text);
    case "guid":
      return text.replaceAll(/[{}]/gu, "").toLowerCase();
    case "activity_id":
    case "activity_id_xfer":
      return activityIdOf(text);
    case "binary_data":
      return bytesOf(text) ?? text;
    case "ptr":
      return pointerOf(text);
    default:
      return text;
  }
}

function inferred(text: string): XelValue {
  if (text === "true" || text === "false") return text === "true";
  if (!CANONICAL_INTEGER.test(text)) return text;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function realOf(text: string): XelValue {
  const value = Number(text);
  return text.trim() === "" || (Number.isNaN(value) && text !== "NaN") ? text : value;
}

function booleanOf(text: string): XelValue {
  if (/^(true|1)$/iu.test(text)) return true;
  return /^(false|0)$/iu.test(text) ? false : text;
}

/** Printed as `GUID-sequence`; the .xel reader's form is `guid:sequence` (docs/reference/xel-format.md 4.2). */
function activityIdOf(text: string): string {
  const parts = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[-:](\d+)$/iu.exec(text);
  return parts === null ? text : `${parts[1].toLowerCase()}:${parts[2]}`;
}

function bytesOf(text: string): Uint8Array | undefined {
  const digits = text.replace(/^0x/iu, "");
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/iu.test(digits)) return undefined;
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
    parseInt(digits.slice(i * 2, i * 2 + 2), 16),
  );
}

function pointerOf(text: string): string {
  return /^0x[0-9a-f]{1,16}$/iu.test(text) ? `0x${text.slice(2).toUpperCase().padStart(16, "0")}` : text;
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,7}))?\d*\s*(Z|[+-]\d\d:\d\d)?$/u;

/**
 * FILETIME of a printed time, `2017-10-17T20:37:03.148Z` or `2017-10-17 20:37:03.1482054 +02:00`; without an offset it
 * is UTC. Undefined for any other text.
 */
export function ticksOfTime(text: string): bigint | undefined {
  const parts = TIME.exec(text.trim());
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "", zone = "Z"] = parts;
  const milliseconds = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  if (Number.isNaN(milliseconds)) return undefined;
  return filetimeOfUnixMs(milliseconds) + BigInt(fraction.padEnd(7, "0"));
}
