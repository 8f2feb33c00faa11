import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptyColumns } from "@aglens/ag-model/events";
import { buffersOfEvents, prepareEvents } from "@aglens/ag-model/replication";
import { DecodedFiles } from "./decoded-files.ts";
import type { DecodedEvents } from "./decoded-files.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const columns = emptyColumns(100);
const BYTES = buffersOfEvents({ columns }).reduce((sum, { byteLength }) => sum + byteLength, 0);

test("columns are there until they are taken", () => {
  const files = new DecodedFiles(BYTES);
  files.keep({ path: "a", columns, prepared: null });
  expect(files.take("b")).toBeNull();
  expect(files.take("a")?.columns).toBe(columns);
  expect(files.take("a")).toBeNull();
});

test("the oldest leave when all together are too many bytes, and what is too large by itself is not kept", () => {
  const files = new DecodedFiles(2 * BYTES);
  for (const path of ["a", "b", "c"]) files.keep({ path, columns, prepared: null });
  expect(["a", "b", "c"].map((path) => files.take(path)?.columns)).toEqual([undefined, columns, columns]);
  files.keep({ path: "a", columns, prepared: null });
  files.keep({ path: "large", columns: emptyColumns(201), prepared: null });
  expect(["a", "large"].map((path) => files.take(path)?.columns)).toEqual([columns, undefined]);
});

test("a file that is read once more has its new columns only", () => {
  const files = new DecodedFiles(BYTES);
  files.keep({ path: "a", columns: emptyColumns(1), prepared: null });
  files.keep({ path: "a", columns, prepared: null });
  expect(files.bytes).toBe(BYTES);
  expect(files.take("a")?.columns).toBe(columns);
});

test("columns that nobody takes leave after five minutes", () => {
  const files = new DecodedFiles(BYTES);
  files.keep({ path: "a", columns, prepared: null });
  vi.advanceTimersByTime(299_999);
  expect(files.bytes).toBe(BYTES);
  vi.advanceTimersByTime(1);
  expect(files.bytes).toBe(0);
});

test("events that are still to come are waited for, and those that do not come are not", async () => {
  const files = new DecodedFiles(BYTES);
  const events = Promise.withResolvers<DecodedEvents | null>();
  files.expect("a", events.promise);
  files.expect("b", Promise.resolve(null));
  await files.whenCome(["b", "c"]);
  let isThere = false;
  const come = files.whenCome(["a", "b"]).then(() => (isThere = true));
  await Promise.resolve();
  expect([isThere, files.take("a"), files.take("b")]).toEqual([false, null, null]);
  events.resolve({ columns, prepared: null });
  await come;
  expect(files.take("a")?.columns).toBe(columns);
});

test("what was prepared of events counts, and leaves as columns do", () => {
  const prepared = prepareEvents(columns);
  const files = new DecodedFiles(10 * BYTES);
  files.keep({ path: "a", columns: null, prepared });
  const bytes = buffersOfEvents({ prepared }).reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(files.bytes).toBe(bytes);
  expect(files.take("a")?.prepared).toBe(prepared);
  expect(files.bytes).toBe(0);
});
