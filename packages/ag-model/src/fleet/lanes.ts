/**
 * Lanes that the fleet page follows from capture to capture: commits, and for each replica the stages that one team is
 * responsible for.
 */
/**
 * Top to bottom as they are drawn: waiting commits, log writes of the primary; of each secondary the network there and back and its
 * log writes. Without a secondary's files both are one, `remoteHarden`.
 */
export const FLEET_STAGES = [
  "commit",
  "localFlush",
  "networkRoundTrip",
  "secondaryFlush",
  "remoteHarden",
] as const;
export type FleetStage = (typeof FLEET_STAGES)[number];

/** One stage of one replica over all columns. */
export interface FleetSeries {
  readonly stage: FleetStage;
  /** Name of the server; "" for commits. */
  readonly replica: string;
  /** Commits do not wait for it. */
  readonly isAsynchronous: boolean;
  /** µs by column; NaN for a column without a capture, or whose capture has an episode of its own. */
  readonly p95: Float64Array;
}

/** Where a stage happens; "none" for a stage in several places, or in an unknown one. */
export type FleetPlace = "primary" | "network" | "secondary" | "none";

const PLACES: Readonly<Record<FleetStage, FleetPlace>> = {
  commit: "none",
  localFlush: "primary",
  networkRoundTrip: "network",
  secondaryFlush: "secondary",
  // The parts of its network and its disk are not known separately.
  remoteHarden: "none",
};

export const fleetPlace = (stage: FleetStage): FleetPlace => PLACES[stage];

const NAMES: Readonly<Record<FleetStage, string>> = {
  commit: "Commit",
  localFlush: "Log write",
  networkRoundTrip: "Round trip",
  secondaryFlush: "Log write",
  remoteHarden: "Remote harden",
};

/** A stage as gutters call it, under its replica. */
export const fleetStageName = (stage: FleetStage): string => NAMES[stage];

/** One side of the page: a group's captures, those with a tag, the stages of one of its secondaries. */
export interface FleetSideOf {
  /** Id of the group. */
  readonly group: string;
  /** For people. */
  readonly groupName: string;
  /** Null for all of them. */
  readonly replica: string | null;
  /** Null for captures with any tag and without one. */
  readonly tag: string | null;
}

/** `SALES-AG`, `SALES-AG, SQL2`, `SALES-AG, nightly`. */
export const fleetSideName = ({ groupName, replica, tag }: Omit<FleetSideOf, "group">): string =>
  [groupName, replica, tag].filter((part) => part !== null).join(", ");

type Lane = Pick<FleetSeries, "stage" | "replica">;

/** `Log write SQL2`. */
export const fleetLaneName = ({ stage, replica }: Lane): string => `${NAMES[stage]} ${replica}`.trimEnd();

/** How a sentence about a lane begins: `SQL2's log write takes`. */
export function fleetLaneTakes({ stage, replica }: Lane): string {
  switch (stage) {
    case "commit":
      return "Commits take";
    case "networkRoundTrip":
      return `The round trip to ${replica} takes`;
    case "remoteHarden":
      return `Remote harden to ${replica} takes`;
    default:
      return `${replica}'s log write takes`;
  }
}

/** Next check for a lane that has changed, as a noun. */
export function fleetLaneCheck({ stage, replica }: Lane): string {
  switch (stage) {
    case "commit":
      return "what commits waited for";
    case "networkRoundTrip":
      return `the network to ${replica} and back`;
    case "remoteHarden":
      return `the network to ${replica}, and the volume of its log`;
    default:
      return `the volume of ${replica}'s log`;
  }
}
