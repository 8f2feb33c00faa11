/** A replica whose availability mode changes while the capture runs. */
import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { blockId, blocksInARow, hopEvents, localEvents, type BlockPath } from "../../../test/paths.ts";
import { buildModel } from "../model.ts";
import { phaseBorders } from "../shapes/phase-borders.ts";
import { MARKER_KINDS, type CaptureModel, type CommitMode } from "../shapes/tables.ts";
import type { Topology } from "../shapes/topology.ts";

/** 40 µs after SQL2's acknowledgment at 4,050 µs, and after the log write at 2,835 µs. */
const WAITED = { commitEnd: 4_090 };
const NOT_WAITED = { commitEnd: 2_875 };
/** SQL3's acknowledgment is processed at 6,050 µs. */
const THIRD = {
  secondary: "third-id",
  sendStart: 94,
  departed: 100,
  sendEnd: 270,
  ackReceived: 6_000,
  ackProcessed: 6_050,
};
const WAITED_FOR_THIRD = { commitEnd: 6_090 };

/** 100 ms apart. @param ends when the commits of each block end */
const blocks = (ends: readonly Partial<BlockPath>[]): BlockPath[] =>
  blocksInARow(ends.length, 100_000).map((path, i) => ({ ...path, ...ends[i] }));

const times = (count: number, end: Partial<BlockPath>): Partial<BlockPath>[] =>
  Array.from({ length: count }, () => end);

const modelOfEvents = (events: readonly EventSpec[], topology?: Topology): CaptureModel =>
  buildModel([{ role: "primary", columns: eventColumns(events), name: "SQL1" }], topology);

const toSecond = (paths: readonly BlockPath[]): EventSpec[] =>
  paths.flatMap((path) => [...localEvents(path), ...hopEvents(path)]);
const toBoth = (paths: readonly BlockPath[]): EventSpec[] =>
  paths.flatMap((path) => [...localEvents(path), ...hopEvents(path), ...hopEvents(path, THIRD)]);

const modesOf = ({ phases }: CaptureModel): (readonly (CommitMode | null)[])[] =>
  phases.map(({ commitModes }) => commitModes);
const listed = (commitMode: "sync" | "async"): Topology => ({
  replicas: new Map([["secondary-id", { name: "SQL2", commitMode }]]),
  databases: new Map(),
});

const toAsync = [...times(30, WAITED), ...times(30, NOT_WAITED)];

describe("a replica that becomes asynchronous", () => {
  const model = modelOfEvents(toSecond(blocks(toAsync)));

  it("makes a phase of the same primary from the first block on whose commit did not wait", () => {
    expect(modesOf(model)).toEqual([["sync"], ["async"]]);
    expect(model.phases.map(({ primary }) => primary)).toEqual([0, 0]);
    expect([...model.blocks.phase]).toEqual(toAsync.map((end) => (end === WAITED ? 0 : 1)));
    // The last commit of block 29 ends at 2,904,090 µs, the first of block 30 begins at 3 s.
    expect([model.phases[0].to, model.phases[1].from]).toEqual([2_904_090, 3_000_000]);
    expect(model.replicas.map(({ commitMode }) => commitMode)).toEqual(["sync", "sync"]);
  });

  it("releases commits before, and none since", () => {
    expect([...model.blocks.gate]).toEqual(toAsync.map((end) => (end === WAITED ? 2 : 1)));
    expect([...model.commits.gate]).toEqual([...model.blocks.gate]);
  });

  it("is a border that is no change of roles, with a marker", () => {
    expect(phaseBorders(model.phases)).toEqual([
      { kind: "modeChange", before: 0, after: 1, changed: [{ replica: 1, mode: "async" }] },
    ]);
    const { kind, time, replica } = model.markers;
    expect([...kind].map((each) => MARKER_KINDS[each])).toEqual(["modeChange"]);
    expect([time[0], replica[0]]).toEqual([model.phases[1].from, 1]);
  });

  it("overrules the one mode that a topology has", () => {
    for (const mode of ["sync", "async"] as const)
      expect(modesOf(modelOfEvents(toSecond(blocks(toAsync)), listed(mode)))).toEqual([["sync"], ["async"]]);
  });
});

describe("other changes of mode", () => {
  it("to synchronous, and there and back", () => {
    const ends = [...times(30, NOT_WAITED), ...times(30, WAITED), ...times(30, NOT_WAITED)];
    const model = modelOfEvents(toSecond(blocks(ends)));
    expect(modesOf(model)).toEqual([["async"], ["sync"], ["async"]]);
    expect([...model.blocks.phase]).toEqual(
      [0, 1, 2].flatMap((phase) => Array.from({ length: 30 }, () => phase)),
    );
  });

  it("of one of two secondaries, while the other one keeps its mode", () => {
    const ends = [...times(30, WAITED_FOR_THIRD), ...times(30, WAITED)];
    const model = modelOfEvents(toBoth(blocks(ends)));
    expect(modesOf(model)).toEqual([
      ["sync", "sync"],
      ["sync", "async"],
    ]);
    expect(phaseBorders(model.phases)).toMatchObject([{ changed: [{ replica: 2, mode: "async" }] }]);
    expect([...model.blocks.gate]).toEqual(ends.map((end) => (end === WAITED ? 2 : 3)));
  });

  it("of two secondaries, one after the other", () => {
    const ends = [...times(30, WAITED_FOR_THIRD), ...times(30, WAITED), ...times(30, NOT_WAITED)];
    const model = modelOfEvents(toBoth(blocks(ends)));
    expect(modesOf(model).map(([, third]) => third)).toEqual(["sync", "async", "async"]);
    expect(modesOf(model).map(([second]) => second === "async")).toEqual([false, false, true]);
    expect([...model.blocks.gate]).toEqual(
      ends.map((end) => (end === WAITED_FOR_THIRD ? 3 : end === WAITED ? 2 : 1)),
    );
  });

  it("hold for all databases of the group from one time on", () => {
    const own = blocks(toAsync);
    const others = own.map((path, i) => ({
      ...path,
      block: blockId(0x90, 16 + 2 * (i + 8)),
      at: path.at + 40_000,
      database: "orders-id",
      local: 7,
    }));
    const model = modelOfEvents(
      [...own, ...others].flatMap((path) => [...localEvents(path), ...hopEvents(path)]),
    );
    expect(model.phases.map(({ databases }) => databases)).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(modesOf(model)).toEqual([["sync"], ["async"]]);
    expect([...model.blocks.phase].filter((phase) => phase === 0)).toHaveLength(60);
  });

  it("are none of a replica that was sent blocks late, since it was away", () => {
    const late = {
      sendStart: 90_000,
      departed: 90_006,
      sendEnd: 90_176,
      ackReceived: 93_950,
      ackProcessed: 94_000,
    };
    const paths = blocks([...times(30, WAITED), ...times(30, NOT_WAITED), ...times(30, WAITED)]);
    const events = paths.flatMap((path, i) => [
      ...localEvents(path),
      ...hopEvents(path, i >= 30 && i < 60 ? late : {}),
    ]);
    expect(modesOf(modelOfEvents(events))).toEqual([["sync"]]);
  });
});
