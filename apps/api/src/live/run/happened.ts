/**
 * Events of a run's servers, each once: changes that polls see, and events of AlwaysOn_health. A poll knows only that
 * something changed between two polls, so that the session's event of the same change replaces it.
 */
import { failoversOf } from "@aglens/evidence";
import type { EvidenceEvent, EvidenceSource } from "@aglens/evidence";
import type { LivePicture } from "@aglens/contract";
import { filetimeOfUnixMs } from "xel-parser/format";
import type { Attachment } from "./attachment.ts";
import type { LocalRole } from "./poll-databases.ts";
import type { PollReading } from "./polls.ts";
import { Moment } from "./run-clock.ts";
import type { RunClock } from "./run-clock.ts";

const MS_US = 1_000;
/** Length of the period that a picture shows. */
const SHOWN_MS = 300_000;
const MOST_SHOWN = 200;
/** Events of a run; the oldest are forgotten. */
const MOST_KEPT = 2_000;
/** A poll and the session may differ by so much in addition to their own uncertainty: SYSUTCDATETIME is read apart. */
const TOLERANCE_US = 1_000_000;
/** A view that was polled so recently counts before the view of another server. */
const RECENT_MS = 3_000;

/** An event with its time of this machine's clock. */
interface Report {
  /** Times by the server's clock; with names. */
  event: EvidenceEvent;
  /** The same for the capture's facts: with ids where the session has only these, as its files have them. */
  fact: EvidenceEvent;
  moment: Moment;
  /** Uncertainty of `moment` in addition to that of the event: how well the server's clock is known. */
  clockBoundUs: number;
  /** Times between which a poll saw it, by the server's clock, µs; null for an event that only the session reports. */
  readonly polled: readonly [from: number, to: number] | null;
}

/** A state of the last poll, and the time of this machine's clock until which it was seen. */
interface Seen {
  readonly state: string;
  readonly atMs: number;
}

type Change = Pick<EvidenceEvent, "kind" | "server" | "database" | "replica" | "states" | "text"> & {
  readonly fromMs: number;
  readonly toMs: number;
};

export class Happened {
  readonly #attachments: readonly Attachment[];
  #reports: Report[] = [];
  #changes = 0;
  readonly #groups = new Map<string, string>();
  readonly #seen = new Map<string, Seen>();
  /** Polls of each replica so far: the place of a poll as a source. */
  readonly #polls = new Map<number, number>();

  /** @param attachments of the run, also those that are added later */
  constructor(attachments: readonly Attachment[]) {
    this.#attachments = attachments;
  }

  /**
   * Takes the role of a replica in the run's group. @param sinceMs when its former role was still seen; NaN where no poll
   * did
   */
  takeRole(attachment: Attachment, { role, groupId }: LocalRole, sinceMs: number, nowMs: number): void {
    const { name: server, group } = attachment.identity;
    if (group !== "") this.#groups.set(groupId, group);
    const state = role?.toUpperCase() ?? "RESOLVING";
    const before = this.#change(`role ${attachment.index}`, state, nowMs);
    if (before === null) return;
    this.#addChange(attachment, {
      kind: "role",
      server,
      database: null,
      replica: null,
      states: [before.state, state],
      text: `The replica on ${server} changed from ${before.state} to ${state} in ${group || "its group"}.`,
      fromMs: Number.isNaN(sinceMs) ? before.atMs : sinceMs,
      toMs: nowMs,
    });
  }

  /** Takes the states of databases in a poll. */
  takePoll(attachment: Attachment, { databases }: PollReading, atMs: number): void {
    const { identity } = attachment;
    const isPrimary = identity.role === "primary";
    for (const row of databases ?? []) {
      const { database, isLocal, synchronization, suspended, suspendReason } = row;
      const where = this.#nameOf(row.replicaId) ?? (isLocal ? identity.name : row.replicaId);
      const key = `${row.replicaId} ${database}`;
      const common = { database, toMs: atMs };
      // The primary's view decides about the states of its secondaries.
      if (synchronization !== null && this.#counts(`synchronization ${key}`, isPrimary, atMs)) {
        const before = this.#change(`synchronization ${key}`, synchronization, atMs);
        if (before !== null)
          this.#addChange(attachment, {
            ...common,
            kind: "synchronization",
            server: identity.name,
            replica: isLocal ? null : where,
            states: [before.state, synchronization],
            text: syncText(database, where, before.state, synchronization),
            fromMs: before.atMs,
          });
      }
      // A replica knows best whether it is suspended itself.
      if (!this.#counts(`suspension ${key}`, isLocal, atMs)) continue;
      const state = suspended ? "SUSPENDED" : "RESUMED";
      const before = this.#change(`suspension ${key}`, state, atMs);
      if (before === null) continue;
      const reason = suspendReason === null ? "" : ` (${suspendReason})`;
      this.#addChange(attachment, {
        ...common,
        kind: "suspension",
        server: where,
        replica: null,
        states: [before.state, state],
        text: suspended
          ? `Data movement of ${database} was suspended on ${where}${reason}.`
          : `Data movement of ${database} was resumed on ${where}.`,
        fromMs: before.atMs,
      });
    }
    this.#polls.set(attachment.index, (this.#polls.get(attachment.index) ?? 0) + 1);
  }

  /** Takes events of a server's session, with ids in place of names where the session has only these. */
  takeHealth(attachment: Attachment, events: readonly EvidenceEvent[]): void {
    const { offset } = attachment.serverClock;
    if (offset === null) return;
    for (const each of events) {
      const event = this.#named(each, attachment);
      const report: Report = {
        event,
        fact: each,
        moment: new Moment(event.atUs / MS_US - offset.aheadMs),
        clockBoundUs: offset.boundMs * MS_US,
        polled: null,
      };
      const polled = this.#reports.find(
        (other) =>
          other.polled !== null &&
          other.event.sources.length === 1 &&
          isOneThing(other.event, event) &&
          isWithin(other.polled, event),
      );
      if (polled === undefined) this.#add(report);
      else {
        this.#changes += 1;
        Object.assign(polled, {
          ...report,
          event: joined(event, polled.event),
          fact: withSources(each, polled.event),
          polled: polled.polled,
        });
      }
    }
  }

  /** Events and failovers for clients, in the run's time. */
  picture(clock: RunClock, nowMs: number): Pick<LivePicture, "happened" | "failovers"> {
    const shown = this.#reports
      .filter(({ moment }) => moment.wallMs >= nowMs - SHOWN_MS)
      .toSorted((a, b) => a.moment.wallMs - b.moment.wallMs || inTurn(a.event, b.event))
      .slice(-MOST_SHOWN)
      .map((report) => ({ ...report, at: report.moment.in(clock) }));
    // Failovers compare times of several servers.
    const onOneClock = shown.map(({ event, at }) => ({ ...event, atUs: utcUs(clock, at) }));
    return {
      happened: shown.map(({ event, at, clockBoundUs }) => ({
        ...shownPart(event),
        at,
        from: event.fromUs === null ? null : at - (event.atUs - event.fromUs),
        plusMinusUs: (event.sources[0]?.plusMinusUs ?? 0) + clockBoundUs,
      })),
      failovers: failoversOf(onOneClock).map((failover) => ({
        kind: failover.kind,
        text: failover.text,
        isProven: failover.isProven,
        at: failover.atUs - utcUs(clock, 0),
        until: failover.untilUs === null ? null : failover.untilUs - utcUs(clock, 0),
        group: failover.group,
        fromServer: failover.from,
        toServer: failover.to,
        events: failover.events.map((event) => onOneClock.findIndex((each) => each === event)),
      })),
    };
  }

  /**
   * Events of a server since a time, by its own clock, oldest first. @param sinceMs by this machine's clock
   */
  eventsOf({ identity }: Attachment, sinceMs = Number.NEGATIVE_INFINITY): readonly EvidenceEvent[] {
    return this.#reports
      .filter(({ event, moment }) => isSameName(event.server, identity.name) && moment.wallMs >= sinceMs)
      .map(({ fact }) => fact)
      .toSorted((a, b) => a.atUs - b.atUs || inTurn(a, b));
  }

  /** Names of groups by their ids, which the session has for some events. */
  get groups(): ReadonlyMap<string, string> {
    return this.#groups;
  }

  /** Rises with each new event or source. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether a view's state of something counts now: always by its best view, else where that was not polled recently. */
  #counts(key: string, isBestView: boolean, atMs: number): boolean {
    const best = `best ${key}`;
    if (isBestView) this.#seen.set(best, { state: "", atMs });
    return isBestView || atMs - (this.#seen.get(best)?.atMs ?? Number.NEGATIVE_INFINITY) > RECENT_MS;
  }

  /** Notes a state. @returns the state before, where it is another one */
  #change(key: string, state: string, atMs: number): Seen | null {
    const before = this.#seen.get(key) ?? null;
    this.#seen.set(key, { state, atMs });
    return before === null || before.state === state ? null : before;
  }

  #addChange(attachment: Attachment, { fromMs, toMs, ...change }: Change): void {
    const { serverClock, identity, index } = attachment;
    const aheadMs = serverClock.offset?.aheadMs ?? 0;
    const polled = [(fromMs + aheadMs) * MS_US, (toMs + aheadMs) * MS_US] as const;
    const middleMs = (fromMs + toMs) / 2;
    const source: EvidenceSource = {
      file: `Polls of ${identity.name}`,
      place: (this.#polls.get(index) ?? 0) + 1,
      text: null,
      plusMinusUs: ((toMs - fromMs) / 2) * MS_US,
    };
    const event: EvidenceEvent = {
      ...change,
      atUs: (middleMs + aheadMs) * MS_US,
      fromUs: null,
      group: identity.group || null,
      message: null,
      count: 1,
      sources: [source],
      lsn: null,
    };
    const known = this.#reports.find(
      (other) => other.polled === null && isOneThing(event, other.event) && isWithin(polled, other.event),
    );
    if (known === undefined)
      this.#add({ event, fact: event, moment: new Moment(middleMs), clockBoundUs: 0, polled });
    else {
      this.#changes += 1;
      const fact = withSources(known.fact, event);
      Object.assign(known, { event: joined(known.event, event), fact, polled });
    }
  }

  #add(report: Report): void {
    this.#changes += 1;
    this.#reports.push(report);
    if (this.#reports.length > MOST_KEPT) this.#reports.shift();
  }

  #nameOf(replicaId: string): string | null {
    const known = this.#attachments.flatMap(({ identity }) => [
      { replicaId: identity.replicaId, serverName: identity.name },
      ...identity.topology.replicas,
    ]);
    return known.find((each) => each.replicaId !== "" && each.replicaId === replicaId)?.serverName ?? null;
  }

  /** The event with names in place of ids. */
  #named(event: EvidenceEvent, { identity }: Attachment): EvidenceEvent {
    const databases = this.#attachments.flatMap((attachment) => attachment.identity.topology.databases);
    const database = databases.find(({ id }) => id === event.database)?.name ?? event.database;
    const replica = (event.replica && this.#nameOf(event.replica)) ?? event.replica;
    const group =
      event.group !== null && IS_ID.test(event.group) ? identity.group || event.group : event.group;
    const [before, after] = event.states ?? [];
    const isSync = event.kind === "synchronization" && after !== undefined && database !== null;
    const text = isSync
      ? syncText(database, replica ?? identity.name, before ?? null, after.replaceAll("_", " "))
      : event.text;
    const states = isSync ? ([before ?? null, after.replaceAll("_", " ")] as const) : event.states;
    return { ...event, database, replica, group, states, text };
  }
}

const IS_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu;

const syncText = (database: string, replica: string, before: string | null, after: string): string =>
  before === null
    ? `${database} on ${replica} changed to ${after}.`
    : `${database} on ${replica} changed from ${before} to ${after}.`;

const isSameName = (a: string | null, b: string | null): boolean => a?.toUpperCase() === b?.toUpperCase();

/** Whether a change that a poll saw, and an event of the session, can be one thing, apart from their times. */
function isOneThing(poll: EvidenceEvent, event: EvidenceEvent): boolean {
  return (
    poll.kind === event.kind &&
    event.states !== null &&
    isSameName(poll.server, event.server) &&
    isSameName(poll.database, event.database) &&
    isSameName(poll.replica, event.replica) &&
    (poll.group === null || event.group === null || isSameName(poll.group, event.group)) &&
    stateOf(poll) === stateOf(event)
  );
}

/** The state after an event, by the word that the views have for it. */
function stateOf({ kind, states }: EvidenceEvent): string {
  const state = (states?.[1] ?? "").toUpperCase().replaceAll("_", " ");
  if (kind !== "role") return state;
  if (state === "PRIMARY NORMAL") return "PRIMARY";
  if (state === "SECONDARY NORMAL") return "SECONDARY";
  return state.startsWith("RESOLVING") ? "RESOLVING" : state;
}

/** The order of two events of one millisecond: a state begins before it ends. */
function inTurn({ states: a }: EvidenceEvent, { states: b }: EvidenceEvent): number {
  if (a === null || b === null) return 0;
  return a[1] === b[0] ? -1 : a[0] === b[1] ? 1 : 0;
}

const isWithin = ([from, to]: readonly [number, number], { atUs, sources }: EvidenceEvent): boolean => {
  const tolerance = TOLERANCE_US + (sources[0]?.plusMinusUs ?? 0);
  return atUs >= from - tolerance && atUs <= to + tolerance;
};

const withSources = (event: EvidenceEvent, poll: EvidenceEvent): EvidenceEvent => ({
  ...event,
  sources: [...event.sources, ...poll.sources].toSorted((a, b) => a.plusMinusUs - b.plusMinusUs),
});

/** The session's event with the poll as one more source. */
const joined = (event: EvidenceEvent, poll: EvidenceEvent): EvidenceEvent => ({
  ...withSources(event, poll),
  states:
    event.states === null ? poll.states : [event.states[0] ?? poll.states?.[0] ?? null, event.states[1]],
  text: event.kind === "role" ? event.text : poll.text,
});

function shownPart(
  event: EvidenceEvent,
): Omit<LivePicture["happened"][number], "at" | "from" | "plusMinusUs"> {
  const { atUs: _at, fromUs: _from, lsn, sources, states, ...rest } = event;
  return {
    ...rest,
    states: states === null ? null : [...states],
    sources: sources.map((source) => ({ ...source })),
    block: lsn === null ? null : String(lsn),
  };
}

const UNIX_EPOCH_TICKS = filetimeOfUnixMs(0);

/** µs since 1970 by the primary's clock at a time of the run, µs. */
const utcUs = (clock: RunClock, us: number): number => Number(clock.ticksAt(us) - UNIX_EPOCH_TICKS) / 10;
