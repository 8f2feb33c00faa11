import { createHash } from "node:crypto";
import { tableFromIPC } from "apache-arrow";
import { expect, test } from "vitest";
import { HOP_ANCHORS, recordOf, WRITE_PARTS, type CaptureModel } from "@aglens/ag-model/replication";
import { commitWindow, windowOf, type BlockWindow } from "@aglens/ag-model/query";
import { modelOf } from "@aglens/ag-model/model-for-tests";
import { decodeModel, decodeModelBeforeEvents, encodeModel, TABLES_FORMAT } from "./capture-tables.ts";
import { TableError } from "./arrow-columns.ts";
import {
  decodeCommits,
  decodeMarkers,
  decodeWindow,
  encodeCommits,
  encodeMarkers,
  encodeWindow,
} from "./shapes/window.ts";

const two = modelOf([{ at: 0, commits: 2 }, { at: 10_000, hops: [{}, { flush: 30_000 }] }, { at: 20_000 }], {
  secondaries: 2,
  duration: 100_000,
});
const empty = modelOf([], { duration: 0 });
const range = { from: 0, to: 100_000 };

test.each([
  ["two secondaries", two],
  ["no blocks", empty],
  [
    "clients of commits",
    {
      ...two,
      commits: {
        ...two.commits,
        session: new Uint16Array(two.commits.length).fill(57),
        application: new Uint16Array(two.commits.length).fill(1),
      },
      clients: { applications: ["", "OrderEntry"], statements: [""], dropped: ["statement" as const] },
    },
  ],
])("a model comes back as it was stored: %s", (_, model) => {
  expect(decodeModel(encodeModel(model))).toEqual(model);
});

test("the index of raw events may come after all else, and is not taken for an empty one before", () => {
  const files = encodeModel(two);
  const { model, takeEvents } = decodeModelBeforeEvents(files);
  expect(model.hops).toEqual(two.hops);
  expect(() => model.events.runs).toThrow("before it was read");
  takeEvents(files["events.arrow"]);
  expect(model.events.runs).toEqual(two.events.runs);
  expect(model.events.length).toBe(two.events.length);
});

/** Columns of each table with their types, and the entries of model.json. */
function layoutOf(model: CaptureModel): string[] {
  return Object.entries(encodeModel(model)).flatMap(([file, bytes]) => {
    if (file.endsWith(".json"))
      return [
        `${file}: ${Object.keys(JSON.parse(new TextDecoder().decode(bytes)))
          .toSorted()
          .join()}`,
      ];
    return tableFromIPC(bytes).schema.fields.map(({ name, type }) => `${file}: ${name} ${type}`);
  });
}

test("the format's number is that of these columns", () => {
  // Columns of file writes are stored where they have a value.
  const parts = recordOf(WRITE_PARTS, () => new Float64Array(two.blocks.length));
  const split = {
    ...two,
    blocks: { ...two.blocks, ...parts },
    hops: two.hops.map((hop) => ({ ...hop, ...parts })),
  };
  const layout = layoutOf(split).join("\n");
  const digest = createHash("sha256").update(layout).digest("hex").slice(0, 16);
  // When this fails the layout has changed: raise TABLES_FORMAT, then put the new digest here.
  expect([TABLES_FORMAT, digest]).toEqual([5, "bd06aa0e9b9f3940"]);
});

test("columns of file writes that a capture lacks take the memory of one column", () => {
  const { blocks, hops } = decodeModel(encodeModel(two));
  const columns = [blocks, ...hops].map((table) => recordOf(WRITE_PARTS, (name) => table[name]));
  expect(new Set(columns.flatMap((parts) => Object.values(parts))).size).toBe(1);
});

test("a value that is not known stays unknown in model.json", () => {
  const model = {
    ...two,
    replicas: two.replicas.map((r) => ({ ...r, hasCapture: false, from: NaN, to: NaN })),
  };
  expect(decodeModel(encodeModel(model)).replicas).toEqual(model.replicas);
});

test("bytes at an odd offset are read too", () => {
  const bytes = encodeMarkers({ markers: two.markers });
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  expect(decodeMarkers(shifted.subarray(3))).toEqual({ markers: two.markers });
});

test("bytes that are no table are refused", () => {
  expect(() => decodeWindow(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]))).toThrow(TableError);
  expect(() => decodeWindow(encodeMarkers({ markers: two.markers }))).toThrow(TableError);
});

test("windows of blocks and of bins come back as they were sent", () => {
  const blocks = windowOf(two, { ...range, limit: 10, bins: 4 });
  const bins = windowOf(two, { ...range, limit: 1, bins: 4 });
  const none = windowOf(two, { from: 90_000, to: 100_000, limit: 10, bins: 4 });
  expect(blocks.detail).toBe("blocks");
  expect(bins.detail).toBe("bins");
  for (const sent of [blocks, bins, none]) expect(decodeWindow(encodeWindow(sent))).toEqual(sent);
});

test("instants of a window are exact to 1 µs up to 16 s after their block's first, wherever in the capture it is", () => {
  // Ten hours into the capture: a float32 of the instant itself would be off by seconds.
  const at = 36_000_000_000.3;
  const model = modelOf(
    [{ at }, { at: at + 0.4, hops: [{ flush: 15_900_000.7 }] }, { at: at + 16_777_000.25 }],
    { duration: 4e10 },
  );
  const sent = windowOf(model, { from: 0, to: 4e10, limit: 10, bins: 4 }) as BlockWindow;
  const bytes = encodeWindow(sent);
  const got = decodeWindow(bytes) as BlockWindow;
  expect(got.blocks.time).toEqual(sent.blocks.time);
  expect(got.blocks.timeEnd).toEqual(sent.blocks.timeEnd);
  for (const name of HOP_ANCHORS) {
    const there = got.hops[0]?.[name] ?? new Float64Array();
    const off = sent.hops[0]?.[name].map((instant, row) => Math.abs(instant - (there[row] ?? 0)));
    expect(Math.max(...[...(off ?? [])].filter((us) => !Number.isNaN(us)))).toBeLessThanOrEqual(1);
    expect([...there].map(Number.isNaN)).toEqual([...(sent.hops[0]?.[name] ?? [])].map(Number.isNaN));
  }
  const farthest = (sent.hops[0]?.secondaryFlushEnd[1] ?? 0) - (sent.blocks.time[1] ?? 0);
  expect(farthest).toBeGreaterThan(15_900_000);
});

test("commits come back as they were sent", () => {
  const sent = commitWindow(two, { ...range, limit: 100 });
  expect(sent.commits.length).toBe(4);
  expect(decodeCommits(encodeCommits(sent))).toEqual(sent);
});
