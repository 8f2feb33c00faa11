/** A column of an answer, from the chunks of DuckDB. */
import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBIntervalValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
} from "@duckdb/node-api";
import type { DuckDBType, DuckDBValue, DuckDBVector } from "@duckdb/node-api";
import type { SqlColumn } from "./question.ts";
import { utcText } from "@aglens/ag-model/tables";

const DAY_US = 86_400_000_000;

const NUMBERS = new Set<DuckDBTypeId>([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
  // Shown as a duration in µs.
  DuckDBTypeId.INTERVAL,
]);
const TIMES = new Set<DuckDBTypeId>([
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
  DuckDBTypeId.TIMESTAMP_TZ,
]);

/** Characters of one value that are shown; a query for more selects a part of the value. */
const MOST_CHARACTERS = 20_000;
/** Bytes that a value takes in addition to its characters. */
const VALUE_BYTES = 8;

export class ColumnBuilder {
  readonly #name: string;
  readonly #type: DuckDBType;
  readonly #unit: string | null;
  readonly #kind: SqlColumn["kind"];
  readonly #values: (string | number | boolean | null)[] = [];
  /** With integers that a number cannot represent, the column becomes text. */
  #isExact = true;
  #bytes = 0;

  /** @param unit of its numbers; null where it is not known */
  constructor(name: string, type: DuckDBType, unit: string | null) {
    this.#name = name;
    this.#type = type;
    this.#unit = type.typeId === DuckDBTypeId.INTERVAL ? "µs" : unit;
    this.#kind = kindOf(type.typeId);
  }

  get length(): number {
    return this.#values.length;
  }

  /** Bytes that the values take, roughly. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param count of the vector's first values */
  add(vector: DuckDBVector, count: number): void {
    for (let i = 0; i < count; i++) {
      const value = this.#shown(vector.getItem(i));
      this.#values.push(value);
      this.#bytes += VALUE_BYTES + (typeof value === "string" ? value.length : 0);
    }
  }

  column(): SqlColumn {
    const head = { name: this.#name, type: this.#type.toString(), unit: this.#unit };
    const isNumbers = this.#kind === "number" || this.#kind === "time";
    if (isNumbers && this.#isExact) {
      return {
        ...head,
        kind: this.#kind,
        values: Float64Array.from(this.#values, (value) => (value === null ? Number.NaN : Number(value))),
      };
    }
    if (this.#kind === "boolean")
      return { ...head, kind: "boolean", values: this.#values as (boolean | null)[] };
    return {
      ...head,
      unit: null,
      kind: "text",
      values: this.#values.map((value) => (value === null ? null : this.#text(value))),
    };
  }

  /** Times among values that a number cannot represent are not shown as numbers. */
  #text(value: string | number | boolean): string {
    return this.#kind === "time" && typeof value === "number" ? utcText(BigInt(value)) : String(value);
  }

  #shown(value: DuckDBValue): string | number | boolean | null {
    if (value === null) return null;
    if (this.#kind === "boolean") return value === true;
    if (this.#kind === "text") return String(value).slice(0, MOST_CHARACTERS);
    const number = this.#kind === "time" ? instantUs(value) : quantity(value);
    if (typeof number === "number") return number;
    this.#isExact = false;
    return String(number);
  }
}

function kindOf(type: DuckDBTypeId): SqlColumn["kind"] {
  if (NUMBERS.has(type)) return "number";
  if (TIMES.has(type)) return "time";
  return type === DuckDBTypeId.BOOLEAN ? "boolean" : "text";
}

/** @returns the value itself where a number cannot represent it */
function quantity(value: DuckDBValue): number | DuckDBValue {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return isSafe(value) ? Number(value) : value;
  if (value instanceof DuckDBDecimalValue) return value.toDouble();
  if (value instanceof DuckDBIntervalValue) {
    // A month has no length.
    return value.months === 0 ? value.days * DAY_US + Number(value.micros) : value;
  }
  return value;
}

const isSafe = (value: bigint): boolean =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);

/** µs since 1970, UTC; the value itself where it has no time (infinity). */
function instantUs(value: DuckDBValue): number | DuckDBValue {
  if (value instanceof DuckDBDateValue) {
    const us = value.days * DAY_US;
    return Number.isSafeInteger(us) ? us : value;
  }
  const us = microseconds(value);
  return us === null || !isSafe(us) ? value : Number(us);
}

function microseconds(value: DuckDBValue): bigint | null {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) return value.micros;
  if (value instanceof DuckDBTimestampNanosecondsValue) return value.nanos / 1000n;
  if (value instanceof DuckDBTimestampMillisecondsValue) return value.millis * 1000n;
  if (value instanceof DuckDBTimestampSecondsValue) return value.seconds * 1_000_000n;
  return null;
}
