/** Work on captures where one server does it all: who does what is known in memory, and ends with the process. */
import type { Progress } from "@aglens/contract";
import type { Logger } from "pino";
import { isListed } from "../../store/capture-state.ts";
import type {
  Catalogue,
  CaptureRecord,
  CaptureWork,
  HeldCatalogue,
  RecordChange,
} from "../../store/catalogue.ts";
import { withoutResults } from "../records/records.ts";
import type { Records } from "../records/records.ts";
import { refuseCancel, refuseFor } from "./work.ts";
import type { AnalysisWork, AnalysisWorker, Execution, HeldWork, Turn } from "./work.ts";

export class OwnWork implements AnalysisWork {
  readonly isShared = false;
  /** What is asked for begins at once, and has its place in this server's queue (`analysis-queue.ts`). */
  readonly waiting = 0;
  readonly #records: Records;
  readonly #catalogue: HeldCatalogue;
  readonly #log: Pick<Logger, "error">;
  readonly #running = new Map<string, Execution>();
  /** Captures whose analysis begins once that is stored. */
  readonly #starting = new Map<string, Promise<void>>();
  /** Captures whose analysis is to be done again, one after the other; none in it is running. */
  readonly #again = new Set<string>();
  #isDoingAgain = false;
  /** Work on a capture that its analysis and changes of its files have to wait for. */
  readonly #held = new Map<string, Promise<void>>();
  #worker: AnalysisWorker | null = null;

  constructor(catalogue: Catalogue, records: Records, log: Pick<Logger, "error">) {
    this.#records = records;
    // No other server has it: what is held stays held.
    this.#catalogue = { ...catalogue, expectHeld: () => Promise.resolve() };
    this.#log = log;
    records.onOutdated((id) => this.#again.delete(id));
  }

  employ(worker: AnalysisWorker): void {
    this.#worker = worker;
  }

  expectFree(id: string): void {
    const kind = this.#kindOf(id);
    if (kind !== null) refuseFor(kind);
  }

  isFree(id: string): boolean {
    return this.#kindOf(id) === null;
  }

  async expectNone(id: string): Promise<CaptureRecord> {
    const record = await this.#records.get(id);
    this.expectFree(id);
    return record;
  }

  async hold<Result>(id: string, work: HeldWork<Result>): Promise<Result> {
    this.expectFree(id);
    const ended = Promise.withResolvers<void>();
    this.#held.set(id, ended.promise);
    try {
      return await work(this.#catalogue);
    } finally {
      this.#held.delete(id);
      ended.resolve();
    }
  }

  async holdAlone<Result>(id: string, work: HeldWork<Result>): Promise<Result> {
    while (this.#kindOf(id) !== null) await this.#end(id);
    return this.hold(id, work);
  }

  async holdIfFree<Result>(id: string, work: HeldWork<Result>): Promise<Result | null> {
    return this.#kindOf(id) === null ? this.hold(id, work) : null;
  }

  async whenFree(id: string): Promise<void> {
    await this.#held.get(id);
  }

  async ask(id: string, isReady: () => Promise<void>, change: RecordChange): Promise<CaptureRecord> {
    this.expectFree(id);
    const begun = Promise.withResolvers<void>();
    // From now on nothing else begins: storing that it has begun takes a while.
    this.#starting.set(id, begun.promise);
    try {
      await isReady();
      const record = await this.#records.changeAndOutdate(id, change);
      await this.#begin(record);
      return record;
    } finally {
      this.#starting.delete(id);
      begun.resolve();
    }
  }

  /** A start may find hundreds, and whoever works with AG Lens comes first. */
  again(id: string): void {
    this.#again.add(id);
    if (this.#isDoingAgain) return;
    this.#isDoingAgain = true;
    void this.#doAgain().finally(() => {
      this.#isDoingAgain = false;
    });
  }

  async cancel(id: string, change: RecordChange): Promise<CaptureRecord> {
    if (!this.#isAnalysed(id)) await this.#records.get(id);
    // One that waited to be done again may have begun.
    if (this.#isAnalysed(id)) await this.#end(id);
    else if (!this.#again.delete(id)) refuseCancel();
    return this.#records.change(id, change);
  }

  progressOf(id: string): Progress | null {
    return this.#running.get(id)?.progress ?? null;
  }

  previewOf(id: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.#running.get(id)?.preview ?? null);
  }

  isToDoAgain(id: string): boolean {
    return this.#again.has(id);
  }

  hasNone(id: string): boolean {
    return !this.#isAnalysed(id);
  }

  /** There are no others. */
  rest(): void {}

  /** Ends every running analysis; the next start begins them again. */
  async close(): Promise<void> {
    // Those that wait to be done again have that in their records.
    this.#again.clear();
    await Promise.all(this.#starting.values());
    const ids = [...this.#running.keys()];
    await Promise.all(ids.map((id) => this.#end(id)));
    for (const id of ids) {
      try {
        await this.#records.change(id, (record) => ({ ...withoutResults(record), analyseAgain: true }));
      } catch (error) {
        this.#log.error({ err: error }, "an analysis that is to start again could not be noted");
      }
    }
  }

  #kindOf(id: string): CaptureWork["kind"] | null {
    if (this.#held.has(id)) return "hold";
    return this.#isAnalysed(id) ? "analysis" : null;
  }

  #isAnalysed(id: string): boolean {
    return this.#running.has(id) || this.#starting.has(id);
  }

  async #begin(record: CaptureRecord): Promise<void> {
    const { id } = record;
    let hasLeft = false;
    const leave = (): void => {
      // The next analysis of the capture is another one's to leave.
      if (hasLeft) return;
      hasLeft = true;
      this.#running.delete(id);
    };
    const end: Turn["end"] = async (change) => {
      const ended = await this.#records.change(id, change);
      leave();
      return ended;
    };
    const execution = await this.#worker?.begin(record, { end, leave, changed: () => {} });
    if (execution !== undefined && !hasLeft) this.#running.set(id, execution);
  }

  /** Ends a running analysis, if there is one, and other work on the capture; leaves its state to the caller. */
  async #end(id: string): Promise<void> {
    // At once where nothing is to be waited for: what it brings from now on is thrown away.
    if (this.#held.has(id)) await this.#held.get(id);
    if (this.#starting.has(id)) await this.#starting.get(id);
    const running = this.#running.get(id);
    if (running === undefined) return;
    await running.cancel();
    this.#worker?.cancelled(id);
  }

  async #doAgain(): Promise<void> {
    for (const id of this.#again) {
      try {
        await this.#beginAgain(id);
        await this.#running.get(id)?.settled;
      } catch (error) {
        this.#log.error({ err: error }, "an analysis could not be done again");
      }
    }
  }

  /** Until it is stored that it has begun, it is one that waits. */
  async #beginAgain(id: string): Promise<void> {
    try {
      await this.whenFree(id);
      if (await this.#isStillToDo(id)) await this.#worker?.startUnasked(id, true);
    } finally {
      this.#again.delete(id);
    }
  }

  /** Somebody may have started or cancelled it, changed its files or deleted it. */
  async #isStillToDo(id: string): Promise<boolean> {
    const record = await this.#records.stored(id);
    if (!this.#again.has(id) || this.#isAnalysed(id)) return false;
    return record?.analyseAgain === true && isListed(record);
  }
}
