import { xmlElements, type XmlElement } from "xel-parser/text-events";
import { harmlessName } from "./harmless-name.ts";

/** An availability group has 9 replicas at most, a distributed one has those of its groups. */
const MOST_REPLICAS = 200;
/** Microsoft tested 100 databases per server. */
const MOST_DATABASES = 2_000;

/** Replicas and databases in AGInfoRoot XML; every id is a lower-case GUID, every name a `harmlessName`. */
export interface Topology {
  readonly replicas: ReadonlyMap<
    string,
    { readonly name: string; readonly commitMode: "sync" | "async" | null }
  >;
  /** Database name by group_database_id. */
  readonly databases: ReadonlyMap<string, string>;
  /** Names of availability groups, where they are known. */
  readonly groups?: ReadonlySet<string>;
  /** Minutes that a server's clock is ahead of UTC, by its replica's id, where the server reported it. */
  readonly serverOffsets?: ReadonlyMap<string, number>;
}

/** The file is no topology. */
export class TopologyError extends Error {
  readonly code = "topology.unreadable";
}

const GUID = /^\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i;

/**
 * Reads the output of the topology query (FOR XML RAW, root AGInfoRoot). Rows are recognized by their attributes, so the order
 * and names of elements do not matter. Throws TopologyError for text that is no such XML, and for more names than an availability group can have.
 */
export function readTopology(xml: string): Required<Topology> {
  const elements = elementsOf(xml);
  const root = elements[0]?.name;
  if (root !== "AGInfoRoot") {
    throw new TopologyError(`The topology file's root is ${root ?? "missing"}, expected AGInfoRoot.`);
  }
  const replicas = new Map<string, { name: string; commitMode: "sync" | "async" | null }>();
  const databases = new Map<string, string>();
  const groups = new Set<string>();
  const serverOffsets = new Map<string, number>();
  for (const { attributes } of elements) {
    const row = new Map(Object.entries(attributes).map(([k, v]) => [k.toLowerCase(), v]));
    takeReplica(row, replicas);
    takeDatabase(row, databases);
    takeGroup(row, groups);
    takeOffset(row, serverOffsets);
    refuseTooMany(replicas.size, MOST_REPLICAS, "replicas");
    refuseTooMany(databases.size, MOST_DATABASES, "databases");
    refuseTooMany(groups.size, MOST_DATABASES, "groups");
  }
  return { replicas, databases, groups, serverOffsets };
}

function refuseTooMany(count: number, most: number, what: string): void {
  if (count <= most) return;
  throw new TopologyError(
    `The topology file names more than ${most.toLocaleString("en")} ${what}, more than an availability group has. Save the query's result again.`,
  );
}

function elementsOf(xml: string): XmlElement[] {
  try {
    return xmlElements(xml);
  } catch (cause) {
    throw new TopologyError("The topology file is not well-formed XML: save the query's result again.", {
      cause,
    });
  }
}

type Row = ReadonlyMap<string, string>;

const guidOf = (text: string | undefined): string | null =>
  text !== undefined && GUID.test(text) ? text.replaceAll(/[{}]/g, "").toLowerCase() : null;

function takeReplica(
  row: Row,
  replicas: Map<string, { name: string; commitMode: "sync" | "async" | null }>,
): void {
  const id = guidOf(row.get("replica_id") ?? row.get("availability_replica_id"));
  if (id === null) return;
  const found = row.get("replica_server_name") ?? row.get("server_name");
  const name = found === undefined ? (replicas.get(id)?.name ?? "") : harmlessName(found);
  replicas.set(id, { name, commitMode: commitModeOf(row) ?? replicas.get(id)?.commitMode ?? null });
}

function commitModeOf(row: Row): "sync" | "async" | null {
  const text = (row.get("availability_mode_desc") ?? row.get("availability_mode") ?? "").toUpperCase();
  if (text === "1" || text.startsWith("SYNCHRONOUS")) return "sync";
  if (text === "0" || text.startsWith("ASYNCHRONOUS")) return "async";
  return isSeenToTakePart(row) ? "sync" : null;
}

/** Commits waited for it when the primary was queried. The opposite shows nothing: it may have been catching up. */
const isSeenToTakePart = (row: Row): boolean =>
  row.get("is_local") === "0" && row.get("is_commit_participant") === "1";

function takeDatabase(row: Row, databases: Map<string, string>): void {
  const id = guidOf(row.get("group_database_id"));
  const name = harmlessName(row.get("database_name") ?? row.get("db_name") ?? "");
  if (id !== null && name !== "") databases.set(id, name);
}

function takeGroup(row: Row, groups: Set<string>): void {
  const name = harmlessName(row.get("group_name") ?? row.get("ag_name") ?? "");
  if (name !== "") groups.add(name);
}

/** The zones of the world are within 14 hours of UTC. */
const MOST_OFFSET_MINUTES = 840;

function takeOffset(row: Row, offsets: Map<string, number>): void {
  const id = guidOf(row.get("replica_id") ?? row.get("availability_replica_id"));
  const text = row.get("utc_offset_minutes") ?? "";
  if (id === null || !/^-?\d{1,3}$/u.test(text)) return;
  if (Math.abs(Number(text)) <= MOST_OFFSET_MINUTES) offsets.set(id, Number(text));
}

/** Merges several topology files; later files fill in what earlier ones do not contain. */
export function mergeTopologies(parts: readonly Topology[]): Topology {
  const replicas = new Map(parts.flatMap((p) => [...p.replicas]));
  for (const part of parts) {
    for (const [id, known] of part.replicas) {
      const now = replicas.get(id)!;
      replicas.set(id, { name: now.name || known.name, commitMode: now.commitMode ?? known.commitMode });
    }
  }
  return {
    replicas,
    databases: new Map(parts.flatMap((p) => [...p.databases])),
    groups: new Set(parts.flatMap(({ groups = [] }) => [...groups])),
    serverOffsets: new Map(parts.flatMap(({ serverOffsets = [] }) => [...serverOffsets])),
  };
}

/** Characters that no XML has, and bytes that are no text. */
// oxlint-disable-next-line no-control-regex -- these are the ones to find
const NO_XML = /[\0-\x08\uFFFD]/u;
/** Number of characters at the beginning; other bytes than XML have one of those characters among them. */
const BEGINNING = 64;

/** Text of bytes that begin as XML does, in UTF-8 or in the UTF-16 that SQL Server's tools write; null for anything else. */
export function xmlText(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  const text = new TextDecoder(utf16 ? "utf-16le" : "utf-8").decode(bytes);
  return /^\s*<[?!:_\p{L}]/u.test(text) && !NO_XML.test(text.slice(0, BEGINNING)) ? text : null;
}
