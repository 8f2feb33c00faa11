/** The lanes of the timeline, top to bottom (design.md section 8). A lane is one stretch of a block's path: anchor to anchor. */
import { stageDefinition } from "@aglens/ag-model/replication";
import type { HopAnchor, LocalAnchor, StageId } from "@aglens/ag-model/replication";
import type { TokenName } from "./palette.ts";

export type LanePlace = "primary" | "network" | "secondary" | "unknown";
/** `slopeOut` falls from primary to secondary, `slopeBack` rises back; both are bars until single blocks are drawn. */
export type LaneShape = "commits" | "bar" | "slopeOut" | "slopeBack";

export interface Lane {
  /** Stable: used in the URL and to look up lengths, e.g. "localFlush" or "hop0.wireOut". */
  readonly key: string;
  readonly label: string;
  /** Name of the place, above its first tall lane; empty when it goes on. */
  readonly heading: string;
  readonly place: LanePlace;
  readonly shape: LaneShape;
  /** Colour token of its bars. */
  readonly colour: TokenName;
  /** Secondary whose hop it shows; -1 for the primary alone. */
  readonly secondary: number;
  /** Replica index whose group it folds with: 0 primary, s + 1. */
  readonly replica: number;
  readonly from: LocalAnchor | HopAnchor | null;
  readonly to: LocalAnchor | HopAnchor | null;
  /** Name of its figures in statistics and bins: a stage, `acknowledge`, `unseen` or `commit`. */
  readonly figure: string;
  /** Over this a bar gets a mark, µs; NaN without one. */
  readonly limitUs: number;
  /** Over this a bar gets a cap in the skyline, µs (design.md section 8). */
  readonly capUs: number;
  /** Starts tall; the user's choice in the view wins. */
  readonly tall: boolean;
  /** First lane of a place: a wider gap above. */
  readonly opensPlace: boolean;
  /** Of a secondary that no commit waits for: its bars are cut at 45 degrees. */
  readonly asynchronous: boolean;
}

export interface LaneReplica {
  readonly name: string;
  readonly hasCapture: boolean;
  /** Half the feasible band of its clock, µs; NaN when it cannot be aligned. */
  readonly uncertaintyUs: number;
  /** Its instants are drawn as its own clock wrote them. */
  readonly rawClock?: boolean;
  readonly commitMode: "sync" | "async" | "undetermined";
}

const FLUSH_CAP_US = 50_000;
const NETWORK_CAP_US = 20_000;

type LaneDraft = Pick<Lane, "key" | "label"> & Partial<Lane>;

function lane(draft: LaneDraft): Lane {
  return {
    heading: "",
    place: "primary",
    shape: "bar",
    colour: "--p-work",
    secondary: -1,
    replica: 0,
    from: null,
    to: null,
    figure: "commit",
    limitUs: Number.NaN,
    capUs: Number.NaN,
    tall: false,
    opensPlace: false,
    asynchronous: false,
    ...draft,
  };
}

/** What a lane of one stage has of it. */
function ofStage(id: StageId): Pick<Lane, "figure" | "limitUs" | "capUs"> {
  const { limitUs } = stageDefinition(id);
  return { figure: id, limitUs, capUs: limitUs };
}

function sendLane(secondary: number, key: string): Lane {
  return lane({
    key,
    label: "Capture and send",
    from: "sendStart",
    to: "sendEnd",
    secondary,
    ...ofStage("send"),
  });
}

function primaryLanes(name: string, firstSecondary: number): Lane[] {
  const lanes = [
    lane({
      key: "commit",
      label: "Commits waiting",
      heading: placeName(name, "primary"),
      shape: "commits",
      colour: "--wait",
      tall: true,
      opensPlace: true,
      limitUs: 20_000,
    }),
    lane({
      key: "localFlush",
      label: "Log write",
      colour: "--p-disk",
      from: "localFlushStart",
      to: "localFlushEnd",
      ...ofStage("localFlush"),
      capUs: FLUSH_CAP_US,
      tall: true,
    }),
  ];
  return firstSecondary < 0 ? lanes : [...lanes, sendLane(firstSecondary, `hop${firstSecondary}.send`)];
}

function uncertaintyText(us: number): string {
  if (!Number.isFinite(us)) return "";
  return ` ±${(us / 1000).toFixed(us >= 9_950 ? 1 : 2)}\u2009ms`;
}

/** "SQL1, primary"; a replica that is only known by its role is not named twice. */
function placeName(name: string, role: string): string {
  return name.toLowerCase().startsWith(role) ? name : `${name}, ${role}`;
}

function capturedLanes(primary: string, replica: LaneReplica, s: number, withSend: boolean): Lane[] {
  const asynchronous = replica.commitMode === "async";
  const at = { secondary: s, replica: s + 1, asynchronous };
  const hop = (name: string) => `hop${s}.${name}`;
  return [
    ...(withSend ? [{ ...sendLane(s, hop("send")), replica: s + 1, opensPlace: true }] : []),
    lane({
      ...at,
      key: hop("wireOut"),
      label: "Network out",
      heading: `${primary} to ${replica.name}`,
      place: "network",
      shape: "slopeOut",
      colour: "--n-out",
      from: "sendEnd",
      to: "received",
      ...ofStage("wireOut"),
      capUs: NETWORK_CAP_US,
      tall: true,
      opensPlace: true,
    }),
    lane({
      ...at,
      key: hop("secondaryAppend"),
      label: "Receive, append",
      place: "secondary",
      colour: "--s-work",
      from: "received",
      to: "secondaryFlushStart",
      ...ofStage("secondaryAppend"),
      opensPlace: true,
    }),
    lane({
      ...at,
      key: hop("secondaryFlush"),
      label: "Log write",
      heading: `${placeName(replica.name, asynchronous ? "async secondary" : "secondary")}${replica.rawClock ? ", raw UTC" : uncertaintyText(replica.uncertaintyUs)}`,
      place: "secondary",
      colour: "--s-disk",
      from: "secondaryFlushStart",
      to: "secondaryFlushEnd",
      ...ofStage("secondaryFlush"),
      capUs: FLUSH_CAP_US,
      tall: true,
    }),
    lane({
      ...at,
      key: hop("acknowledge"),
      label: "Acknowledge",
      place: "secondary",
      colour: "--s-work",
      from: "secondaryFlushEnd",
      to: "ackSent",
      ...ofStage("ackSend"),
      figure: "acknowledge",
    }),
    lane({
      ...at,
      key: hop("wireBack"),
      label: "Network back",
      heading: `${replica.name} to ${primary}`,
      place: "network",
      shape: "slopeBack",
      colour: "--n-back",
      from: "ackSent",
      to: "ackReceived",
      ...ofStage("wireBack"),
      capUs: NETWORK_CAP_US,
      tall: true,
      opensPlace: true,
    }),
    lane({
      ...at,
      key: hop("ackReceive"),
      label: "Ack, wake-up",
      colour: "--p-work",
      from: "ackReceived",
      to: "ackProcessed",
      ...ofStage("ackReceive"),
      figure: "ackWakeUp",
      limitUs: 2 * stageDefinition("ackReceive").limitUs,
      capUs: 2 * stageDefinition("ackReceive").limitUs,
      opensPlace: true,
    }),
  ];
}

/** Without its file the network and its disk appear as one bar (design.md section 12). */
function uncapturedLanes(replica: LaneReplica, s: number): Lane[] {
  const at = { secondary: s, replica: s + 1, asynchronous: replica.commitMode === "async" };
  return [
    lane({
      ...at,
      key: `hop${s}.unseen`,
      label: "Network, disk",
      heading: `${replica.name}, no capture`,
      place: "unknown",
      colour: "--wait",
      from: "sendEnd",
      to: "ackReceived",
      figure: "unseen",
      limitUs: 12_000,
      capUs: FLUSH_CAP_US,
      tall: true,
      opensPlace: true,
    }),
    lane({
      ...at,
      key: `hop${s}.ackReceive`,
      label: "Ack receive",
      from: "ackReceived",
      to: "ackProcessed",
      ...ofStage("ackReceive"),
      opensPlace: true,
    }),
  ];
}

/**
 * Every lane of a capture in drawing order: the primary's, then each secondary's group.
 * `replicas[0]` is the primary.
 */
export function buildLanes(replicas: readonly LaneReplica[]): Lane[] {
  const [primary, ...secondaries] = replicas;
  const captured = secondaries.findIndex((r) => r.hasCapture);
  const first = captured < 0 && secondaries.length > 0 ? 0 : captured;
  return [
    ...primaryLanes(primary?.name ?? "Primary", first),
    ...secondaries.flatMap((replica, s) =>
      replica.hasCapture ? capturedLanes(primary.name, replica, s, s !== first) : uncapturedLanes(replica, s),
    ),
  ];
}

/** True for lanes whose position rests on the clock alignment: their edges fade by the uncertainty. */
export const onSecondaryClock = (lane: Lane): boolean => lane.place === "secondary";

/** True when a lane has nothing to show while the file of a replica (0 = primary, s + 1) does not cover the time. */
export function needsFileOf(lane: Lane, replica: number): boolean {
  if (replica === 0) return lane.place !== "secondary";
  return lane.replica === replica && (lane.place === "secondary" || lane.place === "network");
}

/** Lanes that are shown: a folded group keeps only the secondary's log write (or the one bar without a file). */
export function visibleLanes(lanes: readonly Lane[], collapsed: readonly number[]): Lane[] {
  const stays = (l: Lane) =>
    l.key === "commit" || l.key.endsWith(".secondaryFlush") || l.key.endsWith(".unseen");
  return lanes.filter((l) => !collapsed.includes(l.replica) || stays(l));
}
