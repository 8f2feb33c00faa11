import { isSensitiveField } from "xel-parser/format";

/** A value of an answer without sensitive fields, at any depth; their names are removed too. */
export function withoutSensitiveFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSensitiveFields);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isSensitiveField(key))
      .map(([key, each]) => [key, withoutSensitiveFields(each)]),
  );
}
