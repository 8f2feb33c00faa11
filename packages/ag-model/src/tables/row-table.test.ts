import { expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import { type CaptureModel } from "../replication/index.ts";
import { rowTable, withUtc } from "./capture-tables.ts";
import { columnReader, type ExportTable } from "./table.ts";

/** Three blocks a second apart from 02:16:55 UTC, to two secondaries. */
const model = (): CaptureModel => modelOf([{ at: 0 }, { at: 1e6 }, { at: 2e6 }], { secondaries: 2 });

const valuesOf = (table: ExportTable, name: string): unknown[] =>
  Array.from({ length: table.length }, (_, row) => columnReader(table, name)(row));

test("a stretch has the blocks that begin in it, by their numbers in the capture", () => {
  const table = rowTable(model(), "blocks", { from: 1e6, to: 2e6 });
  expect(valuesOf(table, "block")).toEqual([1]);
  expect(valuesOf(table, "lsn")).toEqual(["00000022:00000002"]);
  expect(valuesOf(table, "commit_start")).toEqual([1e6]);
  expect(valuesOf(table, "gate")).toEqual(valuesOf(rowTable(model(), "blocks"), "gate").slice(1, 2));
});

test("a stretch has the hops of its blocks and the commits that begin in it", () => {
  const range = { from: 1e6, to: 3e6 };
  const hops = rowTable(model(), "hops", range);
  expect(valuesOf(hops, "block")).toEqual([1, 1, 2, 2]);
  expect(valuesOf(hops, "send_start")).toEqual(valuesOf(rowTable(model(), "hops"), "send_start").slice(2));
  expect(valuesOf(rowTable(model(), "commits", range), "block")).toEqual([1, 2]);
});

test("a stretch without a block has the columns of one with blocks", () => {
  const [none, all] = [rowTable(model(), "hops", { from: 5e6, to: 6e6 }), rowTable(model(), "hops")];
  expect(none.length).toBe(0);
  expect(none.columns.map(({ name }) => name)).toEqual(all.columns.map(({ name }) => name));
});

test("UTC is that of the row's earliest instant; durations and uncertainties are no instants", () => {
  const table = withUtc(rowTable(model(), "hops", { from: 1e6, to: 2e6 }), model());
  const [sent] = valuesOf(table, "send_start") as number[];
  const parts = ((sent ?? 0) - 1e6).toFixed(0).padStart(6, "0");
  expect(valuesOf(table, "utc")).toEqual([
    `2016-05-06T02:16:56.${parts}0Z`,
    `2016-05-06T02:16:56.${parts}0Z`,
  ]);
});
