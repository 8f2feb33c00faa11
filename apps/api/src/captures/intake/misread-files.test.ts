/** A start and captures whose files an earlier version misread: two captures with two files each. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import type { Capture } from "@aglens/contract";
import { afterEach, beforeEach, expect, test } from "vitest";
import { elementAt } from "../../../test/element-at.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import { until } from "../../../test/until.ts";
import type { ReceivedFile } from "../reading/received-file.ts";

const PRIMARY = "f785791b-35d5-47fd-9483-e9ed99b83c8f";
const SECONDARY = "2531f4e5-4435-4f57-9dbc-e4f8bb88b5e7";
const NAMES = ["sql1.xel", "sql2.xel"];

/** Descriptors of a real file, which the earlier version read as ids. */
const MISREAD: readonly Partial<ReceivedFile>[] = [
  {
    replicaId: "0000001e-0010-0000-2e00-000010000000",
    partnerIds: ["00000028-0010-0000-0097-b9fb51000000", "00000028-0010-0000-00a0-6bfc51000000"],
  },
  {
    replicaId: "00000044-0010-0000-5400-000010000000",
    partnerIds: ["00000028-0010-0000-001d-7edc62000000"],
    detectedRole: "secondary",
  },
];
const RIGHT: readonly Partial<ReceivedFile>[] = [
  { replicaId: PRIMARY, partnerIds: [SECONDARY] },
  { replicaId: SECONDARY, partnerIds: [PRIMARY], detectedRole: "secondary" },
];
const DROPPED = { values: 0, bytes: 167_300 };

let dataDirectory: string;
let service: TestService;
let analyzer: StubAnalyzer;

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "aglens-misread-"));
  await open(MISREAD);
});
afterEach(async () => {
  await service.close();
  await rm(dataDirectory, { recursive: true });
});

async function open(found: readonly Partial<ReceivedFile>[]): Promise<void> {
  analyzer = stubAnalyzer();
  for (const [index, name] of NAMES.entries()) analyzer.recognised.set(name, elementAt(found, index));
  service = await testService({ dataDirectory }, analyzer);
}

/** The next version starts, which reads files right. */
async function upgrade(): Promise<void> {
  await service.close();
  await open(RIGHT);
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** A capture of both files. @param dropped counts of values removed from each */
async function captureOf(name: string, dropped?: typeof DROPPED): Promise<string> {
  const { id } = await service.captures.create(name);
  for (const [index, file] of NAMES.entries()) {
    analyzer.recognised.set(file, { ...elementAt(MISREAD, index), ...(dropped && { dropped }) });
    const keepSensitive = dropped === undefined;
    await service.captures.files.receive(id, file, bytesOf(`${name} ${file}`), { keepSensitive });
  }
  await service.captures.records.change(id, (record) => ({ ...record, isOne: true }));
  return id;
}

async function analysed(id: string): Promise<void> {
  await service.captures.analyses.start(id);
  elementAt(analyzer.analyses, analyzer.analyses.length - 1).finish();
  await until(async () => (await get(id)).state === "ready");
}

const get = (id: string): Promise<Capture> => service.captures.get(id);

test("captures whose ids were overwritten have failed with the reason, everywhere, and no file of them is read", async () => {
  const ids = [await captureOf("North", DROPPED), await captureOf("South", DROPPED)];
  await analysed(elementAt(ids, 0));
  const read: string[] = [];
  await service.close();
  await open(RIGHT);
  const { recognise } = analyzer;
  analyzer.recognise = (file, ...rest) => {
    read.push(file.name);
    return recognise(file, ...rest);
  };
  const sentence =
    "An earlier version of AG Lens overwrote replica and database ids in these files. Upload the files again.";
  for (const id of ids) {
    expect(await get(id)).toMatchObject({
      state: "failed",
      verdict: null,
      severity: null,
      problem: { code: "files-overwritten", detail: sentence },
      groups: [],
      files: NAMES.map((name) => ({
        name,
        kind: "unreadable",
        message: expect.stringContaining(`${name}: An earlier version of AG Lens overwrote`),
        identity: null,
        partnerIds: [],
      })),
    });
  }
  const { body } = await request(service.app).get("/api/v1/library?view=all").expect(200);
  expect(body.captures.map(({ problem }: { problem: string }) => problem)).toEqual([sentence, sentence]);
  // Answers, the picture and a start of the analysis refuse with a sentence.
  const [first = ""] = ids;
  const summary = await request(service.app).get(`/api/v1/captures/${first}/summary`);
  expect([summary.status, summary.body.code]).toEqual([409, "wrong-state"]);
  const started = await request(service.app).post(`/api/v1/captures/${first}/analysis`).send({});
  expect([started.status, started.body.code]).toEqual([422, "nothing-to-analyse"]);
  expect([read, analyzer.analyses]).toEqual([[], []]);
  // The files stay on the disk, and the next start finds nothing more to do.
  await upgrade();
  expect(await get(first)).toMatchObject({ state: "failed", problem: { detail: sentence } });
});

test("captures whose files kept everything are read and analyzed again, one after the other", async () => {
  const ids = [await captureOf("North"), await captureOf("South")];
  for (const id of ids) await analysed(id);
  const before = await get(elementAt(ids, 0));
  expect(before.files[0]).toMatchObject(elementAt(MISREAD, 0));
  await upgrade();
  expect((await Promise.all(ids.map(get))).map(({ state }) => state)).toEqual(["analysing", "analysing"]);
  await until(() => analyzer.analyses.length === 1);
  elementAt(analyzer.analyses, 0).finish();
  await until(() => analyzer.analyses.length === 2);
  elementAt(analyzer.analyses, 1).finish();
  for (const id of ids) {
    await until(async () => (await get(id)).state === "ready");
    const { files, problem } = await get(id);
    expect([files[0], files[1]]).toMatchObject(RIGHT);
    expect([files.map(({ dropped }) => dropped), problem]).toEqual([[null, null], null]);
  }
  // The stored file keeps its bytes and its checksums.
  const after = await get(before.id);
  for (const [index, file] of after.files.entries()) {
    const { sha256, keptSha256, size, id } = elementAt(before.files, index);
    expect(file).toMatchObject({ sha256, keptSha256, size, id });
    expect(await readFile(service.captures.files.pathOf(after.id, id), "utf8")).toBe(`North ${file.name}`);
  }
  await upgrade();
  expect((await get(before.id)).state).toBe("ready");
  expect(analyzer.analyses).toEqual([]);
});

test("captures that were not analyzed are read again and stay so; one that had failed can be started", async () => {
  const [received, failed] = [await captureOf("North"), await captureOf("South")];
  await service.captures.analyses.start(failed);
  elementAt(analyzer.analyses, 0).fail(new Error("1,313 secondaries"));
  await until(async () => (await get(failed)).state === "failed");
  await upgrade();
  for (const id of [received, failed]) {
    await until(async () => (await get(id)).files[1]?.replicaId === SECONDARY);
    expect(await get(id)).toMatchObject({ state: "receiving", problem: null });
    expect((await get(id)).files).toMatchObject(RIGHT);
  }
  await service.captures.analyses.start(failed);
  expect(elementAt(analyzer.analyses, 0).request.files).toMatchObject(NAMES.map((name) => ({ name })));
});

test("an analysis that is started at once begins with what the files are", async () => {
  const id = await captureOf("North");
  await service.close();
  analyzer = stubAnalyzer();
  for (const [index, name] of NAMES.entries()) analyzer.recognised.set(name, elementAt(RIGHT, index));
  service = await testService({ dataDirectory }, analyzer);
  await until(async () => {
    try {
      await service.captures.analyses.start(id);
      return true;
    } catch {
      // The start of the service may be at its files.
      return false;
    }
  });
  expect(elementAt(analyzer.analyses, 0).request.files).toMatchObject(RIGHT);
});

test("a file that can't be read again takes no part, and says so", async () => {
  const id = await captureOf("North");
  await service.close();
  await open([elementAt(RIGHT, 0), elementAt(RIGHT, 1)]);
  await until(async () => (await get(id)).files[1]?.replicaId === SECONDARY);
  // The same with a decoder that stops.
  await service.captures.records.change(id, (record) => ({
    ...record,
    files: record.files.map((file, index) => ({ ...file, ...elementAt(MISREAD, index) })),
  }));
  analyzer.recognised.set("sql2.xel", new Error("out of memory"));
  await service.captures.analyses.start(id);
  const { files } = await get(id);
  expect(files[0]).toMatchObject(elementAt(RIGHT, 0));
  expect(files[1]).toMatchObject({
    kind: "unreadable",
    message: expect.stringContaining("Upload it again."),
  });
});

test("a capture that came without its files says that its files were misread", async () => {
  const [alone, other] = [await captureOf("North"), await captureOf("South")];
  await analysed(alone);
  await service.captures.records.change(alone, (record) => ({
    ...record,
    files: record.files.map((file) => ({ ...file, isMissing: true })),
  }));
  await upgrade();
  expect(await get(alone)).toMatchObject({
    state: "failed",
    problem: { code: "files-misread" },
    verdict: null,
  });
  expect(analyzer.analyses).toEqual([]);
  expect((await get(other)).state).toBe("receiving");
  await upgrade();
  expect(await get(alone)).toMatchObject({ state: "failed", problem: { code: "files-misread" } });
});

test("a capture that is restored from the trash is put right too", async () => {
  const [kept, overwritten] = [await captureOf("North"), await captureOf("South", DROPPED)];
  await analysed(kept);
  for (const id of [kept, overwritten]) await service.captures.trash.put(id);
  await upgrade();
  expect((await service.captures.restore(overwritten)).problem?.code).toBe("files-overwritten");
  expect((await service.captures.restore(kept)).state).toBe("analysing");
  await until(() => analyzer.analyses.length === 1);
  expect(elementAt(analyzer.analyses, 0).request.files).toMatchObject(RIGHT);
});
