import type { XelEvent } from "./events/event.ts";
import { hexText } from "./text.ts";
import { filetimeText } from "./time.ts";
import type { XelValue } from "./types.ts";

/**
 * One event as a line of JSON without its line end: `name`, `timestamp`, `package`, `uuid`, `fields`, `actions`.
 * 64-bit integers beyond +-(2^53-1) and non-finite numbers are strings; binary is `0x` and lower-case hex.
 */
export function toJson(event: XelEvent): string {
  const head = `"name":${JSON.stringify(event.name)},"timestamp":"${filetimeText(event.ticks)}"`;
  const type = `"package":${JSON.stringify(event.package)},"uuid":${JSON.stringify(event.uuid)}`;
  return `{${head},${type},"fields":${recordJson(event.fields)},"actions":${recordJson(event.actions)}}`;
}

/** A value as plain text, in the same form as in JSON but never quoted. */
export function valueText(value: XelValue): string {
  return value instanceof Uint8Array ? `0x${hexText(value)}` : String(value);
}

function recordJson(record: Record<string, XelValue>): string {
  const parts: string[] = [];
  for (const name of Object.keys(record)) parts.push(`${JSON.stringify(name)}:${valueJson(record[name])}`);
  return `{${parts.join(",")}}`;
}

/**
 * The JSON form of a value: a 64-bit integer as a number where a double represents it exactly and as text beyond, a
 * number that is not finite as text, binary as `0x` and lower-case hex.
 */
export function jsonValue(value: XelValue): number | string | boolean {
  if (typeof value === "bigint") return isSafe(value) ? Number(value) : value.toString();
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  return value instanceof Uint8Array ? valueText(value) : value;
}

const isSafe = (value: bigint): boolean =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);

function valueJson(value: XelValue): string {
  const plain = jsonValue(value);
  return typeof value === "number" && typeof plain === "number" ? numberJson(plain) : JSON.stringify(plain);
}

/** A finite number of a floating-point type. */
function numberJson(value: number): string {
  // JSON.stringify drops the sign of a negative zero.
  if (Object.is(value, -0)) return "-0.0";
  // Digits alone would be read as an exact integer by readers with big integers; an exponent marks a float.
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? value.toExponential() : String(value);
}
