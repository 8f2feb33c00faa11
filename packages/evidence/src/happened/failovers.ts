import type { EvidenceEvent, FailoverCause } from "../shapes.ts";

const SECOND_US = 1_000_000;
/** Reasons are reported before the group goes offline, some of them just after it. */
const BEFORE_US = 60 * SECOND_US;
const AFTER_US = 10 * SECOND_US;
/** A group that is not online again within this time stayed offline. */
const LONGEST_FAILOVER_US = 30 * 60 * SECOND_US;
/** Reports of one loss, by the server and by the cluster, are at most this far apart. */
const SAME_LOSS_US = 15 * SECOND_US;

/** A folder shows some; a damaged file may seem to show very many. The last ones are kept. */
const MOST_FAILOVERS = 100;
/** Losses of other groups that may be between two reports of one loss. */
const MOST_AT_ONCE = 20;

/** The primary replica of a group was lost, or its role moved on. */
interface Loss {
  atUs: number;
  readonly group: string | null;
  server: string | null;
  readonly events: EvidenceEvent[];
}

interface Reason {
  readonly kind: FailoverCause["kind"];
  /** Part of a sentence after "because", and before "was reported". */
  readonly because: string;
  readonly reported: string;
  readonly isReason: (event: EvidenceEvent) => boolean;
  /** One text that states the connection itself. */
  readonly proof: RegExp;
}

const textsOf = ({ sources, text }: EvidenceEvent): string =>
  [text, ...sources.map((source) => source.text ?? "")].join("\n");

/**
 * In the order in which they count. A service that stops ends lease, health checks and connections too, and a cluster
 * that loses its network ends the lease, so that those come first.
 */
const REASONS: readonly Reason[] = [
  {
    kind: "serviceStop",
    because: "the service of SQL Server stopped",
    reported: "A stop of the service",
    isReason: (event) => event.kind === "restart" && !/started/u.test(event.text),
    proof: /replica manager is going offline because SQL Server is shutting down|service is not alive/iu,
  },
  {
    kind: "ddlByUser",
    because: "a user started it",
    reported: "A failover by a user",
    isReason: (event) => /user initiated failover/iu.test(textsOf(event)),
    proof: /user initiated failover/iu,
  },
  {
    kind: "network",
    because: "the node lost its cluster",
    reported: "A loss of the cluster's network",
    isReason: (event) =>
      event.message === 41048 ||
      event.message === 41049 ||
      /lost quorum|PENDING_WSFC_COMMUNICATION/iu.test(textsOf(event)),
    proof: /going offline because the local .* node has lost quorum/iu,
  },
  {
    kind: "leaseTimeout",
    because: "the lease expired",
    reported: "A lease timeout",
    isReason: ({ kind }) => kind === "lease",
    proof: /is going offline because either the lease expired|lease is no longer valid/iu,
  },
  {
    kind: "healthTimeout",
    because: "the health check timed out",
    reported: "A failed health check",
    isReason: (event) =>
      /heartbeat is lost|not healthy with given HealthCheckTimeout|component is error/iu.test(textsOf(event)),
    proof: /not healthy with given HealthCheckTimeout/iu,
  },
  {
    kind: "ddlByUser",
    because: "a FAILOVER statement ran",
    reported: "A FAILOVER statement",
    // After the reasons above: an automatic failover may run a statement of its own on the new primary replica.
    isReason: ({ kind, states }) => kind === "ddl" && /FAILOVER/u.test(states?.[1] ?? ""),
    proof: /(?!)/u,
  },
  {
    kind: "ddlByCluster",
    because: "the cluster moved the group",
    reported: "A request of the cluster",
    isReason: (event) =>
      /in response to a request from the Windows Server Failover Cluster/iu.test(textsOf(event)),
    proof: /(?!)/u,
  },
];

/**
 * The failovers among events of all servers, each with its reason, by time. "Because" is used only where a text states
 * the connection, or two files report the reason.
 * @param events by time, each thing once
 */
export function failoversOf(events: readonly EvidenceEvent[]): FailoverCause[] {
  const losses = lossesOf(events).slice(-MOST_FAILOVERS);
  return losses.map((loss, i) => failoverOf(loss, losses[i + 1]?.atUs ?? Infinity, events));
}

/** Whether a primary replica gave up its role, by its own server or by the cluster. Views of SQL Server have "PRIMARY". */
function isLoss({ kind, states, database }: EvidenceEvent): boolean {
  if (kind !== "role" || states === null || database !== null) return false;
  const [before, after] = states.map((state) => state?.toUpperCase() ?? "");
  if (before === "" || before === undefined) return after === "FAILED";
  return (before === "PRIMARY" || before.startsWith("PRIMARY_NORMAL")) && !after!.startsWith("PRIMARY");
}

/** Whether a replica is primary replica now, or the cluster has the group online. */
function isGain({ kind, states, database }: EvidenceEvent): boolean {
  const after = states?.[1].toUpperCase();
  return (
    kind === "role" &&
    database === null &&
    (after === "PRIMARY_NORMAL" || after === "PRIMARY" || (after === "ONLINE" && states![0] === null))
  );
}

const sameGroup = (a: string | null, b: string | null): boolean =>
  a === null || b === null || a.toUpperCase() === b.toUpperCase();

function lossesOf(events: readonly EvidenceEvent[]): Loss[] {
  const losses: Loss[] = [];
  for (const event of events) {
    if (!isLoss(event)) continue;
    const { atUs, group, server } = event;
    const known = losses
      .slice(-MOST_AT_ONCE)
      .findLast(
        (loss) =>
          atUs - loss.atUs <= SAME_LOSS_US &&
          sameGroup(loss.group, group) &&
          !loss.events.some((e) => e.states?.[0] === event.states?.[0] && e.server === server),
      );
    if (known === undefined) losses.push({ atUs, group, server, events: [event] });
    else {
      known.events.push(event);
      known.server ??= server;
    }
  }
  return losses;
}

function failoverOf(loss: Loss, nextUs: number, events: readonly EvidenceEvent[]): FailoverCause {
  const { atUs, group, server } = loss;
  const gain = events.find(
    (event) =>
      isGain(event) &&
      event.atUs >= atUs &&
      event.atUs < Math.min(nextUs, atUs + LONGEST_FAILOVER_US) &&
      sameGroup(event.group, group) &&
      !(event.states?.[1].toUpperCase() === "ONLINE" && laterGain(events, event)),
  );
  const around = events.filter(
    (event) =>
      event.atUs >= atUs - BEFORE_US && event.atUs <= atUs + AFTER_US && sameGroup(event.group, group),
  );
  // A reason is reported where the primary replica was; DDL and the cluster's requests also elsewhere.
  const here = around.filter(
    (event) =>
      event.kind === "ddl" || event.server === null || server === null || isSame(event.server, server),
  );
  const reason = REASONS.find(({ isReason }) => here.some(isReason));
  const because = reason === undefined ? [] : here.filter((event) => reason.isReason(event));
  const isProven =
    reason !== undefined &&
    (because.some((event) => reason.proof.test(textsOf(event))) || filesOf(because) > 1);
  const from = server;
  const to = gain?.server ?? null;
  const shown = [...new Set([...because, ...loss.events, ...(gain === undefined ? [] : [gain])])];
  return {
    kind: reason?.kind ?? "notShown",
    text: sentenceOf({ from, to, group, atUs, isBack: gain !== undefined }, reason, isProven),
    isProven,
    atUs,
    untilUs: gain?.atUs ?? null,
    group,
    from,
    to,
    events: shown.sort((a, b) => a.atUs - b.atUs),
  };
}

const isSame = (a: string, b: string): boolean => a.toUpperCase() === b.toUpperCase();

/** Whether a server reports within seconds that it is primary replica: the cluster's report names no server. */
const laterGain = (events: readonly EvidenceEvent[], online: EvidenceEvent): boolean =>
  events.some(
    (event) =>
      isGain(event) &&
      event.server !== null &&
      event.states?.[0] !== null &&
      Math.abs(event.atUs - online.atUs) < SAME_LOSS_US &&
      sameGroup(event.group, online.group),
  );

const filesOf = (events: readonly EvidenceEvent[]): number =>
  new Set(events.flatMap(({ sources }) => sources.map(({ file }) => file))).size;

function sentenceOf(
  {
    from,
    to,
    group,
    atUs,
    isBack,
  }: { from: string | null; to: string | null; group: string | null; atUs: number; isBack: boolean },
  reason: Reason | undefined,
  isProven: boolean,
): string {
  const name = group ?? "The group";
  const time = `${new Date(atUs / 1000).toISOString().slice(11, 19)} UTC`;
  const moved =
    from !== null && to !== null && !isSame(from, to)
      ? `${name} failed over from ${from} to ${to} at ${time}`
      : `${name} went offline${from === null ? "" : ` on ${from}`} at ${time}${isBack ? "" : " and didn't come back"}`;
  if (reason === undefined) return `${moved}. These files don't show the cause.`;
  return isProven ? `${moved}, because ${reason.because}.` : `${moved}. ${reason.reported} was reported.`;
}
