import { isSensitiveField } from "xel-parser/format";

/** A value of an answer without what those hold, however deep it is; what is not there, is not there by name either. */
export function withoutSensitiveFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSensitiveFields);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isSensitiveField(key))
      .map(([key, each]) => [key, withoutSensitiveFields(each)]),
  );
}
