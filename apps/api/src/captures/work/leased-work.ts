/**
 * Work on captures: a table (`store/work-table.ts`) lists the work, leased to the server that does it. A single server
 * is a cluster of one: it takes each analysis at once, and no other process changes its table. Each of several servers
 * takes analyses when it has room for them; another server takes over the analysis of a server whose messages have
 * stopped.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Progress } from "@aglens/contract";
import { filesToAnalyze, noProgress } from "@aglens/engine/files";
import type { Logger } from "pino";
import { newId } from "../../kernel/identity.ts";
import { analyseAgain, discardResults, isListed } from "../../store/capture-state.ts";
import type { CaptureRecord, CaptureWork, RecordChange } from "../../store/catalog.ts";
import { LeaseLostError } from "../../store/work-table.ts";
import type {
  AskedAnalysis,
  LeaseTimes,
  OwnWorkTable,
  SharedWorkTable,
  TakenAnalysis,
  WorkTable,
} from "../../store/work-table.ts";
import type { Records } from "../records/records.ts";
import { again } from "./again.ts";
import { SeenAnalyses } from "./seen-analyses.ts";
import { refuseCancel, refuseFor } from "./work.ts";
import type { AnalysisWork, AnalysisWorker, Execution, HeldWork, Turn } from "./work.ts";

/** Times of a server among several, in ms. */
export interface WorkTimes extends LeaseTimes {
  /** Time between two renewals of this server's leases: several fit into a lease. */
  readonly renewMs: number;
  /** Time between two checks of others' and waiting analyses, if no messages arrive. */
  readonly lookMs: number;
  /** Between two reports of how far an analysis is. */
  readonly reportMs: number;
  /** Time between two checks of another server's work that this one waits for. */
  readonly waitMs: number;
}

export const WORK_TIMES: WorkTimes = {
  leaseMs: 15_000,
  headStartMs: 3_000,
  renewMs: 3_000,
  lookMs: 2_000,
  reportMs: 500,
  waitMs: 100,
};

/** An analysis that ended with so many servers is not tried again: it may have been the reason. */
const MOST_ATTEMPTS = 2;

/** No server: a server that is about to end leaves requested analyses to others. */
const ANY_SERVER = "";

/** An analysis that this server has the lease of. */
interface Own {
  readonly id: string;
  readonly token: string;
  /** Null until it has begun. */
  execution: Execution | null;
  /** Whether a report of how far it is waits for its time, or is on its way. */
  isReporting: boolean;
  /** The first picture that all servers have. */
  preview: Uint8Array | null;
  /** Whether this server or another is ending the analysis. */
  isEnding: boolean;
}

interface LeasedWorkParts {
  /** Name of this server: no other with the same table has it. */
  readonly server: string;
  readonly table: OwnWorkTable | SharedWorkTable;
  readonly records: Records;
  readonly log: Pick<Logger, "error" | "warn">;
  readonly times: WorkTimes;
}

export class LeasedWork implements AnalysisWork {
  readonly #server: string;
  readonly #table: WorkTable;
  /** The same table where other servers have it too; null for a server alone. */
  readonly #shared: SharedWorkTable | null;
  readonly #records: Records;
  readonly #log: Pick<Logger, "error" | "warn">;
  readonly #times: WorkTimes;
  /** By capture. */
  readonly #own = new Map<string, Own>();
  /** Tokens of this server's leases of held captures. */
  readonly #holds = new Set<string>();
  /** Analyses to be done again that were not asked for yet, in the order in which they were found. */
  readonly #again = new Set<string>();
  readonly #seen = new SeenAnalyses();
  /** Resolved when any work has changed; another one is there from then on. */
  #change = Promise.withResolvers<void>();
  #worker: AnalysisWorker | null = null;
  #endTimers: (() => void) | null = null;
  /** Set when the server is about to end: others take the waiting analyses. */
  #isResting = false;
  #isClosing = false;
  readonly #looking: () => Promise<void>;
  readonly #taking: () => Promise<void>;
  readonly #renewing: () => Promise<void>;
  #asking: Promise<void> = Promise.resolve();
  /** Capture whose analysis was asked for last among those that are done again. */
  #askedAgain = "";

  constructor({ server, table, records, log, times }: LeasedWorkParts) {
    const shared = table.rows === null ? table : null;
    this.#server = server;
    this.#table = table;
    this.#shared = shared;
    this.#records = records;
    this.#log = log;
    this.#times = times;
    const logged = (work: () => Promise<void>) => () =>
      work().catch((error: unknown) =>
        log.warn({ err: error }, "the table of the work on captures could not be looked at"),
      );
    this.#looking = again(logged(() => this.#look(shared)));
    this.#taking = again(logged(() => this.#take()));
    this.#renewing = again(logged(() => this.#renew(shared)));
    records.onOutdated((id) => this.#again.delete(id));
  }

  employ(worker: AnalysisWorker): void {
    this.#worker = worker;
    if (this.#shared === null) return;
    this.#shared.onNews((id, what) => {
      if (what === "further") return void this.#looking();
      this.#wake();
      // It may be wanted ended.
      if (this.#own.has(id)) void this.#renewing();
      this.#lookAndTake();
    });
    this.#records.others.onMissed(() => this.#lookAndTake());
    const timers = [
      setInterval(() => void this.#renewing(), this.#times.renewMs),
      setInterval(() => this.#lookAndTake(), this.#times.lookMs),
    ];
    void this.#looking();
    this.#endTimers = () => timers.forEach((timer) => clearInterval(timer));
  }

  isFree(id: string, known: CaptureWork | null): boolean {
    return this.#kindNow(id, known) === null;
  }

  expectFree(id: string, known: CaptureWork | null): void {
    const kind = this.#kindNow(id, known);
    if (kind !== null) refuseFor(kind);
  }

  #kindNow(id: string, known: CaptureWork | null): CaptureWork["kind"] | null {
    const { rows } = this.#table;
    return (rows === null ? known : rows.get(id))?.kind ?? null;
  }

  async expectNone(id: string): Promise<CaptureRecord> {
    const record = await this.#records.get(id);
    const kind = await this.#table.kindOf(id);
    if (kind !== null) refuseFor(kind);
    return record;
  }

  async hold<Result>(id: string, work: HeldWork<Result>): Promise<Result> {
    const held = await this.#held(id, work);
    return "by" in held ? refuseFor(held.by) : held.result;
  }

  async holdAlone<Result>(id: string, work: HeldWork<Result>): Promise<Result> {
    for (;;) {
      const changed = this.#nextChange();
      const held = await this.#held(id, work);
      if ("result" in held) return held.result;
      if (held.by === "analysis") await this.#end(id, discardResults);
      else await changed();
    }
  }

  async holdIfFree<Result>(id: string, work: HeldWork<Result>): Promise<Result | null> {
    const held = await this.#held(id, work);
    return "result" in held ? held.result : null;
  }

  whenFree(id: string): Promise<void> {
    return this.#until(async () => (await this.#table.kindOf(id)) !== "hold");
  }

  async ask(
    id: string,
    isReady: () => Promise<void>,
    change: RecordChange,
    isUnasked = false,
  ): Promise<CaptureRecord> {
    const analysisOf = (record: CaptureRecord): AskedAnalysis => {
      const files = filesToAnalyze(record.files);
      const server = this.#isResting ? ANY_SERVER : this.#server;
      return { server, bytes: bytesOf(files), progress: noProgress(files), isUnasked };
    };
    try {
      const asked = await this.#records.changeAndOutdate(id, change, async (of, changed) => {
        const answer = await this.#table.ask(of, changed, analysisOf, isReady);
        return typeof answer === "string" ? refuseFor(answer) : answer;
      });
      await this.#looking();
      const taking = this.#taking();
      // A server alone has begun it then: the answer has its place in the queue.
      if (this.#shared === null) await taking;
      return asked;
    } finally {
      this.#wake();
    }
  }

  again(id: string): void {
    if (this.#isClosing) return;
    this.#again.add(id);
    // One after the other: a start may find hundreds.
    this.#asking = this.#asking
      .then(() => this.#askAgain(id))
      .catch((error: unknown) => this.#log.error({ err: error }, "an analysis could not be done again"))
      .finally(() => this.#again.delete(id));
  }

  /** Servers that start together find the same ones: another may have analyzed it by now. */
  async #askAgain(id: string): Promise<void> {
    const isWanted = (): boolean => this.#again.has(id);
    const before = this.#askedAgain;
    // Its record is all that a server alone keeps of it: the next one is asked for when the one before is done.
    if (this.#shared === null) await this.#until(() => !isWanted() || !this.#own.has(before));
    await this.#until(async () => !isWanted() || (await this.#table.kindOf(id)) !== "hold");
    if (!isWanted()) return;
    const record = await this.#records.stored(id);
    if (record?.analysis.is !== "again" || !isListed(record) || !isWanted()) return;
    this.#askedAgain = id;
    await this.#worker?.startUnasked(id, true);
  }

  async cancel(id: string, change: RecordChange): Promise<CaptureRecord> {
    // An analysis that runs here ends at once: its later results are discarded.
    if (!this.#own.has(id)) await this.#records.get(id);
    const ended = await this.#end(id, change);
    if (ended !== null) return ended;
    if (!this.#again.delete(id)) refuseCancel();
    return this.#records.change(id, change);
  }

  progressOf(id: string): Progress | null {
    return this.#own.get(id)?.execution?.progress ?? this.#seen.progressOf(id);
  }

  async previewOf(id: string): Promise<Uint8Array | null> {
    return this.#own.get(id)?.execution?.preview ?? (await this.#shared?.preview(id)) ?? null;
  }

  isToDoAgain(id: string): boolean {
    return this.#again.has(id);
  }

  /** Never certain among several servers: another may have begun one this moment, and how one ended is stored with its end. */
  hasNone(id: string): boolean {
    const { rows } = this.#table;
    return rows !== null && rows.get(id)?.kind !== "analysis";
  }

  get waiting(): number {
    return this.#seen.waiting;
  }

  /** A single server begins requested analyses until it is closed, because no other would. */
  rest(): void {
    this.#isResting = this.#shared !== null;
  }

  /** Ends running work; other servers take it, or the next start of a single server. */
  async close(): Promise<void> {
    this.rest();
    this.#isClosing = true;
    // The records of these captures show that they are to be analyzed again.
    this.#again.clear();
    this.#wake();
    await this.#asking;
    await this.#taking();
    if (this.#shared === null) await this.#endForNextStart();
    else await this.#giveBack(this.#shared);
    // The timers end last: an end that takes longer than a lease would otherwise count as a crash of this server.
    this.#endTimers?.();
    await Promise.all([this.#looking(), this.#renewing()]);
  }

  async #giveBack(table: SharedWorkTable): Promise<void> {
    const own = [...this.#own.values()];
    for (const one of own) one.isEnding = true;
    await Promise.all(own.map(async ({ execution }) => execution?.cancel()));
    try {
      await table.giveBack(own.map(({ token }) => token));
    } catch (error) {
      this.#log.error(
        { err: error },
        "analyses could not be given back; other servers take them a little later",
      );
    }
  }

  async #endForNextStart(): Promise<void> {
    const analyses = [...(this.#table.rows ?? [])].filter(([, { kind }]) => kind === "analysis");
    await Promise.all(analyses.map(([id]) => this.#logged(this.#end(id, toDoAgain))));
  }

  /** To be called when any work may have changed. */
  #wake(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** @returns waits for a change since this call; where other servers make some, not longer than until the next look */
  #nextChange(): () => Promise<void> {
    const { promise } = this.#change;
    return () => (this.#shared === null ? promise : Promise.race([promise, pause(this.#times.waitMs)]));
  }

  /** Resolves when that is so. */
  async #until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (;;) {
      const changed = this.#nextChange();
      if (await isSo()) return;
      await changed();
    }
  }

  #lookAndTake(): void {
    if (this.#isClosing) return;
    void this.#looking();
    void this.#taking();
  }

  /**
   * Does some work on a capture while it is held. @returns the kind of other work on it, if this server can't do the
   * work
   */
  async #held<Result>(
    id: string,
    work: HeldWork<Result>,
  ): Promise<{ readonly result: Result } | { readonly by: CaptureWork["kind"] }> {
    const token = newId();
    const kind = await this.#table.hold(id, this.#server, token);
    if (kind !== null) return { by: kind };
    this.#holds.add(token);
    try {
      return { result: await work(this.#table.heldBy(id, token)) };
    } catch (error) {
      if (error instanceof LeaseLostError) return { by: "hold" };
      throw error;
    } finally {
      this.#holds.delete(token);
      await this.#table.release(id, token).catch((error: unknown) => {
        this.#log.warn({ err: error }, "a capture stays held until its lease is over");
      });
      this.#wake();
    }
  }

  /**
   * Ends an analysis on any server, running or waiting. @param change what the record becomes @returns null where the
   * capture has no analysis
   */
  async #end(id: string, change: RecordChange): Promise<CaptureRecord | null> {
    const token = newId();
    let isThere = false;
    for (;;) {
      const changed = this.#nextChange();
      const own = this.#own.get(id);
      if (own !== undefined && !own.isEnding) {
        const ended = await this.#endOwn(own, change);
        if (ended !== null) return ended;
        isThere = true;
      }
      if (await this.#table.seize(id, this.#server, token)) {
        const ended = await this.#stored(id, token, change);
        if (ended !== null) return this.#told(ended);
      }
      if (!(await this.#table.cancel(id))) break;
      isThere = true;
      await changed();
    }
    if (!isThere) return null;
    // The server that ran it has ended it, or had its result before.
    return this.#records.change(id, (record, known) =>
      this.isFree(id, known) ? change(record, null) : record,
    );
  }

  /** @returns null where another server has taken it over */
  async #endOwn(own: Own, change: RecordChange): Promise<CaptureRecord | null> {
    own.isEnding = true;
    await own.execution?.cancel();
    try {
      const ended = await this.#stored(own.id, own.token, change);
      return ended && this.#told(ended);
    } finally {
      this.#forget(own);
    }
  }

  #told(record: CaptureRecord): CaptureRecord {
    this.#seen.remove(record.id);
    this.#worker?.cancelled(record.id);
    return record;
  }

  /** Stores the end of work. @returns null when another server has taken it over; that server stores the record */
  async #stored(id: string, token: string, change: RecordChange): Promise<CaptureRecord | null> {
    try {
      return await this.#records.changeStored(id, change, (of, changed) =>
        this.#table.end(of, token, changed),
      );
    } catch (error) {
      if (error instanceof LeaseLostError) return null;
      throw error;
    }
  }

  /** If its end is not stored, its lease runs out. For a single server, which has no leases, the work ends here. */
  #forget({ id, token }: Pick<Own, "id" | "token">): void {
    if (this.#own.get(id)?.token === token) this.#own.delete(id);
    if (this.#shared === null) void this.#table.release(id, token);
    this.#wake();
  }

  /** Begins analyses as long as there is room for them. */
  async #take(): Promise<void> {
    const worker = this.#worker;
    while (worker !== null && !this.#isResting) {
      const mayBegin = (bytes: number): boolean => worker.mayBegin(bytes);
      const taker = { server: this.#server, token: newId(), running: [...this.#own.keys()] };
      const taken = await this.#table.take(taker, mayBegin);
      if (taken === null) return;
      await this.#begin(taken);
    }
  }

  async #begin({ id, token, attempts, isCancelled }: TakenAnalysis): Promise<void> {
    if (isCancelled) {
      const ended = await this.#stored(id, token, discardResults);
      if (ended !== null) this.#told(ended);
      return;
    }
    if (attempts >= MOST_ATTEMPTS) {
      const ended = await this.#stored(id, token, (record) => this.#worker?.interrupted(record) ?? record);
      if (ended !== null) this.#worker?.ended(id);
      return;
    }
    const own: Own = { id, token, execution: null, isReporting: false, preview: null, isEnding: false };
    this.#own.set(id, own);
    try {
      const record = await this.#records.stored(id);
      if (own.isEnding) return;
      if (record?.analysis.is !== "running" || !isListed(record)) {
        await this.#table.release(id, token);
        return this.#forget(own);
      }
      const execution = await this.#worker?.begin(record, this.#turnOf(own));
      if (execution === undefined) return;
      own.execution = execution;
      // It was wanted ended, or another server's, while it began.
      if (own.isEnding) await execution.cancel();
      else await this.#looking();
    } catch (error) {
      this.#forget(own);
      this.#log.error({ err: error }, "an analysis could not begin");
    }
  }

  #turnOf(own: Own): Turn {
    return {
      changed: () => this.#reportSoon(own),
      leave: () => {
        // Its end, which is on its way, needs the lease.
        if (!own.isEnding) this.#forget(own);
        void this.#taking();
      },
      end: async (change) => {
        const ended = await this.#stored(own.id, own.token, change);
        this.#forget(own);
        this.#seen.remove(own.id);
        return ended;
      },
    };
  }

  /** Reports how far an analysis is, now and then. */
  #reportSoon(own: Own): void {
    const shared = this.#shared;
    if (shared === null || own.isReporting || this.#isClosing) return;
    own.isReporting = true;
    void pause(this.#times.reportMs)
      .then(() => {
        own.isReporting = false;
        return this.#report(shared, own);
      })
      .catch((error: unknown) =>
        this.#log.warn({ err: error }, "other servers do not see how far an analysis is"),
      );
  }

  async #report(table: SharedWorkTable, { id, token, execution, ...own }: Own): Promise<void> {
    if (execution === null || this.#own.get(id)?.token !== token || this.#isClosing) return;
    const { preview, progress } = execution;
    if (preview !== null && preview !== own.preview) {
      await table.keepPreview(token, preview);
      const mine = this.#own.get(id);
      if (mine !== undefined) mine.preview = preview;
    }
    await table.report(token, id, progress);
  }

  /**
   * Renews the leases of this server's work. Ends work that another server has taken over, or whose end was requested.
   */
  async #renew(table: SharedWorkTable | null): Promise<void> {
    if (table === null) return;
    const own = [...this.#own.values()];
    const tokens = [...own.map(({ token }) => token), ...this.#holds];
    if (tokens.length === 0) return;
    const leases = new Map((await table.renew(tokens)).map((lease) => [lease.token, lease]));
    for (const one of own) {
      if (one.isEnding || this.#own.get(one.id) !== one) continue;
      const lease = leases.get(one.token);
      if (lease === undefined) void this.#logged(this.#lose(one));
      else if (lease.isCancelled) void this.#logged(this.#endOwn(one, discardResults));
    }
  }

  async #logged(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) =>
      this.#log.error({ err: error }, "the end of an analysis could not be stored"),
    );
  }

  async #lose(own: Own): Promise<void> {
    this.#log.warn("another server took over an analysis; this server discards its results");
    own.isEnding = true;
    await own.execution?.cancel();
    this.#forget(own);
  }

  /** Reads the work of all servers, and reports changes. */
  async #look(table: SharedWorkTable | null): Promise<void> {
    if (table === null) return;
    const { further, gone } = this.#seen.replace(await table.analyses());
    for (const id of further) if (this.#own.get(id)?.execution == null) this.#worker?.progressed(id);
    for (const id of gone) if (!this.#own.has(id)) this.#worker?.ended(id);
  }
}

function bytesOf(files: readonly { readonly size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** A record that was stored at the end of its analysis does not change. */
function toDoAgain(record: CaptureRecord): CaptureRecord {
  return record.analysis.is === "running" ? analyseAgain(record) : record;
}
