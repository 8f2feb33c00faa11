import { expect, test, vi } from "vitest";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { perModel, perModelBy, withoutKeeping } from "./per-model.ts";

const anyModel = (): CaptureModel => ({}) as CaptureModel;

test("a value is computed once for each model and key", () => {
  const compute = vi.fn((_: CaptureModel, secondary: number, id: string) => `${id} of ${secondary}`);
  const value = perModel(compute);
  const [model, other] = [anyModel(), anyModel()];
  expect([value(model, 0, "send"), value(model, 1, "send"), value(model, 0, "send")]).toEqual([
    "send of 0",
    "send of 1",
    "send of 0",
  ]);
  value(other, 0, "send");
  expect(compute).toHaveBeenCalledTimes(3);
});

test("a value that is null is computed once too, and two functions share nothing", () => {
  const compute = vi.fn(() => null);
  const [value, other] = [perModel(compute), perModel(() => 1)];
  const model = anyModel();
  expect([value(model), value(model), other(model)]).toEqual([null, null, 1]);
  expect(compute).toHaveBeenCalledTimes(1);
});

test("the key is what is made of the arguments, and a known value is taken unless there is one", () => {
  const size = perModelBy(
    ({ name }: { name: string; bytes: number }) => name,
    (_: CaptureModel, { bytes }) => bytes,
  );
  const model = anyModel();
  size.keep(model, 7, { name: "kept", bytes: 1 });
  size.keep(model, 8, { name: "kept", bytes: 2 });
  expect(size(model, { name: "kept", bytes: 3 })).toBe(7);
  expect([size(model, { name: "a", bytes: 4 }), size(model, { name: "a", bytes: 5 })]).toEqual([4, 4]);
});

/** Number of times that a value is computed on request: 0 where it is kept. */
function counted(need: "model" | "question") {
  let times = 0;
  const value = perModel((_: CaptureModel, name: string) => `${name} ${++times}`, need);
  const computings = (model: CaptureModel, name: string): number => {
    const before = times;
    value(model, name);
    return times - before;
  };
  return { value, computings };
}

test("a question leaves nothing that was needed for it alone, and whatever else it computed", () => {
  const model = anyModel();
  const [column, other] = [counted("question"), counted("model")];
  column.value(model, "before");
  withoutKeeping("question", () => {
    column.value(model, "own");
    other.value(model, "other");
  });
  expect(column.computings(model, "before")).toBe(0);
  expect(other.computings(model, "other")).toBe(0);
  expect(column.computings(model, "own")).toBe(1);
});

test("a question that fails leaves nothing either, nor one within another", () => {
  const model = anyModel();
  const half = counted("model");
  const ask = (): never => {
    withoutKeeping("question", () => half.value(model, "half"));
    throw new Error("no answer");
  };
  expect(() => withoutKeeping("all", ask)).toThrow("no answer");
  expect(half.computings(model, "half")).toBe(1);
  expect(half.computings(model, "half")).toBe(0);
});
