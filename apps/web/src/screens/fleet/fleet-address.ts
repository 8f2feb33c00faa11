/**
 * State of the fleet page in its address: `?a=&aReplica=&b=&bReplica=&tag=&bTag=&days=&q=&at=&view=&time=`; default values
 * are not written.
 */
import { TIME_CHOICES, type TimeChoice } from "../../state/time-choice.ts";
import { UTC, type Zone } from "../../ui/zone.ts";

export const FLEET_PERCENTILES = ["p50", "p95", "p99"] as const;
export type FleetPercentile = (typeof FLEET_PERCENTILES)[number];

/** Days that can be chosen; over 180 a column is a week. */
export const FLEET_DAYS = [30, 90, 180, 365, 730] as const;
const USUAL_DAYS = 90;

export interface FleetAddress {
  /** The filled group; null for the one with the newest capture. */
  readonly a: string | null;
  /** Group of the outline; null for the same group, or without an outline. */
  readonly b: string | null;
  /** Secondaries whose stages are shown; null for all, and for B where the outline is no replica. */
  readonly aReplica: string | null;
  readonly bReplica: string | null;
  /** Tag of the captures that are shown; null for all of them. */
  readonly tag: string | null;
  /** Tag of the outline; null for the same. */
  readonly bTag: string | null;
  readonly days: number;
  readonly percentile: FleetPercentile;
  /** First day of the selected column, ISO 8601. */
  readonly at: string | null;
  /** First days of the first and the last column in view; null for all. */
  readonly view: readonly [from: string, to: string] | null;
  /** Clock of all times and days; null: the last choice on this browser. */
  readonly time: TimeChoice | null;
}

/** No outline. */
export const NO_OUTLINE = { b: null, bReplica: null, bTag: null } as const;

/** Parts of the address that are names. */
const NAMES = ["a", "aReplica", "b", "bReplica", "tag", "bTag"] as const;

const DAY = /^\d{4}-\d\d-\d\d$/u;

/** Reads an address; ignores invalid parts. */
export function readFleetAddress(search: string): FleetAddress {
  const params = new URLSearchParams(search);
  const days = Number(params.get("days"));
  const percentile = params.get("q");
  const at = params.get("at") ?? "";
  const [from = "", to = ""] = (params.get("view") ?? "").split("~");
  return {
    ...(Object.fromEntries(NAMES.map((name) => [name, params.get(name) || null])) as Pick<
      FleetAddress,
      (typeof NAMES)[number]
    >),
    days: FLEET_DAYS.find((each) => each === days) ?? USUAL_DAYS,
    percentile: FLEET_PERCENTILES.find((each) => each === percentile) ?? "p95",
    at: DAY.test(at) ? at : null,
    view: DAY.test(from) && DAY.test(to) ? [from, to] : null,
    time: TIME_CHOICES.find((choice) => choice === params.get("time")) ?? null,
  };
}

/** The query string, without `?`. */
export function writeFleetAddress(address: FleetAddress): string {
  const params = fleetQuery(address);
  if (address.percentile !== "p95") params.set("q", address.percentile);
  if (address.at !== null) params.set("at", address.at);
  if (address.view !== null) params.set("view", address.view.join("~"));
  if (address.time !== null) params.set("time", address.time);
  return params.toString();
}

/** Parameters of the request to the server: an answer has all percentiles and all columns. */
export function fleetQuery({ days, ...names }: FleetAddress, zone: Zone = UTC): URLSearchParams {
  const params = new URLSearchParams();
  for (const name of NAMES) if (names[name] !== null) params.set(name, names[name]);
  if (days !== USUAL_DAYS) params.set("days", String(days));
  if (zone.kind === "browser") params.set("timeZone", zone.timeZone);
  return params;
}
