/** The lanes of captures and of a running picture as the screens draw them: the model's lanes with colors and shapes. */
import type { LiveLane } from "@aglens/contract";
import type { Anchor } from "@aglens/ag-model/columns";
import {
  FOLDED_LANE,
  isMainLane,
  laneAnchors,
  laneDefinition,
  laneFigure,
  laneHeading,
  laneKey,
  laneLimits,
  PRIMARY_LANES,
  secondaryLanes,
  type LaneFigure,
  type LaneLimits,
  type LanePlace,
} from "@aglens/ag-model/lanes";
import { chartsTexts as texts } from "../messages/charts.ts";
import { formatUncertainty } from "../ui/words.ts";
import { PATH_TOKEN, stageToken, type TokenName } from "./palette.ts";

/** `slopeOut` falls from primary to secondary, `slopeBack` rises back; both are bars until single blocks are drawn. */
export type LaneShape = "commits" | "bar" | "slopeOut" | "slopeBack";

export interface Lane extends LaneLimits {
  /** Stable: used in the URL and to look up lengths, e.g. "localFlush" or "hop0.wireOut". */
  readonly key: string;
  readonly label: string;
  /** Name of the place, above its first tall lane; empty on the place's other lanes. */
  readonly heading: string;
  readonly place: LanePlace;
  readonly shape: LaneShape;
  /** Color token of its bars. */
  readonly color: TokenName;
  /** Secondary whose hop it shows; -1 for the primary. */
  readonly secondary: number;
  /** Replica index whose group it folds with: 0 primary, s + 1. */
  readonly replica: number;
  /** Anchors at the ends of its bars; null for commits. */
  readonly anchors: readonly [from: Anchor, to: Anchor] | null;
  /** Name of its figures in statistics and bins. */
  readonly figure: LaneFigure;
  /** Starts tall; the user's choice in the view wins. */
  readonly tall: boolean;
  /** First lane of a place: a wider gap above. */
  readonly opensPlace: boolean;
  /**
   * The entire path to a secondary: shown only while its group is folded, each bar in the color of its largest place.
   */
  readonly whenFolded: boolean;
  /** True for a secondary that no commit waits for: its bars are cut at 45 degrees. */
  readonly asynchronous: boolean;
  /** Index of the only database whose blocks it shows; null for the blocks of all databases. */
  readonly database: number | null;
  /** The user put it above the others, away from its group. */
  readonly pinned: boolean;
}

/** Properties of a secondary that its lanes depend on. */
export interface DrawnSecondary {
  /** No commit waits for it. */
  readonly asynchronous: boolean;
  /** Least observed round trip, µs; NaN when it is unknown. */
  readonly leastRoundTripUs: number;
}

const SHAPES: Readonly<Partial<Record<LaneFigure, LaneShape>>> = {
  commit: "commits",
  wireOut: "slopeOut",
  wireBack: "slopeBack",
};

/** Colors of lanes that are not a stage; lanes of a stage have its color. */
const COLORS: Readonly<Partial<Record<LaneFigure, TokenName>>> = {
  commit: "--wait",
  unseen: "--wait",
  remoteHarden: PATH_TOKEN,
  acknowledge: "--s-work",
  ackWakeUp: "--p-work",
};

/** A stage that no commit waits for is never too long (docs/contribute/model/diagnosis.md 6). */
const NO_LIMITS: LaneLimits = { limitUs: Infinity, capUs: Number.NaN };

type LanePart = Pick<Lane, "figure" | "label" | "place" | "key" | "heading" | "secondary" | "replica">;
type DrawnLane = Omit<Lane, "opensPlace">;

function drawnLane(part: LanePart, secondary: DrawnSecondary | null): DrawnLane {
  const { figure } = part;
  return {
    ...part,
    ...(secondary?.asynchronous ? NO_LIMITS : laneLimits(figure, secondary?.leastRoundTripUs)),
    anchors: laneAnchors(figure),
    shape: SHAPES[figure] ?? "bar",
    color: COLORS[figure] ?? stageToken(figure),
    tall: isMainLane(figure),
    whenFolded: figure === FOLDED_LANE,
    asynchronous: secondary?.asynchronous ?? false,
    database: null,
    pinned: false,
  };
}

/** Another place, or another replica's group, opens with a wider gap. */
const withPlaces = (lanes: readonly DrawnLane[]): Lane[] =>
  lanes.map((lane, i) => {
    const above = lanes[i - 1];
    const goesOn = above !== undefined && above.place === lane.place && above.replica === lane.replica;
    return { ...lane, opensPlace: !goesOn };
  });

export interface CaptureReplica {
  readonly name: string;
  readonly hasCapture: boolean;
  /** Half the feasible band of its clock, µs; NaN when it cannot be aligned. */
  readonly uncertaintyUs: number;
  /** Least network round trip to it, µs; NaN when it is unknown. */
  readonly leastRoundTripUs: number;
  /** The servers that had its role one after the other, in its name: the role is named first then, and once. */
  readonly inTurn?: boolean;
  /** Its instants are drawn as its own clock wrote them. */
  readonly rawClock?: boolean;
  readonly commitMode: "sync" | "async" | "undetermined";
}

const NO_PRIMARY: CaptureReplica = {
  name: "Primary",
  hasCapture: false,
  uncertaintyUs: Number.NaN,
  leastRoundTripUs: Number.NaN,
  commitMode: "undetermined",
};

/** Text about the clock in the heading of a secondary's log write. */
function clockText({ rawClock, uncertaintyUs }: CaptureReplica): string {
  if (rawClock) return texts.rawUtc;
  return Number.isFinite(uncertaintyUs) ? ` ${formatUncertainty(uncertaintyUs)}` : "";
}

/** Where servers changed roles: the name of the role, and only the lanes of one server add the servers' names. */
function headingInTurn(figure: LaneFigure, primary: CaptureReplica, secondary?: CaptureReplica): string {
  const raw = secondary?.rawClock === true ? texts.rawUtc : "";
  switch (figure) {
    case "commit":
      return `Primary: ${primary.name}`;
    case "wireOut":
      return texts.primaryTo(secondary?.name ?? "secondary");
    case "secondaryFlush":
    case FOLDED_LANE:
      return `${secondary?.commitMode === "async" ? texts.asyncSecondary : texts.secondary}: ${secondary?.name ?? ""}${raw}`;
    case "wireBack":
      return texts.toPrimary(secondary?.name ?? "Secondary");
    default:
      return headingOf(figure, { ...primary, inTurn: false }, secondary);
  }
}

/** The one lane of a folded group shows only the mode: its heading has to leave room for the uncertainty. */
function roleText(figure: LaneFigure, mode: CaptureReplica["commitMode"] = "undetermined"): string {
  if (figure === FOLDED_LANE && mode !== "undetermined") return mode;
  return mode === "async" ? "async" : "secondary";
}

function headingOf(figure: LaneFigure, primary: CaptureReplica, secondary?: CaptureReplica): string {
  if (primary.inTurn === true) return headingInTurn(figure, primary, secondary);
  const heading = laneHeading(figure, {
    primary: primary.name,
    secondary: secondary?.name ?? "",
    role: roleText(figure, secondary?.commitMode),
    unread: texts.noCapture,
  });
  return (figure === "secondaryFlush" || figure === FOLDED_LANE) && secondary
    ? `${heading}${clockText(secondary)}`
    : heading;
}

function captureLane(
  figure: LaneFigure,
  primary: CaptureReplica,
  s: number,
  replica?: CaptureReplica,
): DrawnLane {
  const asynchronous = replica?.commitMode === "async";
  return drawnLane(
    {
      ...laneDefinition(figure),
      ...(asynchronous && figure === FOLDED_LANE ? { label: texts.acknowledged } : {}),
      figure,
      key: laneKey(figure, s),
      heading: headingOf(figure, primary, replica),
      secondary: s,
      replica: s + 1,
    },
    replica ? { asynchronous, leastRoundTripUs: replica.leastRoundTripUs } : null,
  );
}

/**
 * Every lane of a capture in drawing order: the primary's, then each secondary's group. The send to the first secondary
 * with a file (otherwise to the first one) is among the primary's lanes.
 * @param replicas the primary first
 */
export function captureLanes(replicas: readonly CaptureReplica[]): Lane[] {
  const [primary = NO_PRIMARY, ...secondaries] = replicas;
  const first = Math.max(
    0,
    secondaries.findIndex((r) => r.hasCapture),
  );
  const lanes = PRIMARY_LANES.map((figure) => captureLane(figure, primary, -1));
  if (secondaries.length > 0)
    lanes.push({ ...captureLane("send", primary, first, secondaries[first]), replica: 0 });
  for (const [s, replica] of secondaries.entries())
    for (const figure of secondaryLanes(replica.hasCapture))
      if (figure !== "send" || s !== first) lanes.push(captureLane(figure, primary, s, replica));
  return withPlaces(lanes);
}

/** Remaining lanes of each secondary's group while it is folded. @param replicas the primary first */
export function foldedLanes(replicas: readonly CaptureReplica[]): Lane[] {
  const [primary = NO_PRIMARY, ...secondaries] = replicas;
  const lanes = secondaries.flatMap((replica, s) =>
    replica.hasCapture ? [captureLane(FOLDED_LANE, primary, s, replica)] : [],
  );
  return withPlaces(lanes);
}

/** Lanes of a running picture; keys that no lane has are skipped. */
export function liveLanes(
  lanes: readonly LiveLane[],
  secondaryOf: (secondary: number) => DrawnSecondary | null,
): Lane[] {
  return withPlaces(
    lanes.flatMap(({ key, label, heading, place, secondary }) => {
      const figure = laneFigure(key);
      if (figure === null) return [];
      const part = { key, label, heading, place, secondary, figure, replica: secondary + 1 };
      return [drawnLane(part, secondary < 0 ? null : secondaryOf(secondary))];
    }),
  );
}

/** True for lanes whose position rests on the clock alignment: their edges fade by the uncertainty. */
export const onSecondaryClock = (lane: Lane): boolean => lane.place === "secondary" && !lane.whenFolded;

/**
 * True when a lane is empty while the replica of a role (0 = primary, s + 1 = secondary s) has no events for the time.
 */
export function needsFileOf(lane: Lane, role: number): boolean {
  // From the send to the acknowledgment acted on a path is the primary's own.
  if (lane.whenFolded) return role === 0;
  if (role === 0) return lane.place !== "secondary";
  return lane.replica === role && (lane.place === "secondary" || lane.place === "network");
}

/** True for the lane of the way to the replica of a role, which is the entire path of a folded group. */
export const isWayTo = (lane: Lane, role: number): boolean =>
  lane.replica === role && (lane.figure === "wireOut" || lane.whenFolded);

const STAYS: ReadonlySet<LaneFigure> = new Set(["commit", "unseen", FOLDED_LANE]);

/**
 * Shown lanes, group after group: a folded group keeps the entire path (or the one bar without a file), the primary its
 * commits.
 * @param lanes those of open groups, and of folded ones
 */
export const visibleLanes = (lanes: readonly Lane[], collapsed: readonly number[]): Lane[] =>
  withPlaces(
    lanes
      .filter(({ replica, figure, whenFolded }) =>
        collapsed.includes(replica) ? STAYS.has(figure) : !whenFolded,
      )
      .toSorted((a, b) => a.replica - b.replica),
  );
