/** Names that an event has; null where it has none. */
interface NamedEvent {
  readonly group: string | null;
  readonly database: string | null;
}

const isSame = (a: string, b: string): boolean => a.toUpperCase() === b.toUpperCase();

/**
 * Whether a group may have databases of a capture: its servers may have several groups. Also true where the group is
 * unknown, or no event names a group of these databases.
 */
export function mayHaveDatabases(
  group: string | null,
  databases: readonly string[],
  events: readonly NamedEvent[],
): boolean {
  const groups = events.flatMap(({ group: own, database }) =>
    own !== null && database !== null && databases.some((name) => isSame(name, database)) ? [own] : [],
  );
  return group === null || groups.length === 0 || groups.some((name) => isSame(name, group));
}
