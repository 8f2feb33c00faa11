import type { CaptureModel } from "../replication/shapes/tables.ts";

/** Values computed once per model; the model itself never changes after analysis. */
const cache = new WeakMap<CaptureModel, Map<string, unknown>>();

/** A value computed once per model and key. */
export function oncePerModel<T>(model: CaptureModel, key: string, compute: () => T): T {
  let values = cache.get(model);
  if (!values) cache.set(model, (values = new Map()));
  if (!values.has(key)) values.set(key, compute());
  return values.get(key) as T;
}

/**
 * An answer, after which what was computed on the way under keys that begin so is forgotten: of a hundred million events a column by block
 * is 31 MB, and a question may need dozens that nobody asks for again. What was there before stays.
 * @param prefix all keys when empty
 */
export function withoutKeeping<T>(model: CaptureModel, prefix: string, ask: () => T): T {
  const before = new Set(cache.get(model)?.keys());
  try {
    return ask();
  } finally {
    const values = cache.get(model);
    for (const key of values?.keys() ?? [])
      if (key.startsWith(prefix) && !before.has(key)) values?.delete(key);
  }
}
