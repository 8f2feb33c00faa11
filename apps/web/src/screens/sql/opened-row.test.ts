import type { SqlResult, SqlResultColumn } from "@aglens/contract";
import { expect, it } from "vitest";
import { openedRow } from "./opened-row.ts";

const column = (
  name: string,
  kind: SqlResultColumn["kind"],
  values: SqlResultColumn["values"],
): SqlResultColumn => ({ name, kind, values, unit: null, type: "" });
const result = (...columns: SqlResultColumn[]): SqlResult => ({
  columns,
  rows: columns[0]?.values.length ?? 0,
  ms: 1,
  stopped: null,
  read: [],
});

it("is a row's block, of its capture where it says one", () => {
  const rows = result(column("capture", "text", ["a", "b"]), column("block", "number", [7, -1]));
  expect(openedRow(rows, 0)).toEqual({ capture: "a", block: 7, stretch: null });
  // A commit whose block is not in the capture.
  expect(openedRow(rows, 1)).toEqual({ capture: "b", block: null, stretch: null });
});

it("is else the stretch of time that it is of", () => {
  const rows = result(column("at", "time", [10e6, 0, 5e6, 5e6]), column("p50", "number", [1, 2, 3, 4]));
  expect(openedRow(rows, 2)).toEqual({ capture: null, block: null, stretch: { from: 5e6, lengthUs: 5e6 } });
});

it("is nothing for a row of neither", () => {
  expect(openedRow(result(column("cause", "text", ["network"])), 0)).toBeNull();
});
