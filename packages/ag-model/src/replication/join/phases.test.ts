import { describe, expect, it } from "vitest";
import { BASE_TICKS, eventColumns, type EventSpec } from "../../../test/events.ts";
import {
  blocksInARow,
  hopEvents,
  localEvents,
  secondaryEvents,
  type BlockPath,
  type HopPath,
} from "../../../test/paths.ts";
import { eventPlacesOf } from "../../query/sequence.ts";
import { eventsByBlock } from "../shapes/event-runs.ts";
import { buildModel } from "../model.ts";
import type { ServerInput } from "../prepare/server-input.ts";
import type { CaptureModel } from "../shapes/tables.ts";

/** Blocks that `primary` sent to `secondary`, as both servers' files contain them; the counters agree. */
function sent(
  paths: readonly BlockPath[],
  primary: string,
  secondary: string,
  hopOf: (path: BlockPath) => HopPath = () => ({}),
): { readonly onPrimary: EventSpec[]; readonly onSecondary: EventSpec[] } {
  const rename =
    (own: string) =>
    (event: EventSpec): EventSpec => ({
      ...event,
      ...(event.local === undefined ? {} : { local: own.codePointAt(0)! }),
      ...(event.self === undefined ? {} : { self: event.self === "primary-id" ? primary : secondary }),
      ...(event.partner === undefined
        ? {}
        : { partner: event.partner === "primary-id" ? primary : secondary }),
    });
  return {
    onPrimary: paths
      .flatMap((path) => [...localEvents(path), ...hopEvents(path, { ...hopOf(path), secondary })])
      .map(rename(primary)),
    onSecondary: paths
      .flatMap((path) => secondaryEvents(path, { ...hopOf(path), secondary }))
      .map(rename(secondary)),
  };
}

const server = (name: string, ...events: (readonly EventSpec[])[]): ServerInput => ({
  name,
  columns: eventColumns(events.flat()),
});

const primaries = (model: CaptureModel): string[] =>
  model.phases.map(({ primary }) => model.replicas[primary].name);

const paths = blocksInARow(30);
const [first, second, third] = [paths.slice(0, 10), paths.slice(10, 20), paths.slice(20)];
const silent = [paths[0], paths[5], paths[29]];

/** Blocks with only their log writes left, which both sides have. */
const onlyWritten = (of: readonly BlockPath[]) => {
  const { onPrimary, onSecondary } = sent(of, "a-id", "b-id");
  const kept = (events: readonly EventSpec[]): EventSpec[] =>
    events.filter(
      ({ kind }) => kind === "flushStart" || kind === "flushComplete" || kind === "pushedToLogPool",
    );
  return { onPrimary: kept(onPrimary), onSecondary: kept(onSecondary) };
};

describe("roles that change during a capture", () => {
  const out = sent(first, "a-id", "b-id");
  const back = sent(second, "b-id", "a-id");
  const again = sent(third, "a-id", "b-id");

  it("make a phase for each primary, in the order of time", () => {
    const a = server("A", out.onPrimary, back.onSecondary, again.onPrimary);
    const b = server("B", out.onSecondary, back.onPrimary, again.onSecondary);
    const model = buildModel([b, a]);
    expect(primaries(model)).toEqual(["A", "B", "A"]);
    expect([...model.blocks.phase]).toEqual([first, second, third].flatMap((each, p) => each.map(() => p)));
    // Slot 0 leads to B, then back to A, then to B: every block has a complete path.
    expect(model.counts.completeEndToEnd).toBe(30);
    expect(model.blocks.gate.every((gate) => gate === 2)).toBe(true);
    expect(buildModel([a, b])).toEqual(model);
  });

  it("keep every event of a block at the file of the server that has it", () => {
    const a = server("A", out.onPrimary, back.onSecondary);
    const b = server("B", out.onSecondary, back.onPrimary);
    const model = buildModel([a, b]);
    expect(model.files.map(({ replica }) => replica)).toEqual([0, 1]);
    const { file, start } = eventsByBlock(model.events, model.blocks.length);
    const ofFile = [0, 1].map((each) => file.filter((own) => own === each).length);
    expect(ofFile).toEqual([a.columns.length, b.columns.length]);
    const places = eventPlacesOf(model, 3);
    expect(places.length).toBe(start[4] - start[3]);
    expect(new Set(places.map(({ file }) => file))).toEqual(new Set([0, 1]));
  });

  it("leave an acknowledgment that ends behind the last block to the blocks of the last phase", () => {
    const ack = ["ackBuilt", "ackDeparted", "ackSent", "ackReceived", "ackProcessed"] as const;
    const lost = Object.fromEntries(ack.map((name) => [name, Number.NaN]));
    const [lastOut, lastAgain] = [first.at(-1)!, third.at(-1)!];
    const before = sent(first, "a-id", "b-id", (path) => (path === lastOut ? lost : {}));
    // The last block has an acknowledgment that ends four units after it, and none that ends at its own end.
    const behind = sent(third, "a-id", "b-id", (path) => (path === lastAgain ? { covers: 4 } : {}));
    const { hops } = buildModel([
      server("A", before.onPrimary, back.onSecondary, behind.onPrimary),
      server("B", before.onSecondary, back.onPrimary, behind.onSecondary),
    ]);
    const at = (path: BlockPath): number => path.at - paths[0].at;
    expect(hops[0].ackReceived[29]).toBeCloseTo(at(lastAgain) + 4_000, 1);
    expect(hops[0].ackBuilt[29]).toBeCloseTo(at(lastAgain) + 3_545, 1);
    expect([hops[0].ackReceived[9], hops[0].ackBuilt[9]]).toEqual([Number.NaN, Number.NaN]);
  });

  it("are found from the secondary's events alone where the other server has no file", () => {
    const model = buildModel([server("B", out.onSecondary, back.onPrimary)]);
    expect(model.phases.map(({ primary }) => model.replicas[primary].id)).toEqual(["a-id", "b-id"]);
    expect(model.replicas.map(({ hasCapture }) => hasCapture)).toEqual([false, true]);
  });

  it("are no phase where fewer than three blocks show another primary", () => {
    const stray = (blocks: number): string[] => {
      const strange = sent(second.slice(0, blocks), "b-id", "a-id");
      const around = sent([...first, ...second.slice(blocks), ...third], "a-id", "b-id");
      return primaries(
        buildModel([
          server("A", around.onPrimary, strange.onSecondary),
          server("B", around.onSecondary, strange.onPrimary),
        ]),
      );
    };
    expect(stray(2)).toEqual(["A"]);
    expect(stray(3)).toEqual(["A", "B", "A"]);
  });

  it("take blocks of which no event shows the primary with the ones before them, at the beginning with the ones behind", () => {
    const [before, middle, after] = [first, second, third].map((each) =>
      each.filter((path) => !silent.includes(path)),
    );
    const [there, here, gone] = [
      sent(before, "a-id", "b-id"),
      sent(middle, "b-id", "a-id"),
      sent(after, "a-id", "b-id"),
    ];
    const quiet = onlyWritten(silent);
    const model = buildModel([
      server("A", there.onPrimary, here.onSecondary, gone.onPrimary, quiet.onPrimary),
      server("B", there.onSecondary, here.onPrimary, gone.onSecondary, quiet.onSecondary),
    ]);
    expect(primaries(model)).toEqual(["A", "B", "A"]);
    expect([...model.blocks.phase]).toEqual([first, second, third].flatMap((each, p) => each.map(() => p)));
  });

  it("count no block of which nothing shows the primary among the three that make one", () => {
    const quiet = onlyWritten([paths[0]]);
    const phases = (blocks: number): string[] => {
      const early = sent(paths.slice(1, blocks), "b-id", "a-id");
      const later = sent(paths.slice(blocks), "a-id", "b-id");
      return primaries(
        buildModel([
          server("A", later.onPrimary, early.onSecondary, quiet.onPrimary),
          server("B", later.onSecondary, early.onPrimary, quiet.onSecondary),
        ]),
      );
    };
    expect([phases(3), phases(4)]).toEqual([["A"], ["B", "A"]]);
  });

  it("are no phase where the first blocks are fewer than three of another primary, but of few blocks in all they are", () => {
    const beginning = (blocks: number, rest = paths): CaptureModel => {
      const strange = sent(rest.slice(0, blocks), "b-id", "a-id");
      const others = sent(rest.slice(blocks), "a-id", "b-id");
      return buildModel([
        server("A", others.onPrimary, strange.onSecondary),
        server("B", others.onSecondary, strange.onPrimary),
      ]);
    };
    expect(primaries(beginning(2))).toEqual(["A"]);
    expect([...beginning(2).blocks.phase]).toEqual(paths.map(() => 0));
    expect(primaries(beginning(3))).toEqual(["B", "A"]);
    expect(primaries(beginning(1, paths.slice(0, 3)))).toEqual(["B", "A"]);
  });

  it("keep gates and stages on each primary's own clock", () => {
    const model = buildModel([
      server("A", out.onPrimary, back.onSecondary),
      server("B", out.onSecondary, back.onPrimary),
    ]);
    for (const row of [0, 15]) {
      expect(model.hops[0].ackProcessed[row] - model.hops[0].sendStart[row]).toBeCloseTo(3_990, 6);
      expect(model.blocks.commitEnd[row] - model.blocks.commitStart[row]).toBeCloseTo(5_000, 6);
    }
    expect(model.blocks.uncertainty[0]).toBe(0);
    expect(model.blocks.uncertainty[15]).toBeGreaterThan(0);
  });
});

describe("one instance in two availability groups", () => {
  const ofGroup = (name: string, events: readonly EventSpec[]): EventSpec[] =>
    events.map((event) => ({
      ...event,
      ...(event.database === undefined ? {} : { database: name }),
      ...(event.local === undefined ? {} : { local: name.length }),
    }));
  const sales = sent(first, "a1", "b1");
  const hr = sent(second, "a2", "c2");
  const active = sent(third, "b3", "a3");
  const a = server(
    "A",
    ofGroup("sales", sales.onPrimary),
    ofGroup("hr", hr.onPrimary),
    ofGroup("orders", active.onSecondary),
  );
  const b = server("B", ofGroup("sales", sales.onSecondary), ofGroup("orders", active.onPrimary));
  const c = server("C", ofGroup("hr", hr.onSecondary));
  const model = buildModel([a, b, c]);

  it("is one replica with an id in each group", () => {
    expect(model.replicas.map(({ name, ids }) => [name, ids])).toEqual([
      ["A", ["a1", "a2", "a3"]],
      ["B", ["b1", "b3"]],
      ["C", ["c2"]],
    ]);
    expect(model.databases.map(({ id, group, replicaIds }) => [id, group, replicaIds])).toEqual([
      ["sales", 0, ["a1", "b1", ""]],
      ["hr", 1, ["a2", "", "c2"]],
      ["orders", 2, ["a3", "b3", ""]],
    ]);
  });

  it("waits for the replicas of the block's own group only", () => {
    expect(primaries(model)).toEqual(["A", "A", "B"]);
    expect(model.phases.map(({ commitModes }) => commitModes)).toEqual([
      ["sync", null],
      [null, "sync"],
      ["sync", null],
    ]);
    const gates = [...model.blocks.gate];
    expect(gates.slice(0, 10).every((gate) => gate === 2)).toBe(true);
    expect(gates.slice(10, 20).every((gate) => gate === 3)).toBe(true);
    expect(gates.slice(20).every((gate) => gate === 2)).toBe(true);
    expect(model.counts).toMatchObject({ completeEndToEnd: 30, withoutAcknowledgement: 0 });
  });

  it("has phases that begin together in the order of their databases", () => {
    const events = ["sales", "hr"].map((name, i) => {
      const own = first.map((path) => ({ ...path, block: path.block + (BigInt(i) << 32n) }));
      return ofGroup(name, sent(own, `a${i}`, `b${i}`).onPrimary);
    });
    const both = buildModel([server("A", ...events)]);
    expect(both.databases.map(({ id }) => id)).toEqual(["sales", "hr"]);
    expect(both.phases.map(({ databases }) => databases)).toEqual([[0], [1]]);
  });

  it("has the clock of the primary with the most blocks, of those that begin a database", () => {
    const reference = (sales: number, orders: number): string | undefined => {
      const ofA = sent(paths.slice(0, sales), "a1", "b1");
      const ofB = sent(paths.slice(0, orders), "b3", "a3");
      const both = buildModel([
        server("A", ofGroup("sales", ofA.onPrimary), ofGroup("orders", ofB.onSecondary)),
        server("B", ofGroup("sales", ofA.onSecondary), ofGroup("orders", ofB.onPrimary)),
      ]);
      return both.replicas[0].name;
    };
    expect([reference(10, 20), reference(20, 10)]).toEqual(["B", "A"]);
  });
});

it("a server's file without events leaves the others' instants as they are", () => {
  const own = paths
    .slice(0, 5)
    .flatMap((path) => [...localEvents({ ...path, localFlushEnd: 2_836 }), ...hopEvents(path)]);
  // An engine without start_timestamp: every instant is the time when the event was written out.
  const events = own.map(({ at = 0, took = 0, ...event }): EventSpec => ({
    ...event,
    published: at + (event.kind === "flushComplete" ? 0 : took),
  }));
  const model = buildModel([server("A", events), server("B")]);
  expect(model.replicas.map(({ name, events: n }) => [name, n])).toContainEqual(["B", 0]);
  // The capture begins with the commit's first step, after 51 µs; the log write ends after 2,836.
  expect(model.origin).toBe(BASE_TICKS + 10n * 1_000_051n);
  expect([...model.blocks.localFlushEnd]).toEqual([0, 1, 2, 3, 4].map((i) => 10_000 * i + 2_836 - 51));
});
