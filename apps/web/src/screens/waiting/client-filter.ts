/** Conditions on clients in the view's filter, as presses on rows change them. */
import type { BlockFilter, ClientGroup } from "@aglens/contract";

/** Values of a column that the filter selects. */
export const selectedClients = (where: BlockFilter | null, by: ClientGroup): readonly number[] =>
  where?.flatMap((condition) =>
    condition.kind === "client" && condition.column === by ? condition.values : [],
  ) ?? [];

/** The filter without conditions on clients; null without others. */
export function withoutClients(where: BlockFilter | null): BlockFilter | null {
  const rest = where?.filter(({ kind }) => kind !== "client") ?? [];
  return rest.length === 0 ? null : rest;
}

/**
 * The filter after a press on a row: that row alone, or no row where it was the only one.
 * @param adds keeps the other rows of its column, and removes the row where it is among them
 */
export function withClient(
  where: BlockFilter | null,
  by: ClientGroup,
  value: number,
  adds: boolean,
): BlockFilter | null {
  const before = selectedClients(where, by);
  const others = before.filter((each) => each !== value);
  const isRemoved = before.includes(value) && (adds || others.length === 0);
  const values = isRemoved ? others : adds ? [...others, value] : [value];
  const rest = withoutClients(where);
  return values.length === 0 ? rest : [...(rest ?? []), { kind: "client", column: by, values }];
}
