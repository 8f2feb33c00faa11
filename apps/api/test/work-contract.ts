/** The contract of the work on captures (`captures/work/work.ts`), as tests, for one server and for several. */
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { problemDocument } from "@aglens/engine/problems";
import { noProgress } from "@aglens/engine/files";
import type { Records } from "../src/captures/records/records.ts";
import type { AnalysisWork, AnalysisWorker, Turn } from "../src/captures/work/work.ts";
import { failAnalysis } from "../src/store/capture-state.ts";
import type { CaptureRecord } from "../src/store/catalog.ts";
import { capture } from "./catalog-contract.ts";
import { until } from "./until.ts";

export interface WorkUnderTest {
  readonly records: Records;
  readonly work: AnalysisWork;
  end(): Promise<void>;
}

/** An analysis that runs until the test ends it. */
interface Begun {
  readonly record: CaptureRecord;
  readonly turn: Turn;
  isCancelled: boolean;
  /** Called when nothing of it is written any more. */
  readonly settle: () => void;
}

/** A file that makes its capture ready for an analysis. */
export const FILE = {
  id: "f",
  name: "a.xel",
  kind: "xel",
  role: "primary",
  size: 3,
} as CaptureRecord["files"][number];
const ANALYZING = (record: CaptureRecord): CaptureRecord => ({
  ...record,
  analysis: { is: "running", cutOff: 0 },
});
const READY = (record: CaptureRecord): CaptureRecord => ({
  ...record,
  analysis: { is: "ready", verdict: null, severity: null, place: null },
});
const NOT_ANALYZED = (record: CaptureRecord): CaptureRecord => ({ ...record, analysis: { is: "none" } });
const TO_DO_AGAIN = (record: CaptureRecord): CaptureRecord => ({
  ...record,
  analysis: { is: "again", cutOff: 0 },
});
const atOnce = (): Promise<void> => Promise.resolve();

/** @param begin makes work on the captures of an empty catalog */
export function describeWork(name: string, begin: () => Promise<WorkUnderTest>): void {
  describe(`work in ${name}`, () => {
    let under: WorkUnderTest;
    let work: AnalysisWork;
    let begun: Begun[];
    beforeEach(async () => {
      under = await begin();
      ({ work } = under);
      begun = [];
      work.employ(worker());
      for (const id of ["a", "b", "c"]) await under.records.add({ ...capture(id), files: [FILE] });
    });
    afterEach(() => under.end());

    const worker = (): AnalysisWorker => ({
      mayBegin: () => true,
      begin: (record, turn) => {
        const settled = Promise.withResolvers<void>();
        const settle = (): void => {
          turn.leave();
          settled.resolve();
        };
        const one: Begun = { record, turn, isCancelled: false, settle };
        begun.push(one);
        return Promise.resolve({
          progress: { ...noProgress(record.files), events: 7 },
          preview: new Uint8Array([1]),
          settled: settled.promise,
          cancel: () => {
            one.isCancelled = true;
            settle();
            return settled.promise;
          },
        });
      },
      startUnasked: async (id) => void (await work.ask(id, atOnce, ANALYZING, true)),
      interrupted: (record) => failAnalysis(record, problemDocument("analysis-failed", "It ended twice.")),
      cancelled: () => {},
      progressed: () => {},
      ended: () => {},
    });
    const asked = async (id: string): Promise<Begun> => {
      await work.ask(id, atOnce, ANALYZING);
      return whenBegun(id);
    };
    const whenBegun = async (id: string): Promise<Begun> => {
      await until(() => begun.some(({ record }) => record.id === id));
      const found = begun.findLast(({ record }) => record.id === id);
      if (found === undefined) throw new Error("It has not begun.");
      return found;
    };
    const state = async (id: string) => (await under.records.get(id)).analysis.is;
    const renamed = (id: string, to: string) =>
      under.records.change(id, (record, known) => {
        work.expectFree(id, known);
        return { ...record, name: to };
      });
    /** Holds a capture until the returned function is called. */
    const held = async (id: string): Promise<() => Promise<void>> => {
      const [isHeld, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = work.hold(id, () => {
        isHeld.resolve();
        return rest.promise;
      });
      await isHeld.promise;
      return () => {
        rest.resolve();
        return holding;
      };
    };

    test("who holds a capture is alone with it; others are refused, and changes that need it free with them", async () => {
      const release = await held("a");
      await expect(work.hold("a", atOnce)).rejects.toThrow("is being made into several");
      await expect(work.ask("a", atOnce, ANALYZING)).rejects.toMatchObject({
        problem: { code: "wrong-state" },
      });
      await expect(work.expectNone("a")).rejects.toThrow("is being made into several");
      await expect(renamed("a", "New")).rejects.toThrow("is being made into several");
      expect(await work.holdIfFree("a", () => Promise.resolve("done"))).toBeNull();
      expect(await work.holdIfFree("b", () => Promise.resolve("done"))).toBe("done");
      expect((await renamed("b", "New")).name).toBe("New");
      await release();
      expect((await renamed("a", "New")).name).toBe("New");
      expect((await work.expectNone("a")).name).toBe("New");
    });

    test("what is done while a capture is held may fail: it is free then", async () => {
      await expect(work.hold("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
      expect(await work.hold("a", () => Promise.resolve(1))).toBe(1);
    });

    test("who has to be alone waits for who is, and ends an analysis", async () => {
      const release = await held("a");
      let isAlone = false;
      const alone = work.holdAlone("a", () => {
        isAlone = true;
        return atOnce();
      });
      const free = work.whenFree("a");
      expect(isAlone).toBe(false);
      await release();
      await free;
      await alone;
      const analysis = await asked("b");
      expect(await work.holdAlone("b", () => Promise.resolve(analysis.isCancelled))).toBe(true);
      await work.whenFree("b");
    });

    test("an analysis begins with the record as it was stored, and shows how far it is until its end", async () => {
      const { record, turn, settle } = await asked("a");
      expect(record.analysis.is).toBe("running");
      await expect(work.ask("a", atOnce, ANALYZING)).rejects.toThrow("is being analyzed");
      await expect(renamed("a", "New")).rejects.toThrow("is being analyzed");
      await expect(work.hold("a", atOnce)).rejects.toThrow("is being analyzed");
      await until(() => work.progressOf("a")?.events === 7);
      expect([...((await work.previewOf("a")) ?? [])]).toEqual([1]);
      expect((await turn.end(READY))?.analysis.is).toBe("ready");
      settle();
      expect(await state("a")).toBe("ready");
      expect(work.progressOf("a")).toBeNull();
      expect(await work.previewOf("a")).toBeNull();
      expect((await renamed("a", "New")).name).toBe("New");
    });

    test("an end that cannot be made is followed by another one", async () => {
      const { turn } = await asked("a");
      await expect(
        turn.end(() => {
          throw new Error("no");
        }),
      ).rejects.toThrow("no");
      await expect(work.hold("a", atOnce)).rejects.toThrow("is being analyzed");
      expect((await turn.end(READY))?.analysis.is).toBe("ready");
    });

    test("of two that ask for one at once one does; one that is refused is not asked for", async () => {
      const refuse = (): never => {
        throw new Error("no");
      };
      await expect(work.ask("a", atOnce, refuse)).rejects.toThrow("no");
      await expect(work.ask("a", () => Promise.reject(new Error("no room")), ANALYZING)).rejects.toThrow(
        "no room",
      );
      expect(await state("a")).toBe("none");
      const ends = await Promise.allSettled([1, 2].map(() => work.ask("a", atOnce, ANALYZING)));
      expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      await whenBegun("a");
      expect(begun).toHaveLength(1);
      await expect(work.ask("none", atOnce, ANALYZING)).rejects.toMatchObject({
        problem: { code: "capture-not-found" },
      });
    });

    test("a cancelled analysis has ended, and can be asked for again", async () => {
      await expect(work.cancel("a", NOT_ANALYZED)).rejects.toThrow("No analysis of this capture is running");
      await expect(work.cancel("none", NOT_ANALYZED)).rejects.toMatchObject({
        problem: { code: "capture-not-found" },
      });
      const first = await asked("a");
      expect((await work.cancel("a", NOT_ANALYZED)).analysis.is).toBe("none");
      expect(first.isCancelled).toBe(true);
      expect(work.progressOf("a")).toBeNull();
      await work.ask("a", atOnce, ANALYZING);
      await until(() => begun.length === 2);
    });

    test("those that are to be done again begin one after the other", async () => {
      for (const id of ["a", "b"]) {
        await under.records.change(id, TO_DO_AGAIN);
        work.again(id);
      }
      await until(() => begun.length === 1);
      const [first] = begun;
      await first?.turn.end(READY);
      first?.settle();
      await until(() => begun.length === 2);
    });

    test("one that is to be done again is known as such until it has begun", async () => {
      await under.records.change("a", TO_DO_AGAIN);
      work.again("a");
      expect(work.isToDoAgain("a")).toBe(true);
      await whenBegun("a");
      await until(() => !work.isToDoAgain("a"));
    });

    test("one that is to be done again waits for who holds its capture", async () => {
      const release = await held("a");
      await under.records.change("a", TO_DO_AGAIN);
      work.again("a");
      await pause(50);
      expect(begun).toEqual([]);
      await release();
      await whenBegun("a");
    });

    test("what was analyzed since it was found is not done again", async () => {
      await under.records.change("b", TO_DO_AGAIN);
      for (const id of ["a", "b"]) work.again(id);
      await whenBegun("b");
      expect(begun.map(({ record }) => record.id)).toEqual(["b"]);
    });

    test("the end of the server ends what it runs", async () => {
      const { isCancelled } = await asked("a");
      expect(isCancelled).toBe(false);
      await work.close();
      expect(begun.map((one) => one.isCancelled)).toEqual([true]);
    });
  });
}
