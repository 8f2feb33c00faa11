/**
 * The part of the fleet that is shown: columns in view, the selected capture, and the moves from it to other captures.
 */
import type { Fleet, FleetColumn, FleetSide } from "@aglens/contract";
import type { ColumnRange } from "../../charts/fleet/columns.ts";
import type { Zone } from "../../ui/zone.ts";
import type { FleetAddress } from "./fleet-address.ts";

/** The answer with its filled group. */
export type ShownFleet = Fleet & { readonly a: FleetSide };

export interface FleetView {
  readonly fleet: ShownFleet;
  readonly range: ColumnRange;
  /** Clock of times and days. */
  readonly zone: Zone;
  /**
   * The selected capture of the filled group, or of the outlined one where only that one has a capture; null without
   * any.
   */
  readonly selected: FleetColumn | null;
}

export function fleetView(
  fleet: ShownFleet,
  { at, view }: Pick<FleetAddress, "at" | "view">,
  zone: Zone,
): FleetView {
  return { fleet, range: rangeOf(fleet, view), zone, selected: selectedOf(fleet, at) };
}

function rangeOf({ days }: Fleet, view: FleetAddress["view"]): ColumnRange {
  const [first, last] = (view ?? []).map((day) => days.indexOf(day));
  const isKnown = first !== undefined && last !== undefined && first >= 0 && last > first;
  return isKnown ? [first, last + 1] : [0, days.length];
}

/**
 * Before the user selects a capture: the first capture since the change that the verdict is about, or else the newest.
 */
function selectedOf({ a, b, days }: ShownFleet, at: string | null): FleetColumn | null {
  const column = at === null ? -1 : days.indexOf(at);
  const chosen = [...a.columns, ...(b?.columns ?? [])].find((each) => each.column === column);
  if (chosen !== undefined) return chosen;
  const { from } = a.verdict;
  return a.columns.find((each) => from !== null && each.column >= from) ?? a.columns.at(-1) ?? null;
}

/** The capture of the same group in the column before; null for the first one. */
export function columnBefore({ a, b }: ShownFleet, { id, column }: FleetColumn): FleetColumn | null {
  const own = a.columns.some((each) => each.id === id) ? a : b;
  return own?.columns.findLast((each) => each.column < column) ?? null;
}

/** The capture that one can be compared with; null where one of both no longer exists. */
export function comparableBefore(fleet: ShownFleet, selected: FleetColumn): FleetColumn | null {
  const before = columnBefore(fleet, selected);
  return selected.isThere && before?.isThere === true ? before : null;
}

/** The next capture in a direction, in the column nearest to it; null at an end. */
export function stepTo({ a, b }: ShownFleet, from: FleetColumn, direction: 1 | -1): FleetColumn | null {
  const all = [...a.columns, ...(b?.columns ?? [])].toSorted((x, y) => x.column - y.column);
  return direction === 1
    ? (all.find(({ column }) => column > from.column) ?? null)
    : (all.findLast(({ column }) => column < from.column) ?? null);
}

/** The capture in a column; null for a gap. */
export const captureIn = ({ a, b }: ShownFleet, column: number): FleetColumn | null =>
  [...a.columns, ...(b?.columns ?? [])].find((each) => each.column === column) ?? null;
