/**
 * Bounds of the ids that a server's events can name. More ids, or ids that almost no event names, are due to damage or
 * another format.
 */

/**
 * Replicas of an availability group. SQL Server allows 9 ("Prerequisites, restrictions, and recommendations for Always On availability groups",
 * Microsoft Learn); a replica that was removed and added again has another id.
 */
export const MOST_REPLICAS_OF_GROUP = 16;
/** Availability groups of a server: Microsoft tests up to 10 (same page) and enforces no bound. Only the number of replicas depends on it. */
const MOST_GROUPS_WITH_REPLICAS = 16;
/** Availability databases of a server: Microsoft tests up to 100 (same page) and enforces no bound. */
export const MOST_DATABASES = 500;
/** A log block of a database is in more events than this on each server. */
export const FEW_EVENTS = 3;
/** Up to this many ids with few events may be quiet databases, or flipped bits. */
export const MOST_RARE_IDS = 32;

/** Code of `ImpossibleIds`, which remains of its class between threads. */
export const IMPOSSIBLE_IDS = "events.impossibleIds";

/** The ids that events name are not those of availability groups; the message names them, without a remedy. */
export class ImpossibleIds extends Error {
  override readonly name = "ImpossibleIds";
  readonly code = IMPOSSIBLE_IDS;
}

/** Ids with the number of events that name each; a number above `FEW_EVENTS` may be any such number. */
export type EventsOfIds = ReadonlyMap<string, number>;

/** The ids that a server's events name. */
export interface NamedIds {
  /** Ids of the server itself and of the other end. */
  readonly replicas: EventsOfIds;
  readonly groups: EventsOfIds;
  readonly databases: EventsOfIds;
}

/**
 * The ids to skip: if there are more than a server can have, those with few events, which are due to damage. Nearly
 * always empty.
 * @throws ImpossibleIds where more than damage in some places makes that many
 */
export function idsOfDamage({ replicas, groups, databases }: NamedIds): ReadonlySet<string> {
  return new Set([
    ...rareBeyond(databases, MOST_DATABASES, "availability databases"),
    ...rareBeyond(groups, MOST_DATABASES, "availability groups"),
    ...rareBeyond(replicas, mostReplicas(databases.size), "availability replicas"),
  ]);
}

/**
 * Checks the first of a server's events, before the others arrive.
 * @throws ImpossibleIds where `idsOfDamage` of all of them will in any case
 */
export function expectPossible(replicas: number, groups: number, databases: number): void {
  const expect = (ids: number, most: number, what: string): void => {
    if (ids > most + Math.max(most, MOST_RARE_IDS)) throw new ImpossibleIds(sentence(ids, most, what));
  };
  expect(databases, MOST_DATABASES, "availability databases");
  expect(groups, MOST_DATABASES, "availability groups");
  expect(replicas, mostReplicas(MOST_DATABASES), "availability replicas");
}

/** Each group has a database at least. */
const mostReplicas = (databases: number): number =>
  MOST_REPLICAS_OF_GROUP * Math.min(Math.max(databases, 1), MOST_GROUPS_WITH_REPLICAS);

function rareBeyond(ids: EventsOfIds, most: number, what: string): string[] {
  if (ids.size <= Math.min(most, MOST_RARE_IDS)) return [];
  const rare = [...ids].flatMap(([id, events]) => (events <= FEW_EVENTS ? [id] : []));
  const usual = ids.size - rare.length;
  if (usual > most || rare.length > Math.max(usual, MOST_RARE_IDS))
    throw new ImpossibleIds(sentence(ids.size, most, what, rare.length));
  return ids.size > most ? rare : [];
}

const number = (n: number): string => n.toLocaleString("en-US");

function sentence(ids: number, most: number, what: string, rare = 0): string {
  const few = rare > 0 ? `, ${number(rare)} of them in no more than ${FEW_EVENTS} events` : "";
  const bound = ids > most ? ` A server has no more than ${number(most)}.` : "";
  return `The events name ${number(ids)} ${what}${few}.${bound} They are damaged, or their ids are stored in a way that AG Lens can't read.`;
}
