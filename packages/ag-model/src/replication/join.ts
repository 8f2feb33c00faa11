/** Puts the events of all replicas to log blocks and commits (docs/model.md 3). */
import { joinArrivals } from "./ack-arrivals.ts";
import type { AckColumns } from "./ack-join.ts";
import { hopAnchors, localAnchors, type HopAnchors, type LocalAnchors } from "./anchor-columns.ts";
import { collectBlocks, rowsOfEvents, type BlockRows } from "./blocks.ts";
import { joinCaptures } from "./capture-joins.ts";
import { collectCommits, NO_COMMITS, type Commits } from "./commits.ts";
import { putCoveringAcks } from "./covering-acks.ts";
import { learnDatabases, type LearnedDatabases } from "./databases.ts";
import { engineOf, typicalSteps, type Engine } from "./engine.ts";
import { joinLocal } from "./local-joins.ts";
import { ModelError } from "./model-error.ts";
import type { ReplicaInput } from "./replica-input.ts";
import { joinSecondary } from "./secondary-joins.ts";
import { prepareServer, type Server } from "./server.ts";
import type { Sorted } from "./sort-out.ts";

/** The events of all replicas put to blocks and commits; each secondary's instants are still on its own clock. */
export interface Joined extends Sorted {
  /** The inputs cut to their role, the primary first; a server each. */
  readonly given: readonly ReplicaInput[];
  readonly servers: readonly Server[];
  /** 1 when the first server is the primary, else 0. */
  readonly first: 0 | 1;
  /** FILETIME of the servers' time 0. */
  readonly baseTicks: bigint;
  readonly databases: LearnedDatabases;
  readonly rows: BlockRows;
  /** Per server: the block row of each event; -1 for none. */
  readonly eventRows: readonly Int32Array[];
  readonly engine: Engine;
  readonly local: LocalAnchors;
  /** Captured secondaries first, as in `ids.secondaries`. */
  readonly hops: readonly HopAnchors[];
  readonly commits: Commits;
}

/**
 * Puts the events of all replicas to databases, blocks and commits.
 * @param onBlocks called with the number of log blocks as soon as it is known
 * @throws ModelError when there is no log block of an availability database
 */
export function joinEvents(sorted: Sorted, onBlocks: (blocks: number) => void): Joined {
  const { primary, secondaries, ids } = sorted;
  const given = primary ? [primary, ...secondaries] : secondaries;
  const first = primary ? 1 : 0;
  const baseTicks = given.map((i) => i.columns.ticks[0] ?? 0n).reduce((a, b) => (b < a ? b : a));
  const servers = given.map((i) => prepareServer(i.columns, baseTicks));
  const databases = learnDatabases(servers);
  const rows = collectBlocks(servers, databases.ids.length);
  if (rows.length === 0)
    throw new ModelError(
      "model.noBlocks",
      "The files hold no log blocks of an availability database: capture the data movement session again.",
    );
  onBlocks(rows.length);
  const eventRows = servers.map((s) => rowsOfEvents(s, rows));
  const p = primary ? servers[0] : undefined;
  const captured = servers.slice(first);
  const engine = engineOf(p ?? servers[0]);
  const local = localAnchors(rows.length);
  const hops = ids.secondaries.map(() => hopAnchors(rows.length));
  const arrivals = p ? joinPrimary(p, eventRows[0], rows, local, hops, ids.secondaries, engine) : [];
  const departures = captured.map((server, s) =>
    joinSecondary(server, eventRows[s + first], rows, hops[s], typicalSteps(engine)),
  );
  const commits = p ? collectCommits(p, eventRows[0]) : NO_COMMITS;
  for (const [s, hop] of hops.entries()) {
    const there = p ? { server: p, acks: arrivals[s] } : undefined;
    const here = s < captured.length ? { server: captured[s], acks: departures[s] } : undefined;
    putCoveringAcks(hop, there, here, commits);
  }
  return {
    ...sorted,
    given,
    servers,
    first,
    baseTicks,
    databases,
    rows,
    eventRows,
    engine,
    local,
    hops,
    commits,
  };
}

/** The primary's side of all blocks; returns the acknowledgements that arrived, per hop. */
function joinPrimary(
  server: Server,
  rowOf: Int32Array,
  rows: BlockRows,
  local: LocalAnchors,
  hops: readonly HopAnchors[],
  secondaries: readonly string[],
  engine: Engine,
): AckColumns[] {
  joinLocal(server, rowOf, local, engine);
  const hopOfText = Int16Array.from(server.columns.texts, (text) =>
    text === "" ? -1 : secondaries.indexOf(text),
  );
  joinCaptures(server, rowOf, rows, hops, hopOfText, engine);
  return hops.map((hop, s) => joinArrivals(server, rows, hop, s, hopOfText));
}
