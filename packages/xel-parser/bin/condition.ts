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

/**
 * A condition of the form `FIELD=VALUE`; numbers are compared as numbers. An event without the field does not meet it.
 * @throws UsageError where the text has no such form, or later where a number is compared with a text
 */
export function conditionOf(text: string): (event: XelEvent) => boolean {
  const [, name = "", operator = "", wanted = ""] = /^([^=!<>]+)(!=|<=|>=|=|<|>)(.*)$/su.exec(text) ?? [];
  if (name === "")
    throw new UsageError(`--where needs FIELD=VALUE, or another comparison, instead of "${text}".`);
  const valueOf = valueCalled(name.trim());
  const number = numberOf(wanted);
  return (event) => {
    const value = valueOf(event);
    if (value === undefined) return false;
    if (typeof value !== "number" && typeof value !== "bigint")
      return isMet(compared(valueText(value), wanted), operator as Operator);
    if (number === undefined)
      throw new UsageError(`Can't compare ${name} with "${wanted}": its values are numbers.`);
    return isMet(compared(value, number), operator as Operator);
  };
}

/** Negative, 0 or positive; NaN where the values have no order. */
function compared<T extends string | number | bigint>(value: T, wanted: T): number {
  if (value < wanted) return -1;
  if (value > wanted) return 1;
  return Number.isNaN(value) || Number.isNaN(wanted) ? Number.NaN : 0;
}

function isMet(order: number, operator: Operator): boolean {
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
  if (Number.isNaN(ms))
    throw new UsageError(`--${option} needs a time in UTC, such as 2026-05-14T02:00, instead of "${text}".`);
  return UNIX_EPOCH + (BigInt(ms) / 1000n) * TICKS_PER_SECOND + BigInt(fraction.padEnd(7, "0"));
}
