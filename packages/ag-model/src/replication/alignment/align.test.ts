/**
 * Tests that all servers' instants are moved to one clock: captures with unrelated counters, by instants written by
 * hand.
 */
import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { feasibleLines } from "../../../test/lines.ts";
import {
  blockId,
  blocksInARow,
  hopEvents,
  localEvents,
  secondaryEvents,
  type BlockPath,
  type HopPath,
} from "../../../test/paths.ts";
import { eventPlacesOf } from "../../query/sequence.ts";
import type { ClockBounds } from "../clocks/clock-bounds.ts";
import type { Continuity } from "../clocks/continuity.ts";
import { buildModel } from "../model.ts";
import type { ServerInput } from "../prepare/server-input.ts";
import type { CaptureModel, HopAnchor } from "../shapes/tables.ts";

/** Counter of each server minus the first one's, µs, and how far its UTC is ahead, µs. */
const COUNTERS: Readonly<Record<string, { readonly counter: number; readonly utc: number }>> = {
  A: { counter: 0, utc: 0 },
  B: { counter: 5e8, utc: 7_000 },
  C: { counter: -9e5, utc: -4_000 },
  D: { counter: 3e6, utc: 5_000 },
};

/**
 * The way to a secondary, µs after the block began. The message and its acknowledgment are 434 µs under way each, so
 * that the middle of the clocks' bounds is the truth; the second secondary is captured 40 µs later.
 */
const wayTo = (secondary: string, later: number): Required<Omit<HopPath, "covers">> => ({
  secondary,
  sendStart: 60 + later,
  departed: 66 + later,
  sendEnd: 236 + later,
  received: 500 + later,
  secondaryFlushStart: 586 + later,
  secondaryFlushEnd: 3_500 + later,
  ackBuilt: 3_545 + later,
  ackDeparted: 3_566 + later,
  ackSent: 3_644 + later,
  ackReceived: 4_000 + later,
  ackProcessed: 4_050 + later,
});

interface Sent {
  readonly paths: readonly BlockPath[];
  readonly from: string;
  readonly to: readonly string[];
  readonly group: string;
  /** Path to a secondary where it differs from `HopPath`'s default; NaN for an instant without an event. */
  readonly received?: Partial<HopPath>;
}

/**
 * Events of server `name` for the blocks that were sent, by a clock that all servers share. A replica's id consists of
 * its name and its group's.
 */
function eventsOf(name: string, { paths, from, to, group, received }: Sent): EventSpec[] {
  const events = paths.flatMap((path) => [
    ...(name === from ? localEvents(path) : []),
    ...to.flatMap((secondary, k) => {
      const way = wayTo(secondary, 40 * k);
      if (name === from) return hopEvents(path, way);
      return name === secondary ? secondaryEvents(path, { ...way, ...received }) : [];
    }),
  ]);
  const idOf = (id: string): string => `${id === "primary-id" ? from : id}-${group}`;
  return events.map((event) => ({
    ...event,
    ...(event.local === undefined ? {} : { local: group.length }),
    ...(event.database === undefined ? {} : { database: group }),
    ...(event.self === undefined ? {} : { self: idOf(event.self) }),
    ...(event.partner === undefined ? {} : { partner: idOf(event.partner) }),
  }));
}

/** A server's file, by its own counter and its own UTC. @param more further events of it, by the shared clock */
function fileOf(name: string, sent: readonly Sent[], more: readonly EventSpec[] = []): ServerInput {
  const { counter, utc } = COUNTERS[name];
  const events = [...sent.flatMap((each) => eventsOf(name, each)), ...more];
  return {
    name,
    columns: eventColumns(
      events.map((event) => ({ ...event, at: event.at! + counter })),
      utc - counter,
    ),
  };
}

const HOP_ANCHORS = Object.keys(wayTo("", 0)).filter((name) => name !== "secondary") as HopAnchor[];

/** The hop of blocks in `rows` has these instants, µs after each block's begin. */
function expectWay(model: CaptureModel, rows: readonly number[], slot: number, later: number): void {
  const way = wayTo("", later);
  for (const anchor of HOP_ANCHORS)
    for (const row of rows)
      expect(model.hops[slot][anchor][row] - beginOf(row), `${anchor} of row ${row}`).toBeCloseTo(
        way[anchor as "received"],
        1,
      );
}

const paths = blocksInARow(20);
const [first, second] = [paths.slice(0, 12), paths.slice(12)];
const [ofFirst, ofSecond] = [[...first.keys()], [...second.keys()].map((i) => i + 12)];
/** The first event of any server fired here: a commit of A whose block no event names. */
const START = 500_000;
const beginOf = (row: number): number => 1_000_000 + 10_000 * row - START;
const unnamed = (at: number, local: number): EventSpec => ({
  kind: "commit",
  at,
  took: 100,
  local,
  block: blockId(0x99, 9),
});
/** Event of a block that no server has, so that it belongs to no row. */
const applied = (at: number): EventSpec => ({
  kind: "apply",
  mode: 2,
  at,
  took: 0,
  database: "x",
  block: blockId(0x99, 9),
});

describe("three servers, of which the second becomes the primary", () => {
  const out = { paths: first, from: "A", to: ["B", "C"], group: "x" };
  const back = { paths: second, from: "B", to: ["A", "C"], group: "x" };
  const model = buildModel([
    fileOf("A", [out, back], [unnamed(START - 100, 1)]),
    fileOf("B", [out, back], [unnamed(600_000, 1)]),
    fileOf("C", [out, back], [applied(700_000)]),
  ]);

  it("are all on the first primary's clock, whatever their counters and their UTC show", () => {
    expect(model.replicas.map(({ name }) => name)).toEqual(["A", "B", "C"]);
    expect(model.phases.map(({ primary }) => primary)).toEqual([0, 1]);
    for (const row of paths.keys()) {
      expect(model.blocks.commitStart[row] - beginOf(row)).toBeCloseTo(0, 1);
      expect(model.blocks.localFlushStart[row] - beginOf(row)).toBeCloseTo(123, 1);
      expect(model.blocks.localFlushEnd[row] - beginOf(row)).toBeCloseTo(2_835, 1);
      expect(model.blocks.commitEnd[row] - beginOf(row)).toBeCloseTo(5_000, 1);
    }
    // Slot 0 leads to B, and back to A after the failover; slot 1 leads to C.
    expectWay(model, [...ofFirst, ...ofSecond], 0, 0);
    expectWay(model, [...ofFirst, ...ofSecond], 1, 40);
  });

  it("have their other events there as well, and the capture begins with the first of all", () => {
    const [a, b, c] = model.replicas.map(({ from }) => from);
    // An event's instant is when it fired: a commit when it ended.
    expect(a).toBe(0);
    expect(b).toBeCloseTo(100_100, 1);
    expect(c).toBeCloseTo(200_000, 1);
  });

  it("have commits whose block is not known at their own time", () => {
    const { commits } = model;
    const withoutBlock = [...commits.block.keys()].filter((c) => commits.block[c] < 0);
    expect(withoutBlock.map((c) => Math.round(commits.end[c] - commits.start[c]))).toEqual([100, 100]);
    expect(commits.start[withoutBlock[1]] - commits.start[withoutBlock[0]]).toBeCloseTo(100_100, 1);
  });

  it("have each block's events at its instants", () => {
    for (const row of paths.keys()) {
      const fires = eventPlacesOf(model, row).map(({ fire }) => fire);
      expect(fires.length).toBeGreaterThan(20);
      expect(Math.min(...fires)).toBeGreaterThan(beginOf(row));
      expect(Math.max(...fires)).toBeLessThan(beginOf(row) + 5_001);
    }
  });

  it("know each way's error, and that of a block as a whole while another server than the first is the primary", () => {
    for (const hop of model.hops) expect(hop.uncertainty.every((us) => us > 434 && us < 460)).toBe(true);
    for (const row of ofFirst) expect(model.blocks.uncertainty[row]).toBe(0);
    // Clock lines that the messages between A and B allow: every block went from one to the other and back, 434 µs each
    // way.
    const lines = feasibleLines(
      {
        departed: Float64Array.from(paths, ({ at }, row) => at + (row < 12 ? 66 : 3_566)),
        received: Float64Array.from(paths, ({ at }, row) => at + (row < 12 ? 500 : 4_000)),
        ackDeparted: Float64Array.from(paths, ({ at }, row) => at + (row < 12 ? 3_566 : 66)),
        ackReceived: Float64Array.from(paths, ({ at }, row) => at + (row < 12 ? 4_000 : 500)),
      },
      500e-6,
    )!;
    for (const row of ofSecond) {
      // The chosen line is the truth; the rest are the steps of two counters.
      const [least, most] = lines.at(paths[row].at);
      expect(model.blocks.uncertainty[row]).toBeCloseTo(Math.max(-least, most) + 2.02, 1);
    }
  });

  it("have a fit for each two of them, at the capture's time", () => {
    expect(
      model.clocks.map(({ secondary, against, blocksUsed }) => [against, secondary + 1, blocksUsed]),
    ).toEqual([
      [0, 1, 20],
      [0, 2, 12],
      [1, 2, 8],
    ]);
    for (const { windows } of model.clocks) expect(windows).toHaveLength(1);
    // From the first departure to the last acknowledgment's arrival.
    const [window] = model.clocks[2].windows;
    expect(window.from).toBeCloseTo(beginOf(12) + 106, 1);
    expect(window.to).toBeCloseTo(beginOf(19) + 4_040, 1);
  });
});

describe("a server that shares no block with the first one", () => {
  it.each([
    { far: "C", via: "B", beside: [] },
    { far: "B", via: "C", beside: [] },
    { far: "D", via: "C", beside: ["B"] },
  ])(
    "is on the first one's clock by way of the server that shares blocks with both: $far by way of $via",
    (names) => {
      const { far, via, beside } = names;
      const near = { paths: first, from: "A", to: [via, ...beside], group: "x" };
      const beyond = { paths: second, from: via, to: [far], group: "yy" };
      const model = buildModel([
        fileOf("A", [near], [unnamed(START - 100, 1)]),
        fileOf(via, [near, beyond]),
        ...beside.map((name) => fileOf(name, [near])),
        fileOf(far, [beyond], [applied(700_000)]),
      ]);
      const [ofFar, ofVia] = [far, via].map((name) => model.replicas.findIndex((each) => each.name === name));
      expect(model.phases.map(({ primary }) => primary)).toEqual([0, ofVia]);
      expectWay(model, ofFirst, ofVia - 1, 0);
      expectWay(model, ofSecond, ofFar - 1, 0);
      for (const row of paths.keys()) expect(model.blocks.commitStart[row] - beginOf(row)).toBeCloseTo(0, 1);
      expect(model.replicas[ofFar].from).toBeCloseTo(200_000, 1);
      const pairs = model.clocks.map(({ secondary, against }) => [against, secondary + 1]);
      expect(pairs).toContainEqual([0, ofVia]);
      expect(pairs).toContainEqual([Math.min(ofVia, ofFar), Math.max(ofVia, ofFar)]);
      expect(pairs).toHaveLength(2 + beside.length);
    },
  );
});

describe("an event of a block of which its server has no instant", () => {
  it("is where the server's own counter has it", () => {
    const out = { paths: first, from: "A", to: ["B"], group: "x" };
    const [block] = first.slice(-1);
    const model = buildModel([
      fileOf("A", [out], [unnamed(START - 100, 1)]),
      fileOf("B", [{ ...out, paths: first.slice(0, -1) }], [{ ...applied(2_000_000), block: block.block }]),
    ]);
    expect(model.hops[0].received[11]).toBeNaN();
    expect(eventPlacesOf(model, 11)).toHaveLength(localEvents(block).length + hopEvents(block).length + 1);
    expect(model.replicas[1].to).toBeCloseTo(2_000_000 - START, 1);
  });
});

describe("secondaries without the file of their primary", () => {
  it("are on the first one's clock by UTC, blocks and other events alike", () => {
    const out = { paths: first, from: "A", to: ["B", "C"], group: "x" };
    const model = buildModel([fileOf("B", [out], [applied(START)]), fileOf("C", [out], [applied(700_000)])]);
    expect(model.replicas.map(({ name, hasCapture }) => [name, hasCapture])).toEqual([
      ["Primary", false],
      ["B", true],
      ["C", true],
    ]);
    // C's UTC is 4 ms behind and B's 7 ms ahead, so that C's instants seem 11 ms earlier.
    expect(model.replicas[2].from).toBeCloseTo(200_000 - 11_000, 1);
    for (const row of ofFirst) {
      expect(model.hops[0].received[row] - beginOf(row)).toBeCloseTo(500, 1);
      expect(model.hops[0].ackSent[row] - beginOf(row)).toBeCloseTo(3_644, 1);
      expect(model.hops[1].received[row] - beginOf(row)).toBeCloseTo(540 - 11_000, 1);
      expect(model.hops[1].ackSent[row] - beginOf(row)).toBeCloseTo(3_684 - 11_000, 1);
      expect(model.hops[1].uncertainty[row]).toBeNaN();
      expect(model.blocks.uncertainty[row]).toBe(0);
    }
    expect(model.clocks.map(({ secondary, status }) => [secondary, status])).toEqual([
      [0, "cannotAlign"],
      [1, "cannotAlign"],
    ]);
  });
});

describe("a window of a run that goes on", () => {
  const { counter } = COUNTERS["B"];
  /** Bounds of the five blocks before the window, each by its own server's counter. */
  const before: ClockBounds = {
    departed: Float64Array.from({ length: 5 }, (_, i) => 100_066 + 10_000 * i),
    received: Float64Array.from({ length: 5 }, (_, i) => 100_500 + 10_000 * i + counter),
    ackDeparted: Float64Array.from({ length: 5 }, (_, i) => 103_566 + 10_000 * i + counter),
    ackReceived: Float64Array.from({ length: 5 }, (_, i) => 104_000 + 10_000 * i),
  };
  const sent = { paths: first, from: "A", to: ["B"], group: "g" };
  const windowOf = (files: readonly ServerInput[]) => {
    const asked: (readonly [string, number])[] = [];
    const shown: (readonly [string, readonly number[]])[] = [];
    const continuity: Continuity = {
      boundsBefore: (...of) => {
        asked.push(of);
        return before;
      },
      onBounds: (id, { departed }) => shown.push([id, [...departed]]),
      onOrigin: () => {},
    };
    return { model: buildModel(files, undefined, undefined, { continuity }), asked, shown };
  };
  const departures = first.map(({ at }) => at + 66);

  it("has its clock of its own blocks and of those that departed before the first of them", () => {
    const { model, asked, shown } = windowOf([fileOf("A", [sent]), fileOf("B", [sent])]);
    expect(shown).toEqual([["B-g", departures]]);
    expect(asked).toEqual([["B-g", 1_000_066]]);
    expect(model.clocks[0]).toMatchObject({ status: "aligned", blocksUsed: 12 + 5 });
  });

  it("has the clock of all blocks before where none of its own shows one", () => {
    const received = { ackBuilt: Number.NaN, ackDeparted: Number.NaN, ackSent: Number.NaN };
    const { model, asked, shown } = windowOf([fileOf("A", [sent]), fileOf("B", [{ ...sent, received }])]);
    expect(shown).toEqual([["B-g", []]]);
    expect(asked).toEqual([["B-g", Infinity]]);
    expect(model.clocks[0]).toMatchObject({ status: "aligned", blocksUsed: 5 });
    expect(model.hops[0].received[0] - model.hops[0].departed[0]).toBeCloseTo(434, 1);
  });

  it("asks for nothing of a pair without the reference", () => {
    const both = { ...sent, to: ["B", "C"] };
    const files = ["A", "B", "C"].map((name) => fileOf(name, [both]));
    expect(windowOf(files).asked.map(([id]) => id)).toEqual(["B-g", "C-g"]);
  });
});
