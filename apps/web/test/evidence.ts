/** Facts of evidence files for tests: a failover of two servers by a lease timeout. Times in µs from the origin. */
import type { EvidenceAnswer, EvidenceMetric, FailoverCause, HappenedEvent } from "@aglens/contract";

const SECOND = 1e6;

/** An event of ERRORLOG of SQL1 at 10 s, ±1 s. */
export function happenedEvent(more: Partial<HappenedEvent> = {}): HappenedEvent {
  return {
    kind: "lease",
    at: 10 * SECOND,
    from: null,
    plusMinusUs: SECOND,
    server: "SQL1",
    group: "SALES-AG",
    database: null,
    replica: null,
    message: null,
    states: null,
    count: 1,
    text: "The lease was not renewed in time on SQL1.",
    sources: [{ file: "SQL1/ERRORLOG", place: 17, text: "Always On: lease", plusMinusUs: SECOND }],
    block: null,
    ...more,
  };
}

/** A replica changes its role. */
export const roleEvent = (
  server: string,
  at: number,
  states: readonly [string, string],
  more: Partial<HappenedEvent> = {},
): HappenedEvent =>
  happenedEvent({
    kind: "role",
    server,
    at,
    message: 19406,
    states: [...states],
    text: `The replica on ${server} changed from ${states[0]} to ${states[1]} in SALES-AG.`,
    ...more,
  });

/** A component of the health check of a server had a state. */
export const healthEvent = (
  from: number,
  at: number,
  state: string,
  more: Partial<HappenedEvent> = {},
): HappenedEvent =>
  happenedEvent({
    kind: "health",
    from,
    at,
    states: [null, state],
    text: `Component system on SQL1 reported ${state} (1 result).`,
    ...more,
  });

export function failoverCause(more: Partial<FailoverCause> = {}): FailoverCause {
  return {
    kind: "leaseTimeout",
    text: "SALES-AG failed over from SQL1 to SQL2 at 02:17:10 UTC, because the lease expired.",
    isProven: true,
    at: 10 * SECOND,
    until: 22.5 * SECOND,
    group: "SALES-AG",
    fromServer: "SQL1",
    toServer: "SQL2",
    events: [],
    ...more,
  };
}

export function evidenceMetric(more: Partial<EvidenceMetric> = {}): EvidenceMetric {
  return {
    metric: "wait time",
    unit: "ms",
    server: "SQL1",
    of: "HADR_SYNC_COMMIT",
    form: "delta",
    samples: 12,
    file: "SQL1/PerfStats.out",
    column: "wait_time_ms",
    ...more,
  };
}

export function evidenceAnswer(more: Partial<EvidenceAnswer> = {}): EvidenceAnswer {
  return {
    range: [0, 60 * SECOND],
    events: [],
    eventsLeftOut: 0,
    failovers: [],
    agreement: [],
    metrics: [],
    withoutClock: [],
    ...more,
  };
}

/** Index of the events of `leaseFailover`. */
export const LEASE = { expired: 0, resolving: 1, timeout: 2, pending: 3, primary: 4, secondary: 5 } as const;

/** SQL1 loses its lease at 10 s, and SQL2 is primary replica from 22.5 s on. */
export const leaseFailover = (): EvidenceAnswer =>
  evidenceAnswer({
    events: [
      happenedEvent({
        at: 10 * SECOND,
        from: -10 * SECOND,
        plusMinusUs: 1,
        message: 19407,
        text: "The lease of SALES-AG expired on SQL1.",
        sources: [
          { file: "SQL1/AlwaysOn_health_0_1.xel", place: 3, text: null, plusMinusUs: 1 },
          { file: "SQL1/ERRORLOG", place: 19, text: "The lease has expired.", plusMinusUs: SECOND },
        ],
      }),
      roleEvent("SQL1", 10 * SECOND, ["PRIMARY_NORMAL", "RESOLVING_NORMAL"]),
      happenedEvent({
        kind: "connectivity",
        at: 13 * SECOND,
        server: "SQL2",
        replica: "SQL1",
        message: 35206,
        text: "The connection to SQL1 timed out on SQL2.",
      }),
      roleEvent("SQL2", 15 * SECOND, ["SECONDARY_NORMAL", "RESOLVING_PENDING_FAILOVER"]),
      roleEvent("SQL2", 22.5 * SECOND, ["PRIMARY_PENDING", "PRIMARY_NORMAL"]),
      roleEvent("SQL1", 27 * SECOND, ["RESOLVING_NORMAL", "SECONDARY_NORMAL"]),
    ],
    failovers: [failoverCause({ events: [LEASE.expired, LEASE.resolving, LEASE.primary] })],
  });
