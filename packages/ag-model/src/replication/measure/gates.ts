/** Finds the release of each commit, by instants of one server's own counter (docs/contribute/model/joins.md 3). */
import { gateOf, pickClients, type Commits } from "../join/commits.ts";
import type { Joined } from "../join/join.ts";
import type { CommitMode } from "../shapes/tables.ts";
import type { Topology } from "../shapes/topology.ts";
import { commitModesOf } from "./commit-modes.ts";

/** Releases of the commits, which need no clock but the primary's own. */
export interface Gates {
  /** Per phase and slot. */
  readonly modes: readonly (readonly (CommitMode | null)[])[];
  /** Per server and commit. */
  readonly gates: readonly Uint8Array[];
}

/** Finds the release of each commit, by instants of one server's own counter. */
export function findGates(joined: Joined, topology: Topology | undefined): Gates {
  const { commits, local, hops, phaseOf } = joined;
  const modes = commitModesOf(joined, topology);
  const waitedFor = modesOfGates(joined, modes);
  const gates = commits.map(({ length, block, end }) => {
    const own = new Uint8Array(length);
    for (let c = 0; c < length; c++)
      own[c] = gateOf(block[c], end[c], local, hops, waitedFor[phaseOf[Math.max(0, block[c])]]);
    return own;
  });
  return { modes, gates };
}

/**
 * The modes by which gates are found. A replica without any acknowledgment in a phase may have released any commit, so
 * that gates are as unknown as where an acknowledgment of a synchronous one is missing.
 */
function modesOfGates({ hops, phaseOf }: Joined, modes: Gates["modes"]): Gates["modes"] {
  if (!modes.some((own) => own.includes("undetermined"))) return modes;
  return modes.map((own, phase) =>
    own.map((mode, slot) => {
      if (mode !== "undetermined") return mode;
      const { ackProcessed } = hops[slot].at;
      return ackProcessed.some((us, row) => phaseOf[row] === phase && !Number.isNaN(us)) ? mode : "sync";
    }),
  );
}

/** All servers' commits by start, with the release of each. */
export function commitsInOrder(
  perServer: readonly Commits[],
  gatesOf: readonly Uint8Array[],
): { commits: Commits; gates: Uint8Array } {
  const used = perServer.flatMap((commits, s) =>
    commits.length > 0 ? [{ commits, gates: gatesOf[s] }] : [],
  );
  if (used.length === 1) return used[0];
  const places = used.flatMap(({ commits }, u) =>
    Array.from({ length: commits.length }, (_, c) => [u, c] as const),
  );
  places.sort(([u, c], [v, d]) => used[u].commits.start[c] - used[v].commits.start[d] || u - v || c - d);
  const pick = (name: "start" | "end" | "timeToCommit"): Float64Array =>
    Float64Array.from(places, ([u, c]) => used[u].commits[name][c]);
  const clients = pickClients(
    used.map(({ commits }) => commits),
    places,
  );
  return {
    commits: {
      length: places.length,
      block: Int32Array.from(places, ([u, c]) => used[u].commits.block[c]),
      database: Uint16Array.from(places, ([u, c]) => used[u].commits.database[c]),
      start: pick("start"),
      end: pick("end"),
      timeToCommit: pick("timeToCommit"),
      ...(clients && { clients }),
      managerAlone: used.reduce((sum, { commits }) => sum + commits.managerAlone, 0),
    },
    gates: Uint8Array.from(places, ([u, c]) => used[u].gates[c]),
  };
}
