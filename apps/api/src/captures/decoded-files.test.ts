import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptyColumns } from "@aglens/ag-model/events";
import { columnBuffers, DecodedFiles } from "./decoded-files.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const columns = emptyColumns(100);
const BYTES = columnBuffers(columns).reduce((sum, { byteLength }) => sum + byteLength, 0);

test("columns are there until they are taken", () => {
  const files = new DecodedFiles(BYTES);
  files.keep({ path: "a", columns });
  expect(files.take("b")).toBeNull();
  expect(files.take("a")).toBe(columns);
  expect(files.take("a")).toBeNull();
});

test("the oldest leave when all together are too many bytes, and what is too large by itself is not kept", () => {
  const files = new DecodedFiles(2 * BYTES);
  for (const path of ["a", "b", "c"]) files.keep({ path, columns });
  expect([files.take("a"), files.take("b"), files.take("c")]).toEqual([null, columns, columns]);
  files.keep({ path: "a", columns });
  files.keep({ path: "large", columns: emptyColumns(201) });
  expect([files.take("a"), files.take("large")]).toEqual([columns, null]);
});

test("a file that is read once more has its new columns only", () => {
  const files = new DecodedFiles(BYTES);
  files.keep({ path: "a", columns: emptyColumns(1) });
  files.keep({ path: "a", columns });
  expect(files.bytes).toBe(BYTES);
  expect(files.take("a")).toBe(columns);
});

test("columns that nobody takes leave after five minutes", () => {
  const files = new DecodedFiles(BYTES);
  files.keep({ path: "a", columns });
  vi.advanceTimersByTime(299_999);
  expect(files.bytes).toBe(BYTES);
  vi.advanceTimersByTime(1);
  expect(files.bytes).toBe(0);
});
