/** Joins pieces of a run to a capture model, so that figures, verdict and lanes use the code for captures. */
import {
  HOP_ANCHORS,
  NO_COUNTS,
  recordOf,
  SECONDARY_ANCHORS,
  WRITE_PARTS,
  type CaptureModel,
  type HopTable,
} from "../replication/shapes/tables.ts";
import type { AttachedReplicas } from "./attached-replicas.ts";
import { joinPieces } from "./block-pieces.ts";
import type { Period } from "./recent-blocks.ts";
import type { Secondary } from "./secondaries.ts";

type Replica = CaptureModel["replicas"][number];

/**
 * The part of the newest events' model that is kept, in its own time: the tables would otherwise stay in memory until
 * the next model.
 */
export type LatestModel = Pick<CaptureModel, "replicas" | "clocks" | "engine">;

/** Facts about the run in addition to its blocks. */
export interface RunFacts {
  /** UTC of time 0, FILETIME ticks. */
  readonly originTicks: bigint;
  readonly replicas: AttachedReplicas;
  /** Secondary s of the model is `present[s]`. */
  readonly present: readonly Secondary[];
  readonly databases: readonly { readonly id: string; readonly name: string }[];
  readonly latest: LatestModel | undefined;
}

/** Times are µs of the run; `settledTo` is one of them. */
export function recentModel(
  { pieces, firstBlock }: Period,
  facts: RunFacts,
  settledTo: number,
): CaptureModel {
  const { latest, present, databases, originTicks } = facts;
  const tables = joinPieces(pieces, firstBlock, present.length);
  const from = Math.min(
    ...[tables.blocks.time[0], tables.commits.start[0], settledTo].filter((t) => !Number.isNaN(t)),
  );
  const replicas = [
    replicaOf(facts, latest?.replicas[0], facts.replicas.primary, from),
    ...present.map(({ id, replica }) => {
      const known = latest?.replicas.find((each, k) => k > 0 && each.id === id);
      return replicaOf(facts, known, replica, from, id);
    }),
  ];
  return {
    ...tables,
    origin: originTicks,
    duration: facts.replicas.newest,
    replicas,
    databases: databases.map(({ id, name }) => ({
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
        from,
        to: settledTo,
        commitModes: present.map((_, s) => replicas[s + 1].commitMode),
      },
    ],
    files: [],
    clocks: presentClocks(latest, present),
    engine: latest?.engine ?? "2016+",
    source: "live",
    warnings: [],
    counts: NO_COUNTS,
  };
}

/** A model without the events of one of its secondaries: values that only these events show are unknown. */
export function withoutSecondary(model: CaptureModel, secondary: number): CaptureModel {
  const unknown = new Float64Array(model.blocks.length).fill(Number.NaN);
  const { obtained, ...hop } = model.hops[secondary];
  const places = SECONDARY_ANCHORS.reduce(
    (bits, anchor) => bits | (3 << (2 * HOP_ANCHORS.indexOf(anchor))),
    0,
  );
  const alone: HopTable = {
    ...hop,
    ...Object.fromEntries(SECONDARY_ANCHORS.map((anchor) => [anchor, unknown])),
    ...recordOf(WRITE_PARTS, () => unknown),
    decompression: unknown,
    obtained: obtained.map((bits) => bits & ~places),
  };
  return {
    ...model,
    hops: model.hops.map((each, s) => (s === secondary ? alone : each)),
    replicas: model.replicas.map((each, r) => (r === secondary + 1 ? { ...each, hasCapture: false } : each)),
  };
}

/** The newest model's clocks by index in `present`. */
export function presentClocks(
  latest: LatestModel | undefined,
  present: readonly Secondary[],
): CaptureModel["clocks"] {
  if (latest === undefined) return [];
  return latest.clocks.flatMap((clock) => {
    const { id } = latest.replicas[clock.secondary + 1];
    const secondary = present.findIndex((each) => each.id === id || each.id === "");
    return secondary < 0 ? [] : [{ ...clock, secondary }];
  });
}

/** @param id empty for the primary */
function replicaOf(
  { replicas }: RunFacts,
  known: Replica | undefined,
  replica: number,
  from: number,
  id = "",
): Replica {
  const isAttached = replica >= 0;
  const to = isAttached ? replicas.decodedTo[replica] : Number.NaN;
  const own = id || (known?.id ?? "");
  const listed = replicas.topology?.replicas.get(own);
  return {
    id: own,
    ids: own === "" ? [] : [own],
    name: isAttached ? replicas.nameOf(replica) : listed?.name || known?.name || "Secondary",
    role: id === "" ? "primary" : "secondary",
    hasCapture: !Number.isNaN(to),
    hasCounter: known?.hasCounter ?? true,
    commitMode: listed?.commitMode ?? known?.commitMode ?? "undetermined",
    events: known?.events ?? 0,
    from: isAttached ? from : Number.NaN,
    to,
  };
}
