import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { STUB_RESULT, stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import { isReady, storedFiles, trash } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import type { HeldCapture } from "./answer-thread.ts";
import { Answers } from "./answers.ts";
import { FirstAnswers } from "./first-answers.ts";
import { originsOf, validityOf } from "../derived/validity.ts";
import { tablesDamaged } from "../kept/valid-sources.ts";
import { keptAddresses, MODEL_FILES, TABLES_FORMAT, type Summary } from "@aglens/contract";
import { questionAt, questionKey } from "@aglens/engine/answers";
import type { Answer, FirstAnswer, Question } from "@aglens/engine/answers";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import type { ProblemError } from "@aglens/engine/problems";
import { until } from "../../../test/until.ts";

const NEVER = new AbortController().signal;
const ANSWER: Answer = { type: "json", bytes: new Uint8Array([1]) };

/** A thread that answers on request of the test, one question at a time. */
class StubThread {
  readonly capture: HeldCapture;
  readonly #onEnded: () => void;
  closed = false;
  /** Number of questions asked. */
  asks = 0;
  #asked: PromiseWithResolvers<Answer> | null = null;

  readonly isShared: boolean;
  readonly findDamage: (damage: ProblemError) => void;

  constructor(
    capture: HeldCapture,
    onEnded: () => void,
    onDamage: (damage: ProblemError) => void,
    isShared = false,
  ) {
    this.capture = capture;
    this.#onEnded = onEnded;
    this.findDamage = onDamage;
    this.isShared = isShared;
  }
  get isBusy(): boolean {
    return this.#asked !== null;
  }
  ask(): Promise<Answer> {
    this.asks++;
    this.#asked = Promise.withResolvers<Answer>();
    return this.#asked.promise;
  }
  answer(): void {
    this.#asked?.resolve(ANSWER);
    this.#asked = null;
  }
  break(): void {
    this.#onEnded();
    this.#asked?.reject(new Error("broken"));
    this.#asked = null;
  }
  close(): Promise<void> {
    this.closed = true;
    this.#asked?.reject(new Error("ended in the middle"));
    return Promise.resolve();
  }
}

let service: TestService;
let analyzer: StubAnalyzer;
let answers: Answers;
let threads: StubThread[];
/** Whether captures that are opened now share a thread. */
let sharing: boolean;
let row = 0;
beforeEach(async () => {
  analyzer = stubAnalyzer();
  service = await testService({}, analyzer);
  threads = [];
  sharing = false;
  answers = new Answers(service.captures, (capture, onEnded, onDamage) => {
    const thread = new StubThread(capture, onEnded, onDamage, sharing);
    threads.push(thread);
    return thread;
  });
});
afterEach(() => service.end());

async function* abc(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode("abc");
}

async function analysed(): Promise<string> {
  const { id } = await service.captures.create("Night");
  await service.captures.files.receive(id, "a.xel", abc());
  await service.captures.analyses.start(id);
  analyzer.analyses.at(-1)?.finish({ files: { ...STUB_RESULT.files, ...tablesOf("tables") } });
  await until(async () => (await service.captures.get(id)).state === "ready");
  return id;
}

/** Tables as an analysis stores them, with one content for all. */
const tablesOf = (content: string) =>
  Object.fromEntries(MODEL_FILES.map((name) => [name, new TextEncoder().encode(content)]));

/** The record after another analysis. */
function withOtherBlocks(record: CaptureRecord): CaptureRecord {
  const files = { ...storedFiles(record), "blocks.arrow": { bytes: 1, sha256: "other" } };
  const stored = { format: TABLES_FORMAT, files };
  return isReady(record) ? { ...record, analysis: { ...record.analysis, stored } } : record;
}

/** Another question each time, because kept answers are not computed again. */
const ask = (id: string) => answers.ask(id, { ask: "sequence", row: row++ }, NEVER);
const closed = () => threads.map((thread) => thread.closed);

/** Asks, and answers at once. */
async function askAndAnswer(id: string): Promise<void> {
  const asked = ask(id);
  await atWork(1);
  for (const thread of threads) thread.answer();
  await asked;
}

/** Number of questions that all threads were asked. */
const asks = (): number => threads.reduce((sum, thread) => sum + thread.asks, 0);

/** So many threads have a question. */
const atWork = (count: number): Promise<void> =>
  until(() => threads.filter(({ isBusy }) => isBusy).length === count);

/** Waits until a capture is opened without a question about it. */
const opened = (): Promise<void> => until(() => threads.length > 0);

describe("open captures", () => {
  test("a capture is opened when its analysis was watched, and not otherwise", async () => {
    const { id } = await service.captures.create("Night");
    await service.captures.files.receive(id, "a.xel", abc());
    await service.captures.analyses.start(id);
    const news: string[] = [];
    const leave = service.captures.analyses.watch(id, (each) => news.push(each.news));
    analyzer.analyses.at(-1)?.finish();
    await until(() => news.includes("ready"));
    leave();
    await opened();
    expect(threads).toHaveLength(1);
    await askAndAnswer(id);
    expect(threads).toHaveLength(1);
    await analysed();
    expect(threads).toHaveLength(1);
  });

  test("captures that share threads end none, and are ended for none", async () => {
    const ids = [await analysed(), await analysed(), await analysed(), await analysed(), await analysed()];
    sharing = true;
    for (const id of ids.slice(0, 2)) await askAndAnswer(id);
    sharing = false;
    for (const id of ids.slice(2)) await askAndAnswer(id);
    expect(closed()).toEqual([false, false, false, false, false]);
  });

  test("three stay open; a fourth ends the one asked longest ago", async () => {
    const [a, b, c, d] = [await analysed(), await analysed(), await analysed(), await analysed()];
    for (const id of [a, b, c]) await askAndAnswer(id);
    await askAndAnswer(a);
    expect(threads).toHaveLength(3);
    expect(closed()).toEqual([false, false, false]);
    await askAndAnswer(d);
    expect(threads).toHaveLength(4);
    expect(closed()).toEqual([false, true, false, false]);
    // A question opens a closed capture again.
    await askAndAnswer(b);
    expect(threads).toHaveLength(5);
    expect(closed()).toEqual([false, true, true, false, false]);
  });

  test("one that is at work is never ended: of four asked at once each answers, and then three stay", async () => {
    const ids = [await analysed(), await analysed(), await analysed(), await analysed()];
    const asked: ReturnType<typeof ask>[] = [];
    for (const id of ids) {
      asked.push(ask(id));
      await atWork(asked.length);
    }
    expect(closed()).toEqual([false, false, false, false]);
    // The fourth is done first, so that it is the only one that may be ended when it is.
    elementAt(threads, 3).answer();
    expect(await asked[3]).toMatchObject({ type: "json", size: 1 });
    expect(closed()).toEqual([false, false, false, true]);
    for (const thread of threads) thread.answer();
    expect((await Promise.all(asked.slice(0, 3))).map((answer) => answer?.size)).toEqual([1, 1, 1]);
    expect(closed()).toEqual([false, false, false, true]);
  });

  test("one whose stored tables are found damaged behind its questions is analyzed again", async () => {
    const id = await analysed();
    await askAndAnswer(id);
    elementAt(threads, 0).findDamage(tablesDamaged("events.arrow", "is missing"));
    await until(() => analyzer.analyses.length === 2);
    expect((await service.captures.get(id)).state).toBe("analysing");
    expect(closed()).toEqual([true]);
  });

  test("one without a file of its own keeps what can be answered, though what nobody asked for is damaged", async () => {
    const id = await analysed();
    await service.captures.records.change(id, (record) => ({
      ...record,
      files: record.files.flatMap((file) => [file, { ...file, id: "other", isMissing: true }]),
    }));
    await askAndAnswer(id);
    elementAt(threads, 0).findDamage(tablesDamaged("events.arrow", "is missing"));
    await askAndAnswer(id);
    expect((await service.captures.get(id)).state).toBe("ready");
  });

  test("a thread that breaks is replaced at the next question", async () => {
    const id = await analysed();
    const asked = ask(id);
    await atWork(1);
    elementAt(threads, 0).break();
    await expect(asked).rejects.toThrow("broken");
    await askAndAnswer(id);
    expect(threads).toHaveLength(2);
  });

  test("a changed file ends the thread that answers from the analysis before", async () => {
    const [a, b] = [await analysed(), await analysed()];
    await askAndAnswer(a);
    await askAndAnswer(b);
    const file = elementAt((await service.captures.get(a)).files, 0);
    await service.captures.files.correct(a, file.id, { replica: "SQL9" });
    expect(closed()).toEqual([true, false]);
    await expect(ask(a)).rejects.toMatchObject({ problem: { code: "wrong-state" } });
  });

  test("an analysis that only the record tells of ends the thread that answers from the one before", async () => {
    const id = await analysed();
    const same = () => answers.ask(id, { ask: "sequence", row: 7 }, NEVER);
    const first = same();
    await atWork(1);
    threads[0]?.answer();
    await first;
    // Stores the analysis as another server does: this server gets no message.
    await service.captures.records.changeStored(id, withOtherBlocks);
    const second = same();
    await atWork(1);
    threads[1]?.answer();
    await second;
    expect(closed()).toEqual([true, false]);
  });

  test("news of another server that come after what they are about was asked end nothing", async () => {
    const id = await analysed();
    const asked = ask(id);
    await atWork(1);
    service.captures.records.callOutdated(id, false);
    await service.captures.get(id);
    await new Promise(setImmediate);
    elementAt(threads, 0).answer();
    expect(await asked).not.toBeNull();
    await askAndAnswer(id);
    expect(closed()).toEqual([false]);
  });

  test("a message of another server that a capture is gone, or analyzed again, ends the thread that answers from its earlier state", async () => {
    const [gone, anew] = [await analysed(), await analysed()];
    await askAndAnswer(gone);
    await askAndAnswer(anew);
    const { records } = service.captures;
    await records.changeStored(gone, (record) => trash(record, "2026-11-02", "deleted"));
    await records.changeStored(anew, withOtherBlocks);
    records.callOutdated(gone, false);
    records.callOutdated(anew, false);
    await until(() => closed().every(Boolean));
  });

  test("know where the files of the same name lie", async () => {
    const { id } = await service.captures.create("Night");
    await service.captures.files.receive(id, "a.xel", abc());
    await service.captures.files.receive(id, "a.xel", abc());
    await service.captures.analyses.start(id);
    analyzer.analyses.at(-1)?.finish();
    await until(async () => (await service.captures.get(id)).state === "ready");
    await askAndAnswer(id);
    const [first, second] = (await service.captures.get(id)).files.map((file) =>
      service.captures.files.pathOf(id, file.id),
    );
    expect(elementAt(threads, 0).capture.paths).toEqual({
      "a.xel": first,
      "a.xel (2)": second,
    });
  });

  test("all end with the service", async () => {
    for (const id of [await analysed(), await analysed()]) await askAndAnswer(id);
    await answers.close();
    expect(closed()).toEqual([true, true]);
  });
});

test("a capture that was asked before thousands of others is forgotten, unless it is at work", async () => {
  sharing = true;
  const [idle, busy] = [await analysed(), await analysed()];
  await askAndAnswer(idle);
  const asked = ask(busy);
  await atWork(1);
  const record = await service.captures.analyses.record(idle);
  const { analyses } = service.captures;
  vi.spyOn(analyses, "record").mockImplementation((id) => Promise.resolve({ ...record, id }));
  vi.spyOn(analyses, "readStored").mockResolvedValue(new TextEncoder().encode("{}"));
  for (let other = 0; other < 3_000; other++) await answers.summary(`other-${other}`);
  expect(closed()).toEqual([true, false]);
  threads.at(-1)?.answer();
  await asked;
});

test("the summary is under the capture's present name", async () => {
  const id = await analysed();
  await service.captures.rename(id, "Day");
  expect(await answers.summary(id)).toEqual({ captureId: id, name: "Day", marks: [] });
});

test("the summary is that of the last analysis, though the one before was asked for", async () => {
  const id = await analysed();
  await answers.summary(id);
  await service.captures.analyses.start(id);
  const again = new TextEncoder().encode('{"captureId":"","name":"","durationUs":7}');
  analyzer.analyses.at(-1)?.finish({ files: { "summary.json": again, "preview.arrow": new Uint8Array(3) } });
  await until(async () => (await service.captures.get(id)).state === "ready");
  expect(await answers.summary(id)).toMatchObject({ durationUs: 7 });
});

describe("the answers that the overview begins with", () => {
  const OVERVIEW: Question = questionAt("overview?from=0&to=90000000&bins=90&secondary=0");
  const STATISTICS: Question = questionAt("statistics?from=0&to=90000000");
  const summary = {
    durationUs: 90_000_000,
    phases: [],
    commits: { gates: [100, 0] },
    replicas: [{ hasCapture: true }, { hasCapture: true }],
  };
  const files = (content: string) => ({
    [SUMMARY_FILE]: new TextEncoder().encode(JSON.stringify(summary)),
    "preview.arrow": new Uint8Array(3),
    ...tablesOf(content),
  });
  const kept = (value: number): FirstAnswer[] => [
    { key: questionKey(OVERVIEW), type: "json", bytes: Uint8Array.of(value) },
  ];

  /** Analyzes a capture again, with other tables for another value. */
  async function analyse(id: string, value: number): Promise<void> {
    await service.captures.analyses.start(id);
    analyzer.analyses.at(-1)?.finish({ files: files(`tables ${value}`), first: kept(value) });
    await until(async () => (await service.captures.get(id)).state === "ready");
  }
  async function analyzedWith(value: number): Promise<string> {
    const { id } = await service.captures.create("Night");
    await service.captures.files.receive(id, "a.xel", abc());
    await analyse(id, value);
    return id;
  }
  const given = async (id: string, question: Question, from = answers) => [
    ...((await (await from.ask(id, question, NEVER))?.bytes("identity")) ?? []),
  ];
  /** The answer of a thread that is asked for it. */
  async function givenByThread(id: string, question: Question, from = answers): Promise<number[]> {
    const answer = given(id, question, from);
    await atWork(1);
    for (const thread of threads) thread.answer();
    return answer;
  }
  /** Answers after a restart: nothing is in memory. */
  const restarted = (): Answers =>
    new Answers(service.captures, (capture, onEnded, onDamage) => {
      const thread = new StubThread(capture, onEnded, onDamage);
      threads.push(thread);
      return thread;
    });
  const pathOf = (id: string) => join(service.config.dataDirectory, "captures", id, "first-answers.bin");

  test("are given without waiting for the tables, which are opened meanwhile", async () => {
    const id = await analyzedWith(7);
    expect(await given(id, OVERVIEW)).toEqual([7]);
    await opened();
    expect(threads).toHaveLength(1);
    expect(asks()).toBe(0);
  });

  test("are those of the last analysis", async () => {
    const id = await analyzedWith(7);
    expect(await given(id, OVERVIEW)).toEqual([7]);
    await analyse(id, 8);
    expect(await given(id, OVERVIEW)).toEqual([8]);
    expect(await given(id, OVERVIEW, restarted())).toEqual([8]);
  });

  test("of other tables than the capture has are not given", async () => {
    const id = await analyzedWith(7);
    const old = await readFile(pathOf(id));
    await analyse(id, 8);
    await writeFile(pathOf(id), old);
    // The thread's own answer is 1.
    expect(await givenByThread(id, OVERVIEW, restarted())).toEqual([1]);
  });

  test("are kept anew, where they are damaged or missing, from what the first who asks is given", async () => {
    const id = await analyzedWith(7);
    await writeFile(pathOf(id), "damaged");
    const first = restarted();
    expect(await givenByThread(id, OVERVIEW, first)).toEqual([1]);
    await until(async () => (await stat(pathOf(id))).size > 100);
    expect(await given(id, OVERVIEW, restarted())).toEqual([1]);
    expect(asks()).toBe(1);
  });

  test("are joined by those that the analysis left out; what no overview asks is not kept", async () => {
    const id = await analyzedWith(7);
    const { size } = await stat(pathOf(id));
    await givenByThread(id, STATISTICS);
    await until(async () => (await stat(pathOf(id))).size > size);
    const again = restarted();
    expect([await given(id, OVERVIEW, again), await given(id, STATISTICS, again)]).toEqual([[7], [1]]);
    expect(asks()).toBe(1);
    const other = questionAt("statistics?from=0&to=5");
    await givenByThread(id, other, again);
    expect(await givenByThread(id, other, restarted())).toEqual([1]);
  });

  test("whose analysis begins anew while they are looked for open no tables", async () => {
    const id = await analyzedWith(7);
    const again = restarted();
    const asked = given(id, OVERVIEW, again);
    await service.captures.analyses.start(id);
    await expect(asked).rejects.toMatchObject({ problem: { code: "wrong-state" } });
    expect(threads).toHaveLength(0);
  });

  test("whose tables change while they are looked for open no tables", async () => {
    const id = await analyzedWith(7);
    const { records } = service.captures;
    const get = records.get.bind(records);
    const reads = vi.spyOn(records, "get").mockImplementation(async (each) => {
      // The record is read when the question is asked, when it is answered, and again after the kept answer.
      if (reads.mock.calls.length === 3) await records.change(id, withOtherBlocks);
      return get(each);
    });
    await expect(given(id, STATISTICS, restarted())).rejects.toMatchObject({
      problem: { code: "wrong-state" },
    });
    expect(threads).toHaveLength(0);
  });

  test("are written one file after the other, the last with all of them, and a failure is logged", async () => {
    const id = await analyzedWith(7);
    const whole = { ...summary, captureId: id } as unknown as Summary;
    const warn = vi.fn<() => void>();
    const known: number[] = [];
    let running = 0;
    let most = 0;
    const summaryOf = vi.fn<() => Promise<Summary>>(() => Promise.resolve(whole));
    const first = new FirstAnswers(service.captures, summaryOf, { warn }, async (_, __, all) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      known.push(all.length);
      if (known.length === 1) throw new Error("The disk is full.");
    });
    const validity = validityOf("first answers", originsOf(await service.captures.records.get(id)));
    const keep = (address: string) => first.keep(id, questionAt(address), ANSWER, validity);
    const addresses = keptAddresses(whole);
    await keep(addresses[1] ?? "");
    await Promise.all(addresses.map(keep));
    expect(most).toBe(1);
    expect(known.at(-1)).toBe(addresses.length);
    expect(warn).toHaveBeenCalledTimes(1);
    // The first questions of a capture are determined once.
    expect(summaryOf).toHaveBeenCalledTimes(1);
  });

  test("leave with their capture", async () => {
    const id = await analyzedWith(7);
    await service.captures.trash.deleteForGood(id);
    await expect(stat(pathOf(id))).rejects.toThrow("ENOENT");
  });
});
