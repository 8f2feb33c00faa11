/**
 * Finds the replica that each server is (docs/contribute/model/attribution.md 2.2). A replica is a server: it has an
 * availability_replica_id in each availability group it belongs to, and its role depends on database and time, never on
 * the server.
 */
import { EventKind, idsIn, mergeColumns, ownIdsOf, sideOfKind } from "../../events/index.ts";
import { ModelError } from "../shapes/model-error.ts";
import { prepareEvents, type PreparedEvents } from "../prepare/prepared-events.ts";
import type { ModelInput, PreparedInput } from "../prepare/server-input.ts";
import type { Role } from "../shapes/tables.ts";

/** A replica as the events name it. */
export interface KnownReplica {
  /** Every availability_replica_id it has; empty while no event names it. */
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
export function sideOf({ prepared, role }: PreparedInput): Role | undefined {
  const sides = new Set<Role>();
  for (const kind of prepared.examples.kind) {
    const side = sideOfKind(kind);
    if (side !== null) sides.add(side);
  }
  return sides.size === 1 ? [...sides][0] : (role ?? undefined);
}

/**
 * The replicas of a capture: each server with events, then each replica that only others' events name. Inputs that share an
 * id of their own are one server. Sorted by name and id, so that the order in which files were given does not matter.
 * @throws ModelError when there is no input
 */
export function findReplicas(given: readonly ModelInput[]): KnownReplica[] {
  if (given.length === 0) throw new ModelError("model.noCapture", "There is no file to analyze.");
  const servers = byServer(given).map(preparedServer);
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
  `${input.name ?? ""}\n${ids[0] ?? input.id ?? ""}\n${input.prepared.firstTicks}`;

/** Ids of the other replicas that a server's events of some kinds name. */
const partnersIn = ({ prepared }: PreparedInput, kinds: readonly number[]): string[] =>
  idsIn(prepared.examples, "partner", kinds);

/** Inputs whose events name an id in common. */
interface OneServer {
  readonly ids: readonly string[];
  readonly inputs: readonly ModelInput[];
}

/** Groups inputs of one server, each with the first that shares an id with it. */
function byServer(given: readonly ModelInput[]): OneServer[] {
  const servers: OneServer[] = [];
  for (const input of given) {
    const { columns, prepared } = input;
    const ids = ownIdsOf(columns === undefined ? prepared.examples : (prepared?.examples ?? columns));
    const same = servers.findIndex((server) => ids.some((id) => server.ids.includes(id)));
    if (same < 0) servers.push({ ids, inputs: [input] });
    else {
      const both = [...new Set([...servers[same].ids, ...ids])];
      servers[same] = { ids: both, inputs: [...servers[same].inputs, input] };
    }
  }
  return servers;
}

function preparedServer({ ids, inputs }: OneServer): NamedServer {
  const names = inputs.flatMap(({ name }) => name ?? []).toSorted();
  const [{ columns: _, ...hints }] = inputs;
  const prepared = preparedOf(inputs);
  return {
    ids: ids.toSorted(),
    input: { ...hints, ...(names.length === 0 ? {} : { name: names[0] }), prepared },
  };
}

/**
 * Returns the prepared events of the only input. Several inputs are each prepared separately, so their events have to
 * be prepared again together.
 */
function preparedOf(inputs: readonly ModelInput[]): PreparedEvents {
  const [only] = inputs;
  if (inputs.length === 1 && only.prepared !== undefined) return only.prepared;
  const parts = inputs.map(({ columns }) => {
    if (columns === undefined) throw new Error("Inputs of one server need their columns.");
    return columns;
  });
  return prepareEvents(mergeColumns(parts));
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
