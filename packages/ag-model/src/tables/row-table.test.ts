import { expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import { LOCAL_ANCHORS, Obtained, type CaptureModel } from "../replication/index.ts";
import { rowTable, rowTableParts } from "./row-tables.ts";
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

test("UTC of a block and its hops is that of the block's first instant, of a commit that of its start", () => {
  // The capture begins at 2016-05-06T02:16:55Z: 1,462,501,015 s after 1970.
  const second = 1462501016000000n;
  const range = { from: 1e6, to: 2e6 };
  expect(valuesOf(rowTable(model(), "blocks", range), "utc")).toEqual([second]);
  expect(valuesOf(rowTable(model(), "hops", range), "utc")).toEqual([second, second]);
  expect(valuesOf(rowTable(model(), "commits", range), "utc")).toEqual([second]);
});

test("durations are those of the stages: their sum is remote harden", () => {
  const slow = modelOf([{ at: 0, commitQueue: 70, localFlush: 900, hops: [{ flush: 5_000, wireOut: 450 }] }]);
  const [hops, blocks] = [rowTable(slow, "hops"), rowTable(slow, "blocks")];
  const value = (table: ExportTable, name: string): unknown => valuesOf(table, name)[0];
  expect(value(blocks, "commit_queue_us")).toBe(70);
  expect(value(blocks, "log_write_us")).toBe(900);
  expect(value(hops, "log_write_us")).toBe(5_000);
  expect(value(hops, "network_out_us")).toBe(450);
  // As everywhere else in the model: send 200, append 100, acknowledgment 100 + 100, back 300, processed 100.
  expect(value(hops, "network_back_us")).toBe(300);
  expect(value(hops, "network_round_trip_us")).toBe(750);
  expect(value(hops, "remote_harden_us")).toBe(200 + 450 + 100 + 5_000 + 100 + 100 + 300 + 100);
  expect(value(hops, "complete")).toBe(true);
});

test("the start of the first commit that is known may be that of a later one: by as much as grouping takes", () => {
  const lost = model();
  const shift = 2 * LOCAL_ANCHORS.indexOf("commitStart");
  lost.blocks.obtained[1] = (lost.blocks.obtained[1] & ~(3 << shift)) | (Obtained.derived << shift);
  const blocks = rowTable(lost, "blocks");
  expect(valuesOf(blocks, "commit_start_obtained")).toEqual(["measured", "derived", "measured"]);
  expect(valuesOf(blocks, "commit_start_uncertainty_us")).toEqual([0, 10_000, 0]);
});

test("a hop without one of its instants is not complete, and the durations with it are not known", () => {
  const lost = model();
  lost.hops[1].received[2] = Number.NaN;
  const hops = rowTable(lost, "hops");
  expect(valuesOf(hops, "complete")).toEqual([true, true, true, true, true, false]);
  expect(valuesOf(hops, "network_out_us").at(-1)).toBeNull();
  expect(valuesOf(hops, "remote_harden_us").at(-1)).toBe(4_200);
});

test("a commit waits from its start to its end, and wakes up after what released it", () => {
  const commits = rowTable(modelOf([{ at: 0, wakeUp: 40 }]), "commits");
  const [latency] = valuesOf(commits, "latency_us");
  const [start, end] = [valuesOf(commits, "start")[0], valuesOf(commits, "end")[0]] as number[];
  expect(latency).toBe((end ?? 0) - (start ?? 0));
  expect(valuesOf(commits, "wake_up_us")).toEqual([40]);
});

test.each(["blocks", "hops", "commits"] as const)("the parts of %s are the whole table", (name) => {
  const whole = rowTable(model(), name);
  const parts = [...rowTableParts(model(), name, 2)];
  expect(parts).toHaveLength(2);
  for (const { name: column } of whole.columns)
    expect(parts.flatMap((part) => valuesOf(part, column))).toEqual(valuesOf(whole, column));
});

test("a capture without a block has one part without a row", () => {
  const parts = [...rowTableParts(modelOf([]), "hops", 2)];
  expect(parts.map(({ length }) => length)).toEqual([0]);
});

test("an instant of a secondary is uncertain by its own clock and by that of a primary that took over", () => {
  const captured = model();
  // After a failover the new primary's clock is off by up to 250 µs against the capture's.
  captured.blocks.uncertainty.fill(250);
  captured.hops[1].uncertainty.fill(40);
  const hops = rowTable(captured, "hops");
  expect(valuesOf(hops, "received_uncertainty_us")).toEqual([350, 290, 350, 290, 350, 290]);
  expect(valuesOf(hops, "flush_end_uncertainty_us")).toEqual([350, 290, 350, 290, 350, 290]);
  // An instant on the primary has only the uncertainty of its clock.
  expect(valuesOf(hops, "ack_processed_uncertainty_us")).toEqual([250, 250, 250, 250, 250, 250]);
  expect(valuesOf(rowTable(captured, "blocks"), "flush_end_uncertainty_us")).toEqual([250, 250, 250]);
});
