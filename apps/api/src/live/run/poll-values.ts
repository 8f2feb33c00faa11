/** Values of result sets: bigint arrives as text, a bit as boolean, and all of them may be NULL. */

export function numberOrNull(value: unknown): number | null {
  return value == null ? null : Number(value);
}

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function isTrue(value: unknown): boolean {
  return value === true || value === 1;
}

/** A GUID as key. */
export function guidIn(value: unknown): string {
  return typeof value === "string" ? value.toLowerCase() : "";
}
