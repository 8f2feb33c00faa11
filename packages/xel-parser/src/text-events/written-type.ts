import type { TypeName, XelValue } from "../format/index.ts";
import type { WritableType } from "../writer/index.ts";

const RANGES: Readonly<Record<string, readonly [least: bigint, most: bigint]>> = {
  int16: [-(1n << 15n), (1n << 15n) - 1n],
  int32: [-(1n << 31n), (1n << 31n) - 1n],
  int64: [-(1n << 63n), (1n << 63n) - 1n],
  int8: [0n, 0xffn],
  uint8: [0n, 0xffn],
  uint16: [0n, 0xffffn],
  uint32: [0n, 0xffff_ffffn],
  uint64: [0n, (1n << 64n) - 1n],
  cpu_cycle: [0n, (1n << 64n) - 1n],
};
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;
const ACTIVITY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:\d{1,9}$/u;
const POINTER = /^0x[0-9A-F]{1,16}$/u;

/**
 * The narrowest type of a .xel column for all values of a field so far: its known type when all of them fit, otherwise
 * a type that their form shows, otherwise text.
 */
export class WrittenType {
  readonly #known: TypeName | undefined;
  #least = 0n;
  #most = 0n;
  /** Forms of the values so far. */
  readonly #forms = new Set<string>();
  #fits = true;

  constructor(known: TypeName | undefined) {
    this.#known = known;
  }

  /** Includes a value of the field. */
  see(value: XelValue): void {
    this.#forms.add(formOf(value));
    if (typeof value === "bigint" || Number.isInteger(value)) {
      const whole = BigInt(value as bigint | number);
      if (whole < this.#least) this.#least = whole;
      if (whole > this.#most) this.#most = whole;
    }
    this.#fits &&= this.#known !== undefined && fits(value, this.#known);
  }

  get type(): WritableType {
    if (this.#fits && this.#known !== undefined && isWritable(this.#known)) return this.#known;
    if (this.#forms.size === 1) {
      const [form] = this.#forms;
      if (form === "boolean") return "boolean";
      if (form === "bytes") return "binary_data";
      if (form === "integer" && this.#within("int64")) return "int64";
      if (form === "integer" && this.#within("uint64")) return "uint64";
    }
    const numbers = [...this.#forms].every((form) => form === "integer" || form === "real");
    return numbers && this.#forms.has("real") ? "float64" : "unicode_string";
  }

  #within(type: string): boolean {
    const [least, most] = RANGES[type];
    return this.#least >= least && this.#most <= most;
  }
}

function formOf(value: XelValue): string {
  if (typeof value === "bigint" || Number.isInteger(value)) return "integer";
  if (typeof value === "number") return "real";
  return value instanceof Uint8Array ? "bytes" : typeof value;
}

function fits(value: XelValue, type: TypeName): boolean {
  const range = RANGES[type];
  if (range !== undefined) {
    if (typeof value !== "bigint" && !Number.isInteger(value)) return false;
    const whole = BigInt(value as bigint | number);
    return whole >= range[0] && whole <= range[1];
  }
  switch (type) {
    case "float32":
    case "float64":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    case "binary_data":
      return value instanceof Uint8Array;
    case "guid":
      return typeof value === "string" && GUID.test(value);
    case "activity_id":
    case "activity_id_xfer":
      return typeof value === "string" && ACTIVITY_ID.test(value);
    case "ptr":
      return typeof value === "string" && POINTER.test(value);
    case "xml":
      return typeof value === "string";
    default:
      return false;
  }
}

/** Text types have their own form in the file only where that changes nothing for the reader. */
function isWritable(type: TypeName): type is WritableType {
  return type in RANGES || ["float32", "float64", "boolean", "binary_data", "guid", "activity_id", "activity_id_xfer", "ptr", "xml"].includes(type); // prettier-ignore
}
