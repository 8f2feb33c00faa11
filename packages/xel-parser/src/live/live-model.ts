import { EVENT_REQUEST } from "../events/index.ts";
import { openColumnStream, type ColumnStream, type PushReport, type StreamRow } from "../format/index.ts";
import type { Topology } from "../replication/index.ts";
import type { LiveModelPicture, LiveModelReplica } from "./picture.ts";

/** Why a replica's stream has a hole. */
export type GapReason =
  | "connection"
  | "disconnectedByServer"
  | "droppedByServer"
  | "droppedByUs"
  | "sessionStopped";

/** The replication model of replicas that are read while they run. Rows come in any order among replicas. */
export class LiveModel {
  readonly #replicas: LiveModelReplica[];
  readonly #streams: ColumnStream[];
  #topology: Topology | undefined;

  constructor(replicas: readonly LiveModelReplica[]) {
    this.#replicas = replicas.slice();
    this.#streams = replicas.map(() => openColumnStream(EVENT_REQUEST));
  }

  /** Takes a row of a replica's event stream; a row that does not decode is reported, never thrown. */
  push(replica: number, row: StreamRow): PushReport {
    return this.#streams[replica].push(row);
  }

  /** Names of replicas and databases and commit modes, as the servers tell them. */
  setTopology(topology: Topology): void {
    this.#topology = topology;
  }

  /** Tells a replica's role and id; a change of roles ends what was joined before and begins anew. */
  setRole(replica: number, role: LiveModelReplica["role"], replicaId: string): void {
    this.#replicas[replica] = { ...this.#replicas[replica], role, replicaId };
  }

  /** A replica's stream has a hole here; it no longer holds the others back. */
  gap(_replica: number, _reason: GapReason): void {}

  /**
   * Works in what came since the last step; call about once a second.
   * @param _nowTicks UTC now as FILETIME ticks
   */
  step(_nowTicks: bigint): LiveModelPicture {
    return this.whole();
  }

  /** The picture with all bins that are kept, for a client that has none yet; as of the last step. */
  whole(): LiveModelPicture {
    return {
      originTicks: this.#topology ? 0n : 0n,
      now: 0,
      lanes: [],
      decodedTo: this.#replicas.map(() => Number.NaN),
      bins: null,
      overview: null,
      figures: {},
      shares: [],
      readouts: [],
      verdict: null,
      clocks: [],
      blocksPerSecond: Number.NaN,
      commitsPerSecond: Number.NaN,
    };
  }
}
