/** Availability groups: databases whose events name the same replica ids (docs/contribute/model/attribution.md 2.3). */
import type { LearnedDatabases } from "./databases.ts";
import type { Server } from "../prepare/server.ts";

export interface LearnedGroups {
  /** Group of each database. */
  readonly groupOf: readonly number[];
  /** availability_replica_ids that the events of each group's databases name. */
  readonly members: readonly ReadonlySet<string>[];
}

/**
 * Groups databases. An availability_replica_id belongs to one group alone, so databases that share one are of the same
 * group; databases without any are treated as one group.
 */
export function findGroups(servers: readonly Server[], { ids: databases }: LearnedDatabases): LearnedGroups {
  const named = databases.map(() => new Set<string>());
  for (const server of servers) collectIds(server, databases, named);
  const groupOf: number[] = [];
  const members: Set<string>[] = [];
  for (const ids of named) {
    const shared = members.findIndex((each) =>
      ids.size === 0 ? each.size === 0 : [...ids].some((id) => each.has(id)),
    );
    const group = shared < 0 ? members.push(new Set()) - 1 : shared;
    for (const id of ids) members[group].add(id);
    groupOf.push(group);
  }
  return { groupOf, members };
}

function collectIds(
  { examples, databases }: Server,
  ids: readonly string[],
  named: readonly Set<string>[],
): void {
  const { texts, self, partner, database } = examples;
  const seen = named.map(() => new Uint8Array(texts.length));
  for (let i = 0; i < database.length; i++) {
    const guid = databases.guids[databases.ofShape[i]];
    if (guid === undefined || database[i] === 0) continue;
    seen[ids.indexOf(guid)][self[i]] = 1;
    seen[ids.indexOf(guid)][partner[i]] = 1;
  }
  for (const [d, flags] of seen.entries())
    for (const [number, text] of texts.entries()) if (flags[number] === 1 && text !== "") named[d].add(text);
}
