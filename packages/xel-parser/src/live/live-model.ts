import { diagnose } from "../diagnosis/diagnose.ts";
import type { Verdict } from "../diagnosis/verdict.ts";
import { recognise } from "../events/index.ts";
import type { PushReport, StreamRow } from "../format/index.ts";
import { rangeStatistics } from "../query/range-statistics.ts";
import { firstAtOrAfter } from "../query/rows-in-range.ts";
import { clockSummary } from "../query/summary.ts";
import { buildModel, ModelError, type Continuity, type ReplicaInput } from "../replication/model.ts";
import { changedRole, contradictedRole } from "../replication/roles.ts";
import { NO_COUNTS, type CaptureModel, type Role } from "../replication/tables.ts";
import type { Topology } from "../replication/topology.ts";
import { cutPiece, joinPieces, splitPiece, type Piece } from "./block-pieces.ts";
import { ClockMemory } from "./clock-memory.ts";
import { figuresOf, mainSecondary, sharesOf } from "./figures.ts";
import { laneColumns, lanesOf } from "./lanes.ts";
import { LogPyramid } from "./log-pyramid.ts";
import type { LiveModelClock, LiveModelLane, LiveModelPicture, LiveModelReplica } from "./picture.ts";
import { readoutsOf } from "./readouts.ts";
import { RecentBins } from "./recent-bins.ts";
import { ReplicaEvents } from "./replica-events.ts";
import { RunClock } from "./run-clock.ts";
import { Secondaries } from "./secondaries.ts";
import { SettledBlocks } from "./settled-blocks.ts";
import { book, firstAfterLast, longestOf } from "./settling.ts";

/** Why a replica's stream has a hole. */
export type GapReason =
  | "connection"
  | "disconnectedByServer"
  | "droppedByServer"
  | "droppedByUs"
  | "sessionStopped";

const SECOND = 1_000_000;
/** Width of the narrow bins and how many are kept: two minutes. */
const BIN_US = 50_000;
const BINS_KEPT = 2400;
/** A block is given this long after all replicas were heard before it settles. */
const MARGIN_US = SECOND;
/** A replica silent for so long, or a block without an answer, holds the others back no longer. */
const PATIENCE_US = 10 * SECOND;
const PATIENCE_TICKS = BigInt(PATIENCE_US * 10);
/** Events in the window over which blocks settle sooner, so that a step stays short. */
const MOST_EVENTS = 400_000;
const SHORTEST_OVERLAP_US = SECOND / 2;
const RECENT_US = 60 * SECOND;
const MOST_RECENT_BLOCKS = 50_000;
const VIEW_US = 30 * SECOND;
const RATE_S = 5;
const VERDICT_EVERY_US = 2 * SECOND;
/** A verdict is about the last seconds, and about so many blocks at least where they are few. */
const JUDGED_US = 15 * SECOND;
const FEWEST_JUDGED = 200;
/** A new longest block counts at once and fades by this factor a step. */
const FADING = 0.95;
/** So many events of the other role in a row are a failover. */
const ROLE_EVIDENCE = 50;
/** Sessions hold events back for a second at most; the network and a step may take as long again. */
const QUIET_US = 3 * SECOND;
/** Distance by which the caller's clock and the primary's may differ before the events are believed, µs. */
const CLOCKS_AGREE_US = 3 * SECOND;

interface ReplicaState {
  told: LiveModelReplica;
  readonly events: ReplicaEvents;
  /** Newest instant decoded, µs of the run. */
  decodedTo: number;
  /** Its UTC minus the primary's, µs. */
  utcAhead: number;
  /** Its stream has a hole: nobody waits for it. */
  excused: boolean;
  /** Since when the others are ahead of it, µs of the run; NaN when they are not. */
  behindSince: number;
}

interface Given {
  readonly replica: number;
  readonly input: ReplicaInput;
}

/**
 * The replication model of replicas that are read while they run. Rows come in any order among replicas. Each step joins
 * the events of the last seconds anew with the code that analyses files; blocks that no later event can change settle:
 * they keep their place in the recent minute and in the bins.
 */
export class LiveModel {
  readonly #replicas: ReplicaState[];
  readonly #clock = new RunClock();
  readonly #secondaries = new Secondaries();
  readonly #databases: { id: string; name: string }[] = [];
  readonly #bins = new RecentBins(BIN_US, BINS_KEPT);
  readonly #pyramid = new LogPyramid();
  #memories = new Map<string, ClockMemory>();
  #settled = new SettledBlocks();
  #topology: Topology | undefined;
  #ring: Piece[] = [];
  #tail: Piece | undefined;
  /** Run number of the first block of the ring and of the first that is not settled. */
  #ringFirst = 0;
  #next = 0;
  /** Blocks before this instant of the run have settled. */
  #settledTo = 0;
  #longest = 0;
  #lastAck = new Map<number, number>();
  #latest: CaptureModel | undefined;
  #recent: CaptureModel | undefined;
  #verdict: Verdict | null = null;
  #verdictAt = -Infinity;
  #now = 0;
  #ahead = Number.NaN;
  #overviewWidth = 0;
  #stepTicks = 0n;
  /** When the first event came, FILETIME ticks of the caller's clock; 0 before. */
  #heardSince = 0n;
  #picture: LiveModelPicture;

  constructor(replicas: readonly LiveModelReplica[]) {
    this.#replicas = replicas.map((told) => ({
      told,
      events: new ReplicaEvents(told.name),
      decodedTo: Number.NaN,
      utcAhead: 0,
      excused: false,
      behindSince: Number.NaN,
    }));
    this.#picture = this.#draw(this.#settledTo);
  }

  /** Takes a row of a replica's event stream; a row that does not decode is reported, never thrown. */
  push(replica: number, row: StreamRow): PushReport {
    return this.#replicas[replica].events.push(row);
  }

  /** Names of replicas and databases and commit modes, as the servers tell them. */
  setTopology(topology: Topology): void {
    this.#topology = topology;
    for (const state of this.#replicas) this.#takeName(state);
  }

  /** A replica that was reached by an address is called by its name as soon as a server told it. */
  #takeName(state: ReplicaState): void {
    const name = this.#topology?.replicas.get(state.told.replicaId)?.name;
    if (name !== undefined && name !== "") state.told = { ...state.told, name };
  }

  /** Tells a replica's role and id; a change of roles ends what was joined before and begins anew. */
  setRole(replica: number, role: LiveModelReplica["role"], replicaId: string): void {
    const state = this.#replicas[replica];
    const changes = state.told.role !== "unknown" && state.told.role !== role;
    if (changes) {
      // What came before the change belongs to the roles before it.
      for (const { events } of this.#replicas) events.collect();
      this.#rebuild();
      for (const { events } of this.#replicas) events.clear();
    }
    state.told = { ...state.told, role, replicaId: replicaId || state.told.replicaId };
    this.#takeName(state);
    if (changes) this.#beginAnew();
  }

  /** A replica's stream has a hole here; until it is heard again it does not hold the others back. */
  gap(replica: number, reason: GapReason): void {
    const state = this.#replicas[replica];
    state.excused = true;
    // A new connection or session begins with its own metadata; single lost buffers leave what is known as it is.
    if (reason !== "droppedByServer" && reason !== "droppedByUs") state.events.restart();
  }

  /**
   * Works in what came since the last step; call about once a second.
   * @param nowTicks UTC now as FILETIME ticks
   */
  step(nowTicks: bigint): LiveModelPicture {
    const before = this.#settledTo;
    let isFresh = false;
    for (const state of this.#replicas) {
      if (!state.events.collect()) continue;
      state.excused = false;
      isFresh = true;
    }
    this.#stepTicks = nowTicks;
    if (isFresh && this.#heardSince === 0n) this.#heardSince = nowTicks;
    if (isFresh || (this.#tail?.blocks.length ?? 0) > 0) this.#rebuild();
    this.#tellTime(nowTicks, isFresh);
    if (isFresh) this.#judge();
    this.#picture = this.#draw(before);
    return this.#picture;
  }

  /** The picture with all bins that are kept, for a client that has none yet; as of the last step. */
  whole(): LiveModelPicture {
    const isEmpty = this.#clock.originTicks === 0n;
    return {
      ...this.#picture,
      bins: isEmpty ? null : this.#bins.from(0),
      overview: isEmpty ? null : this.#pyramid.bins(0, 0),
    };
  }

  #rebuild(): void {
    const given = this.#given();
    if (given.length === 0) return;
    if (this.#lacksPrimary(given)) {
      this.#passOver();
      return;
    }
    const seen = { origin: Number.NaN };
    const model = this.#build(given, seen);
    if (model === undefined) {
      this.#forgetOld();
      return;
    }
    const ordered = [
      ...given.filter(({ input }) => input.role === "primary"),
      ...given.filter(({ input }) => input.role === "secondary"),
    ];
    const first = ordered[0].input.role === "primary" ? 1 : 0;
    const { to } = model.replicas[1 - first];
    const { shift, isNew } = this.#clock.place(model, seen.origin, to, ordered[0].replica);
    if (isNew) this.#beginAnew();
    const secondaryOf = model.hops.map((_, s) => {
      const replica = ordered[s + first]?.replica ?? this.#attachedAs(model.replicas[s + 1].id);
      const told = replica < 0 ? "" : this.#replicas[replica].told.replicaId;
      return this.#secondaries.indexOf(told || model.replicas[s + 1].id, replica);
    });
    this.#latest = model;
    for (const [k, { replica }] of ordered.entries()) this.#place(replica, model, k + 1 - first, shift);
    this.#takeBlocks(model, shift, secondaryOf);
    this.#dropEvents();
  }

  #build(given: readonly Given[], seen: { origin: number }): CaptureModel | undefined {
    const continuity: Continuity = {
      boundsBefore: (id, instant) => this.#memory(id).before(instant),
      onBounds: (id, bounds) => this.#memory(id).see(bounds),
      onOrigin: (counter) => (seen.origin = counter),
    };
    try {
      return buildModel(
        given.map(({ input }) => input),
        this.#topology,
        undefined,
        continuity,
      );
    } catch (error) {
      // No log block yet, or a failover in the middle of the window: the next events tell more.
      if (error instanceof ModelError) return undefined;
      throw error;
    }
  }

  #memory(id: string): ClockMemory {
    let memory = this.#memories.get(id);
    if (memory === undefined) this.#memories.set(id, (memory = new ClockMemory()));
    return memory;
  }

  /** The replicas with events, each in the role its events allow; of two primaries the one heard last. */
  #given(): Given[] {
    const given = this.#replicas.flatMap((state, replica): Given[] => {
      const { told, events } = state;
      const { columns } = events;
      if (columns === undefined) return [];
      const role = roleOf(told.role, columns);
      if (role !== undefined) state.told = { ...told, role };
      return role === undefined
        ? []
        : [{ replica, input: { role, columns, name: this.#nameOf(state), id: told.replicaId } }];
    });
    const primaries = given.filter(({ input }) => input.role === "primary");
    if (primaries.length < 2) return given;
    const newest = primaries.reduce((a, b) => (this.#newest(b) > this.#newest(a) ? b : a));
    return given.filter((each) => each === newest || each.input.role === "secondary");
  }

  /**
   * Whether the events at hand have no primary though one is attached. Secondaries alone would be told by another clock,
   * which the picture cannot change to and fro; a primary that never sends is waited for only so long.
   */
  #lacksPrimary(given: readonly Given[]): boolean {
    if (given.some(({ input }) => input.role === "primary")) return false;
    const primary = this.#replicas[this.#primary()];
    if (primary === undefined) return false;
    return !Number.isNaN(primary.decodedTo) || this.#stepTicks - this.#heardSince < PATIENCE_TICKS;
  }

  /** Tells how far the replicas were heard, by UTC; what they sent is kept for as long as it may still be joined. */
  #passOver(): void {
    if (this.#clock.originTicks === 0n) return;
    for (const state of this.#replicas) {
      const to = this.#clock.atTicks(state.events.newestTicks) - state.utcAhead;
      if (state.events.newestTicks > 0n && to > state.decodedTo) state.decodedTo = to;
    }
    this.#forgetOld();
  }

  /** A server's own name rather than the address it was reached by. */
  #nameOf({ told }: ReplicaState): string {
    return this.#topology?.replicas.get(told.replicaId)?.name || told.name;
  }

  #newest({ replica }: Given): bigint {
    return this.#replicas[replica].events.newestTicks;
  }

  #attachedAs(id: string): number {
    return id === "" ? -1 : this.#replicas.findIndex(({ told }) => told.replicaId === id);
  }

  #place(replica: number, model: CaptureModel, k: number, shift: number): void {
    const state = this.#replicas[replica];
    const to = model.replicas[k].to + shift;
    if (!(to <= state.decodedTo)) state.decodedTo = to;
    const ahead =
      k === 0 ? 0 : (model.clocks.find(({ secondary }) => secondary === k - 1)?.utcAheadOfPrimaryUs ?? 0);
    if (Number.isFinite(ahead)) state.utcAhead = ahead;
    const id = model.replicas[k].id;
    if (state.told.replicaId === "" && id !== "") state.told = { ...state.told, replicaId: id };
  }

  #takeBlocks(model: CaptureModel, shift: number, secondaryOf: readonly number[]): void {
    const databaseOf = model.databases.map(({ id, name }) => this.#databaseIndex(id, name));
    const from = this.#settledTo - shift;
    const numbers = new Int32Array(model.blocks.length).fill(-1);
    const fresh = new Uint32Array(model.blocks.length);
    let n = 0;
    for (let row = 0; row < numbers.length; row++) {
      const known = this.#settled.numberOf(databaseOf[model.blocks.database[row]], model.blocks.blockId[row]);
      if (known >= 0) {
        numbers[row] = known;
      } else if (model.blocks.time[row] >= from) {
        numbers[row] = this.#next + n;
        fresh[n++] = row;
      }
    }
    const piece = cutPiece({
      model,
      shift,
      blocks: fresh.subarray(0, n),
      commits: rowsFrom(model.commits.start, from),
      markers: rowsFrom(model.markers.time, from),
      databaseOf,
      secondaryOf,
      secondaries: this.#secondaries.present.length,
      numberOf: (row) => numbers[row],
    });
    this.#longest = Math.max(this.#longest * FADING, longestOf(piece));
    this.#binAndSettle(piece, this.#settleTarget(model, shift, secondaryOf));
  }

  #databaseIndex(id: string, name: string): number {
    const known = this.#databases.findIndex((each) => each.id === id);
    if (known < 0) return this.#databases.push({ id, name }) - 1;
    this.#databases[known].name = name;
    return known;
  }

  /** Up to where blocks settle, µs of the run: what all replicas were heard of, less what is still on its way. */
  #settleTarget(model: CaptureModel, shift: number, secondaryOf: readonly number[]): number {
    const newest = this.#decodedTo();
    const events = model.replicas.reduce((sum, replica) => sum + replica.events, 0);
    const heard =
      Math.min(newest, ...this.#replicas.map((state) => this.#waitedFor(state, newest))) - MARGIN_US;
    const isIdle = this.#now - newest > PATIENCE_US;
    const limit = events > MOST_EVENTS ? newest - MARGIN_US : newest - PATIENCE_US;
    const target = isIdle
      ? newest + BIN_US
      : Math.max(Math.min(heard, this.#pending(model, shift, secondaryOf, newest)), limit);
    return Math.max(Math.floor(target / BIN_US) * BIN_US, this.#settledTo);
  }

  /** Up to where a replica was heard; Infinity when it has been behind the others for too long. */
  #waitedFor(state: ReplicaState, newest: number): number {
    const to = Number.isNaN(state.decodedTo) ? 0 : state.decodedTo;
    if (newest - to < MARGIN_US) state.behindSince = Number.NaN;
    else if (Number.isNaN(state.behindSince)) state.behindSince = this.#now;
    return state.excused || this.#now - state.behindSince > PATIENCE_US ? Infinity : to;
  }

  #decodedTo(): number {
    return Math.max(0, ...this.#replicas.map(({ decodedTo }) => decodedTo).filter((to) => !Number.isNaN(to)));
  }

  /** First block that still waits for its log write or for the answer of a replica that does answer; Infinity for none. */
  #pending(model: CaptureModel, shift: number, secondaryOf: readonly number[], newest: number): number {
    const { blocks, hops, replicas } = model;
    let first = firstAfterLast(blocks.time, blocks.localFlushStart, blocks.localFlushEnd).waiting;
    for (const [s, hop] of hops.entries()) {
      const { answered, waiting } = firstAfterLast(blocks.time, hop.sendEnd, hop.ackReceived);
      const key = secondaryOf[s];
      if (!Number.isNaN(answered)) this.#lastAck.set(key, answered + shift);
      const isAnswering = newest - (this.#lastAck.get(key) ?? -Infinity) < PATIENCE_US;
      if (isAnswering && replicas[s + 1].commitMode !== "async") first = Math.min(first, waiting);
    }
    return first + shift;
  }

  #binAndSettle(piece: Piece, target: number): void {
    const model = this.#modelOf([piece], this.#next);
    const lanes = this.#lanesIn(model);
    const { time, timeEnd } = piece.blocks;
    const end = Math.max(this.#decodedTo(), time.at(-1) ?? 0, timeEnd.at(-1) || 0);
    this.#bins.rewrite(this.#settledTo / BIN_US, Math.floor(end / BIN_US) + 1, time, lanes);
    const settled = firstAtOrAfter(time, target);
    book(this.#pyramid, lanes, time, target);
    for (let row = 0; row < settled; row++) {
      this.#settled.add(piece.blocks.database[row], piece.blocks.blockId[row], this.#next + row, time[row]);
    }
    const [done, tail] = splitPiece(
      piece,
      settled,
      firstAtOrAfter(piece.commits.start, target),
      firstAtOrAfter(piece.markers.time, target),
    );
    if (done.blocks.length + done.commits.length + done.markers.length > 0) this.#ring.push(done);
    this.#tail = tail;
    this.#next += settled;
    this.#settledTo = target;
    for (const memory of this.#memories.values()) memory.settle(this.#clock.counterAt(target));
    this.#trimRing(end);
    this.#recent = this.#modelOf([...this.#ring, tail], this.#ringFirst);
  }

  #lanesIn(model: CaptureModel): ReturnType<typeof laneColumns> {
    return laneColumns(
      model,
      this.#secondaries.present.map(({ number }) => number),
    );
  }

  #trimRing(newest: number): void {
    let held = this.#next - this.#ringFirst;
    while (this.#ring.length > 1) {
      const [oldest] = this.#ring;
      const last = oldest.blocks.time.at(-1) ?? oldest.commits.start.at(-1) ?? 0;
      if (held <= MOST_RECENT_BLOCKS && last >= newest - RECENT_US) return;
      this.#ring.shift();
      held -= oldest.blocks.length;
      this.#ringFirst += oldest.blocks.length;
    }
  }

  /** Pieces as a model, times in µs of the run; secondary s is `#secondaries.present[s]`. */
  #modelOf(pieces: readonly Piece[], firstBlock: number): CaptureModel {
    const { present } = this.#secondaries;
    const tables = joinPieces(pieces, firstBlock, present.length);
    const from = Math.min(
      ...[tables.blocks.time[0], tables.commits.start[0], this.#settledTo].filter((t) => !Number.isNaN(t)),
    );
    const latest = this.#latest;
    const replicas = [
      this.#replicaOf(latest?.replicas[0], this.#primary(), from),
      ...present.map(({ id, replica }) =>
        this.#replicaOf(
          latest?.replicas.find((each, k) => k > 0 && each.id === id),
          replica,
          from,
          id,
        ),
      ),
    ];
    return {
      ...tables,
      origin: this.#clock.originTicks,
      duration: this.#decodedTo(),
      replicas,
      databases: this.#databases.map(({ id, name }) => ({ id, name, localIds: replicas.map(() => -1) })),
      files: [],
      clocks: this.#clocks(),
      engine: latest?.engine ?? "2016+",
      notes: [],
      counts: NO_COUNTS,
    };
  }

  #replicaOf(
    known: CaptureModel["replicas"][number] | undefined,
    replica: number,
    from: number,
    id = "",
  ): CaptureModel["replicas"][number] {
    const state = replica < 0 ? undefined : this.#replicas[replica];
    const told = this.#topology?.replicas.get(id || (known?.id ?? ""));
    return {
      id: id || (known?.id ?? ""),
      name: state ? this.#nameOf(state) : told?.name || known?.name || "Secondary",
      role: id === "" ? "primary" : "secondary",
      hasCapture: state !== undefined && !Number.isNaN(state.decodedTo),
      commitMode: told?.commitMode ?? known?.commitMode ?? "undetermined",
      events: known?.events ?? 0,
      from: state === undefined ? Number.NaN : from,
      to: state?.decodedTo ?? Number.NaN,
    };
  }

  /** The attached primary; -1 when none is. */
  #primary(): number {
    return this.#replicas.findIndex(({ told }) => told.role === "primary");
  }

  /** Clocks by index in `present`, windows in µs of the run. */
  #clocks(): CaptureModel["clocks"] {
    const latest = this.#latest;
    if (latest === undefined) return [];
    return latest.clocks.flatMap((clock) => {
      const { id } = latest.replicas[clock.secondary + 1];
      const secondary = this.#secondaries.present.findIndex((each) => each.id === id || each.id === "");
      return secondary < 0 ? [] : [{ ...clock, secondary }];
    });
  }

  #dropEvents(): void {
    const overlap = Math.min(Math.max(1.2 * this.#longest + 0.3 * SECOND, SHORTEST_OVERLAP_US), PATIENCE_US);
    const ticks = this.#clock.ticksAt(this.#settledTo - overlap);
    for (const { events, utcAhead } of this.#replicas)
      events.dropBefore(ticks + BigInt(Math.round(utcAhead * 10)));
  }

  /** Events that make no model are kept only as long as they may be part of one. */
  #forgetOld(): void {
    for (const { events } of this.#replicas) events.dropBefore(events.newestTicks - PATIENCE_TICKS);
  }

  /** Another primary: its counter, its secondaries, its log. */
  #beginAnew(): void {
    if (this.#tail !== undefined) {
      const lanes = this.#lanesIn(this.#modelOf([this.#tail], this.#next));
      book(this.#pyramid, lanes, this.#tail.blocks.time, Infinity);
    }
    this.#settledTo = Math.max(this.#settledTo, this.#bins.end * BIN_US);
    this.#memories = new Map();
    this.#settled = new SettledBlocks();
    this.#ring = [];
    this.#tail = undefined;
    this.#ringFirst = this.#next;
    this.#longest = 0;
    this.#lastAck = new Map();
    this.#latest = undefined;
    this.#recent = undefined;
    this.#secondaries.restart();
    for (const [replica, { told }] of this.#replicas.entries())
      if (told.role === "secondary") this.#secondaries.indexOf(told.replicaId, replica);
  }

  #tellTime(nowTicks: bigint, isFresh: boolean): void {
    if (this.#clock.originTicks === 0n) return;
    const told = this.#clock.atTicks(nowTicks);
    const newest = this.#decodedTo();
    // The newest event came late by an unknown time, so the largest lead seen is nearest to the truth.
    if (isFresh && !(newest - told <= this.#ahead)) this.#ahead = newest - told;
    const agrees = this.#ahead > -CLOCKS_AGREE_US && this.#ahead <= 0;
    this.#now = Math.max(this.#now, newest, agrees ? told : told + this.#ahead);
  }

  #judge(): void {
    const model = this.#recent;
    if (model === undefined || model.blocks.length === 0 || this.#now - this.#verdictAt < VERDICT_EVERY_US)
      return;
    this.#verdict = diagnose(this.#judged(model));
    this.#verdictAt = this.#now;
  }

  /** What the verdict is about: what is going on now, not what was a minute ago, unless that is all there is. */
  #judged(recent: CaptureModel): CaptureModel {
    const since = this.#decodedTo() - JUDGED_US;
    let blocks = this.#tail?.blocks.length ?? 0;
    let firstBlock = this.#next;
    let first = this.#ring.length;
    while (first > 0) {
      const { length, time } = this.#ring[first - 1].blocks;
      if (blocks >= FEWEST_JUDGED && !(time.at(-1)! >= since)) break;
      blocks += length;
      firstBlock -= length;
      first--;
    }
    if (first === 0 || this.#tail === undefined) return recent;
    return this.#modelOf([...this.#ring.slice(first), this.#tail], firstBlock);
  }

  #draw(settledBefore: number): LiveModelPicture {
    const model = this.#recent;
    const decodedTo = this.#replicas.map((each) => each.decodedTo);
    const newest = this.#decodedTo();
    const drawn = this.#drawnTo(decodedTo, newest);
    const base = {
      originTicks: this.#clock.originTicks,
      now: this.#now,
      lanes: this.#lanes(),
      decodedTo: drawn,
    };
    if (model === undefined) return { ...base, ...EMPTY, verdict: this.#verdict };
    const to = this.#now - newest < CLOCKS_AGREE_US ? newest : this.#now;
    const overview = this.#pyramid.bins(settledBefore, this.#overviewWidth);
    this.#overviewWidth = overview.width;
    const statistics = rangeStatistics(model, { from: to - VIEW_US, to });
    const { present } = this.#secondaries;
    const main = mainSecondary(statistics, present);
    const { time } = model.blocks;
    const heard = Math.min(to, ...decodedTo.filter((each) => to - each < CLOCKS_AGREE_US));
    const rateSeconds = Math.min(RATE_S, Math.max(1, heard / SECOND));
    const rate = (times: Float64Array): number =>
      (firstAtOrAfter(times, heard) - firstAtOrAfter(times, heard - rateSeconds * SECOND)) / rateSeconds;
    return {
      ...base,
      bins: this.#bins.from(Math.floor(settledBefore / BIN_US)),
      overview: this.#settledTo > settledBefore ? overview : null,
      figures: figuresOf(statistics, present),
      shares: sharesOf(statistics, present, this.#secondaries.count),
      readouts: readoutsOf(model, heard, main, present[main]?.number ?? -1),
      verdict: this.#verdict,
      clocks: this.#clockSummaries(),
      blocksPerSecond: rate(time),
      commitsPerSecond: rate(model.commits.start),
    };
  }

  /**
   * Up to where each replica's lanes are drawn. Where nobody has sent anything for longer than a session holds events
   * back, nothing happened: the time since then is known to be empty, not late.
   */
  #drawnTo(decodedTo: readonly number[], newest: number): number[] {
    const isQuiet = this.#now - newest > QUIET_US;
    return decodedTo.map((to, r) =>
      isQuiet && !this.#replicas[r].excused && !Number.isNaN(to) ? this.#now - QUIET_US : to,
    );
  }

  #lanes(): LiveModelLane[] {
    const primary = this.#primary();
    const name =
      primary < 0 ? (this.#latest?.replicas[0].name ?? "Primary") : this.#nameOf(this.#replicas[primary]);
    const secondaries = this.#secondaries.present.map(({ id, replica, number }) => ({
      number,
      replica,
      attached: replica >= 0,
      name:
        (replica >= 0 ? this.#nameOf(this.#replicas[replica]) : this.#topology?.replicas.get(id)?.name) ||
        `Secondary ${number + 1}`,
    }));
    return lanesOf(name, secondaries);
  }

  #clockSummaries(): LiveModelClock[] {
    return this.#clocks().map((clock) => ({
      ...clockSummary(clock),
      secondary: this.#secondaries.present[clock.secondary].number,
    }));
  }
}

const EMPTY = {
  bins: null,
  overview: null,
  figures: {},
  shares: [],
  readouts: [],
  clocks: [],
  blocksPerSecond: Number.NaN,
  commitsPerSecond: Number.NaN,
};

/** The role to analyse events in: the told one unless the newest events are of the other; undefined when nothing tells. */
function roleOf(told: LiveModelReplica["role"], columns: ReplicaInput["columns"]): Role | undefined {
  if (told !== "unknown")
    return contradictedRole(columns, told) ?? changedRole(columns, told, ROLE_EVIDENCE) ?? told;
  const { role } = recognise(columns);
  return role === "unknown" ? undefined : role;
}

/** Rows of an ascending column from a value on. */
function rowsFrom(column: Float64Array, from: number): Uint32Array {
  const first = firstAtOrAfter(column, from);
  return Uint32Array.from({ length: column.length - first }, (_, i) => first + i);
}
