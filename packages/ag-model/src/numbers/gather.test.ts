import { expect, it } from "vitest";
import { viewOrGather } from "./gather.ts";

const COLUMN = Float64Array.of(10, 11, 12, 13, 14);

it("rows that follow one another are looked at where they are, others copied", () => {
  const view = viewOrGather(COLUMN, Uint32Array.of(1, 2, 3));
  expect([...view]).toEqual([11, 12, 13]);
  expect(view.buffer).toBe(COLUMN.buffer);
  const copy = viewOrGather(COLUMN, Uint32Array.of(1, 3, 4));
  expect([...copy]).toEqual([11, 13, 14]);
  expect(copy.buffer).not.toBe(COLUMN.buffer);
  expect(viewOrGather(COLUMN, new Uint32Array()).length).toBe(0);
});
