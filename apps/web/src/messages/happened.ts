import { plural } from "@aglens/ag-model/words";

/** Texts about files in addition to the data-movement events: the lanes "What happened" and their pane. */
export const happenedTexts = {
  cannotDetermine: "Can't determine",
  reasonOfFailover: ["Cause of the failover", "add ERRORLOG, SQLDIAG"],
  waitingCommits: ["Commits that waited", "record data-movement events"],
  slowDisk: ["Slow disk or network", "add performance counters"],
  // Lanes
  whatHappened: "What happened",
  sources: (count: number): string => plural(count, "# source"),
  laneNames: {
    lease: "Lease, health",
    ddl: "Role change, DDL",
    connectivity: "Connectivity",
    suspend: "Suspend, resume",
    io: "I/O over 15\u2009s",
  },
  roleOf: (server: string): string => `${server} role`,
  databaseOn: (database: string, server: string): string => `${database} on ${server}`,
  healthCheckOf: (server: string): string => (server === "" ? "Health check" : `Health check, ${server}`),
  suspended: "suspended",
  isInRole: (server: string, role: string): string => `${server} is ${role}`,
  quietLanes: (quiet: number, folded: number): string =>
    [
      ...(quiet > 0 ? [plural(quiet, "# quiet lane")] : []),
      ...(folded > 0 ? [plural(folded, "# more lane")] : []),
    ].join(", "),
  noPrimary: (duration: string): string => `no primary ${duration}`,
  eventsInView: (count: number): string => plural(count, "# event in view", "# events in view"),

  onDay: (day: string, sentence: string): string => `${day}: ${sentence}`,
  moreFailovers: (count: number): string => `${plural(count, "# more failover")}.`,
  evidenceFiles: (count: number): string => plural(count, "evidence file"),

  // Samples
  reference: (volume: string, p50: string, p99: string | null): string =>
    `Diskspd on ${volume} p50 ${p50}${p99 === null ? "" : `, p99 ${p99}`}`,
  metricName: (metric: string): string => `${metric.charAt(0).toUpperCase()}${metric.slice(1)}`,
  units: {
    ms: "ms",
    count: "number",
    bytes: "bytes",
    share: "share",
    perSecond: "per second",
    msPerSecond: "ms per second",
    sessions: "sessions waiting, mean",
  },

  // Pane
  causeOfTheFailover: "Cause of the failover",
  withoutPrimary: (range: string, duration: string): string => `${range}, ${duration} without a primary`,
  withoutNewPrimary: (time: string): string => `${time}, no file shows a new primary`,
  thePrimary: "the primary replica",
  leads: {
    leaseTimeout: (server) => `Lease timeout${on(server)}.`,
    healthTimeout: (server) => `Health check timeout${on(server)}.`,
    ddlByUser: () => "Failover by a user.",
    ddlByCluster: () => "Failover by the cluster.",
    network: (server) => `Loss of the cluster's network${on(server)}.`,
    serviceStop: (server) => `SQL Server stopped${on(server)}.`,
    notShown: () => "",
  } as Leads,
  checks: {
    leaseTimeout: (server) => [
      `Check CPU, memory and storage of ${server} in the minute before.`,
      "Check ERRORLOG for 17883, 833 and a memory dump.",
    ],
    healthTimeout: (server) => [
      `Check which component of ${server} the health check reports.`,
      "Compare the longest wait with HealthCheckTimeout of the group.",
    ],
    ddlByUser: () => ["Find out who ran the FAILOVER statement."],
    ddlByCluster: () => ["Check cluster.log for the reason of the move."],
    network: (server) => [
      `Check the network and the firewall between ${server} and the other nodes.`,
      "Check the System event log for 1135 and cluster.log for lost nodes.",
    ],
    serviceStop: (server) => [`Check the System event log of ${server} for the reason of the stop.`],
    notShown: (server) => [`Add ERRORLOG and AlwaysOn_health of ${server} from the minutes before.`],
  } as Checks,
  checkNext: "Check next",
  eventsOfTheFailover: "Events of the failover",
  time: (zone: string): string => `Time, ${zone}`,
  timeHead: "Time",
  event: "Event",
  sourcesHead: "Sources",
  sourcesOf: (text: string): string => `Sources of "${text}"`,
  eventNumber: (place: number): string => `event ${place}`,
  lineNumber: (place: number): string => `line ${place}`,
  openSource: "Open file and line",
  noText: "The file has no text for it, or the text was dropped on receipt.",
  eventsInViewNoFailover: (count: number): string => `${plural(count, "# event")} in view, no failover`,
  doTheSourcesAgree: "Do the sources agree?",
  agreesText: (agrees: boolean | null): string =>
    agrees === null ? "Not decided:" : agrees ? "Agrees:" : "Contradicts:",
  moreRules: (count: number): string => `${plural(count, "# more rule")} without a contradiction.`,
  withoutClock: (servers: string): string =>
    `Times of ${servers} are as written: no data-movement events align that clock.`,
  eventsLeftOut: (count: number): string =>
    `${plural(count, "# more event isn't", "# more events aren't")} shown.`,
  lanesShown: (shown: number, all: number): string => `${shown} of ${plural(all, "# lane")} shown`,
  kindNames: {
    role: "Roles",
    sync: "Synchronization states",
    lease: "Lease, health",
    ddl: "Role change, DDL",
    connectivity: "Connectivity",
    suspend: "Suspend, resume",
    io: "I/O over 15\u2009s",
    health: "Health check",
  },
  addEvidence: "Add evidence",
  hideLanes: "Hide lanes",
  tableOf: (shown: number, all: number): string =>
    shown === all
      ? `Events on the servers: ${all} in view`
      : `Events on the servers: ${shown} of ${all} in view`,

  // Slow times
  reportedInThisTime: {
    disk: (server: string | null, count: number, volume: string | null, isOnLog: boolean): string =>
      `${reporter(server)} reported ${plural(count, "# request")} over 15\u2009s${isOnLog ? "" : " on data files"}${volume === null ? "" : ` on ${volume}`} in this time.`,
    network: (server: string | null, count: number): string =>
      `${reporter(server)} reported ${plural(count, "# lost connection")} in this time.`,
    scheduler: (server: string | null, count: number): string =>
      `${reporter(server)} reported ${plural(count, "# problem")} of schedulers or memory in this time.`,
  },
  /** By rule of the agreement: the two things that differ. */
  contradictions: {
    disk: {
      logWriteWaits: "waits of WRITELOG and log writes",
      logDisk: "disk counters and log writes",
      longRequests: "reports of requests over 15\u2009s and log writes",
      ioSubsystem: "requests over 15\u2009s of io_subsystem and log writes",
    } as Readonly<Partial<Record<string, string>>>,
    network: {
      transactionDelay: "Transaction Delay and commits",
      syncCommitWaits: "waits of HADR_SYNC_COMMIT and commits",
    } as Readonly<Partial<Record<string, string>>>,
    scheduler: {} as Readonly<Partial<Record<string, string>>>,
  },
  contradicts: (things: string, server: string | null): string =>
    `Contradiction: ${things}${on(server)} differ.`,

  // Status
  nextPreviousEvent: "next, previous event",
  lanes: "what happened",
} as const;

type Kind =
  | "leaseTimeout"
  | "healthTimeout"
  | "ddlByUser"
  | "ddlByCluster"
  | "network"
  | "serviceStop"
  | "notShown";
type Leads = Readonly<Record<Kind, (server: string | null) => string>>;
type Checks = Readonly<Record<Kind, (server: string) => readonly string[]>>;

const reporter = (server: string | null): string => server ?? "The servers";

function on(server: string | null): string {
  return server === null ? "" : ` on ${server}`;
}
