/**
 * Values that are computed once per model, since a model never changes after its analysis. Each function owns its
 * values.
 */
import type { CaptureModel } from "../replication/shapes/tables.ts";

/** Computes a value on its first use. */
export interface PerModel<Key extends readonly unknown[], T> {
  (model: CaptureModel, ...key: Key): T;
  /** Takes a value that was computed elsewhere, unless there is one. */
  readonly keep: (model: CaptureModel, value: T, ...key: Key) => void;
}

/** How long a value is needed: as long as its model, or only for the question that it was computed for. */
type Need = "model" | "question";

/** Computes a value once per model and key. */
export const perModel = <Key extends readonly (string | number)[], T>(
  compute: (model: CaptureModel, ...key: Key) => T,
  need: Need = "model",
): PerModel<Key, T> => perModelBy<Key, T>((...key) => key.join(" "), compute, need);

/** Computes a value once per model and per result of `keyOf` for the other arguments. */
export function perModelBy<Key extends readonly unknown[], T>(
  keyOf: (...key: Key) => string | number,
  compute: (model: CaptureModel, ...key: Key) => T,
  need: Need = "model",
): PerModel<Key, T> {
  const ofModels = new WeakMap<CaptureModel, Map<string | number, { readonly value: T }>>();
  const valuesOf = (model: CaptureModel): Map<string | number, { readonly value: T }> => {
    const known = ofModels.get(model) ?? new Map<string | number, { readonly value: T }>();
    ofModels.set(model, known);
    return known;
  };
  const keep = (model: CaptureModel, value: T, ...parts: Key): void => {
    const [values, key] = [valuesOf(model), keyOf(...parts)];
    if (values.has(key)) return;
    values.set(key, { value });
    for (const { forgotten, computed } of questions)
      if (forgotten === "all" || need === "question") computed.push(() => values.delete(key));
  };
  const ask = (model: CaptureModel, ...parts: Key): T => {
    const known = ofModels.get(model)?.get(keyOf(...parts));
    if (known !== undefined) return known.value;
    const value = compute(model, ...parts);
    keep(model, value, ...parts);
    return value;
  };
  return Object.assign(ask, { keep });
}

/** A question that is being answered, and which of its computed values are discarded afterwards. */
interface AskedQuestion {
  readonly forgotten: "all" | "question";
  readonly computed: (() => void)[];
}

const questions = new Set<AskedQuestion>();

/**
 * Answers a request, and discards the values that were computed for it: a column by block of a hundred million events
 * is 31 MB, and a request may need dozens that are not needed again. Earlier values stay.
 * @param forgotten "question" for values that are needed only for this request, "all" for every value
 */
export function withoutKeeping<T>(forgotten: "all" | "question", ask: () => T): T {
  const question: AskedQuestion = { forgotten, computed: [] };
  questions.add(question);
  try {
    return ask();
  } finally {
    questions.delete(question);
    for (const forget of question.computed) forget();
  }
}
