import { plural } from "@aglens/ag-model/words";
import type { FailoverCause } from "@aglens/contract";

/** Texts of the Fleet screen. */
export const fleetTexts = {
  // Fleet axis
  capturesBy: (unit: string): string => `Captures by ${unit}`,

  // Fleet figures
  syncReplica: "sync replica",

  // Fleet lanes
  lanes: "Lanes",

  // Fleet legend
  p50ToP95Stroke: (fleetSideName: string): string => `${fleetSideName} p50 to p95, stroke to p99, dot max`,
  noCapture: "no capture",
  logHeight03: "log height 0.3 ms to 1 s; rules: medians; cap: commit p95 over 50 ms",

  // Fleet pane
  changes: "Changes",
  lastDays: (fleetSideName: string, days: number): string => `${fleetSideName}, last ${days} days`,
  checkNext: "Check next",
  beforeAndSince: "Before and since",
  medianOfCaptures: (percentile: string): string => `${percentile}, median of captures`,
  before: (before: string): string => `${before} before`,
  beforePart: "before",
  since: (since: string): string => `${since} since`,
  last: (since: string): string => `last ${since}`,
  moreThanChanceExplains: ", more than chance explains",
  selected: "selected",
  meanRemoteHarden: ({
    barCount,
    replica,
    blocks,
    commits,
    captures,
    otherCaptures,
    isThere,
  }: {
    readonly barCount: number;
    readonly replica: string;
    readonly blocks: number;
    readonly commits: string;
    readonly captures: number;
    readonly otherCaptures: string;
    readonly isThere: boolean;
  }): string =>
    `${barCount === 0 ? "" : `Mean remote harden to ${replica}, one scale. `}${plural(blocks, "# block")}, ${commits}.${captures > 1 ? ` The slowest of ${otherCaptures} captures.` : ""}${isThere ? "" : " The capture has expired. Only these figures are kept."}`,
  openCapture: "Open capture",
  compare: "Compare",
  and: (fleetSideName: string, otherFleetSideName: string): string =>
    `${fleetSideName} and ${otherFleetSideName}`,
  againstB: "A against B",

  // Fleet watch
  commitDelay: "Commit delay, polled",
  polledWithTriggers: "mean, longest poll, triggers",

  // Fleet screen
  fleet: "Fleet",
  loading: "Loading",
  fleetCannotBeShown: "The fleet cannot be shown.",
  ofGroups: (shown: number, groupCount: number, days: string): string =>
    `${shown} of ${groupCount} groups, ${days}`,
  allCaptures: "All captures",
  isOneCapturePercentiles: (unit: string): string =>
    `A ${unit} is one capture; percentiles of its blocks, never averaged over captures`,
  thisBrowsersClock: "this browser's clock",
  noCaptureHasBeen: "No capture has been analyzed yet.",
  capturesOfOneAvailability:
    "Captures of one availability group from several nights are shown here next to each other.",
  oneColumnIsOne: (unit: string): string => `One column is one ${unit}`,
  nextPreviousThatStands: "next, previous that stands out",
  open: "open",
  compareWithTheBefore: (unit: string): string => `compare with the ${unit} before`,

  // Fleet sides
  groupAFilled: "Group A, filled",
  replicaOfA: "Replica of A",
  allReplicas: "all replicas",
  bOutline: "B, outline",
  none: "none",
  clear: "Clear",
  tagOfTheCaptures: "Tag of the captures",

  // Fleet table
  showAsTable: "Show as table",
  ofEachCapture: (fleetSideName: string, percentile: string): string =>
    `${fleetSideName}, ${percentile} of each capture`,

  // Fleet tip
  noCapturePart: (fleetSideName: string): string => `${fleetSideName}: no capture`,
  slowestOf: (fleetSideName: string, captures: number): string =>
    `${fleetSideName}${captures > 1 ? `, the slowest of ${captures}` : ""}`,
  p50P95P99Max: (p50: string, p95: string, p99: string, max: string): string =>
    `p50 ${p50}, p95 ${p95}, p99 ${p99}, max ${max}`,

  // Fleet toolbar
  days: "Days",
  daysPart: (days: number): string => `${days} days`,
  percentile: "Percentile",
  showAllDays: (days: number): string => `Show all ${days} days`,

  // Fleet words
  otherStagesDiffer: (count: string): string => `${count} other stages differ by less than 10 %.`,
  sinceP95: (day: string, sign: string, thin: string, larger: string): string =>
    `since ${day}, p95 ${sign}${thin}${larger}`,
  allCapturesPart: "all captures",
  toAndBack: (primaryName: string, replica: string): string => `${primaryName} to ${replica} and back`,
  withoutItsFile: (replica: string): string => `${replica}, without its file`,
  ofOut: (out: string, all: string, otherOut: number): string =>
    `${out} of ${all} ${plural(otherOut, "stands", "stand")} out`,
  capturesShown: (captures: number): string => plural(captures, "# capture shown", "# captures shown"),
  withoutOne: (shown: string, without: string): string => `${shown}, ${without} without one`,

  failover: (cause: FailoverCause["kind"]): string => `Failover: ${CAUSES[cause]}.`,

  // Outline choice
  group: "Group",
  replicaOf: (groupName: string): string => `Replica of ${groupName}`,
  tagOf: (groupName: string): string => `Tag of ${groupName}`,
} as const;

const CAUSES: Readonly<Record<FailoverCause["kind"], string>> = {
  leaseTimeout: "lease timeout",
  healthTimeout: "health check timeout",
  ddlByUser: "by a user",
  ddlByCluster: "by the cluster",
  network: "network",
  serviceStop: "service stop",
  notShown: "cause not shown",
};
