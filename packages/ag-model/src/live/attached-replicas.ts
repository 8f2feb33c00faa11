import { recognise } from "../events/index.ts";
import type { PushReport, StreamRow } from "xel-parser/format";
import type { ServerInput } from "../replication/prepare/server-input.ts";
import { microsecondsToTicks, ticksToMicroseconds } from "../replication/clocks/time.ts";
import type { Role } from "../replication/shapes/tables.ts";
import type { Topology } from "../replication/shapes/topology.ts";
import { firstAtOrAfter } from "../numbers/index.ts";
import type { LiveModelDelivery, LiveModelReplica } from "./picture.ts";
import { Lateness } from "./lateness.ts";
import { ReplicaEvents, type FreshEvents } from "./replica-events.ts";
import { changedRole, contradictedRole, eventsInRole } from "./roles.ts";
import type { RunClock } from "./run-clock.ts";
import { LONGEST_PATIENCE_TICKS, LONGEST_PATIENCE_US, MARGIN_US, PATIENCE_US } from "./settling.ts";

/** Cause of a hole in a replica's stream. */
export type GapReason =
  | "connection"
  | "disconnectedByServer"
  | "droppedByServer"
  | "droppedByUs"
  | "sessionStopped";

/** This many events of the other role in a row are a failover. */
const ROLE_EVIDENCE = 50;

interface AttachedReplica {
  /** As the caller and the topology describe it. */
  described: LiveModelReplica;
  readonly events: ReplicaEvents;
  /** Newest instant decoded, µs of the run. */
  decodedTo: number;
  /** Its UTC minus the primary's, µs. */
  utcAhead: number;
  /** Its stream has a hole, so that the model does not wait for it. */
  excused: boolean;
  readonly lateness: Lateness;
  /** True when events arrived in this step. */
  isFresh: boolean;
  /**
   * Time since which none of its events arrived although the others are ahead, µs of the run; NaN when they are not.
   */
  silentSince: number;
  /** Number of events that arrived after their blocks had settled. */
  tooLate: number;
  /** Time since which its events are in the picture without a break, µs of the run; NaN before the first. */
  coversFrom: number;
  /** Its stream was interrupted, and no event arrived since. */
  isAway: boolean;
}

/** The events of one replica in the form that the model needs. */
export interface AttachedInput {
  readonly replica: number;
  readonly input: ServerInput & { readonly role: Role };
}

function attachedReplica(described: LiveModelReplica): AttachedReplica {
  return {
    described,
    events: new ReplicaEvents(described.name),
    decodedTo: Number.NaN,
    utcAhead: 0,
    excused: false,
    lateness: new Lateness(),
    isFresh: false,
    silentSince: Number.NaN,
    tooLate: 0,
    coversFrom: Number.NaN,
    isAway: false,
  };
}

/** The replicas that are read: their identity, their events, and the time up to which each was read. */
export class AttachedReplicas {
  readonly #all: AttachedReplica[];
  #topology: Topology | undefined;

  constructor(replicas: readonly LiveModelReplica[]) {
    this.#all = replicas.map(attachedReplica);
  }

  /** Adds a replica that is read from now on; its index is the next one. */
  add(described: LiveModelReplica): void {
    this.#all.push(attachedReplica(described));
  }

  get topology(): Topology | undefined {
    return this.#topology;
  }

  get described(): LiveModelReplica[] {
    return this.#all.map(({ described }) => described);
  }

  /** Index of the primary; -1 when none is attached. */
  get primary(): number {
    return this.#all.findIndex(({ described }) => described.role === "primary");
  }

  /** By replica: newest instant decoded, µs of the run; NaN before its first event. */
  get decodedTo(): number[] {
    return this.#all.map(({ decodedTo }) => decodedTo);
  }

  /** Newest instant decoded of all, µs of the run; 0 before the first event. */
  get newest(): number {
    return Math.max(0, ...this.decodedTo.filter((to) => !Number.isNaN(to)));
  }

  push(replica: number, row: StreamRow): PushReport {
    return this.#all[replica].events.push(row);
  }

  setTopology(topology: Topology): void {
    this.#topology = topology;
    for (const state of this.#all) this.#takeName(state);
  }

  changesRole(replica: number, role: LiveModelReplica["role"]): boolean {
    const { described } = this.#all[replica];
    return described.role !== "unknown" && described.role !== role;
  }

  setRole(replica: number, role: LiveModelReplica["role"], replicaId: string): void {
    const state = this.#all[replica];
    state.described = { ...state.described, role, replicaId: replicaId || state.described.replicaId };
    this.#takeName(state);
  }

  /** Notes a hole in a replica's stream; until the next event of the replica, the others do not wait for it. */
  gap(replica: number, reason: GapReason): void {
    const state = this.#all[replica];
    state.excused = true;
    // A new connection or session begins with its own metadata; after single lost buffers the known metadata stays
    // valid.
    if (reason === "droppedByServer" || reason === "droppedByUs") return;
    state.events.restart();
    state.isAway = true;
  }

  isExcused(replica: number): boolean {
    return this.#all[replica].excused;
  }

  /**
   * Takes the pushed events; false when there are no new ones.
   * @param clock of the run
   * @param now µs of the run
   * @param settledTo blocks before this instant of the run have settled, µs
   */
  collect(clock: RunClock, now: number, settledTo: number): boolean {
    for (const state of this.#all) {
      const fresh = state.events.collect();
      state.isFresh = fresh !== null;
      if (fresh === null) continue;
      // Blocks that have settled in the meantime are without its events.
      if (Number.isNaN(state.coversFrom) || state.isAway || !isWaitedFor(state, now))
        state.coversFrom = settledTo;
      state.isAway = false;
      state.excused = false;
      if (clock.originTicks > 0n) noteLateness(state, fresh, clock, now, settledTo);
    }
    return this.#all.some(({ isFresh }) => isFresh);
  }

  /** Finds replicas that are silent while others are ahead; to be called after the events of a step are processed. */
  watch(now: number): void {
    const { newest } = this;
    for (const state of this.#all) {
      const isBehind = newest - (state.decodedTo || 0) >= MARGIN_US;
      if (!isBehind) state.silentSince = Number.NaN;
      else if (state.isFresh || Number.isNaN(state.silentSince)) state.silentSince = now;
    }
  }

  /** Drops every event in memory. */
  clear(): void {
    for (const { events } of this.#all) events.clear();
  }

  /** Drops events published before an instant of the primary's UTC, FILETIME ticks. */
  dropBefore(ticks: bigint): void {
    for (const { events, utcAhead } of this.#all) events.dropBefore(ticks + microsecondsToTicks(utcAhead));
  }

  /** Drops old events that make no model and can no longer be part of one. @param mostEvents of all replicas */
  forgetOld(mostEvents: number): void {
    for (const { events } of this.#all) {
      events.dropBefore(events.newestTicks - LONGEST_PATIENCE_TICKS);
      events.dropBeyond(Math.ceil(mostEvents / this.#all.length));
    }
  }

  /** Bytes of memory of the events. */
  get bytes(): number {
    return this.#all.reduce((sum, { events }) => sum + events.bytes, 0);
  }

  /** The replicas with events, each in the role its events allow; of two primaries the one whose events are newer. */
  given(): AttachedInput[] {
    const given = this.#all.flatMap((state, replica) => this.#givenBy(state, replica));
    const primaries = given.filter(({ input }) => input.role === "primary");
    if (primaries.length < 2) return given;
    const newest = primaries.reduce((a, b) => (this.#newestTicks(b) > this.#newestTicks(a) ? b : a));
    return given.filter((each) => each === newest || each.input.role === "secondary");
  }

  /**
   * Whether the present events have no primary though one is attached. Secondaries alone would be on another clock, and
   * the picture can't change between clocks; the wait for a primary that never sends is limited.
   * @param listening since the first event of any replica, ticks
   */
  lacksPrimary(given: readonly AttachedInput[], listening: bigint): boolean {
    if (given.some(({ input }) => input.role === "primary")) return false;
    const primary = this.#all[this.primary];
    if (primary === undefined) return false;
    return !Number.isNaN(primary.decodedTo) || ticksToMicroseconds(listening) < patienceWith(primary);
  }

  /**
   * Takes from a model the time up to which a replica was read, and its identity.
   * @param events first and last instant of its events, µs of the run
   * @param utcAhead its UTC minus the primary's, µs; NaN when that is not known
   */
  advance(
    replica: number,
    { from, to }: { readonly from: number; readonly to: number },
    utcAhead: number,
    id: string,
  ): void {
    const state = this.#all[replica];
    // At first its events begin where its session did.
    if (Number.isNaN(state.decodedTo) && from > state.coversFrom) state.coversFrom = from;
    if (!(to <= state.decodedTo)) state.decodedTo = to;
    if (Number.isFinite(utcAhead)) state.utcAhead = utcAhead;
    if (state.described.replicaId === "" && id !== "")
      state.described = { ...state.described, replicaId: id };
  }

  /** Advances the time up to which each replica was read, by its UTC: for events that make no model. */
  advanceByUtc(clock: RunClock): void {
    for (const state of this.#all) {
      const to = clock.atTicks(state.events.newestTicks) - state.utcAhead;
      if (to > state.decodedTo) state.decodedTo = to;
    }
  }

  /** Time up to which all awaited replicas were read, µs of the run. */
  readByAll(now: number): number {
    const waited = this.#all.filter((state) => isWaitedFor(state, now));
    return Math.min(this.newest, ...waited.map(heardTo));
  }

  /**
   * Whether a replica sends events, and they are in the picture without a break for `forUs` before an instant of the
   * run, µs.
   */
  covers(replica: number, now: number, to: number, forUs: number): boolean {
    const state = this.#all[replica];
    return isWaitedFor(state, now) && !(to - state.coversFrom < forUs);
  }

  /** Time since which the events of all these are in the picture, µs of the run. */
  coveredFrom(now: number, to: number, forUs: number): number {
    const covering = this.#all.filter((_, replica) => this.covers(replica, now, to, forUs));
    return Math.max(0, ...covering.map(({ coversFrom }) => coversFrom || 0));
  }

  /** Whether the others wait for a replica: it is read and was not silent for longer than usual. */
  isWaitedFor(replica: number, now: number): boolean {
    return isWaitedFor(this.#all[replica], now);
  }

  /** How long to wait for an event of any replica before earlier events can no longer arrive, µs. */
  get quietAfter(): number {
    return Math.max(PATIENCE_US, ...this.#all.filter(({ excused }) => !excused).map(patienceWith));
  }

  /** Longest known delay of events by sessions and the network, µs. */
  get heldBack(): number {
    const read = this.#all.filter(({ excused }) => !excused);
    return Math.min(
      Math.max(DELIVERY_US, ...read.map(lateWith).map((late) => late + 1e6)),
      LONGEST_PATIENCE_US,
    );
  }

  /** By replica: how its events arrive. */
  deliveries(now: number): LiveModelDelivery[] {
    return this.#all.map((state) => ({
      lateUs: state.lateness.lateUs,
      waitedUs: state.lateness.waitedUs,
      patienceUs: patienceWith(state),
      silentSince: isWaitedFor(state, now) ? Number.NaN : state.decodedTo,
      tooLate: state.tooLate,
    }));
  }

  /** Sets the dispatch latency of a replica's session, µs; Infinity for a session without a limit. */
  setDispatch(replica: number, dispatchUs: number): void {
    const state = this.#all[replica];
    state.described = { ...state.described, dispatchUs };
  }

  /** A server's own name instead of the address that was used to connect. */
  nameOf(replica: number): string {
    const { described } = this.#all[replica];
    return this.#topology?.replicas.get(described.replicaId)?.name || described.name;
  }

  /** Index of the replica with an availability_replica_id; -1 when it is not attached. */
  attachedAs(id: string): number {
    return id === "" ? -1 : this.#all.findIndex(({ described }) => described.replicaId === id);
  }

  #givenBy(state: AttachedReplica, replica: number): AttachedInput[] {
    const { columns } = state.events;
    if (columns === undefined) return [];
    const role = roleOfEvents(state.described.role, columns);
    if (role === undefined) return [];
    state.described = { ...state.described, role };
    const own = eventsInRole(columns, role).columns;
    return [
      { replica, input: { role, columns: own, name: this.nameOf(replica), id: state.described.replicaId } },
    ];
  }

  #newestTicks({ replica }: AttachedInput): bigint {
    return this.#all[replica].events.newestTicks;
  }

  /** Renames a replica from its address to its name as soon as a server names it. */
  #takeName(state: AttachedReplica): void {
    const name = this.#topology?.replicas.get(state.described.replicaId)?.name;
    if (name !== undefined && name !== "") state.described = { ...state.described, name };
  }
}

/** The network and a step may take this long in addition to the delay of a session. */
const DELIVERY_US = 3_000_000;

/** How long to wait for a silent replica: as late as its events were in the last minute, or as its session may be. */
const patienceWith = (state: AttachedReplica): number =>
  Math.min(Math.max(PATIENCE_US, lateWith(state) + DELIVERY_US), LONGEST_PATIENCE_US);

/** Largest lateness of a replica's events, as measured or by its session's dispatch latency, µs. */
const lateWith = ({ described, lateness }: AttachedReplica): number =>
  Math.max(lateness.oldestUs || 0, described.dispatchUs ?? 0);

const isWaitedFor = (state: AttachedReplica, now: number): boolean =>
  !state.excused && !(now - state.silentSince > patienceWith(state));

/** Before this instant no more event of a replica is expected, µs of the run: its buffers may overtake each other. */
const heardTo = ({ decodedTo, lateness }: AttachedReplica): number =>
  Math.max(0, (decodedTo || 0) - Math.min(lateness.disorderUs, LONGEST_PATIENCE_US));

/** Longer than the dispatch latency of an AG Lens session, µs. */
const LONG_DISPATCH_US = 2_000_000;

/** Other sessions may send several buffers at once, in no order: their rows don't show why they waited. */
const handsOverInOrder = ({ described: { dispatchUs } }: AttachedReplica): boolean =>
  dispatchUs !== undefined && dispatchUs < LONG_DISPATCH_US;

function noteLateness(
  state: AttachedReplica,
  { ticks, newestBefore, lastRow }: FreshEvents,
  clock: RunClock,
  now: number,
  settledTo: number,
): void {
  const oldest = clock.atTicks(ticks[0]) - state.utcAhead;
  const disorderUs = newestBefore === 0n ? 0 : ticksToMicroseconds(newestBefore - ticks[0]);
  const spanUs = handsOverInOrder(state) ? ticksToMicroseconds(lastRow - ticks[0]) : 0;
  state.lateness.note(now, { oldestUs: now - oldest, spanUs, disorderUs });
  const settled = clock.ticksAt(settledTo) + microsecondsToTicks(state.utcAhead);
  state.tooLate += firstAtOrAfter(ticks, settled);
}

/**
 * The role to analyze events in: the given one unless the newest events are of the other; undefined without a known
 * one.
 */
function roleOfEvents(given: LiveModelReplica["role"], columns: ServerInput["columns"]): Role | undefined {
  if (given !== "unknown")
    return contradictedRole(columns, given) ?? changedRole(columns, given, ROLE_EVIDENCE) ?? given;
  const { role } = recognise(columns);
  return role === "unknown" ? undefined : role;
}
