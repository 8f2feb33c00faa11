import type { XelEvent } from "xel-parser/format";

/** A field as text; empty where the event does not have it. */
export function textOf({ fields }: XelEvent, name: string): string {
  const value = fields[name];
  return value === undefined || value instanceof Uint8Array ? "" : String(value);
}

/** A field as a number; null where the event does not have it. */
export function numberOf({ fields }: XelEvent, name: string): number | null {
  const value = fields[name];
  if (value === undefined || value === "" || value instanceof Uint8Array) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Whether a text is a GUID that names something: not the one of zeros. */
export const isId = (text: string): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(text) && !/^[0-]+$/u.test(text);
