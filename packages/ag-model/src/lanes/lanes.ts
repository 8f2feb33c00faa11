/**
 * The lanes of a log block's path, top to bottom. A lane shows one stage or span, from anchor to anchor. Captures and a
 * running picture draw the same lanes from this table; the web app adds colors and heights (docs/contribute/design.md
 * 8).
 */
import { type Anchor, SPAN_ANCHORS } from "../columns/index.ts";
import { stageDefinition, type StageId } from "../replication/shapes/stages.ts";
import type { CommitMode } from "../replication/shapes/tables.ts";

/** Where the work in a lane happens; "unknown" for work of a replica without events. */
export type LanePlace = "primary" | "network" | "secondary" | "unknown";

interface LaneDefinition {
  readonly label: string;
  readonly place: LanePlace;
  /** A longer bar gets a mark, µs. */
  readonly limitUs: number;
  /** A longer bar is capped, µs; NaN for a lane without caps. */
  readonly capUs: number;
  /** True for a lane that shows where a commit waits; the others are handling, which is usually short. */
  readonly isMain: boolean;
}

const FLUSH_CAP_US = 50_000;
const NETWORK_CAP_US = 20_000;

const limitOf = (...stages: readonly StageId[]): number =>
  stages.reduce((sum, id) => sum + stageDefinition(id).limitUs, 0);

const labelOf = (id: StageId): string => stageDefinition(id).label;

const main = (label: string, place: LanePlace, limitUs: number, capUs: number): LaneDefinition => ({
  label,
  place,
  limitUs,
  capUs,
  isMain: true,
});

const handling = (label: string, place: LanePlace, limitUs: number): LaneDefinition => ({
  label,
  place,
  limitUs,
  capUs: limitUs,
  isMain: false,
});

/** The name of a lane that shows one stage is the stage's. */
const LANES = {
  commit: main("Commits waiting", "primary", 20_000, Number.NaN),
  localFlush: main(labelOf("localFlush"), "primary", limitOf("localFlush"), FLUSH_CAP_US),
  send: handling(labelOf("send"), "primary", limitOf("send")),
  wireOut: main(labelOf("wireOut"), "network", limitOf("wireOut"), NETWORK_CAP_US),
  secondaryAppend: handling(labelOf("secondaryAppend"), "secondary", limitOf("secondaryAppend")),
  secondaryFlush: main(labelOf("secondaryFlush"), "secondary", limitOf("secondaryFlush"), FLUSH_CAP_US),
  acknowledge: handling("Acknowledge", "secondary", limitOf("ackSend")),
  wireBack: main(labelOf("wireBack"), "network", limitOf("wireBack"), NETWORK_CAP_US),
  ackWakeUp: handling("Ack, wake-up", "primary", limitOf("ackReceive", "commitWakeUp")),
  remoteHarden: main(labelOf("remoteHarden"), "secondary", Infinity, Number.NaN),
  unseen: main("Network, disk", "unknown", limitOf("wireOut", "secondaryFlush", "wireBack"), FLUSH_CAP_US),
  ackReceive: handling(labelOf("ackReceive"), "primary", limitOf("ackReceive")),
} as const satisfies Readonly<Record<string, LaneDefinition>>;

/** Figure of a lane: waiting commits, a stage, or a span of several stages. */
export type LaneFigure = keyof typeof LANES;

/** Lanes of the primary alone, top to bottom. */
export const PRIMARY_LANES = ["commit", "localFlush"] as const satisfies readonly LaneFigure[];

const READ_LANES = [
  "send",
  "wireOut",
  "secondaryAppend",
  "secondaryFlush",
  "acknowledge",
  "wireBack",
  "ackWakeUp",
] as const satisfies readonly LaneFigure[];

/** The complete path to a secondary as one lane: it remains of a folded group. */
export const FOLDED_LANE = "remoteHarden" satisfies LaneFigure;

/** Without its events a secondary's network and disk are one lane. */
const UNREAD_LANES = ["unseen", "ackReceive"] as const satisfies readonly LaneFigure[];

/** Lanes of a secondary, top to bottom: for one whose events are read, or not. */
export const secondaryLanes = (isRead: boolean): readonly LaneFigure[] =>
  isRead ? READ_LANES : UNREAD_LANES;

export const isMainLane = (figure: LaneFigure): boolean => LANES[figure].isMain;

/** Label and place of a lane. */
export function laneDefinition(figure: LaneFigure): Pick<LaneDefinition, "label" | "place"> {
  const { label, place } = LANES[figure];
  return { label, place };
}

/**
 * Name of a lane in links, bins and pictures: "commit", "hop0.wireOut". Both lanes in which an acknowledgment arrives are
 * called "ackReceive", so that a link keeps its lanes when the file of a replica is added.
 * @param secondary number of the secondary; not used for the primary's own lanes
 */
export function laneKey(figure: LaneFigure, secondary: number): string {
  if (figure === "commit" || figure === "localFlush") return figure;
  return `hop${secondary}.${figure === "ackWakeUp" ? "ackReceive" : figure}`;
}

/** Number of the secondary of a lane's key; -1 for the primary's own. */
export const laneSecondary = (key: string): number => Number(/^hop(\d+)\./u.exec(key)?.[1] ?? -1);

const isLaneFigure = (name: string): name is LaneFigure => Object.hasOwn(LANES, name);

/** Figure of the lane with a key; null for any other key. */
export function laneFigure(key: string): LaneFigure | null {
  const name = key.replace(/^hop\d+\./u, "");
  return isLaneFigure(name) ? name : null;
}

/** Anchors at the two ends of a lane's bars; null for commits, which are no span of a block. */
export function laneAnchors(figure: LaneFigure): readonly [from: Anchor, to: Anchor] | null {
  if (figure === "commit") return null;
  if (figure in SPAN_ANCHORS) return SPAN_ANCHORS[figure as keyof typeof SPAN_ANCHORS];
  const { from, to } = stageDefinition(figure as StageId);
  return [from!, to!];
}

/** Durations from which a lane's bars are marked, µs. */
export type LaneLimits = Pick<LaneDefinition, "limitUs" | "capUs">;

/**
 * A lane's limits. A network leg may take half of the round trip that the distance costs.
 * @param leastRoundTripUs shortest round trip to the secondary that was seen, µs; NaN where unknown
 */
export function laneLimits(figure: LaneFigure, leastRoundTripUs = Number.NaN): LaneLimits {
  const { limitUs, capUs, place } = LANES[figure];
  const distance = place === "network" && leastRoundTripUs > 0 ? leastRoundTripUs / 2 : 0;
  const limit = Math.max(limitUs, distance);
  return { limitUs: limit, capUs: Math.max(limit, capUs) };
}

/** Names that appear in the headings of a secondary's lanes. */
export interface LaneNames {
  readonly primary: string;
  readonly secondary: string;
  /** Role of the secondary, e.g. "async". */
  readonly role: string;
  /** Reason why its network and its disk are one lane, e.g. "no capture". */
  readonly unread: string;
}

/** Heading of the first lane of a place; empty for lanes without one. */
export function laneHeading(figure: LaneFigure, { primary, secondary, role, unread }: LaneNames): string {
  switch (figure) {
    case "commit":
      return placeName(primary, "primary");
    case "wireOut":
      return `${primary} to ${secondary}`;
    case "secondaryFlush":
    case "remoteHarden":
      return placeName(secondary, role);
    case "wireBack":
      return `${secondary} to ${primary}`;
    case "unseen":
      return `${secondary}, ${unread}`;
    default:
      return "";
  }
}

/** "SQL1, primary"; the role is omitted for a replica whose name already contains it. */
export const placeName = (name: string, role: string): string =>
  name.toLowerCase().startsWith(role) ? name : `${name}, ${role}`;

/** A secondary with its names in the lanes of a running picture. */
export interface LaneSecondary {
  /** Its number in the run, as in the keys of its lanes. */
  readonly number: number;
  readonly name: string;
  readonly attached: boolean;
  /** Index of the attached replica; -1 when it is not. */
  readonly replica: number;
  readonly commitMode: CommitMode;
}

/** A lane of a running picture. */
export interface PictureLane {
  readonly key: string;
  readonly label: string;
  /** "SQL1, primary", above the first lane of a place. */
  readonly heading: string;
  readonly place: LanePlace;
  /** -1 on the primary, else the secondary's number in the run. */
  readonly secondary: number;
  /** Index of the attached replica whose events it needs besides the primary's; -1 for none. */
  readonly replica: number;
  /** Commit mode of its secondary; "undetermined" on the primary. */
  readonly commitMode: CommitMode;
}

const NO_SECONDARY: LaneSecondary = {
  number: -1,
  name: "",
  attached: false,
  replica: -1,
  commitMode: "undetermined",
};

/** Lanes of a running picture, top to bottom: only the main lanes, since it shows no single blocks. */
export function pictureLanes(primary: string, secondaries: readonly LaneSecondary[]): PictureLane[] {
  const lane = (figure: LaneFigure, { number, name, replica, commitMode }: LaneSecondary): PictureLane => ({
    key: laneKey(figure, number),
    ...laneDefinition(figure),
    heading: laneHeading(figure, { primary, secondary: name, role: "secondary", unread: "not attached" }),
    secondary: number,
    replica,
    commitMode,
  });
  return [
    ...PRIMARY_LANES.map((figure) => lane(figure, NO_SECONDARY)),
    ...secondaries.flatMap((each) =>
      secondaryLanes(each.attached)
        .filter(isMainLane)
        .map((figure) => lane(figure, each)),
    ),
  ];
}
