import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { TIMED_PHASES } from "@aglens/contract";
import type { Progress } from "@aglens/contract";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { testService } from "../../../test/service.ts";
import { sourcesOnDisk } from "../../../test/sources-on-disk.ts";
import type { TestService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import { openSqliteCatalog } from "../../store/sqlite-catalog.ts";
import { beginAnalysis, endAnalysis, storedIn } from "../../store/capture-state.ts";
import type { StoredAnalysis } from "../../store/capture-state.ts";
import { AnalysisError, PREVIEW_FILE } from "@aglens/engine/analysis";
import type { CaptureNews } from "./analyses.ts";
import { until } from "../../../test/until.ts";

let dataDirectory: string;
let service: TestService;
let analyzer: StubAnalyzer;
let id: string;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "aglens-analyses-"));
  await open();
  ({ id } = await service.captures.create("Night"));
  await receive("a.xel");
});
afterEach(async () => {
  await service.close();
  await rm(dataDirectory, { recursive: true });
});

async function open(): Promise<void> {
  analyzer = stubAnalyzer();
  service = await testService({ dataDirectory }, analyzer);
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const receive = (name: string, content = "abc") => service.captures.files.receive(id, name, bytesOf(content));
const get = () => service.captures.get(id);

/** News of the capture from now on. */
function watched(): CaptureNews[] {
  const news: CaptureNews[] = [];
  service.captures.analyses.watch(id, (one) => news.push(one));
  return news;
}

const progress = (phase: Progress["phase"]): Progress => ({
  phase,
  bytesDone: 1,
  bytesTotal: 3,
  events: 2,
  blocks: 1,
  files: [],
});

describe("an analysis", () => {
  test("gets the event files and the topologies that take part, and where they lie", async () => {
    await receive("ag.xml");
    const left = elementAt(await receive("left-out.xel"), 0);
    await service.captures.files.correct(id, left.id, { role: "ignored" });
    await service.captures.analyses.start(id);
    const { files, topologies } = elementAt(analyzer.analyses, 0).request;
    const [a, xml] = (await get()).files.map((file) => service.captures.files.pathOf(id, file.id));
    expect(files).toMatchObject([{ name: "a.xel", path: a }]);
    expect(topologies).toEqual([xml]);
  });

  test("that ends while its record is read is shown with its end", async () => {
    await service.captures.analyses.start(id);
    const { records } = service.captures;
    const read = records.get.bind(records);
    const whileItEnds = async (of: string) => {
      const record = await read(of);
      analyzer.analyses.at(-1)?.finish();
      await until(() => service.captures.analyses.progressOf(id) === null);
      return record;
    };
    const slow = vi.spyOn(records, "get").mockImplementationOnce(whileItEnds);
    expect(await get()).toMatchObject({ state: "ready", problem: null });
    slow.mockRestore();
    await service.captures.analyses.start(id);
    const page = records.page.bind(records);
    vi.spyOn(records, "page").mockImplementationOnce(async (...of) => {
      const found = await page(...of);
      await whileItEnds(id);
      return found;
    });
    expect(await service.captures.list(10, { fewestFiles: 0 })).toMatchObject({
      captures: [{ state: "ready" }],
    });
  });

  test("shows its progress, then its verdict, and news of both", async () => {
    const news = watched();
    await service.captures.analyses.start(id);
    expect(await get()).toMatchObject({ state: "analysing", progress: { phase: "decode", bytesTotal: 3 } });
    elementAt(analyzer.analyses, 0).report(progress("join"));
    // The paces of earlier analyses are empty here.
    expect((await get()).progress).toEqual({ ...progress("join"), paces: [] });
    elementAt(analyzer.analyses, 0).finish();
    await until(async () => (await get()).state === "ready");
    expect(await get()).toMatchObject({
      verdict: "Commits wait for the network.",
      severity: "slow",
      place: "network",
      progress: null,
    });
    expect(news).toEqual([
      { news: "progress", progress: progress("join") },
      { news: "ready", capture: await get() },
    ]);
  });

  test("leaves its pace to the next one", async () => {
    await service.captures.analyses.start(id);
    const first = elementAt(analyzer.analyses, 0);
    for (const phase of TIMED_PHASES) first.report(progress(phase));
    first.finish();
    await until(async () => (await get()).state === "ready");
    await service.captures.analyses.start(id);
    const [pace, ...others] = (await get()).progress?.paces ?? [];
    expect(others).toEqual([]);
    expect(pace?.bytes).toBe(3);
    // A step takes some time, and no day.
    for (const phase of TIMED_PHASES) expect(pace?.ns[phase]).toBeLessThan(1e14);
  });

  test("has its first picture while it runs, and the stored one after", async () => {
    const { analyses } = service.captures;
    await analyses.start(id);
    await expect(analyses.preview(id)).rejects.toMatchObject({ problem: { code: "wrong-state" } });
    elementAt(analyzer.analyses, 0).preview(new Uint8Array([9]));
    expect(await analyses.preview(id)).toEqual(new Uint8Array([9]));
    elementAt(analyzer.analyses, 0).finish();
    await until(async () => (await get()).state === "ready");
    expect([...(await analyses.preview(id))]).toEqual([1, 2, 3]);
  });

  test.each([
    [
      new AnalysisError("no-primary", "There is no primary among the files."),
      "There is no primary among the files.",
    ],
    [new Error("undefined is not a function"), "The analysis hit an unexpected error; the API's log has it."],
  ])("that fails with %s says so in a sentence, and can be started again", async (error, detail) => {
    const news = watched();
    await service.captures.analyses.start(id);
    elementAt(analyzer.analyses, 0).fail(error);
    await until(async () => (await get()).state === "failed");
    expect((await get()).problem).toMatchObject({ code: "analysis-failed", detail });
    expect(news).toEqual([{ news: "failed", problem: (await get()).problem }]);
    await service.captures.analyses.start(id);
    expect(await get()).toMatchObject({ state: "analysing", problem: null });
  });

  test("is over when what is to be kept of it is stored, and its first answers are there", async () => {
    await service.captures.analyses.start(id);
    const running = elementAt(analyzer.analyses, 0);
    const news = watched();
    running.keep({ verdict: "Commits wait for the disk." });
    const stored = join(dataDirectory, "captures", id, PREVIEW_FILE);
    await until(() => existsSync(stored));
    expect([(await get()).state, news]).toEqual(["analysing", []]);
    // The result at the end of the analysis is not stored a second time.
    running.finish({ files: {} });
    await until(async () => (await get()).state === "ready");
    expect((await get()).verdict).toBe("Commits wait for the disk.");
    expect(news).toMatchObject([{ news: "ready", capture: { verdict: "Commits wait for the disk." } }]);
    expect([...(await service.captures.analyses.preview(id))]).toEqual([1, 2, 3]);
  });

  test("without first answers is an analysis all the same", async () => {
    await service.captures.analyses.start(id);
    const running = elementAt(analyzer.analyses, 0);
    running.keep({ verdict: "Commits wait for the disk." });
    running.fail(new Error("The thread broke."));
    await until(async () => (await get()).state === "ready");
    expect((await get()).verdict).toBe("Commits wait for the disk.");
  });

  test("of a capture whose results cannot be stored fails, and takes nothing else along", async () => {
    await service.captures.analyses.start(id);
    elementAt(analyzer.analyses, 0).finish({ files: { "no/name": new Uint8Array(1) } });
    await until(async () => (await get()).state === "failed");
  });
});

test("of two that start it at once one does, and neither files nor names change meanwhile", async () => {
  const [file] = (await get()).files;
  const { analyses, files } = service.captures;
  const ends = await Promise.allSettled([
    analyses.start(id),
    analyses.start(id),
    files.remove(id, file?.id ?? ""),
    service.captures.split(id),
  ]);
  expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
  expect(analyzer.analyses).toHaveLength(1);
  expect((await get()).files).toEqual([file]);
});

describe("a cancelled analysis", () => {
  test("leaves the capture as it was before", async () => {
    const news = watched();
    await service.captures.analyses.start(id);
    const cancelled = await service.captures.analyses.cancel(id);
    expect(cancelled).toMatchObject({ state: "receiving", progress: null, problem: null });
    expect(news).toMatchObject([{ news: "failed", problem: { code: "cancelled" } }]);
    await expect(service.captures.analyses.cancel(id)).rejects.toMatchObject({
      problem: { code: "wrong-state" },
    });
  });

  test("that had its result already writes none of it", async () => {
    await service.captures.analyses.start(id);
    elementAt(analyzer.analyses, 0).finish();
    await service.captures.analyses.cancel(id);
    expect((await get()).state).toBe("receiving");
    expect(await sourcesOnDisk(dataDirectory, id)).toEqual([elementAt((await get()).files, 0).id]);
  });

  test("that was storing its result does not make the capture ready", async () => {
    await service.captures.analyses.start(id);
    elementAt(analyzer.analyses, 0).finish({ verdict: "Too late." });
    await new Promise(setImmediate);
    const news = watched();
    await service.captures.analyses.cancel(id);
    expect(await get()).toMatchObject({ state: "receiving", verdict: null });
    expect(news.map((one) => one.news)).toEqual(["failed"]);
    // The cancelled analysis writes nothing while the next one runs.
    await service.captures.analyses.start(id);
    elementAt(analyzer.analyses, 1).finish({ verdict: "The second." });
    await until(async () => (await get()).state === "ready");
    expect((await get()).verdict).toBe("The second.");
  });

  test("whose tables were being stored is over when nothing of them is written any more", async () => {
    await service.captures.analyses.start(id);
    const large = new Uint8Array(32 * 2 ** 20);
    elementAt(analyzer.analyses, 0).keep({ files: { "blocks.arrow": large } });
    await service.captures.analyses.cancel(id);
    expect(await readdir(join(dataDirectory, "incoming"))).toEqual([]);
  });

  test("writes none of the tables that its thread hands over afterwards", async () => {
    await service.captures.analyses.start(id);
    await service.captures.analyses.cancel(id);
    elementAt(analyzer.analyses, 0).keep({ files: { "late.arrow": new Uint8Array(1) } });
    await service.captures.analyses.start(id);
    elementAt(analyzer.analyses, 1).finish({ files: { "blocks.arrow": new Uint8Array(1) } });
    await until(async () => (await get()).state === "ready");
    const stored = await readdir(join(dataDirectory, "captures", id));
    expect([stored.includes("blocks.arrow"), stored.includes("late.arrow")]).toEqual([true, false]);
  });

  test("of a capture that is gone is none", async () => {
    await expect(service.captures.analyses.cancel("nothing")).rejects.toMatchObject({
      problem: { code: "capture-not-found" },
    });
  });

  test("shows no progress any more, and none can be started before it has ended", async () => {
    await service.captures.analyses.start(id);
    const cancelling = service.captures.analyses.cancel(id);
    const news = watched();
    elementAt(analyzer.analyses, 0).report(progress("verdict"));
    await expect(service.captures.analyses.start(id)).rejects.toThrow("is being analyzed");
    await cancelling;
    expect(news.map((one) => one.news)).toEqual(["failed"]);
  });

  test("of a deleted capture leaves no files behind", async () => {
    await service.captures.analyses.start(id);
    elementAt(analyzer.analyses, 0).finish();
    await new Promise(setImmediate);
    await service.captures.trash.deleteForGood(id);
    await new Promise(setImmediate);
    expect(await readdir(join(dataDirectory, "captures"))).toEqual([]);
  });
});

test("a file that was on its way when the analysis began is refused and not kept", async () => {
  const opened = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<Uint8Array>();
  async function* slowly(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1);
    opened.resolve();
    yield await rest.promise;
  }
  const upload = service.captures.files.receive(id, "b.xel", slowly());
  await opened.promise;
  await service.captures.analyses.start(id);
  rest.resolve(new Uint8Array(1));
  await expect(upload).rejects.toMatchObject({ problem: { code: "wrong-state" } });
  expect((await get()).files.map(({ name }) => name)).toEqual(["a.xel"]);
  expect(await sourcesOnDisk(dataDirectory, id)).toEqual([(await get()).files[0]?.id]);
});

describe("the end of the process", () => {
  test("interrupts an analysis, and the next start begins it again", async () => {
    await service.captures.analyses.start(id);
    await service.close();
    expect(elementAt(analyzer.analyses, 0).cancelled).toBe(true);
    await open();
    expect(await get()).toMatchObject({ state: "analysing", problem: null });
    expect(await get()).not.toHaveProperty("analyseAgain");
    elementAt(analyzer.analyses, 0).finish();
    await until(async () => (await get()).state === "ready");
    await service.close();
    await open();
    // Once it is done, no start begins it again.
    expect((await get()).state).toBe("ready");
    expect(analyzer.analyses).toEqual([]);
  });

  /** The process ends by force while it analyzes the capture: all it leaves is that it did. */
  const endByForce = async (): Promise<void> => {
    await until(() => analyzer.analyses.length > 0);
    await service.close();
    const catalogue = openSqliteCatalog(join(dataDirectory, "catalogue.sqlite"));
    await catalogue.changeCapture(id, (before) => beginAnalysis(before, true));
    await catalogue.close();
    await open();
  };

  test("by force begins it again too, once: a second time it may have been the reason", async () => {
    await service.captures.analyses.start(id);
    await endByForce();
    expect(await get()).toMatchObject({ state: "analysing", problem: null });
    expect(await get()).not.toHaveProperty("cutOff");
    await endByForce();
    expect(analyzer.analyses).toEqual([]);
    expect(await get()).toMatchObject({
      state: "failed",
      progress: null,
      problem: { code: "analysis-failed" },
    });
    expect((await get()).problem?.detail).toContain("ended unexpectedly twice");
    // A start by a person allows two interruptions again.
    await service.captures.analyses.start(id);
    await endByForce();
    expect((await get()).state).toBe("analysing");
  });

  test("by force is counted over an orderly end, and forgotten once the analysis has ended well", async () => {
    await service.captures.analyses.start(id);
    await endByForce();
    await until(() => analyzer.analyses.length === 1);
    await service.close();
    await open();
    await endByForce();
    expect((await get()).state).toBe("failed");
    await service.captures.analyses.start(id);
    await endByForce();
    await until(() => analyzer.analyses.length === 1);
    elementAt(analyzer.analyses, 0).finish();
    await until(async () => (await get()).state === "ready");
    await service.captures.analyses.start(id);
    await endByForce();
    expect((await get()).state).toBe("analysing");
  });

  test("an analysis that an earlier version stored is done again by itself, one after the other; one of this version stays", async () => {
    await service.captures.analyses.start(id);
    elementAt(analyzer.analyses, 0).finish();
    await until(async () => (await get()).state === "ready");
    const olds = [
      await analyzedBefore("Old", { format: 0, files: {} }),
      await analyzedBefore("Oldest", undefined),
    ];
    await service.close();
    await open();
    const states = () => Promise.all(olds.map(async (old) => (await service.captures.get(old)).state));
    await until(() => analyzer.analyses.length === 1);
    expect((await get()).state).toBe("ready");
    expect(await states()).toEqual(["analysing", "analysing"]);
    expect((await service.captures.list(9, { fewestFiles: 0 })).captures.map(({ state }) => state)).toEqual([
      "analysing",
      "analysing",
      "ready",
    ]);
    elementAt(analyzer.analyses, 0).finish();
    await until(() => analyzer.analyses.length === 2);
    // An end of the process leaves the rest to the next one.
    await service.close();
    await open();
    await until(() => analyzer.analyses.length === 1);
    elementAt(analyzer.analyses, 0).finish();
    await until(async () => (await states()).every((state) => state === "ready"));
    expect(analyzer.analyses).toHaveLength(1);
  });

  test("one that waits to be done again can be cancelled, begun at once, and given another file", async () => {
    const [a, b, c] = [
      await analyzedBefore("A", undefined),
      await analyzedBefore("B", undefined),
      await analyzedBefore("C", undefined),
    ];
    await service.close();
    await open();
    // The newest is first; the order of analyses of the same time is not defined.
    await until(() => analyzer.analyses.length === 1);
    const first =
      (await service.captures.get(a)).progress?.phase === "decode"
        ? a
        : (await service.captures.get(b)).progress?.phase === "decode"
          ? b
          : c;
    const [second = "", third = ""] = [a, b, c].filter((each) => each !== first);
    expect(await service.captures.get(second)).toMatchObject({
      state: "analysing",
      progress: { phase: "receiving" },
    });
    expect(await service.captures.analyses.cancel(second)).toMatchObject({
      state: "receiving",
      progress: null,
    });
    await service.captures.analyses.start(third);
    expect(analyzer.analyses).toHaveLength(2);
    for (const analysis of analyzer.analyses) analysis.finish();
    await until(
      async () =>
        (await service.captures.get(first)).state === "ready" &&
        (await service.captures.get(third)).state === "ready",
    );
    expect((await service.captures.get(second)).state).toBe("receiving");
    expect(analyzer.analyses).toHaveLength(2);
  });

  test("one that waits to be done again is shown so until it begins, and does not begin once it was cancelled", async () => {
    const old = await analyzedBefore("Old", undefined);
    await service.close();
    await open();
    await until(() => analyzer.analyses.length === 1);
    elementAt(analyzer.analyses, 0).finish();
    await until(async () => (await service.captures.get(old)).state === "ready");
    const { analyses, records } = service.captures;
    // Simulates a catalog that answers later.
    const slowly = Promise.withResolvers<void>();
    const read = records.stored.bind(records);
    vi.spyOn(records, "stored").mockImplementation(async (of) => {
      const found = await read(of);
      await slowly.promise;
      return found;
    });
    const before = await records.get(old);
    await analyses.heal(old, storedIn(before), new Error("damaged"));
    await nextTurn();
    expect(await service.captures.get(old)).toMatchObject({ state: "analysing", problem: null });
    expect(await analyses.cancel(old)).toMatchObject({ state: "receiving", progress: null });
    slowly.resolve();
    await nextTurn();
    expect(analyzer.analyses).toHaveLength(1);
    expect((await service.captures.get(old)).state).toBe("receiving");
  });

  /** A capture that an earlier version analyzed. */
  async function analyzedBefore(name: string, stored: StoredAnalysis | undefined): Promise<string> {
    const capture = await service.captures.create(name);
    await service.captures.files.receive(capture.id, "a.xel", bytesOf("abc"));
    await service.captures.records.change(capture.id, (record) =>
      endAnalysis(record, { verdict: null, severity: null, place: null, ...(stored && { stored }) }),
    );
    return capture.id;
  }
});
