/**
 * Which replica each server is (docs/model.md 2.2). A replica is a server: it has an availability_replica_id in each
 * availability group it belongs to, and its role is a matter of database and time, never of the server.
 */
import { EventKind, idsIn, mergeColumns, ownIdsOf, sideOfKind } from "../events/index.ts";
import { ModelError } from "./model-error.ts";
import { prepareEvents } from "./prepared-events.ts";
import type { PreparedInput, ServerInput } from "./server-input.ts";
import type { Role } from "./tables.ts";

/** A replica as the events name it. */
export interface KnownReplica {
  /** Every availability_replica_id it has; none while no event names it. */
  readonly ids: readonly string[];
  readonly input: PreparedInput | undefined;
}

/** Events whose `partner` is a secondary, and those whose `partner` is the primary. */
const PARTNER_IS_SECONDARY: readonly number[] = [
  EventKind.capture,
  EventKind.compression,
  EventKind.receiveHarden,
];
const PARTNER_IS_PRIMARY: readonly number[] = [
  EventKind.transportReceive,
  EventKind.sendHarden,
  EventKind.decompression,
];

/** The side whose events a server has; the given role where its events show none. */
export function sideOf({ columns, prepared, role }: PreparedInput): Role | undefined {
  const sides = new Set<Role>();
  for (const i of prepared.shapes.first) {
    const side = sideOfKind(columns.kind[i]);
    if (side !== null) sides.add(side);
  }
  return sides.size === 1 ? [...sides][0] : (role ?? undefined);
}

/**
 * The replicas of a capture: each server with events, then each replica that only others' events name. Inputs that share an
 * id of their own are one server. Sorted by name and id, so that the order in which files were given does not matter.
 * @throws ModelError when there is no input
 */
export function findReplicas(given: readonly ServerInput[]): KnownReplica[] {
  if (given.length === 0) throw new ModelError("model.noCapture", "There is no file to analyse.");
  const servers = mergeServers(given.map(withOwnIds));
  servers.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const named = nameTheSilent(servers);
  const claimed = new Set(named.flatMap(({ ids }) => ids));
  const others = [...partnersOf(named)].filter((id) => !claimed.has(id)).sort();
  return [...named, ...others.map((id) => ({ ids: [id], input: undefined }))];
}

interface NamedServer {
  /** Ascending. */
  readonly ids: readonly string[];
  readonly input: PreparedInput;
}

const sortKey = ({ ids, input }: NamedServer): string =>
  `${input.name ?? ""}\n${ids[0] ?? input.id ?? ""}\n${input.columns.ticks[0] ?? 0}`;

function withOwnIds(given: ServerInput): NamedServer {
  const input = { ...given, prepared: given.prepared ?? prepareEvents(given.columns) };
  return { ids: ownIdsOf(input.columns, input.prepared.shapes.first), input };
}

/** Ids of the other replicas that a server's events of some kinds name. */
const partnersIn = ({ columns, prepared }: PreparedInput, kinds: readonly number[]): string[] =>
  idsIn(columns, "partner", kinds, prepared.shapes.first);

function mergeServers(servers: readonly NamedServer[]): NamedServer[] {
  const merged: NamedServer[] = [];
  for (const server of servers) {
    const same = merged.findIndex(({ ids }) => ids.some((id) => server.ids.includes(id)));
    if (same < 0) merged.push(server);
    else merged[same] = mergeTwo(merged[same], server);
  }
  return merged;
}

function mergeTwo(a: NamedServer, b: NamedServer): NamedServer {
  const name = [a.input.name, b.input.name].filter((each) => each !== undefined).toSorted()[0];
  const columns = mergeColumns([a.input.columns, b.input.columns]);
  return {
    ids: [...new Set([...a.ids, ...b.ids])].toSorted(),
    input: {
      ...a.input,
      ...(name === undefined ? {} : { name }),
      columns,
      // What was prepared is of the columns of one of the two.
      prepared: prepareEvents(columns),
    },
  };
}

/**
 * Servers whose events name no id of their own (events of 2012, files of one side cut short): the caller's id, else the id
 * that the other side's events name and no server claims.
 */
function nameTheSilent(servers: readonly NamedServer[]): readonly NamedServer[] {
  if (servers.every(({ ids }) => ids.length > 0)) return servers;
  const claimed = new Set(servers.flatMap(({ ids, input }) => (ids.length > 0 ? ids : [input.id ?? ""])));
  const free = (kinds: readonly number[]): string[] =>
    [...new Set(servers.flatMap(({ input }) => partnersIn(input, kinds)))]
      .filter((id) => !claimed.has(id))
      .toSorted();
  const secondaries = free(PARTNER_IS_SECONDARY);
  const primaries = free(PARTNER_IS_PRIMARY);
  return servers.map((server) => {
    if (server.ids.length > 0) return server;
    const { id } = server.input;
    if (id !== undefined && id !== "") return { ...server, ids: [id] };
    const found = (sideOf(server.input) === "secondary" ? secondaries : primaries).shift();
    return found === undefined ? server : { ...server, ids: [found] };
  });
}

function partnersOf(servers: readonly NamedServer[]): Set<string> {
  const kinds = [...PARTNER_IS_SECONDARY, ...PARTNER_IS_PRIMARY];
  return new Set(servers.flatMap(({ input }) => partnersIn(input, kinds)));
}

/** Index of the replica that has each text of a column as its id; -1 for none. */
export function replicaByText(texts: readonly string[], replicas: readonly KnownReplica[]): Int16Array {
  const byId = new Map(replicas.flatMap(({ ids }, index) => ids.map((id) => [id, index] as const)));
  return Int16Array.from(texts, (text) => byId.get(text) ?? -1);
}
