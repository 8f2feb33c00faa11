/**
 * The recent blocks of a run as a model: its replicas, its clocks, and the values that a silent secondary leaves
 * unknown.
 */
import { describe, expect, it } from "vitest";
import { modelOf, TEST_ORIGIN } from "../../test/model.ts";
import { HOP_ANCHORS, Obtained, type CaptureModel } from "../replication/shapes/tables.ts";
import { AttachedReplicas } from "./attached-replicas.ts";
import { cutPiece } from "./block-pieces.ts";
import { presentClocks, recentModel, withoutSecondary, type RunFacts } from "./recent-model.ts";

/** Events from 0 to an instant, µs of the run. */
const readTo = (to: number) => ({ from: 0, to });
const SECOND = 1_000_000;

const latest = modelOf([{ at: 10 * SECOND }, { at: 11 * SECOND }], { secondaries: 2 });

/** SQL1 and SQL3 are attached, SQL2 is known from the primary's events alone. */
function facts(more: Partial<RunFacts> = {}): RunFacts {
  const replicas = new AttachedReplicas([
    { name: "10.0.0.3", role: "secondary", replicaId: "replica-2" },
    { name: "10.0.0.1", role: "primary", replicaId: "replica-0" },
  ]);
  replicas.advance(0, readTo(12 * SECOND), 0, "");
  replicas.advance(1, readTo(13 * SECOND), 0, "");
  return {
    originTicks: TEST_ORIGIN,
    replicas,
    present: [
      { id: "replica-2", replica: 0, number: 4 },
      { id: "replica-1", replica: -1, number: 2 },
    ],
    databases: [
      { id: "db", name: "TestDB" },
      { id: "db-2", name: "Other" },
    ],
    latest,
    ...more,
  };
}

/** The rows of the newest model, its secondaries in the order of the run. */
const period = (model: CaptureModel = latest) => {
  const rows = (length: number): Uint32Array => Uint32Array.from({ length }, (_, i) => i);
  const piece = cutPiece({
    model,
    shift: 0,
    blocks: rows(model.blocks.length),
    commits: rows(model.commits.length),
    markers: rows(model.markers.length),
    databaseOf: [0],
    secondaryOf: [1, 0],
    secondaries: 2,
    numberOf: (row) => 70 + row,
  });
  return { pieces: [piece], firstBlock: 70 };
};

describe("a recent model", () => {
  it("has the replicas of the run, as they are known and as far as they were read", () => {
    const model = recentModel(period(), facts(), 11.5 * SECOND);
    expect(model.replicas).toMatchObject([
      {
        id: "replica-0",
        ids: ["replica-0"],
        name: "10.0.0.1",
        role: "primary",
        hasCapture: true,
        events: 100,
      },
      { id: "replica-2", ids: ["replica-2"], name: "10.0.0.3", role: "secondary", hasCapture: true },
      { id: "replica-1", ids: ["replica-1"], name: "SQL2", role: "secondary", hasCapture: false },
    ]);
    expect(model.replicas.map(({ from, to }) => [from, to])).toEqual([
      [10 * SECOND, 13 * SECOND],
      [10 * SECOND, 12 * SECOND],
      [Number.NaN, Number.NaN],
    ]);
    expect(model).toMatchObject({
      origin: TEST_ORIGIN,
      duration: 13 * SECOND,
      source: "live",
      engine: "2016+",
    });
    expect(model.phases).toEqual([
      {
        databases: [0, 1],
        primary: 0,
        from: 10 * SECOND,
        to: 11.5 * SECOND,
        commitModes: ["sync", "sync"],
      },
    ]);
    expect(model.databases).toMatchObject([
      {
        id: "db",
        name: "TestDB",
        replicaIds: ["replica-0", "replica-2", "replica-1"],
        localIds: [-1, -1, -1],
      },
      { id: "db-2", name: "Other" },
    ]);
    expect(Array.from(model.commits.block)).toEqual([0, 1]);
  });

  it("has names and commit modes as the servers give them", () => {
    const given = facts();
    given.replicas.setTopology({
      replicas: new Map([["replica-1", { name: "NODE2", commitMode: "async" }]]),
      databases: new Map(),
    });
    const model = recentModel(period(), given, 11.5 * SECOND);
    expect(model.replicas.map(({ name }) => name)).toEqual(["10.0.0.1", "10.0.0.3", "NODE2"]);
    expect(model.phases[0].commitModes).toEqual(["sync", "async"]);
  });

  it("before the first model has secondaries without a name, and engine and modes as far as they are known", () => {
    const model = recentModel(period(), facts({ latest: undefined }), 11.5 * SECOND);
    expect(model.replicas.map(({ id, name, commitMode, events }) => [id, name, commitMode, events])).toEqual([
      ["", "10.0.0.1", "undetermined", 0],
      ["replica-2", "10.0.0.3", "undetermined", 0],
      ["replica-1", "Secondary", "undetermined", 0],
    ]);
    expect(model.replicas[0].ids).toEqual([]);
    expect([model.clocks, model.engine]).toEqual([[], "2016+"]);
  });

  it("begins where its first block does, at the latest where blocks have settled", () => {
    const from = (settledTo: number): number =>
      recentModel(period(), facts(), settledTo).phases[0].from / SECOND;
    expect([from(9 * SECOND), from(10.5 * SECOND)]).toEqual([9, 10]);
  });
});

it("clocks are those of the secondaries that are present, by their place there", () => {
  const { present } = facts();
  expect(presentClocks(undefined, present)).toEqual([]);
  const places = (ids: readonly string[]): number[][] =>
    presentClocks(
      latest,
      ids.map((id, i) => ({ id, replica: -1, number: i })),
    ).map(({ secondary, against }) => [secondary, against]);
  expect(places(["replica-2", "replica-1"])).toEqual([
    [1, 0],
    [0, 0],
  ]);
  expect(places(["replica-2"])).toEqual([[0, 0]]);
  // A secondary whose name is not known yet may be any of them.
  expect(places([""])).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

describe("a model without what a secondary's own events give", () => {
  const model = withoutSecondary(latest, 1);
  const isKnown = (secondary: number): Record<string, boolean> =>
    Object.fromEntries(
      HOP_ANCHORS.map((anchor) => [anchor, model.hops[secondary][anchor].every((us) => !Number.isNaN(us))]),
    );

  it("keeps what the primary's events say of it", () => {
    const own = { received: false, secondaryFlushStart: false, secondaryFlushEnd: false } as const;
    const acks = { ackBuilt: false, ackDeparted: false, ackSent: false } as const;
    const primary = { sendStart: true, departed: true, sendEnd: true, ackReceived: true, ackProcessed: true };
    expect(isKnown(1)).toEqual({ ...primary, ...own, ...acks });
    expect(Number.isNaN(model.hops[1].decompression[0])).toBe(true);
    expect(model.hops[1].compression[0]).toBe(30);
    expect(model.replicas.map(({ hasCapture }) => hasCapture)).toEqual([true, true, false]);
  });

  it("says of each instant how it was obtained: these not at all", () => {
    const how = HOP_ANCHORS.map(
      (anchor, i) => [anchor, (model.hops[1].obtained[0] >>> (2 * i)) & 3] as const,
    );
    const unknown = how.filter(([, obtained]) => obtained === Obtained.missing).map(([anchor]) => anchor);
    expect(unknown.toSorted()).toEqual([
      "ackBuilt",
      "ackDeparted",
      "ackSent",
      "received",
      "secondaryFlushEnd",
      "secondaryFlushStart",
    ]);
    expect(how.filter(([, obtained]) => obtained === Obtained.measured)).toHaveLength(HOP_ANCHORS.length - 6);
  });

  it("leaves other secondaries, and the model it is made of, as they are", () => {
    expect(model.hops[0]).toBe(latest.hops[0]);
    expect(Number.isNaN(latest.hops[1].received[0])).toBe(false);
  });
});
