/** State of the pages about watches in their addresses; default values are not written. */
import type { Watch } from "@aglens/contract";
import { TIME_CHOICES, type TimeChoice } from "../../state/time-choice.ts";

/** States that the list can be limited to; "broken" are watches that can't poll. */
export const LISTED_STATES = ["watching", "recording", "paused", "broken"] as const;
export type ListedState = (typeof LISTED_STATES)[number];

/** `/watches?q=&state=&sel=&time=` */
export interface ListAddress {
  readonly q: string;
  readonly state: ListedState | null;
  /** Id of the selected watch. */
  readonly sel: string | null;
  readonly time: TimeChoice | null;
}

const timeIn = (params: URLSearchParams): TimeChoice | null =>
  TIME_CHOICES.find((choice) => choice === params.get("time")) ?? null;

/** Reads an address; ignores invalid parts. */
export function readListAddress(search: string): ListAddress {
  const params = new URLSearchParams(search);
  return {
    q: params.get("q") ?? "",
    state: LISTED_STATES.find((state) => state === params.get("state")) ?? null,
    sel: params.get("sel") || null,
    time: timeIn(params),
  };
}

export function listPath({ q, state, sel, time }: Partial<ListAddress>): string {
  return withParams("/watches", { q, state, sel, time });
}

/** `/watches/ID?from=&to=&at=&time=` */
export interface WatchAddress {
  /** The period that the upper picture shows, ms since 1970; null: the night of the trigger. */
  readonly view: readonly [from: number, to: number] | null;
  /** Id of the chosen trigger; null: the newest. */
  readonly at: string | null;
  readonly time: TimeChoice | null;
}

/** Reads an address; ignores invalid parts. */
export function readWatchAddress(search: string): WatchAddress {
  const params = new URLSearchParams(search);
  const [from, to] = [params.get("from"), params.get("to")].map((iso) => Date.parse(iso ?? ""));
  return {
    view: from !== undefined && to !== undefined && to > from ? [from, to] : null,
    at: params.get("at") || null,
    time: timeIn(params),
  };
}

export function watchPath(
  id: string,
  { view = null, at = null, time = null }: Partial<WatchAddress> = {},
): string {
  const [from, to] = (view ?? []).map((ms) => new Date(ms).toISOString());
  return withParams(`/watches/${encodeURIComponent(id)}`, { from, to, at, time });
}

function withParams(path: string, parts: Readonly<Record<string, string | null | undefined>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) if (value) params.set(name, value);
  return params.size === 0 ? path : `${path}?${params.toString()}`;
}

/** A part of a path as the router has it: decoded, other than `/` and some other characters. */
const inPath = (text: string): string => decodeURI(encodeURIComponent(text));

/** The watch of an address, by its id or by the name of its group. @param part as the router has it */
export const watchOf = (watches: readonly Watch[], part: string): Watch | null =>
  watches.find(({ id }) => id === part) ??
  watches.find(({ definition }) => inPath(definition.group) === part) ??
  null;
