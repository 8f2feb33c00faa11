import { ImpossibleIds } from "../events/index.ts";
import { firstAtOrAfter } from "../numbers/index.ts";
import type { PushReport, StreamRow } from "xel-parser/format";
import { clockSummary } from "../query/summary.ts";
import type { Continuity } from "../replication/clocks/continuity.ts";
import { ModelError } from "../replication/shapes/model-error.ts";
import { buildModel } from "../replication/model.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import type { Topology } from "../replication/shapes/topology.ts";
import { pictureLanes } from "../lanes/index.ts";
import { AttachedReplicas, type GapReason, type AttachedInput } from "./attached-replicas.ts";
import { BegunEpisodes } from "./begun-episodes.ts";
import { cutPiece, type Piece } from "./block-pieces.ts";
import { ClockMemory } from "./clock-memory.ts";
import { DatabaseView } from "./database-view.ts";
import { bytesOfModel } from "./held.ts";
import { laneColumns } from "./lane-columns.ts";
import { JUDGED_US, judgeNow, silentPrimary, type Judgement } from "../diagnosis/now.ts";
import { LogPyramid } from "./log-pyramid.ts";
import type {
  DatabasePicture,
  LiveModelClock,
  LiveModelHeld,
  LiveModelLane,
  LiveModelPhase,
  LiveModelPicture,
  LiveModelReplica,
  LiveModelPeriod,
} from "./picture.ts";
import { RecentBins } from "./recent-bins.ts";
import { RecentBlocks, type Period } from "./recent-blocks.ts";
import { NO_FIGURES, type RecentFigures, recentFigures } from "./recent-figures.ts";
import { presentClocks, recentModel, withoutSecondary, type LatestModel } from "./recent-model.ts";
import { RunClock } from "./run-clock.ts";
import { RunNow } from "./run-now.ts";
import { Secondaries } from "./secondaries.ts";
import { StageCounts, type StageCount } from "./stage-counts.ts";
import { book, longestOf, MOST_EVENTS, PATIENCE_US, SettleTarget } from "./settling.ts";

const SECOND = 1_000_000;
/** Width of the narrow bins and their number: two minutes. */
const BIN_US = 50_000;
const BINS_KEPT = 2400;
const SHORTEST_OVERLAP_US = SECOND / 2;
/** A little less than a second, so that a step that is a little early has its verdict too. */
const VERDICT_EVERY_US = 0.7 * SECOND;
/** If a server took longer to report its time, the answer shows nothing about lateness, µs. */
const MOST_CLOCK_BOUND_US = SECOND;
/** Share of the run's memory limit that events may use. */
const SHARE_OF_EVENTS = 1 / 2;
/** Bytes of memory per event, in the columns of `EventColumns`. */
const BYTES_PER_EVENT = 66;
/** Before this time, the order in which buffers arrive is not known. */
const FIRST_JUDGED_US = 2 * SECOND;
/** A new longest block counts immediately and fades by this factor a step. */
const FADING = 0.95;

/**
 * The replication model of replicas that are read while they run. Rows arrive in any order among replicas. Each step
 * joins the events of the last seconds again with the code that analyzes files; blocks that no later event can change
 * settle: they keep their place in the recent minute and in the bins.
 */
export class LiveModel {
  readonly #replicas: AttachedReplicas;
  readonly #clock = new RunClock();
  readonly #time = new RunNow();
  readonly #secondaries = new Secondaries();
  readonly #databases: { id: string; name: string }[] = [];
  readonly #bins = new RecentBins(BIN_US, BINS_KEPT);
  readonly #pyramid = new LogPyramid();
  readonly #blocks = new RecentBlocks();
  readonly #counts = new StageCounts();
  #memories = new Map<string, ClockMemory>();
  readonly #mostBytes: number;
  readonly #mostEvents: number;
  #target: SettleTarget;
  #longest = 0;
  #latest: LatestModel | undefined;
  #recent: CaptureModel | undefined;
  #judgement: Judgement | null = null;
  #judgedAt = -Infinity;
  readonly #episodes = new BegunEpisodes();
  /** Views of the databases that users watch alone, by name. */
  readonly #views = new Map<string, DatabaseView>();
  /** By replica: its UTC minus the caller's, µs. */
  readonly #clockOffsets = new Map<number, number>();
  readonly #phases: LiveModelPhase[] = [];
  #overviewWidth = 0;
  #stepTicks = 0n;
  /** Arrival of the first event, FILETIME ticks of the caller's clock; 0 before. */
  #firstEventTicks = 0n;
  #picture: LiveModelPicture;
  /** Blocks before this instant had settled when the picture was drawn, µs of the run. */
  #drawnSettledTo = 0;
  /** Index of the primary whose lanes the picture has; -1 for none. */
  #drawnPrimary = -1;

  /** @param mostBytes of memory: above it a shorter time is kept, and blocks settle sooner */
  constructor(replicas: readonly LiveModelReplica[], mostBytes: number = Infinity) {
    this.#replicas = new AttachedReplicas(replicas);
    this.#mostBytes = mostBytes;
    this.#mostEvents = Math.min(MOST_EVENTS, (mostBytes * SHARE_OF_EVENTS) / BYTES_PER_EVENT);
    this.#target = new SettleTarget(this.#mostEvents);
    this.#picture = this.#draw(0);
  }

  /** Adds a replica that is read from now on; its index is the next one. */
  addReplica(described: LiveModelReplica): void {
    this.#replicas.add(described);
  }

  /** Takes a row of a replica's event stream; a row that does not decode is reported, never thrown. */
  push(replica: number, row: StreamRow): PushReport {
    return this.#replicas.push(replica, row);
  }

  /** Names of replicas and databases and commit modes, as the servers have them. */
  setTopology(topology: Topology): void {
    this.#replicas.setTopology(topology);
  }

  /** Sets a replica's role and id; a change of roles ends the earlier joins and restarts the model. */
  setRole(replica: number, role: LiveModelReplica["role"], replicaId: string): void {
    const changes = this.#replicas.changesRole(replica, role);
    if (changes) {
      // Events from before the change belong to the roles before it.
      this.#collect();
      this.#rebuild();
      this.#replicas.clear();
    }
    if (changes) this.#endPhase();
    this.#replicas.setRole(replica, role, replicaId);
    if (changes) this.#beginAnew();
  }

  /**
   * Sets how far a server's UTC is ahead of the caller's clock, as a poll measured it. Without it, lateness and clock
   * distance can't be distinguished.
   * @param aheadUs µs
   * @param boundUs largest error of `aheadUs`, µs
   */
  setClockOffset(replica: number, aheadUs: number, boundUs: number): void {
    if (boundUs <= MOST_CLOCK_BOUND_US) this.#clockOffsets.set(replica, aheadUs);
  }

  /** Sets the dispatch latency of a replica's session, µs; Infinity for a session without a limit. */
  setDispatch(replica: number, dispatchUs: number): void {
    this.#replicas.setDispatch(replica, dispatchUs);
  }

  /** Also keeps the picture of one database from now on, beginning with the blocks of the last minute. */
  watchDatabase(name: string): void {
    if (this.#views.has(name)) return;
    const view = new DatabaseView(BIN_US, BINS_KEPT);
    this.#views.set(name, view);
    this.#showTo(view, name, 0);
    const { primary } = this.#replicas;
    if (primary < 0 || this.#replicas.isWaitedFor(primary, this.#time.now)) this.#judgeView(view);
    this.#picture = { ...this.#picture, byDatabase: this.#drawDatabases(0) };
  }

  /** Ends the view of a database that no user watches alone any more. */
  unwatchDatabase(name: string): void {
    this.#views.delete(name);
  }

  /** Notes a hole in a replica's stream; until the next event of the replica, the others do not wait for it. */
  gap(replica: number, reason: GapReason): void {
    this.#replicas.gap(replica, reason);
  }

  /**
   * Processes the events that arrived since the last step; call about once a second.
   * @param nowTicks UTC now as FILETIME ticks
   */
  step(nowTicks: bigint): LiveModelPicture {
    // A change of roles may have settled blocks since the last picture.
    const before = this.#drawnSettledTo;
    this.#stepTicks = nowTicks;
    this.#readClock(false);
    const isFresh = this.#collect();
    if (isFresh && this.#firstEventTicks === 0n) this.#firstEventTicks = nowTicks;
    if (isFresh || this.#blocks.unsettled > 0) this.#rebuild();
    this.#readClock(isFresh);
    this.#replicas.watch(this.#time.now);
    this.#judge();
    this.#picture = this.#draw(before);
    this.#drawnSettledTo = this.#blocks.settledTo;
    return this.#picture;
  }

  /** The picture with all bins that are kept, for a client without any; as of the last step. */
  whole(): LiveModelPicture {
    const isEmpty = this.#clock.originTicks === 0n;
    return {
      ...this.#picture,
      bins: isEmpty ? null : this.#bins.from(0),
      overview: isEmpty ? null : this.#pyramid.bins(0, 0),
      byDatabase: Object.fromEntries(
        Object.entries(this.#picture.byDatabase).map(([name, part]) => [
          name,
          { ...part, ...this.#views.get(name)?.allBins() },
        ]),
      ),
    };
  }

  /** Durations of blocks and commits that settled since the last call. */
  takeCounts(): StageCount[] {
    return this.#counts.take();
  }

  /** Counts the blocks that have not settled, as they are; call once, after the last step. */
  countRest(): void {
    if (this.#blocks.tail !== null) this.#count(this.#blocks.tail);
  }

  #count(period: Period): void {
    if (period.pieces.some(({ blocks, commits }) => blocks.length + commits.length > 0))
      this.#counts.add(this.#modelOf(period));
  }

  #collect(): boolean {
    return this.#replicas.collect(this.#clock, this.#time.now, this.#blocks.settledTo);
  }

  /** Updates the time on the primary, by the time of the step. */
  #readClock(isFresh: boolean): void {
    if (this.#clock.originTicks === 0n) return;
    const byCaller = this.#clock.atTicks(this.#stepTicks);
    this.#time.update(byCaller, this.#replicas.newest, isFresh, this.#aheadOf(this.#clock.reference));
  }

  /** UTC of a replica minus the caller's, µs; NaN without a measurement. */
  #aheadOf(replica: number): number {
    return this.#clockOffsets.get(replica) ?? Number.NaN;
  }

  #rebuild(): void {
    const given = this.#replicas.given();
    if (given.length === 0) return;
    const seen = { origin: Number.NaN };
    const isWithoutPrimary = this.#replicas.lacksPrimary(given, this.#stepTicks - this.#firstEventTicks);
    const model = isWithoutPrimary ? undefined : this.#build(given, seen);
    if (model === undefined) {
      if (isWithoutPrimary && this.#clock.originTicks > 0n) this.#replicas.advanceByUtc(this.#clock);
      this.#replicas.forgetOld(this.#mostEvents);
      return;
    }
    const first = model.replicas[0].hasCapture ? 1 : 0;
    const ordered = attachedInOrder(model, given);
    const { shift, isNew } = this.#clock.place(
      model,
      seen.origin,
      model.replicas[1 - first].to,
      ordered[0],
      (replica, of) => this.#aheadOf(replica) - this.#aheadOf(of),
    );
    if (isNew) {
      this.#endPhase();
      this.#beginAnew();
    }
    const secondaryOf = model.hops.map((_, s) =>
      this.#secondaryIndex(model.replicas[s + 1].id, ordered[s + first]),
    );
    this.#latest = { replicas: model.replicas, clocks: model.clocks, engine: model.engine };
    for (const [k, replica] of ordered.entries()) this.#advance(replica, model, k + 1 - first, shift);
    this.#takeBlocks(model, shift, secondaryOf);
    this.#dropEvents();
  }

  #build(given: readonly AttachedInput[], seen: { origin: number }): CaptureModel | undefined {
    const continuity: Continuity = {
      boundsBefore: (id, instant) => this.#memory(id).before(instant),
      onBounds: (id, bounds) => this.#memory(id).see(bounds),
      onOrigin: (counter) => (seen.origin = counter),
    };
    const inputs = given.map(({ input }) => input);
    try {
      return buildModel(inputs, this.#replicas.topology, undefined, { continuity });
    } catch (error) {
      // No log block yet, a failover in the middle of the window, or ids due to damage: the next events will show more.
      if (error instanceof ModelError || error instanceof ImpossibleIds) return undefined;
      throw error;
    }
  }

  #memory(id: string): ClockMemory {
    let memory = this.#memories.get(id);
    if (memory === undefined) this.#memories.set(id, (memory = new ClockMemory()));
    return memory;
  }

  /**
   * Index among the present secondaries.
   * @param id as the model's events have it
   * @param reader the attached replica whose events the model has; undefined when it has only the primary's
   */
  #secondaryIndex(id: string, reader: number | undefined): number {
    const replica = reader ?? this.#replicas.attachedAs(id);
    const given = replica < 0 ? "" : this.#replicas.described[replica].replicaId;
    return this.#secondaries.indexOf(given || id, replica);
  }

  /** @param k the replica's index in the model */
  #advance(replica: number, model: CaptureModel, k: number, shift: number): void {
    const { id, from, to } = model.replicas[k];
    const clock = model.clocks.find(({ secondary }) => secondary === k - 1);
    const utcAhead = k === 0 ? 0 : (clock?.utcAheadOfPrimaryUs ?? 0);
    this.#replicas.advance(replica, { from: from + shift, to: to + shift }, utcAhead, id);
  }

  #takeBlocks(model: CaptureModel, shift: number, secondaryOf: readonly number[]): void {
    const piece = this.#cutUnsettled(model, shift, secondaryOf);
    this.#longest = Math.max(this.#longest * FADING, longestOf(piece));
    const { now } = this.#time;
    const { newest, quietAfter } = this.#replicas;
    const readUpTo = { now, newest, byAll: this.#replicas.readByAll(now), quietAfter };
    const target = this.#target.of(model, shift, secondaryOf, readUpTo, BIN_US);
    this.#binAndSettle(piece, Math.max(Math.floor(target / BIN_US) * BIN_US, this.#blocks.settledTo));
  }

  /** The model's rows that have not settled, in time of the run. */
  #cutUnsettled(model: CaptureModel, shift: number, secondaryOf: readonly number[]): Piece {
    const { blocks, commits, markers } = model;
    const databaseOf = model.databases.map(({ id, name }) => this.#databaseIndex(id, name));
    const from = this.#blocks.settledTo - shift;
    const numbers = new Int32Array(blocks.length).fill(-1);
    const fresh = new Uint32Array(blocks.length);
    let n = 0;
    for (let row = 0; row < numbers.length; row++) {
      const known = this.#blocks.numberOf(databaseOf[blocks.database[row]], blocks.blockId[row]);
      if (known >= 0) {
        numbers[row] = known;
      } else if (blocks.time[row] >= from) {
        numbers[row] = this.#blocks.next + n;
        fresh[n++] = row;
      }
    }
    return cutPiece({
      model,
      shift,
      blocks: fresh.subarray(0, n),
      commits: rowsFrom(commits.start, from),
      markers: rowsFrom(markers.time, from),
      databaseOf,
      secondaryOf,
      secondaries: this.#secondaries.present.length,
      numberOf: (row) => numbers[row],
    });
  }

  #databaseIndex(id: string, name: string): number {
    const known = this.#databases.findIndex((each) => each.id === id);
    if (known < 0) return this.#databases.push({ id, name }) - 1;
    this.#databases[known].name = name;
    return known;
  }

  #binAndSettle(piece: Piece, target: number): void {
    const lanes = this.#lanesIn({ pieces: [piece], firstBlock: this.#blocks.next });
    const { time, timeEnd } = piece.blocks;
    const end = Math.max(this.#replicas.newest, time.at(-1) ?? 0, timeEnd.at(-1) || 0);
    const settledBefore = this.#blocks.settledTo;
    this.#bins.rewrite(settledBefore / BIN_US, Math.floor(end / BIN_US) + 1, time, lanes);
    book(this.#pyramid, lanes, time, target);
    // Each recent block is in memory twice: as a row of a piece, and of the model that is made of all pieces.
    const firstBlock = this.#blocks.next;
    const settled = this.#blocks.settle(piece, target, end, (this.#mostBytes - this.#bytesOfRest()) / 2);
    this.#count({ pieces: [settled], firstBlock });
    for (const memory of this.#memories.values()) memory.settle(this.#clock.counterAt(target));
    this.#recent = this.#modelOf(this.#blocks.all);
    for (const [name, view] of this.#views) this.#showTo(view, name, settledBefore);
  }

  /** Adds a database's part of the recent blocks to its view. */
  #showTo(view: DatabaseView, name: string, settledBefore: number, settledTo = this.#blocks.settledTo): void {
    if (this.#recent === undefined) return;
    const part = {
      model: this.#recent,
      secondaries: this.#secondaries.present.map(({ number }) => number),
      settledBefore,
      settledTo,
      end: (this.#bins.end - 1) * BIN_US,
    };
    view.take(
      part,
      this.#databases.findIndex((database) => database.name === name),
    );
  }

  /** Bytes of all data except the recent blocks of all databases. */
  #bytesOfRest(): number {
    return [this.#replicas, this.#bins, this.#pyramid, ...this.#views.values()].reduce(
      (sum, { bytes }) => sum + bytes,
      0,
    );
  }

  #held(): LiveModelHeld {
    const model = this.#recent === undefined ? 0 : bytesOfModel(this.#recent);
    return {
      bytes: this.#bytesOfRest() + this.#blocks.bytes + model,
      from: this.#recent?.blocks.time[0] ?? Number.NaN,
    };
  }

  #lanesIn(period: Period): ReturnType<typeof laneColumns> {
    const numbers = this.#secondaries.present.map(({ number }) => number);
    return laneColumns(this.#modelOf(period), numbers);
  }

  #modelOf(period: Period): CaptureModel {
    const facts = {
      originTicks: this.#clock.originTicks,
      replicas: this.#replicas,
      present: this.#secondaries.present,
      databases: this.#databases,
      latest: this.#latest,
    };
    return recentModel(period, facts, this.#blocks.settledTo);
  }

  #dropEvents(): void {
    const overlap = Math.min(Math.max(1.2 * this.#longest + 0.3 * SECOND, SHORTEST_OVERLAP_US), PATIENCE_US);
    this.#replicas.dropBefore(this.#clock.ticksAt(this.#blocks.settledTo - overlap));
  }

  /** The lanes drawn so far keep their names: they belong to the roles that end here. */
  #endPhase(): void {
    const to = this.#bins.end * BIN_US;
    const from = this.#phases.at(-1)?.to ?? 0;
    const { lanes } = this.#picture;
    if (this.#latest !== undefined && to > from)
      this.#phases.push({ from, to, lanes, primary: this.#drawnPrimary });
  }

  /** Restarts with another primary: its counter, its secondaries, its log. */
  #beginAnew(): void {
    const { tail } = this.#blocks;
    if (tail !== null) {
      book(this.#pyramid, this.#lanesIn(tail), tail.pieces[0].blocks.time, Infinity);
      this.#count(tail);
    }
    for (const [name, view] of this.#views) {
      this.#showTo(view, name, this.#blocks.settledTo, Infinity);
      view.restart();
    }
    this.#blocks.restart(this.#bins.end * BIN_US);
    this.#memories = new Map();
    this.#target = new SettleTarget(this.#mostEvents);
    this.#longest = 0;
    this.#latest = undefined;
    this.#recent = undefined;
    this.#episodes.restart();
    this.#secondaries.restart();
    for (const [replica, { role, replicaId }] of this.#replicas.described.entries())
      if (role === "secondary") this.#secondaries.indexOf(replicaId, replica);
  }

  /**
   * Updates the verdict on commits' present waits, up to the time to which the events of all awaited replicas were
   * received.
   */
  #judge(): void {
    const { now } = this.#time;
    if (this.#recent === undefined || this.#recent.blocks.length === 0) return;
    if (now - this.#judgedAt < VERDICT_EVERY_US && now >= this.#judgedAt) return;
    const { primary } = this.#replicas;
    const heardTo = this.#heardTo();
    if (heardTo < FIRST_JUDGED_US) return;
    this.#judgedAt = now;
    const isHeard = primary < 0 || this.#replicas.isWaitedFor(primary, now);
    this.#judgement = isHeard
      ? judgeNow(
          (from, to, fewest) => this.#judged(from, to, fewest),
          this.#covered(heardTo),
          this.#judgement,
        )
      : silentPrimary(this.#recent, this.#replicas.decodedTo[primary], this.#judgement);
    this.#episodes.see(this.#judgement);
    for (const view of this.#views.values()) {
      if (isHeard) this.#judgeView(view);
      else view.takeJudgement(this.#judgement);
    }
  }

  #judgeView(view: DatabaseView): void {
    const heardTo = this.#heardTo();
    if (heardTo >= FIRST_JUDGED_US) view.judge(this.#covered(heardTo), (model) => this.#withoutSilent(model));
  }

  /**
   * Time up to which the events of all awaited replicas were received, µs of the run; where no replica sends anything,
   * nothing happened.
   */
  #heardTo(): number {
    const { now } = this.#time;
    const { newest, heldBack } = this.#replicas;
    return now - newest > heldBack ? now - heldBack : this.#replicas.readByAll(now);
  }

  /** Range that contains everything that is judged: all replicas whose events the verdict needs cover it. */
  #covered(heardTo: number): LiveModelPeriod {
    return { from: this.#replicas.coveredFrom(this.#time.now, heardTo, FIRST_JUDGED_US), to: heardTo };
  }

  /**
   * The blocks of a range as a model, at least `fewest`; without a secondary that sends no events, or has only just
   * begun to.
   */
  #judged(from: number, to: number, fewest: number): CaptureModel {
    return this.#withoutSilent(this.#modelOf(this.#blocks.between(from, to, fewest)));
  }

  #withoutSilent(model: CaptureModel): CaptureModel {
    const heardTo = this.#heardTo();
    const isSilent = ({ replica }: { readonly replica: number }): boolean =>
      replica >= 0 && !this.#replicas.covers(replica, this.#time.now, heardTo, FIRST_JUDGED_US);
    return this.#secondaries.present.reduce(
      (each, secondary, s) => (isSilent(secondary) ? withoutSecondary(each, s) : each),
      model,
    );
  }

  #draw(settledBefore: number): LiveModelPicture {
    const { now } = this.#time;
    const drawnTo = this.#drawnTo();
    this.#drawnPrimary = this.#replicas.primary;
    const picture = {
      originTicks: this.#clock.originTicks,
      now,
      lanes: this.#lanes(),
      decodedTo: drawnTo,
      deliveries: this.#replicas.deliveries(now),
      phases: [...this.#phases],
      verdict: this.#judgement?.verdict ?? null,
      judged: this.#judgement?.judged ?? null,
      episodes: [...this.#episodes.all],
      databases: this.#databases.map(({ name }) => name),
      held: this.#held(),
    };
    if (this.#clock.originTicks === 0n)
      return { ...picture, ...NO_FIGURES, bins: null, overview: null, clocks: [], byDatabase: {} };
    const overview = this.#pyramid.bins(settledBefore, this.#overviewWidth);
    this.#overviewWidth = overview.width;
    return {
      ...picture,
      ...this.#figuresOf(this.#recent, drawnTo, picture.judged),
      bins: this.#bins.from(Math.floor(settledBefore / BIN_US)),
      overview: this.#blocks.settledTo > settledBefore ? overview : null,
      clocks: this.#clockSummaries(),
      byDatabase: this.#drawDatabases(settledBefore),
    };
  }

  /**
   * @param model undefined since a change of roles
   * @param drawnTo by replica, µs of the run
   * @param judged range of the verdict next to the figures; null without one
   */
  #figuresOf(
    model: CaptureModel | undefined,
    drawnTo: readonly number[],
    judged: LiveModelPeriod | null,
  ): RecentFigures {
    if (model === undefined) return NO_FIGURES;
    const { now } = this.#time;
    const to = this.#heardTo();
    const window = judged ?? { from: to - JUDGED_US, to };
    const heardTo = (replica: number): number =>
      replica < 0 || this.#replicas.isWaitedFor(replica, now) ? (drawnTo[replica] ?? now) : Number.NaN;
    const primaryTo = heardTo(this.#replicas.primary);
    return recentFigures(model, this.#secondaries, { now, window, primaryTo, heardTo });
  }

  #drawDatabases(settledBefore: number): Record<string, DatabasePicture> {
    const drawnTo = this.#drawnTo();
    return Object.fromEntries(
      [...this.#views].flatMap(([name, view]) =>
        view.isEmpty
          ? []
          : [
              [
                name,
                {
                  ...this.#figuresOf(view.model ?? undefined, drawnTo, view.judged),
                  ...view.binsFrom(settledBefore),
                  verdict: view.verdict,
                  judged: view.judged,
                },
              ],
            ],
      ),
    );
  }

  /**
   * Time up to which each replica's lanes are drawn. If no replica has sent anything for longer than a session holds
   * events back, nothing happened: the time since then is known to be empty, not late.
   */
  #drawnTo(): number[] {
    const { now } = this.#time;
    const { newest, decodedTo, heldBack } = this.#replicas;
    const isQuiet = now - newest > heldBack;
    return decodedTo.map((to, replica) =>
      isQuiet && !this.#replicas.isExcused(replica) && !Number.isNaN(to) ? Math.max(to, now - heldBack) : to,
    );
  }

  #lanes(): LiveModelLane[] {
    const { primary, topology } = this.#replicas;
    const name = primary < 0 ? (this.#latest?.replicas[0].name ?? "Primary") : this.#replicas.nameOf(primary);
    const secondaries = this.#secondaries.present.map(({ id, replica, number }, s) => {
      const known = replica < 0 ? topology?.replicas.get(id)?.name : this.#replicas.nameOf(replica);
      const commitMode = this.#recent?.replicas[s + 1]?.commitMode ?? "undetermined";
      return {
        number,
        replica,
        attached: replica >= 0,
        name: known || `Secondary ${number + 1}`,
        commitMode,
      };
    });
    return pictureLanes(name, secondaries);
  }

  #clockSummaries(): LiveModelClock[] {
    const { present } = this.#secondaries;
    return presentClocks(this.#latest, present).map((clock) => ({
      ...clockSummary(clock),
      blocksUsed: Math.max(clock.blocksUsed, this.#memory(present[clock.secondary].id).blocksSeen),
      secondary: present[clock.secondary].number,
    }));
  }
}

/** Rows of an ascending column from a value on. */
function rowsFrom(column: Float64Array, from: number): Uint32Array {
  const first = firstAtOrAfter(column, from);
  return Uint32Array.from({ length: column.length - first }, (_, i) => first + i);
}

/** The attached replica of each server of a model that has events, in the model's order. */
function attachedInOrder(model: CaptureModel, given: readonly AttachedInput[]): number[] {
  const left = [...given];
  return model.replicas
    .filter(({ hasCapture }) => hasCapture)
    .map(({ name, events }) => {
      const isIts = ({ input }: AttachedInput): boolean =>
        input.name === name && input.columns.length === events;
      const at = Math.max(0, left.findIndex(isIts));
      return left.splice(at, 1)[0].replica;
    });
}
