import type { CaptureModel } from "../replication/tables.ts";

/** Values computed once per model; the model itself never changes after analysis. */
const cache = new WeakMap<CaptureModel, Map<string, unknown>>();

/** A value computed once per model and key. */
export function oncePerModel<T>(model: CaptureModel, key: string, compute: () => T): T {
  let values = cache.get(model);
  if (!values) cache.set(model, (values = new Map()));
  if (!values.has(key)) values.set(key, compute());
  return values.get(key) as T;
}
