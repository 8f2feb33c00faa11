/** The model of a capture whose files have no data-movement events: its servers and its time, without a row in any table. */
import { NO_EVENTS } from "../shapes/event-runs.ts";
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  NO_COUNTS,
  recordOf,
  WRITE_PARTS,
  type AvailabilityDatabase,
  type CaptureModel,
  type HopTable,
  type Replica,
} from "../shapes/tables.ts";

/** Facts about a capture without data-movement events, from its other files. */
export interface ServersAlone {
  /** At least one. The first one was the primary replica at the beginning, where that is known. */
  readonly servers: readonly {
    readonly id: string;
    readonly name: string;
    readonly utcOffsetMinutes?: number | undefined;
  }[];
  readonly databases: readonly { readonly id: string; readonly name: string }[];
  /** UTC of the first event as FILETIME ticks. */
  readonly originTicks: bigint;
  /** From the first to the last event, µs. */
  readonly durationUs: number;
}

/** @returns a model in which no replica has a capture; its one phase has the complete time */
export function modelWithoutBlocks({
  servers,
  databases,
  originTicks,
  durationUs,
}: ServersAlone): CaptureModel {
  const replicas = servers.map(replicaAlone);
  return {
    origin: originTicks,
    duration: durationUs,
    replicas,
    databases: databases.map(({ id, name }): AvailabilityDatabase => ({
      id,
      name,
      group: 0,
      replicaIds: replicas.map((replica) => replica.id),
      localIds: replicas.map(() => -1),
    })),
    phases: [
      {
        databases: [...databases.keys()],
        primary: 0,
        from: 0,
        to: durationUs,
        commitModes: replicas.slice(1).map(() => "undetermined"),
      },
    ],
    files: [],
    blocks: {
      ...recordOf([...LOCAL_ANCHORS, ...WRITE_PARTS], () => NO_TIMES),
      length: 0,
      database: new Uint16Array(),
      phase: new Uint16Array(),
      blockId: new BigUint64Array(),
      size: NO_TIMES,
      time: NO_TIMES,
      timeEnd: NO_TIMES,
      commits: new Uint16Array(),
      gate: new Uint8Array(),
      vlfStart: new Uint8Array(),
      uncertainty: NO_TIMES,
      obtained: new Uint32Array(),
    },
    hops: replicas.slice(1).map(hopAlone),
    commits: {
      length: 0,
      block: new Int32Array(),
      database: new Uint16Array(),
      start: NO_TIMES,
      end: NO_TIMES,
      gate: new Uint8Array(),
      timeToCommit: NO_TIMES,
    },
    markers: {
      length: 0,
      kind: new Uint8Array(),
      replica: new Uint8Array(),
      time: NO_TIMES,
      duration: NO_TIMES,
    },
    events: NO_EVENTS,
    clocks: [],
    engine: "2016+",
    source: "files",
    warnings: [],
    counts: NO_COUNTS,
  };
}

const NO_TIMES = new Float64Array();

const replicaAlone = (
  { id, name, utcOffsetMinutes }: ServersAlone["servers"][number],
  index: number,
): Replica => ({
  id,
  ids: id === "" ? [] : [id],
  name,
  role: index === 0 ? "primary" : "secondary",
  hasCapture: false,
  hasCounter: false,
  commitMode: "undetermined",
  events: 0,
  from: Number.NaN,
  to: Number.NaN,
  ...(utcOffsetMinutes === undefined ? {} : { utcOffsetMinutes }),
});

const hopAlone = (): HopTable => ({
  ...recordOf([...HOP_ANCHORS, ...WRITE_PARTS], () => NO_TIMES),
  compression: NO_TIMES,
  decompression: NO_TIMES,
  uncertainty: NO_TIMES,
  obtained: new Uint32Array(),
});
