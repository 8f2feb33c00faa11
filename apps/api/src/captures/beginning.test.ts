import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stageColumn } from "@aglens/ag-model/columns";
import { readEventPieces } from "@aglens/ag-model/events";
import { buildModel } from "@aglens/ag-model/replication";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { decodeWindow, Overview, ScopeSummary } from "@aglens/contract";
import { analyseBeginning } from "@aglens/engine/analysis";
import type { AnalysedFile } from "@aglens/engine/analysis";
import { ProblemError } from "@aglens/engine/problems";
import { columnsOf } from "@aglens/fixtures/analyse-for-tests";
import { base, slowNetwork } from "@aglens/fixtures/scenarios";
import { simulate } from "@aglens/fixtures/simulator";
import type { SimulatorOptions } from "@aglens/fixtures/options";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { elementAt } from "../../test/element-at.ts";
import { workerAnalyser } from "./analyser.ts";
import { BeginningThread, sharesOf } from "./beginning.ts";
import type { GrowingBeginning } from "./beginning.ts";
import { recogniseFile } from "./recognise.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-beginning-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** A simulated capture on the disk, as files are known before an analysis; a model of all of it. */
async function captured(options: SimulatorOptions) {
  const simulation = simulate(options);
  const files = await Promise.all(
    simulation.files.map(async ({ name, bytes, replica, role }, i) => {
      const path = join(folder, `${i}.xel`);
      await writeFile(path, bytes);
      const { from, to } = await recogniseFile({ path, name });
      return { id: String(i), name, size: bytes.length, role, replica, from, to, path } as const;
    }),
  );
  const inputs = await Promise.all(
    [...new Set(files.map(({ replica }) => replica))].map(async (name) => ({
      role: name === options.primary.name ? ("primary" as const) : ("secondary" as const),
      name,
      columns: await columnsOf(simulation, name),
    })),
  );
  const bytesOf = new Map(files.map(({ id }, i) => [id, elementAt(simulation.files, i).bytes]));
  const decode = ({ id }: AnalysedFile, name: string) =>
    readEventPieces(only(bytesOf.get(id) ?? new Uint8Array()), name, {}, 500);
  const whole = buildModel(
    inputs.flatMap(({ columns, ...input }) => (columns ? [{ ...input, columns }] : [])),
  );
  return { files, whole, wanted: { files, topologies: [], decode } };
}

// oxlint-disable-next-line typescript/require-await -- a source of bytes is asynchronous
async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** What is known of the first blocks without any clock: their ids, and durations on one server's counter. */
const firstBlocks = (model: CaptureModel, count: number) => ({
  ids: [...model.blocks.blockId.subarray(0, count)],
  writes: rounded(stageColumn(model, 0, "localFlush").subarray(0, count)),
  hardens: rounded(stageColumn(model, 0, "remoteHarden").subarray(0, count)),
});

const rounded = (durations: Float64Array): number[] => Array.from(durations, Math.round);

describe("the beginning of a capture", () => {
  test.each([0.02, 0.4, 0.75, 1])(
    "that is %f of its time has what the whole has up to its edge",
    async (share) => {
      const { whole, wanted } = await captured(slowNetwork);
      const found = await analyseBeginning(wanted, share);
      const { edgeUs, wholeUs, blocks } = found?.summary.beginning ?? { edgeUs: 0, wholeUs: 0, blocks: 0 };
      expect(blocks).toBeGreaterThan(20);
      expect(firstBlocks(found?.model ?? whole, blocks)).toEqual(firstBlocks(whole, blocks));
      expect(edgeUs).toBeLessThanOrEqual(share * whole.duration);
      // Up to the last event of any file by its own UTC; the secondary's is 32.5 ms ahead.
      expect(Math.abs(wholeUs - whole.duration)).toBeLessThan(100_000);
      const picture = decodeWindow(found?.picture ?? new Uint8Array());
      expect([picture.from, picture.to]).toEqual([0, edgeUs]);
      expect(found?.summary).toMatchObject({ verdict: { sentence: "", severity: "none" }, warnings: [] });
    },
  );

  test("ends before what is under way where its events end", async () => {
    // Blocks need 150 ms from 32.5 s on, so that several are under way at any instant.
    const { whole, wanted } = await captured(slowNetwork);
    for (const share of [0.42, 0.46, 0.5, 0.54, 0.58]) {
      const found = await analyseBeginning(wanted, share);
      const { edgeUs = 0, blocks = 0 } = found?.summary.beginning ?? {};
      expect(edgeUs).toBeGreaterThan(33_000_000);
      expect(firstBlocks(found?.model ?? whole, blocks)).toEqual(firstBlocks(whole, blocks));
    }
  });

  test("is nothing where no log block is complete yet", async () => {
    const { wanted } = await captured({ ...base, load: [{ fromS: 9, toS: 10, thinkUs: 1500 }] });
    const idle = wanted.files.map((file) => ({ ...file, from: "2016-05-06T02:16:00.0000000Z" }));
    expect(await analyseBeginning({ ...wanted, files: idle }, 0.01)).toBeNull();
  });

  test("begins where all servers have files: those that end before are left out", async () => {
    const { files, wanted } = await captured(slowNetwork);
    const of = (role: string) => files.filter((file) => file.role === role);
    const primary = of("primary").slice(-1);
    const secondary = of("secondary").slice(-1);
    const given = [...of("primary"), ...secondary];
    // The secondary's file begins 2.6 s behind the end of the primary's first one.
    const found = await analyseBeginning({ ...wanted, files: given }, 0.9);
    expect(found?.model.files.map(({ name }) => name)).toEqual(
      [...primary, ...secondary].map(({ name }) => name),
    );
    // From 02:18:07.3, where the primary's second file begins, to 02:18:26.6.
    expect(found?.summary.beginning.wholeUs).toBeCloseTo(19_300_000, -6);
  });

  test("has files of one name apart", async () => {
    const { wanted } = await captured(slowNetwork);
    const sameName = wanted.files.map((file) => ({ ...file, name: "trace.xel" }));
    const found = await analyseBeginning({ ...wanted, files: sameName }, 1);
    expect(found?.model.files.map(({ name }) => name).toSorted()).toEqual([
      "trace.xel",
      "trace.xel (2)",
      "trace.xel (3)",
      "trace.xel (4)",
    ]);
  });
});

/** Resolves when there is something to open. */
async function grown(start: (onGrown: () => void) => GrowingBeginning): Promise<GrowingBeginning> {
  const more = Promise.withResolvers<void>();
  const beginning = start(more.resolve);
  await more.promise;
  return beginning;
}

test("beginnings grow from 16 to 256 MB of a capture's files, and to an eighth of them at most", () => {
  const gigabytes = (count: number) => sharesOf(count * 2 ** 30);
  expect(gigabytes(8)).toEqual({ leastShare: 1 / 512, mostShare: 1 / 32 });
  expect(gigabytes(1)).toEqual({ leastShare: 1 / 64, mostShare: 1 / 8 });
  expect(gigabytes(1 / 16)).toEqual({ leastShare: 1 / 8, mostShare: 1 / 8 });
});

describe("the thread of a beginning", () => {
  test("answers about what was opened, without a verdict, until it is ended", async () => {
    const { files, whole } = await captured(slowNetwork);
    const thread = await grown((onGrown) => new BeginningThread({ files, topologies: [] }, onGrown));
    const { beginning } = await thread.open();
    expect(beginning).toEqual(thread.grown?.beginning);
    // An eighth of the time; the network is slow from 32.5 s on.
    expect(beginning?.edgeUs).toBeLessThan(whole.duration / 8);
    const [overview, scope] = await Promise.all([
      thread.ask({ ask: "overview", bins: 4, secondary: 0 }),
      thread.ask({ ask: "scope", from: 0, to: 1_000_000 }),
    ]);
    const { blocks } = Overview.parse(JSON.parse(new TextDecoder().decode(overview.bytes)));
    expect(blocks.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(beginning?.blocks ?? 0);
    expect(ScopeSummary.parse(JSON.parse(new TextDecoder().decode(scope.bytes))).verdict.sentence).toBe("");
    await expect(thread.ask({ ask: "sequence", row: 1e6 })).rejects.toThrow(ProblemError);
    await thread.end();
    expect(thread.grown).toBeNull();
    await expect(thread.ask({ ask: "markers" })).rejects.toThrow(ProblemError);
  });

  test("begins with an analysis of many bytes, of four times as many where they were read on receipt", async () => {
    const { files } = await captured(base);
    const begun = async (analyser: ReturnType<typeof workerAnalyser>): Promise<boolean> => {
      let hasBegun = false;
      const onBeginning = (): void => void (hasBegun = true);
      await analyser.analyse({ files, topologies: [] }, { onProgress: () => {}, onBeginning }).done;
      return hasBegun;
    };
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    expect(await begun(workerAnalyser(undefined, 1, undefined, bytes))).toBe(true);
    expect(await begun(workerAnalyser(undefined, 1, undefined, bytes + 1))).toBe(false);
    for (const [worth, isWorth] of [
      [bytes / 4, true],
      [bytes / 4 + 1, false],
    ] as const) {
      const knowing = workerAnalyser(undefined, 1, undefined, worth);
      for (const { path, name } of files)
        await knowing.recognise({ path, name, storedAt: path, prepares: true }, "c").done;
      expect(await begun(knowing)).toBe(isWorth);
    }
  });
});
