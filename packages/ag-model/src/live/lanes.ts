import { commitLatencies, stageColumn, stretchColumn } from "../columns/index.ts";
import type { CaptureModel } from "../replication/tables.ts";
import type { LiveModelLane } from "./picture.ts";
import type { LaneColumn } from "./recent-bins.ts";

/** A secondary as the lanes show it. */
export interface LaneSecondary {
  /** Its number in the run, as in the keys of its lanes. */
  readonly number: number;
  readonly name: string;
  readonly attached: boolean;
  /** Index of the attached replica; -1 when it is not. */
  readonly replica: number;
}

/** Lanes of the live picture, top to bottom (design.md section 4, Live). */
export function lanesOf(primary: string, secondaries: readonly LaneSecondary[]): LiveModelLane[] {
  return [
    {
      key: "commit",
      label: "Commits waiting",
      heading: placeName(primary, "primary"),
      place: "primary",
      secondary: -1,
      replica: -1,
    },
    {
      key: "localFlush",
      label: "Log write",
      heading: "",
      place: "primary",
      secondary: -1,
      replica: -1,
    },
    ...secondaries.flatMap((each) => secondaryLanes(primary, each)),
  ];
}

function secondaryLanes(
  primary: string,
  { number, name, attached, replica }: LaneSecondary,
): LiveModelLane[] {
  const lane = (
    stage: string,
    label: string,
    heading: string,
    place: LiveModelLane["place"],
  ): LiveModelLane => ({
    key: `hop${number}.${stage}`,
    label,
    heading,
    place,
    secondary: number,
    replica,
  });
  if (!attached) return [lane("unseen", "Network, disk", `${name}, not attached`, "unknown")];
  return [
    lane("wireOut", "Network out", `${primary} to ${name}`, "network"),
    lane("secondaryFlush", "Log write", placeName(name, "secondary"), "secondary"),
    lane("wireBack", "Network back", `${name} to ${primary}`, "network"),
  ];
}

/** "SQL1, primary"; a replica that is only known by its role is not named twice. */
const placeName = (name: string, role: string): string =>
  name.toLowerCase().startsWith(role) ? name : `${name}, ${role}`;

/** Stages towards a secondary that have bins, whether a lane shows them or not. */
const BINNED = ["wireOut", "secondaryFlush", "wireBack", "remoteHarden"] as const;

/**
 * Durations of all lanes that have bins, by key, in the order of their rows.
 * @param numberOf number in the run of each of the model's secondaries
 */
export function laneColumns(model: CaptureModel, numberOf: readonly number[]): Map<string, LaneColumn> {
  const { time } = model.blocks;
  const lanes = new Map<string, LaneColumn>([
    ["commit", { times: model.commits.start, durations: commitLatencies(model) }],
    ["localFlush", { times: time, durations: stageColumn(model, 0, "localFlush") }],
  ]);
  for (const [s, number] of numberOf.entries()) {
    for (const id of BINNED)
      lanes.set(`hop${number}.${id}`, { times: time, durations: stageColumn(model, s, id) });
    lanes.set(`hop${number}.unseen`, { times: time, durations: stretchColumn(model, s, "unseen") });
  }
  return lanes;
}
