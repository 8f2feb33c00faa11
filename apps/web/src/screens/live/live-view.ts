/** The view of a run, as its address has it: `db=Sales&lanes=waits.LOGBUFFER,!delay&time=server`. Reading never fails. */
import { TIME_CHOICES, type TimeChoice } from "../../state/time-choice.ts";

export interface LiveView {
  /** The database of lanes, figures and verdict; null: all. */
  readonly database: string | null;
  /** Counter lanes that the user shows or hides in contrast to the default, by key. */
  readonly gaugeChoice: Readonly<Record<string, boolean>>;
  /** Clock of all times; null: the last choice on this browser. */
  readonly time: TimeChoice | null;
}

const LONGEST_NAME = 128;
const MOST_LANES = 200;
/** Prefix of a default lane that is hidden. */
const HIDDEN = "!";

/** The view of a query string. */
export function decodeLiveView(search: string): LiveView {
  const params = new URLSearchParams(search);
  const database = params.get("db") ?? "";
  const lanes = (params.get("lanes") ?? "").split(",").slice(0, MOST_LANES);
  return {
    database: database === "" || database.length > LONGEST_NAME ? null : database,
    gaugeChoice: Object.fromEntries(
      lanes.flatMap((lane): [string, boolean][] => {
        const isHidden = lane.startsWith(HIDDEN);
        const key = isHidden ? lane.slice(HIDDEN.length) : lane;
        return key === "" ? [] : [[key, !isHidden]];
      }),
    ),
    time: TIME_CHOICES.find((choice) => choice === params.get("time")) ?? null,
  };
}

/** The query string of a view, without `?`; empty for the default view. */
export function encodeLiveView({ database, gaugeChoice, time }: LiveView): string {
  const params = new URLSearchParams();
  if (database !== null) params.set("db", database);
  const lanes = Object.entries(gaugeChoice).map(([key, isShown]) => (isShown ? key : `${HIDDEN}${key}`));
  if (lanes.length > 0) params.set("lanes", lanes.join(","));
  if (time !== null) params.set("time", time);
  return params.toString();
}
