/**
 * Work on captures that several servers share: who does what stands in a table of theirs (`store/work-table.ts`), leased to the server that
 * does it. A server takes analyses as it has room for them; one whose server is not heard of any more is taken over by another.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Progress } from "@aglens/contract";
import { filesToAnalyse, noProgress } from "@aglens/engine/files";
import type { Logger } from "pino";
import { newId } from "../../kernel/identity.ts";
import { isListed } from "../../store/capture-state.ts";
import type { CaptureRecord, CaptureWork, RecordChange } from "../../store/catalogue.ts";
import { LeaseLostError } from "../../store/work-table.ts";
import type { LeaseTimes, SharedAnalysis, TakenAnalysis, WorkTable } from "../../store/work-table.ts";
import { withoutResults } from "../records/records.ts";
import type { Records } from "../records/records.ts";
import { again } from "./again.ts";
import { refuseCancel, refuseFor } from "./work.ts";
import type { AnalysisWork, AnalysisWorker, Execution, HeldWork, Turn } from "./work.ts";

/** Times in ms. */
export interface WorkTimes extends LeaseTimes {
  /** Between two renewals of what this server does: several fit into a lease. */
  readonly renewMs: number;
  /** Between two looks at what others do and at what waits, where nothing was heard. */
  readonly lookMs: number;
  /** Between two reports of how far an analysis is. */
  readonly reportMs: number;
  /** Between two looks at work of another server that is waited for. */
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

/** An analysis that is asked of it is for whoever has room. */
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
  /** Somebody ends it: by this server or another. */
  isEnding: boolean;
}

export class SharedWork implements AnalysisWork {
  readonly isShared = true;
  readonly #server: string;
  readonly #table: WorkTable;
  readonly #records: Records;
  readonly #log: Pick<Logger, "error" | "warn">;
  readonly #times: WorkTimes;
  /** By capture. */
  readonly #own = new Map<string, Own>();
  /** Leases of captures that this server holds. */
  readonly #holds = new Set<string>();
  /** To be done again, and not asked for yet, in the order that they were found. */
  readonly #again = new Set<string>();
  /** What all servers analyse, as it was when this one looked last. */
  #analyses: readonly SharedAnalysis[] = [];
  #worker: AnalysisWorker | null = null;
  #endTimers: (() => void) | null = null;
  /** It is about to end. */
  #isResting = false;
  #isClosing = false;
  readonly #looking: () => Promise<void>;
  readonly #taking: () => Promise<void>;
  readonly #renewing: () => Promise<void>;
  #asking: Promise<void> = Promise.resolve();

  /** @param server name of this server; no other has it */
  constructor(
    server: string,
    table: WorkTable,
    records: Records,
    log: Pick<Logger, "error" | "warn">,
    times: WorkTimes,
  ) {
    this.#server = server;
    this.#table = table;
    this.#records = records;
    this.#log = log;
    this.#times = times;
    const logged = (work: () => Promise<void>) => () =>
      work().catch((error: unknown) =>
        log.warn({ err: error }, "the work that servers share was not looked at"),
      );
    this.#looking = again(logged(() => this.#look()));
    this.#taking = again(logged(() => this.#take()));
    this.#renewing = again(logged(() => this.#renew()));
    records.onOutdated((id) => this.#again.delete(id));
  }

  employ(worker: AnalysisWorker): void {
    this.#worker = worker;
    this.#table.onNews((id, what) => {
      if (what === "further") return void this.#looking();
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

  isFree(_: string, known: CaptureWork | null): boolean {
    return known === null;
  }

  expectFree(_: string, known: CaptureWork | null): void {
    if (known !== null) refuseFor(known.kind);
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
      const held = await this.#held(id, work);
      if ("result" in held) return held.result;
      if (held.by === "analysis") await this.#end(id, withoutResults);
      else await pause(this.#times.waitMs);
    }
  }

  async holdIfFree<Result>(id: string, work: HeldWork<Result>): Promise<Result | null> {
    const held = await this.#held(id, work);
    return "result" in held ? held.result : null;
  }

  /** @param isAwaited false ends the waiting */
  async whenFree(id: string, isAwaited: () => boolean = () => true): Promise<void> {
    while (isAwaited() && (await this.#table.kindOf(id)) === "hold") await pause(this.#times.waitMs);
  }

  async ask(
    id: string,
    isReady: () => Promise<void>,
    change: RecordChange,
    isUnasked = false,
  ): Promise<CaptureRecord> {
    await isReady();
    const asked = await this.#records.changeAndOutdate(id, change, async (of, changed) => {
      const answer = await this.#table.ask(of, changed, (record) => {
        const files = filesToAnalyse(record.files);
        const server = this.#isResting ? ANY_SERVER : this.#server;
        return { server, bytes: bytesOf(files), progress: noProgress(files), isUnasked };
      });
      return typeof answer === "string" ? refuseFor(answer) : answer;
    });
    await this.#looking();
    void this.#taking();
    return asked;
  }

  again(id: string): void {
    this.#again.add(id);
    // One after the other: a start may find hundreds.
    this.#asking = this.#asking
      .then(() => this.#askAgain(id))
      .catch((error: unknown) => this.#log.error({ err: error }, "an analysis could not be done again"))
      .finally(() => this.#again.delete(id));
  }

  /** Servers that start together find the same ones: another may have analysed it by now. */
  async #askAgain(id: string): Promise<void> {
    const isWanted = (): boolean => this.#again.has(id);
    await this.whenFree(id, isWanted);
    if (!isWanted()) return;
    const record = await this.#records.stored(id);
    if (record?.analyseAgain === true && isListed(record) && isWanted())
      await this.#worker?.startUnasked(id, true);
  }

  async cancel(id: string, change: RecordChange): Promise<CaptureRecord> {
    await this.#records.get(id);
    const ended = await this.#end(id, change);
    if (ended !== null) return ended;
    if (!this.#again.delete(id)) refuseCancel();
    return this.#records.change(id, change);
  }

  progressOf(id: string): Progress | null {
    const own = this.#own.get(id)?.execution?.progress;
    if (own !== undefined) return own;
    const analysis = this.#analyses.find((one) => one.id === id);
    if (analysis === undefined) return null;
    return analysis.server === null ? this.#waiting(analysis) : analysis.progress;
  }

  previewOf(id: string): Promise<Uint8Array | null> {
    const own = this.#own.get(id)?.execution?.preview ?? null;
    return own === null ? this.#table.preview(id) : Promise.resolve(own);
  }

  isToDoAgain(id: string): boolean {
    return this.#again.has(id);
  }

  /** Another server may have begun one this moment; how one ended is stored with its end. */
  hasNone(): boolean {
    return false;
  }

  get waiting(): number {
    return this.#analyses.filter(({ server }) => server === null).length;
  }

  rest(): void {
    this.#isResting = true;
  }

  /** Ends what runs here; other servers take it. */
  async close(): Promise<void> {
    this.rest();
    this.#isClosing = true;
    // Those that wait to be done again have that in their records.
    this.#again.clear();
    await this.#asking;
    await this.#taking();
    const own = [...this.#own.values()];
    for (const one of own) one.isEnding = true;
    await Promise.all(own.map(async ({ execution }) => execution?.cancel()));
    try {
      await this.#table.giveBack(own.map(({ token }) => token));
    } catch (error) {
      this.#log.error(
        { err: error },
        "analyses could not be given back; other servers take them a little later",
      );
    }
    // Not before: what ends longer than a lease would be another server's meanwhile, as one that this server died of.
    this.#endTimers?.();
    await Promise.all([this.#looking(), this.#renewing()]);
  }

  #lookAndTake(): void {
    if (this.#isClosing) return;
    void this.#looking();
    void this.#taking();
  }

  /** Does some work on a capture while it is held. @returns what is done with it instead where that is not this server's to do */
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
    }
  }

  /** Ends an analysis wherever it runs or waits. @param change what the record becomes @returns null where there is none */
  async #end(id: string, change: RecordChange): Promise<CaptureRecord | null> {
    const token = newId();
    let isThere = false;
    for (;;) {
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
      await pause(this.#times.waitMs);
    }
    if (!isThere) return null;
    // The server that ran it has ended it, or had its result before.
    return this.#records.change(id, (record, known) => (known === null ? change(record, null) : record));
  }

  /** @returns null where another server has taken it over */
  async #endOwn(own: Own, change: RecordChange): Promise<CaptureRecord | null> {
    own.isEnding = true;
    await own.execution?.cancel();
    const ended = await this.#stored(own.id, own.token, change);
    this.#forget(own);
    return ended && this.#told(ended);
  }

  #told(record: CaptureRecord): CaptureRecord {
    this.#analyses = this.#analyses.filter(({ id }) => id !== record.id);
    this.#worker?.cancelled(record.id);
    return record;
  }

  /** Stores how work ended. @returns null when it is another server's by now; its record is what that makes of it */
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

  #forget({ id, token }: Pick<Own, "id" | "token">): void {
    if (this.#own.get(id)?.token === token) this.#own.delete(id);
  }

  /** Begins analyses as long as there is room for them. */
  async #take(): Promise<void> {
    while (!this.#isResting) {
      const mayBegin = (bytes: number): boolean => this.#worker?.mayBegin(bytes) ?? false;
      const taker = { server: this.#server, token: newId(), running: [...this.#own.keys()] };
      const taken = await this.#table.take(taker, mayBegin);
      if (taken === null) return;
      await this.#begin(taken);
    }
  }

  async #begin({ id, token, attempts, isCancelled }: TakenAnalysis): Promise<void> {
    if (isCancelled) {
      const ended = await this.#stored(id, token, withoutResults);
      if (ended !== null) this.#told(ended);
      return;
    }
    if (attempts >= MOST_ATTEMPTS) {
      const ended = await this.#stored(id, token, (record) => this.#worker?.interrupted(record) ?? record);
      if (ended !== null) this.#worker?.ended(id);
      return;
    }
    const record = await this.#records.stored(id);
    if (record?.state !== "analysing" || !isListed(record)) return this.#table.release(id, token);
    const own: Own = { id, token, execution: null, isReporting: false, preview: null, isEnding: false };
    this.#own.set(id, own);
    try {
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
        // Whoever ends it still needs the lease.
        if (!own.isEnding) this.#forget(own);
        void this.#taking();
      },
      end: async (change) => {
        const ended = await this.#stored(own.id, own.token, change);
        this.#forget(own);
        this.#analyses = this.#analyses.filter(({ id }) => id !== own.id);
        return ended;
      },
    };
  }

  /** Reports how far an analysis is, now and then. */
  #reportSoon(own: Own): void {
    if (own.isReporting || this.#isClosing) return;
    own.isReporting = true;
    void pause(this.#times.reportMs)
      .then(() => {
        own.isReporting = false;
        return this.#report(own);
      })
      .catch((error: unknown) =>
        this.#log.warn({ err: error }, "other servers do not see how far an analysis is"),
      );
  }

  async #report({ id, token, execution, ...own }: Own): Promise<void> {
    if (execution === null || this.#own.get(id)?.token !== token || this.#isClosing) return;
    const { preview, progress } = execution;
    if (preview !== null && preview !== own.preview) {
      await this.#table.keepPreview(token, preview);
      const mine = this.#own.get(id);
      if (mine !== undefined) mine.preview = preview;
    }
    await this.#table.report(token, id, progress);
  }

  /** Keeps what this server does its own; ends what is another's by now, or what somebody wants ended. */
  async #renew(): Promise<void> {
    const own = [...this.#own.values()];
    const tokens = [...own.map(({ token }) => token), ...this.#holds];
    if (tokens.length === 0) return;
    const leases = new Map((await this.#table.renew(tokens)).map((lease) => [lease.token, lease]));
    for (const one of own) {
      if (one.isEnding || this.#own.get(one.id) !== one) continue;
      const lease = leases.get(one.token);
      if (lease === undefined) void this.#logged(this.#lose(one));
      else if (lease.isCancelled) void this.#logged(this.#endOwn(one, withoutResults));
    }
  }

  async #logged(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) =>
      this.#log.error({ err: error }, "the end of an analysis could not be stored"),
    );
  }

  async #lose(own: Own): Promise<void> {
    this.#log.warn("an analysis is another server's by now; what this one made of it is thrown away");
    own.isEnding = true;
    await own.execution?.cancel();
    this.#forget(own);
  }

  /** Sees what all servers do, and tells what has changed. */
  async #look(): Promise<void> {
    const before = new Map(this.#analyses.map((one) => [one.id, JSON.stringify(this.progressOf(one.id))]));
    this.#analyses = await this.#table.analyses();
    for (const { id } of this.#analyses) {
      const isHere = this.#own.get(id)?.execution != null;
      if (!isHere && JSON.stringify(this.progressOf(id)) !== before.get(id)) this.#worker?.progressed(id);
      before.delete(id);
    }
    for (const id of before.keys()) if (!this.#own.has(id)) this.#worker?.ended(id);
  }

  #waiting({ id, progress }: SharedAnalysis): Progress {
    const before = this.#analyses.filter(({ server }) => server === null).findIndex((one) => one.id === id);
    const servers = this.#analyses.flatMap(({ server }) => server ?? []);
    const running = `${count(servers.length, "analysis runs", "analyses run")} on ${count(new Set(servers).size, "server", "servers")}`;
    const reason =
      before === 0
        ? `${running}; the next server that has room takes it.`
        : `${running} and ${before} wait before it.`;
    return { ...progress, phase: "waiting", waiting: { place: before + 1, reason } };
  }
}

function bytesOf(files: readonly { readonly size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

const count = (value: number, one: string, many: string): string => `${value} ${value === 1 ? one : many}`;
