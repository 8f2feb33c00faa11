/** A small handmade capture for tests: every stage of every block is set, so expectations are plain sums. */
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  MARKER_KINDS,
  Obtained,
  recordOf,
  WRITE_PARTS,
  type CaptureModel,
  type HopAnchor,
  type HopTable,
  type Replica,
} from "../src/replication/shapes/tables.ts";
import { eventIndexOf, type EventIndex } from "../src/replication/shapes/event-runs.ts";
import { extentOf, type MovedRun } from "../src/replication/event-index/moved-events.ts";
import { packEvents } from "../src/replication/event-index/pack-events.ts";
import { replicaOfSlot } from "../src/replication/shapes/slots.ts";

/** An event of a block; of the first replica's first file by default. */
export interface PlacedEvent {
  readonly block?: number;
  readonly replica?: number;
  /** By default the replica's number. */
  readonly file?: number;
  readonly offset?: number;
  /** µs */
  readonly fire: number;
}

/** The index of these events, in the order in which the files have them. */
export function eventsAt(events: readonly PlacedEvent[]): EventIndex {
  const blocks = 1 + Math.max(-1, ...events.map(({ block = 0 }) => block));
  const runs = [...new Set(events.map(({ replica = 0 }) => replica))].sort((a, b) => a - b);
  return eventIndexOf(
    runs.map((replica) => {
      const own = events.filter((event) => (event.replica ?? 0) === replica);
      const moved = { length: own.length, stretches: () => [periodOf(own, replica)] };
      return packEvents({
        replica,
        fileBase: 0,
        events: moved,
        extent: extentOf(moved),
        rowOfBlock: Int32Array.from({ length: blocks }, (_, block) => block),
        start: 0,
      });
    }),
  );
}

const periodOf = (events: readonly PlacedEvent[], replica: number): MovedRun => ({
  length: events.length,
  row: Int32Array.from(events, ({ block = 0 }) => block),
  fire: Float64Array.from(events, ({ fire }) => fire),
  file: Float64Array.from(events, ({ file = replica }) => file),
  offset: Float64Array.from(events, ({ offset = 0 }) => offset),
});

/** Durations of one block, µs. `hops` may have fewer entries than there are secondaries: the last is repeated. */
export interface BlockSpec {
  /** Start of the commit. */
  readonly at: number;
  readonly commitQueue?: number;
  readonly localFlush?: number;
  readonly wakeUp?: number;
  readonly hops?: readonly Partial<HopSpec>[];
  readonly commits?: number;
  readonly vlfStart?: boolean;
}

export interface HopSpec {
  readonly send: number;
  readonly compression: number;
  readonly wireOut: number;
  readonly append: number;
  readonly decompression: number;
  readonly flush: number;
  readonly ackBuild: number;
  readonly ackSend: number;
  readonly wireBack: number;
  readonly ackReceive: number;
}

const HEALTHY: HopSpec = {
  send: 200,
  compression: 30,
  wireOut: 300,
  append: 100,
  decompression: 10,
  flush: 3_000,
  ackBuild: 100,
  ackSend: 100,
  wireBack: 300,
  ackReceive: 100,
};

export interface ModelOptions {
  readonly secondaries?: number;
  readonly duration?: number;
  /** Coverage per replica index, µs; by default the complete duration. */
  readonly coverage?: readonly (readonly [number, number])[];
}

/** 2016-05-06T02:16:55 UTC as FILETIME ticks. */
export const TEST_ORIGIN = 131_069_746_150_000_000n;

/** Builds the model; commits of a block start together and end when the last synchronous acknowledgment allows. */
export function modelOf(specs: readonly BlockSpec[], options: ModelOptions = {}): CaptureModel {
  const secondaries = options.secondaries ?? 1;
  const n = specs.length;
  const local = columns(LOCAL_ANCHORS, n);
  const hops = Array.from({ length: secondaries }, () => emptyHop(n));
  const gate = new Uint8Array(n);
  specs.forEach((spec, row) => fillBlock(spec, row, local, hops, gate));
  const timeEnd = local.commitEnd.slice();
  const duration = options.duration ?? (n > 0 ? timeEnd.reduce((a, b) => Math.max(a, b)) : 0);
  return {
    origin: TEST_ORIGIN,
    duration,
    replicas: replicas(secondaries, duration, options.coverage),
    databases: [
      {
        id: "db",
        name: "TestDB",
        group: 0,
        replicaIds: Array.from({ length: secondaries + 1 }, (_, index) => `replica-${index}`),
        localIds: [5, 5],
      },
    ],
    phases: [
      { databases: [0], primary: 0, from: 0, to: duration, commitModes: hops.map(() => "sync" as const) },
    ],
    files: [{ name: "primary.xel", size: 1_000, replica: 0, events: n, gaps: [] }],
    blocks: {
      ...local,
      ...columns(WRITE_PARTS, n),
      length: n,
      database: new Uint16Array(n),
      phase: new Uint16Array(n),
      blockId: BigUint64Array.from(specs, (_, row) => (0x22n << 32n) | BigInt(row + 1)),
      size: new Float64Array(n).fill(512),
      time: local.commitStart.slice(),
      timeEnd,
      commits: Uint16Array.from(specs, (spec) => spec.commits ?? 1),
      gate,
      vlfStart: Uint8Array.from(specs, (spec) => (spec.vlfStart ? 1 : 0)),
      uncertainty: new Float64Array(n),
      obtained: allMeasured(LOCAL_ANCHORS.length, n),
    },
    hops,
    commits: commitsOf(specs, local, gate),
    markers: {
      length: 0,
      kind: new Uint8Array(),
      replica: new Uint8Array(),
      time: new Float64Array(),
      duration: new Float64Array(),
    },
    events: eventsAt(
      specs.map((_, block) => ({ block, offset: 1_000 + block * 100, fire: local.commitEnd[block] })),
    ),
    clocks: hops.map((_, secondary) => clock(secondary, duration)),
    engine: "2016+",
    source: "files",
    warnings: [],
    counts: {
      primary: n,
      secondary: n,
      onBoth: n,
      primaryOnly: 0,
      secondaryOnly: 0,
      completeEndToEnd: n,
      withoutAcknowledgement: 0,
      withCommit: n,
      common: { primaryOnly: 0, secondaryOnly: 0, withoutAcknowledgement: 0 },
    },
  };
}

/** The model with another commit mode of a replica in every phase. */
export const withCommitMode = (
  model: CaptureModel,
  replica: number,
  commitMode: "sync" | "async" | "undetermined",
): CaptureModel => ({
  ...model,
  replicas: model.replicas.map((each, r) => (r === replica ? { ...each, commitMode } : each)),
  phases: model.phases.map((phase) => ({
    ...phase,
    commitModes: phase.commitModes.map((mode, slot) =>
      replicaOfSlot(phase.primary, slot) === replica ? commitMode : mode,
    ),
  })),
});

function columns<Name extends string>(names: readonly Name[], n: number): Record<Name, Float64Array> {
  return recordOf(names, () => new Float64Array(n).fill(Number.NaN));
}

function emptyHop(n: number): HopTable {
  return {
    ...columns([...HOP_ANCHORS, ...WRITE_PARTS], n),
    compression: new Float64Array(n),
    decompression: new Float64Array(n),
    uncertainty: new Float64Array(n).fill(100),
    obtained: allMeasured(HOP_ANCHORS.length, n),
  };
}

function allMeasured(anchors: number, n: number): Uint32Array {
  let bits = 0;
  for (let i = 0; i < anchors; i++) bits |= Obtained.measured << (2 * i);
  return new Uint32Array(n).fill(bits);
}

function fillBlock(
  spec: BlockSpec,
  row: number,
  local: Record<(typeof LOCAL_ANCHORS)[number], Float64Array>,
  hops: readonly HopTable[],
  gate: Uint8Array,
): void {
  const flushStart = spec.at + (spec.commitQueue ?? 50);
  local.commitStart[row] = spec.at;
  local.localFlushStart[row] = flushStart;
  local.pushedToLogPool[row] = flushStart;
  local.localFlushEnd[row] = flushStart + (spec.localFlush ?? 2_000);
  let released = local.localFlushEnd[row];
  gate[row] = 1;
  hops.forEach((hop, secondary) => {
    const given = spec.hops ?? [];
    fillHop(hop, row, flushStart, { ...HEALTHY, ...(given[secondary] ?? given.at(-1)) });
    if (hop.ackProcessed[row] > released) {
      released = hop.ackProcessed[row];
      gate[row] = secondary + 2;
    }
  });
  local.commitEnd[row] = released + (spec.wakeUp ?? 40);
}

function fillHop(hop: HopTable, row: number, start: number, spec: HopSpec): void {
  let at = start;
  const set = (anchor: HopAnchor, later: number) => (hop[anchor][row] = at += later);
  set("sendStart", 0);
  set("departed", 0);
  set("sendEnd", spec.send);
  set("received", spec.wireOut);
  set("secondaryFlushStart", spec.append);
  set("secondaryFlushEnd", spec.flush);
  set("ackBuilt", 0);
  set("ackDeparted", spec.ackBuild);
  set("ackSent", spec.ackSend);
  set("ackReceived", spec.wireBack);
  set("ackProcessed", spec.ackReceive);
  hop.compression[row] = spec.compression;
  hop.decompression[row] = spec.decompression;
}

function commitsOf(
  specs: readonly BlockSpec[],
  local: Record<(typeof LOCAL_ANCHORS)[number], Float64Array>,
  gate: Uint8Array,
): CaptureModel["commits"] {
  const block = Int32Array.from(
    specs.flatMap((spec, row) => Array.from({ length: spec.commits ?? 1 }, () => row)),
  );
  return {
    length: block.length,
    block,
    database: new Uint16Array(block.length),
    start: Float64Array.from(block, (row) => local.commitStart[row]),
    end: Float64Array.from(block, (row) => local.commitEnd[row]),
    gate: Uint8Array.from(block, (row) => gate[row]),
    timeToCommit: Float64Array.from(block, (row) => local.commitEnd[row] - local.commitStart[row]),
  };
}

function replicas(secondaries: number, duration: number, coverage: ModelOptions["coverage"]): Replica[] {
  return Array.from({ length: secondaries + 1 }, (_, index) => ({
    id: `replica-${index}`,
    ids: [`replica-${index}`],
    name: `SQL${index + 1}`,
    role: index === 0 ? ("primary" as const) : ("secondary" as const),
    hasCapture: true,
    hasCounter: true,
    commitMode: "sync" as const,
    events: 100,
    from: coverage?.[index]?.[0] ?? 0,
    to: coverage?.[index]?.[1] ?? duration,
  }));
}

function clock(secondary: number, duration: number): CaptureModel["clocks"][number] {
  return {
    secondary,
    against: 0,
    status: "aligned",
    reason: "",
    blocksUsed: 100,
    driftPpm: 5,
    driftPpmFeasible: [1, 9],
    oneWayUncertaintyUs: 100,
    minNetworkRoundTripUs: 500,
    utcAheadOfPrimaryUs: 1_000,
    causalityViolationsAfter: 0,
    outOfOrderByUtc: 0,
    windows: [
      {
        from: 0,
        to: duration,
        offsetUs: 0,
        driftPpm: 5,
        driftPpmFeasible: [1, 9],
        uncertaintyUs: 100,
      },
    ],
  };
}

/** The model with servers that were unresponsive; each pause is a replica and its two ends, µs. */
export function withPauses(
  model: CaptureModel,
  pauses: readonly (readonly [replica: number, from: number, to: number])[],
): CaptureModel {
  return {
    ...model,
    markers: {
      length: pauses.length,
      kind: new Uint8Array(pauses.length).fill(MARKER_KINDS.indexOf("pause")),
      replica: Uint8Array.from(pauses, ([replica]) => replica),
      time: Float64Array.from(pauses, ([, from]) => from),
      duration: Float64Array.from(pauses, ([, from, to]) => to - from),
    },
  };
}
