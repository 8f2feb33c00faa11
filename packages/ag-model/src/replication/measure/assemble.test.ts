/** The model's tables: rows in order, and a block's columns of its commits and events. */
import { expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { blockId, hopEvents, localEvents, secondaryEvents, type BlockPath } from "../../../test/paths.ts";
import { eventsByBlock } from "../shapes/event-runs.ts";
import { buildModel } from "../model.ts";
import type { Topology } from "../shapes/topology.ts";

const SYNC: Topology = {
  replicas: new Map([["secondary-id", { name: "SQL2", commitMode: "sync" }]]),
  databases: new Map(),
};

it("has blocks in the order of their first instants, those of one instant in the order of their ids", () => {
  const ids = [blockId(0x22, 40), blockId(0x23, 10), blockId(0x22, 20), blockId(0x24, 5)];
  const paths = ids.map((block, i): BlockPath => ({ block, at: i < 3 ? 20_000 : 10_000 }));
  const events = paths.flatMap((path) => [...localEvents(path), ...hopEvents(path)]);
  const { blocks } = buildModel([{ role: "primary", columns: eventColumns(events) }]);
  expect([...blocks.blockId]).toEqual([ids[3], ids[2], ids[0], ids[1]]);
  expect([...blocks.time]).toEqual([0, 10_000, 10_000, 10_000]);
  expect([...blocks.timeEnd]).toEqual([5_000, 15_000, 15_000, 15_000]);
});

it("counts a block's commits, and has the gate of the one that ended last", () => {
  const path: BlockPath = { block: blockId(0x22, 20), at: 10_000 };
  // The log write ends after 2,835 µs, the acknowledgment is handled after 4,050: the first commit waited for both.
  const early: EventSpec = { kind: "commit", block: path.block, local: 6, at: 10_010, took: 2_900 };
  const { blocks, commits } = buildModel(
    [{ role: "primary", columns: eventColumns([...localEvents(path), ...hopEvents(path), early]) }],
    SYNC,
  );
  expect([...commits.end]).toEqual([5_000, 2_910]);
  expect([...commits.gate]).toEqual([2, 1]);
  expect([[...blocks.commits], [...blocks.gate]]).toEqual([[2], [2]]);
});

it("names each block's events of all files in the order in which they fired", () => {
  const paths = [1, 2].map((i): BlockPath => ({ block: blockId(0x22, 20 * i), at: 10_000 + 1_000 * i }));
  // The event that was written out first has the first place in its file; it need not be the one that fired first.
  const outOfOrder = (event: EventSpec): EventSpec =>
    event.kind === "flushStart" ? { ...event, published: event.at! + 3_000 } : event;
  const [onPrimary, onSecondary] = [
    paths.flatMap((path) => [...localEvents(path), ...hopEvents(path)]).map(outOfOrder),
    paths.flatMap((path) => secondaryEvents(path)),
  ];
  const oneFile = eventColumns(onSecondary);
  const ofSecondary = { ...oneFile, files: [...oneFile.files, { ...oneFile.files[0], name: "second.xel" }] };
  // Its last event is in the second file.
  ofSecondary.file[17] = 1;
  const model = buildModel([
    { role: "primary", columns: eventColumns(onPrimary) },
    { role: "secondary", columns: ofSecondary },
  ]);
  const events = eventsByBlock(model.events, model.blocks.length);
  expect([...events.start]).toEqual([0, 20, 40]);
  const first = events.fire.slice(0, 20);
  expect([...first]).toEqual([...first].sort((a, b) => a - b));
  expect([first[19], events.fire[20]]).toEqual([5_000, 1_051]);
  const place = (us: number): number[] => {
    const i = first.findIndex((fire) => Math.abs(fire - us) < 2);
    return [events.file[i], events.offset[i]];
  };
  // By when they fired: the commit's two steps at 51 and 4,052, the captures at 60 and 66, the flush's begin at 123.
  expect(first.slice(0, 5)).toEqual(Float64Array.of(51, 60, 66, 114, 123));
  expect([51, 60, 66, 114].map(place)).toEqual([0, 1, 2, 3].map((i) => [0, 1_000 + 100 * i]));
  // Written out after 3,123: after the send (236), the flush's end (2,835), and five events of the second block.
  expect(place(123)).toEqual([0, 2_100]);
  // The secondary's first event of all: the message's receive, after 500 + 5 + 7.
  expect(place(512)).toEqual([1, 1_000]);
  expect([...events.file.subarray(20)].filter((file) => file === 2)).toHaveLength(1);
});

it("has no block of which no instant is known, and its events are of no block", () => {
  const path: BlockPath = { block: blockId(0x22, 20), at: 10_000 };
  const events = [...localEvents(path), ...hopEvents(path)];
  // Damaged metadata removed the start of its only event.
  const timeless: EventSpec = { kind: "flushStart", published: 12_000, block: blockId(0x22, 40), local: 6 };
  const model = buildModel([{ role: "primary", columns: eventColumns([...events, timeless]) }]);
  expect([...model.blocks.blockId]).toEqual([path.block]);
  expect([...model.blocks.time, model.hops[0].departed.length]).toEqual([0, 1]);
  expect(eventsByBlock(model.events, 1).fire.length).toBe(events.length);
});
