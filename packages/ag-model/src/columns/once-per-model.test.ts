import { expect, test } from "vitest";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { oncePerModel, withoutKeeping } from "./once-per-model.ts";

const anyModel = (): CaptureModel => ({}) as CaptureModel;

/** How often a value under this key has to be computed when it is asked for: 0 where it is kept. */
function computings(model: CaptureModel, key: string): number {
  let times = 0;
  oncePerModel(model, key, () => ++times);
  return times;
}

test("a question leaves nothing that it computed under its keys, and whatever else it did", () => {
  const model = anyModel();
  oncePerModel(model, "column/before", () => "before");
  const answer = withoutKeeping(model, "column/", () => {
    const read = oncePerModel(model, "column/before", () => "again");
    return [
      read,
      oncePerModel(model, "column/own", () => "own"),
      oncePerModel(model, "other", () => "other"),
    ];
  });
  expect(answer).toEqual(["before", "own", "other"]);
  expect(computings(model, "column/before")).toBe(0);
  expect(computings(model, "other")).toBe(0);
  expect(computings(model, "column/own")).toBe(1);
});

test("a question that fails leaves nothing either, nor one about a model of which nothing is known", () => {
  const model = anyModel();
  expect(withoutKeeping(model, "", () => 1)).toBe(1);
  const ask = (): never => {
    oncePerModel(model, "half", () => 1);
    throw new Error("no answer");
  };
  expect(() => withoutKeeping(model, "", ask)).toThrow("no answer");
  expect(computings(model, "half")).toBe(1);
});
