/** Availability groups: databases whose events name the same replica ids (docs/model.md 2.3). */
import type { Server } from "./server.ts";

export interface LearnedGroups {
  /** Group of each database. */
  readonly groupOf: readonly number[];
  /** availability_replica_ids that the events of each group's databases name. */
  readonly members: readonly ReadonlySet<string>[];
}

/**
 * Puts databases into groups. An availability_replica_id belongs to one group alone, so databases that share one are of the
 * same group; databases without any are taken for one group.
 */
export function findGroups(servers: readonly Server[], databases: number): LearnedGroups {
  const named = Array.from({ length: databases }, () => new Set<string>());
  for (const server of servers) collectIds(server, named);
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

function collectIds({ columns, shapes, database }: Server, named: readonly Set<string>[]): void {
  const { texts, self, partner } = columns;
  const seen = named.map(() => new Uint8Array(texts.length));
  for (const i of shapes.first) {
    if (database[i] < 0 || columns.database[i] === 0) continue;
    seen[database[i]][self[i]] = 1;
    seen[database[i]][partner[i]] = 1;
  }
  for (const [d, flags] of seen.entries())
    for (const [number, text] of texts.entries()) if (flags[number] === 1 && text !== "") named[d].add(text);
}
