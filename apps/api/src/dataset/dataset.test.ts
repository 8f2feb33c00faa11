import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { zstdDecompressSync } from "node:zlib";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import pino from "pino";
import request from "supertest";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { encodeModel, MODEL_FILES } from "@aglens/contract";
import { diagnose } from "@aglens/ag-model/diagnosis";
import { stageStatistics } from "@aglens/ag-model/columns";
import { summarise } from "@aglens/ag-model/query";
import type { CaptureModel } from "@aglens/ag-model/replication";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { analyse } from "@aglens/fixtures/analyse-for-tests";
import { slowNetwork } from "@aglens/fixtures/scenarios";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer, STUB_RESULT } from "../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../test/stub-analyzer.ts";
import type { Records } from "../captures/records/records.ts";
import { systemClock } from "../kernel/clock.ts";
import type { CaptureRecord } from "../store/catalog.ts";
import { Dataset } from "./dataset.ts";
import type { DatasetStore } from "./dataset-folder.ts";
import { NO_OTHERS } from "../store/other-servers.ts";
import { checkDirectory } from "../maintenance/check.ts";
import { until } from "../../test/until.ts";

const TABLES = [
  "blocks",
  "clocks",
  "commits",
  "evidence_events",
  "evidence_samples",
  "findings",
  "histograms",
  "hops",
  "stages",
];

let model: CaptureModel;
let analysed: Record<string, Uint8Array>;
beforeAll(async () => {
  ({ model } = await analyse({ ...slowNetwork, maxEvents: 3_000 }));
  const summary = summarise(model, "", "", diagnose(model));
  analysed = { ...encodeModel(model), [SUMMARY_FILE]: new TextEncoder().encode(JSON.stringify(summary)) };
});

let data: string;
let service: TestService;
let analyzer: StubAnalyzer;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "aglens-dataset-"));
  await open();
});
afterEach(async () => {
  await service.close();
  await rm(data, { recursive: true });
});

async function open(keepsTables = true): Promise<void> {
  analyzer = stubAnalyzer();
  analyzer.recognised.set("group.xml", { kind: "topology", groupNames: ["ORDERS/AG"] });
  service = await testService({ dataDirectory: data, keepsTables }, analyzer);
}

async function openAgain(keepsTables?: boolean): Promise<void> {
  await service.close();
  await open(keepsTables);
}

async function* abc(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode("abc");
}

/** A capture of the group ORDERS/AG that was analyzed. */
async function withAnalysis(): Promise<string> {
  const { id } = await service.captures.create("Night");
  await service.captures.files.receive(id, "a.xel", abc());
  await service.captures.files.receive(id, "group.xml", abc());
  await analyseAgain(id);
  return id;
}

async function analyseAgain(
  id: string,
  files: Readonly<Record<string, Uint8Array>> = analysed,
): Promise<void> {
  await service.captures.analyses.start(id);
  analyzer.analyses.at(-1)?.finish({ files: { ...STUB_RESULT.files, ...files } });
  await until(async () => (await service.captures.get(id)).state === "ready");
}

const folderOf = (id: string): string => join(data, "dataset", "group=ORDERS%2FAG", `capture=${id}`);
const groups = (): Promise<string[]> => readdir(join(data, "dataset")).catch(() => []);
const tableOf = async (id: string, name: string) =>
  new Uint8Array(await readFile(join(folderOf(id), `${name}.parquet`))).buffer;
const rowsOf = async (id: string, name: string) =>
  parquetReadObjects({
    file: await tableOf(id, name),
    compressors: { ZSTD: (bytes) => zstdDecompressSync(bytes) },
  });

describe("the tables of an analyzed capture", () => {
  test("lie in its group's folder, with the capture's figures", async () => {
    const id = await withAnalysis();
    expect(await service.dataset.whenWritten(id)).toBe(true);
    expect((await readdir(folderOf(id))).toSorted()).toEqual([
      "_tables.json",
      ...TABLES.map((name) => `${name}.parquet`),
    ]);
    expect(service.dataset.files([id, "nobody"], "hops")).toEqual([
      `group=ORDERS%2FAG/capture=${id}/hops.parquet`,
    ]);
    const hops = await rowsOf(id, "hops");
    const writes = hops.map(({ log_write_us: us }) => us as number | null).filter((us) => us !== null);
    const { n, max } = stageStatistics(model, 0, "secondaryFlush");
    expect([writes.length, Math.max(...writes)]).toEqual([n, max]);
    expect(await rowsOf(id, "blocks")).toHaveLength(model.blocks.length);
    const [first] = await rowsOf(id, "findings");
    expect(first?.["sentence"]).toBe(diagnose(model).findings[0]?.sentence);
  });

  test("say of which capture and group they are", async () => {
    const id = await withAnalysis();
    await service.dataset.whenWritten(id);
    const { key_value_metadata: words = [] } = parquetMetadata(await tableOf(id, "clocks"));
    expect(Object.fromEntries(words.map(({ key, value }) => [key, value]))).toMatchObject({
      format: "aglens-tables-2",
      capture_id: id,
      group: "ORDERS/AG",
    });
  });

  test("come by themselves, are gone while it is in the trash, and come back with it", async () => {
    const id = await withAnalysis();
    await until(() => service.dataset.bytesOf(id) > 0);
    await service.captures.trash.put(id);
    await until(async () => (await groups()).length === 0);
    expect(service.dataset.bytesOf(id)).toBe(0);
    await service.captures.restore(id);
    expect(await service.dataset.whenWritten(id)).toBe(true);
    await service.captures.trash.deleteForGood(id);
    await until(async () => (await groups()).length === 0);
  });

  test("are those of its last analysis", async () => {
    const id = await withAnalysis();
    await service.dataset.whenWritten(id);
    const { model: other } = await analyse({ ...slowNetwork, maxEvents: 1_000 });
    await analyseAgain(id, { ...analysed, ...encodeModel(other) });
    expect(await service.dataset.whenWritten(id)).toBe(true);
    expect(await rowsOf(id, "blocks")).toHaveLength(other.blocks.length);
  });

  test("are not there for one that is not analyzed; one whose analysis is damaged is analyzed again", async () => {
    const { id } = await service.captures.create("Empty");
    expect(await service.dataset.whenWritten(id)).toBe(false);
    const damaged = await withAnalysis();
    await service.dataset.whenWritten(damaged);
    await service.captures.trash.put(damaged);
    await truncate(join(data, "captures", damaged, "blocks.arrow"), 100);
    await service.captures.restore(damaged);
    expect(await service.dataset.whenWritten(damaged)).toBe(false);
    expect(service.dataset.files([damaged], "hops")).toEqual([]);
    await until(() => analyzer.analyses.length === 2);
    analyzer.analyses[1]?.finish({ files: { ...STUB_RESULT.files, ...analysed } });
    await until(() => service.dataset.bytesOf(damaged) > 0);
  });
});

test("a table is downloaded as it lies there, by its capture's address", async () => {
  const id = await withAnalysis();
  const get = (path: string) => request(service.app).get(`/api/v1/captures/${path}`);
  const answer = await get(`${id}/tables/hops.parquet`).responseType("blob").expect(200);
  expect(answer.headers["content-type"]).toBe("application/vnd.apache.parquet");
  expect(answer.headers["content-disposition"]).toBe("attachment; filename=hops.parquet");
  expect(Buffer.compare(answer.body as Buffer, await readFile(join(folderOf(id), "hops.parquet")))).toBe(0);
  expect((await get(`${id}/tables/events.parquet`).expect(404)).body.code).toBe("table-not-found");
  expect((await get("nobody/tables/hops.parquet").expect(404)).body.code).toBe("capture-not-found");
  const { id: empty } = await service.captures.create("Empty");
  expect((await get(`${empty}/tables/hops.parquet`).expect(404)).body.detail).toContain("not analyzed");
});

describe("a start", () => {
  test("leaves what is whole, writes what is not, and removes what is of no capture", async () => {
    const [whole, cut] = [await withAnalysis(), await withAnalysis()];
    await Promise.all([whole, cut].map((id) => service.dataset.whenWritten(id)));
    const written = (await stat(join(folderOf(whole), "hops.parquet"))).mtimeMs;
    await truncate(join(folderOf(cut), "hops.parquet"), 10);
    const nobodys = join(data, "dataset", "group=X", "capture=nobody");
    await mkdir(nobodys, { recursive: true });
    await writeFile(join(nobodys, "hops.parquet"), "PAR1");
    await openAgain();
    await until(() => service.dataset.waiting === 0 && service.dataset.bytesOf(cut) > 0);
    expect((await stat(join(folderOf(whole), "hops.parquet"))).mtimeMs).toBe(written);
    expect((await rowsOf(cut, "hops")).length).toBeGreaterThan(0);
    expect(await groups()).toEqual(["group=ORDERS%2FAG"]);
  });

  test("writes those of earlier captures once nothing is analyzed", async () => {
    await openAgain(false);
    const id = await withAnalysis();
    await service.close();
    analyzer = stubAnalyzer();
    analyzer.load = { ...analyzer.load, analysing: 1 };
    service = await testService({ dataDirectory: data, keepsTables: true }, analyzer);
    await new Promise((done) => setTimeout(done, 50));
    expect(service.dataset.files([id], "hops")).toEqual([]);
    // A request for the tables does not wait for that.
    expect(await service.dataset.whenWritten(id)).toBe(true);
  });

  test("leaves a table out that captures of before do not have, until theirs are written again", async () => {
    const id = await withAnalysis();
    await service.dataset.whenWritten(id);
    await service.close();
    await rm(join(folderOf(id), "stages.parquet"));
    const path = join(folderOf(id), "_tables.json");
    const mark = JSON.parse(await readFile(path, "utf8"));
    const { "stages.parquet": _, ...files } = mark.files;
    // The mark of an earlier version.
    const { capture, group } = mark;
    await writeFile(path, JSON.stringify({ format: 1, capture, group, analysis: "a b c d e", files }));
    analyzer = stubAnalyzer();
    analyzer.load = { ...analyzer.load, analysing: 1 };
    service = await testService({ dataDirectory: data, keepsTables: true }, analyzer);
    expect(service.dataset.files([id], "hops")).toHaveLength(1);
    expect(service.dataset.files([id], "stages")).toEqual([]);
    expect(await service.dataset.whenWritten(id)).toBe(true);
    expect(service.dataset.files([id], "stages")).toHaveLength(1);
    expect((await rowsOf(id, "stages")).length).toBeGreaterThan(0);
  });

  test("removes them where they are turned off", async () => {
    const id = await withAnalysis();
    await service.dataset.whenWritten(id);
    await openAgain(false);
    await until(async () => (await groups()).length === 0);
    expect(service.dataset.files([id], "hops")).toEqual([]);
  });
});

test("tables that were lost while the server runs are written again once somebody could not read them", async () => {
  const [whole, lost] = [await withAnalysis(), await withAnalysis()];
  for (const id of [whole, lost]) await service.dataset.whenWritten(id);
  await rm(join(folderOf(lost), "hops.parquet"));
  const query = (sql: string) => request(service.app).post("/api/v1/sql").send({ sql });
  const count = "SELECT count(DISTINCT capture) AS n FROM hops";
  expect((await query(count).expect(422)).body.code).toBe("sql-failed");
  await until(() => service.dataset.bytesOf(lost) > 0 && service.dataset.waiting === 0);
  expect((await query(count).expect(200)).body.columns[0].values).toEqual([2]);
});

describe("tables that change while others are looked at", () => {
  const checksum = (sha256: string) => ({ bytes: 1, sha256 });
  const recordOf = (sha256: string) =>
    ({
      id: "a",
      life: { is: "listed" },
      analysis: {
        is: "ready",
        verdict: null,
        severity: null,
        place: null,
        stored: { format: 1, files: Object.fromEntries(MODEL_FILES.map((name) => [name, checksum(sha256)])) },
      },
      files: [],
    }) as Partial<CaptureRecord> as CaptureRecord;

  /** A data set with a stubbed catalog, writer and folder. */
  function stubbed(parts: { readonly write?: () => void; readonly isComplete?: () => Promise<boolean> }) {
    const state = { record: recordOf("first"), writes: 0, kept: 0 };
    const records = {
      others: NO_OTHERS,
      stored: () => Promise.resolve(state.record),
      changeStored: () => Promise.resolve(state.record),
    } as Partial<Records> as Records;
    const store: DatasetStore = {
      found: () => Promise.resolve(null),
      readAll: () => Promise.resolve([]),
      isComplete: parts.isComplete ?? (() => Promise.resolve(true)),
      path: (_, name) => name,
      aside: () => join(data, "aside-of-test"),
      keep: () => {
        state.kept++;
        return Promise.resolve();
      },
      remove: () => Promise.resolve(),
      removeAll: () => Promise.resolve(),
    };
    const dataset = new Dataset({
      isOn: true,
      store,
      records,
      blobs: {
        path: (id, key) => join(id, key),
        fetch: () => Promise.resolve({ inRanges: {}, release: () => {} }),
        expectRoom: () => Promise.resolve(),
      },
      write: () => {
        state.writes++;
        parts.write?.();
        const files = { "hops.parquet": checksum("") };
        return {
          done: Promise.resolve({ files, failover: null, notShown: null }),
          cancel: () => Promise.resolve(),
        };
      },
      heal: () => Promise.resolve(),
      isQuiet: () => true,
      clock: systemClock,
      log: pino({ level: "silent" }),
    });
    return { dataset, state };
  }

  test("are not kept of an analysis that was replaced while they were written", async () => {
    const { dataset, state } = stubbed({
      write: () => {
        state.record = recordOf("second");
      },
    });
    expect(await dataset.whenWritten("a")).toBe(false);
    expect([state.kept, dataset.files(["a"], "hops")]).toEqual([0, []]);
    expect(await dataset.whenWritten("a")).toBe(true);
  });

  test("are not written once more where they were written again while they were found cut off", async () => {
    const { dataset, state } = stubbed({
      isComplete: async () => {
        state.record = recordOf("second");
        await dataset.whenWritten("a");
        return false;
      },
    });
    await dataset.whenWritten("a");
    await dataset.lookAgain();
    await nextTurn();
    expect(state.writes).toBe(2);
  });
});

test("a check finds tables that are damaged or of no capture", async () => {
  const id = await withAnalysis();
  await service.dataset.whenWritten(id);
  expect((await checkDirectory(data)).findings).toEqual([]);
  const path = join(folderOf(id), "clocks.parquet");
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(0, 4, 8));
  await mkdir(join(data, "dataset", "group=X", "capture=nobody"), { recursive: true });
  expect((await checkDirectory(data)).findings).toEqual([
    expect.stringMatching(/^dataset\/group=ORDERS%2FAG\/capture=.*\/clocks\.parquet has other content/u),
    "The tables in dataset/group=X/capture=nobody are not whole, or of no capture; the next start puts that right.",
  ]);
});
