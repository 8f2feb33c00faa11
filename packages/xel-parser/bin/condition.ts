/** Conditions of `xel dump`: which events are printed, and which of their values. */
import { UsageError } from "./command.ts";
import { filetimeText, valueText, type XelEvent, type XelValue } from "xel-parser/format";

/** A value of an event; undefined where the event does not have it. */
export type ValueOf = (event: XelEvent) => XelValue | undefined;

/** Values that each event has. */
const HEADS: Readonly<Record<string, ValueOf>> = {
  name: ({ name }) => name,
  timestamp: ({ ticks }) => filetimeText(ticks),
  package: (event) => event.package,
  uuid: ({ uuid }) => uuid,
  offset: ({ offset }) => offset,
};

/** Whether a name alone is a value that each event has, or is written as one of a field or an action. */
export const isHead = (name: string): boolean =>
  Object.hasOwn(HEADS, name) || name.startsWith("field.") || name.startsWith("action.");

/** `name`, `timestamp` and others, else a field, else an action; `field.NAME` and `action.NAME` are always these. */
export function valueCalled(name: string): ValueOf {
  if (name.startsWith("field.")) return ({ fields }) => fields[name.slice("field.".length)];
  if (name.startsWith("action.")) return ({ actions }) => actions[name.slice("action.".length)];
  if (Object.hasOwn(HEADS, name)) return HEADS[name];
  return ({ fields, actions }) => fields[name] ?? actions[name];
}

type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=";

/** A condition of `--where`. */
export interface Condition {
  readonly isMet: (event: XelEvent) => boolean;
  /** A sentence if no event has a value that can be compared: without it, a wrong name would look like no events. */
  readonly remark: () => string | undefined;
}

/**
 * A condition of the form `FIELD=VALUE`; numbers are compared as numbers, and times as times. An event without the field
 * does not meet it.
 * @throws UsageError where the text has no such form, or later where a number has no order to a text
 */
export function conditionOf(text: string): Condition {
  const [, left = "", sign = "", right = ""] = /^([^=!<>]+)(!=|<>|<=|>=|=|<|>)(.*)$/su.exec(text) ?? [];
  const name = left.trim();
  if (name === "")
    throw new UsageError(`--where needs FIELD=VALUE, or another comparison, instead of "${text}".`);
  const operator = (sign === "<>" ? "!=" : sign) as Operator;
  // Spaces around the operator are no part of the value.
  const wanted = left.endsWith(" ") ? right.trim() : right;
  if (name === "timestamp") {
    const time = ticksOf("where", wanted);
    return {
      isMet: ({ ticks }) => hasOrder(compared(ticks, time), operator),
      remark: () => undefined,
    };
  }
  const valueOf = valueCalled(name);
  const number = numberOf(wanted);
  let remark: string | undefined;
  let isCompared = false;
  const isMet = (event: XelEvent): boolean => {
    const found = valueOf(event);
    if (found === undefined) {
      remark ??= `No event has the field or action "${name}". Verify its name in --where.`;
      return false;
    }
    // T-SQL has 1 and 0 for true and false.
    const value = typeof found === "boolean" && number !== undefined ? Number(found) : found;
    const isNumber = typeof value === "number" || typeof value === "bigint";
    if (isNumber && number === undefined) {
      // Another event may have a text of this name, such as state in system_health.
      remark = `Can't compare "${name}" with "${wanted}": it's a number. Use a number in --where.`;
      if (operator === "=" || operator === "!=") return operator === "!=";
      throw new UsageError(
        `Can't compare ${name} with "${wanted}": in ${event.name} it's a number. Use a number, or select other events with --event.`,
      );
    }
    isCompared = true;
    return hasOrder(
      isNumber && number !== undefined ? compared(value, number) : compared(valueText(value), wanted),
      operator,
    );
  };
  return { isMet, remark: () => (isCompared ? undefined : remark) };
}

/** Negative, 0 or positive; NaN where the values have no order. */
function compared<T extends string | number | bigint>(value: T, wanted: T): number {
  if (value < wanted) return -1;
  if (value > wanted) return 1;
  return Number.isNaN(value) || Number.isNaN(wanted) ? Number.NaN : 0;
}

function hasOrder(order: number, operator: Operator): boolean {
  switch (operator) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

/** An integer of any size, or a decimal number. */
function numberOf(text: string): number | bigint | undefined {
  if (/^[+-]?\d+$/u.test(text)) return BigInt(text);
  const number = Number(text);
  return text.trim() === "" || Number.isNaN(number) ? undefined : number;
}

const UNIX_EPOCH = 116_444_736_000_000_000n;
const TICKS_PER_SECOND = 10_000_000n;
const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.(\d{1,7}))?)?Z?$/u;

/** FILETIME of a time in UTC, such as `2026-05-14T02:00`. @throws UsageError for another text */
export function ticksOf(option: string, text: string): bigint {
  const [, day = "", minute = "00:00", second = ":00", fraction = ""] = TIME.exec(text) ?? [];
  const ms = Date.parse(`${day}T${minute}${second}Z`);
  // The parser turns February 30 into March 2.
  if (Number.isNaN(ms) || new Date(ms).getUTCDate() !== Number(day.slice(-2)))
    throw new UsageError(`--${option} needs a time in UTC, such as 2026-05-14T02:00, instead of "${text}".`);
  return UNIX_EPOCH + (BigInt(ms) / 1000n) * TICKS_PER_SECOND + BigInt(fraction.padEnd(7, "0"));
}
