import { writeFile } from "node:fs/promises";
import pino from "pino";
import request from "supertest";
import { encodeWindow, LibraryPage } from "@aglens/contract";
import { decodeGlyph } from "@aglens/ag-model/minimap";
import { TestClock } from "@aglens/fixtures/clock";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { capture as stored } from "../../../test/catalog-contract.ts";
import { stubAnalyzer, STUB_RESULT } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { until } from "../../../test/until.ts";
import type { Blobs } from "../../store/blobs.ts";
import { isReady, withDigest } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import { NO_OTHERS } from "../../store/other-servers.ts";
import type { OtherServers } from "../../store/other-servers.ts";
import { openSqliteCatalog } from "../../store/sqlite-catalog.ts";
import { digestOf } from "../derived/digest.ts";
import { Library } from "./library.ts";
import { Records } from "../records/records.ts";
import { PREVIEW_FILE, SUMMARY_FILE } from "@aglens/engine/analysis";

const nothing = Number.NaN;

/** A record in the form of an earlier version. */
function withoutDigest(record: CaptureRecord): CaptureRecord {
  if (!isReady(record)) return record;
  const { digest: _, ...analysis } = record.analysis;
  return { ...record, analysis };
}

/** A record with a digest in the form of the first version. */
function withEarlierDigest(record: CaptureRecord): CaptureRecord {
  return withDigest(record, { durationUs: 1, p95Us: 1, glyph: "" });
}

/** Two bins of a minute: 10 ms in the network, then nothing. */
const PREVIEW = encodeWindow({
  detail: "bins",
  from: 0,
  to: 60e6,
  length: 2,
  count: Uint32Array.of(1, 0),
  slowest: Uint32Array.of(0, 0xffffffff),
  max: {
    "hop0.remoteHarden": Float64Array.of(10_000, nothing),
    "hop0.wireOut": Float64Array.of(9_000, nothing),
  },
  p50: {},
});
const latency = { n: 9, p50: 1, p95: 70_600, p99: 3, max: 4, mean: 2 };
const SUMMARY = new TextEncoder().encode(
  JSON.stringify({
    captureId: "",
    name: "",
    durationUs: 60e6,
    commits: { count: 9, latency, wakeUp: latency, gates: [] },
    phases: [],
  }),
);

let service: TestService;
let analyzer: StubAnalyzer;
let clock: TestClock;
beforeEach(async () => {
  analyzer = stubAnalyzer();
  clock = new TestClock();
  service = await testService({ quotaBytes: 100 }, analyzer, { clock });
});
afterEach(() => service.end());

async function capture(name: string): Promise<string> {
  const { body } = await request(service.app).post("/api/v1/captures").send({ name });
  await request(service.app)
    .post(`/api/v1/captures/${body.id}/files?name=a.xel`)
    .type("application/octet-stream")
    .send("abc")
    .expect(201);
  return body.id;
}
const library = async (query = ""): Promise<LibraryPage> =>
  LibraryPage.parse((await request(service.app).get(`/api/v1/library${query}`).expect(200)).body);

async function analysed(id: string, files: Record<string, Uint8Array>): Promise<void> {
  await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
  analyzer.analyses.at(-1)?.finish({ files });
  await until(async () => (await service.captures.get(id)).state === "ready");
}

test("an analyzed capture has its p95, its length and its minimap in the list", async () => {
  const id = await capture("Night");
  await analysed(id, { [SUMMARY_FILE]: SUMMARY, [PREVIEW_FILE]: PREVIEW });
  const { captures, storage } = await library();
  expect(captures).toMatchObject([
    { id, name: "Night", wait: "network", p95Us: 70_600, durationUs: 60e6, bytes: 3, mayChange: true },
  ]);
  const glyph = decodeGlyph(captures[0]?.glyph ?? "");
  // Half of the time, at half of the height: 10 ms is in the middle of 0.1 ms and 1 s.
  expect(glyph?.place.slice(58, 62)).toEqual(["network", "network", "none", "none"]);
  expect([...(glyph?.level.slice(58, 62) ?? [])]).toEqual([18, 18, 0, 0]);
  expect(storage).toEqual({ all: { bytes: 3, trash: 0, limit: 100 }, own: null });
});

test("the list follows what happens to a capture: under way, waiting, failed, renamed, deleted, restored", async () => {
  const id = await capture("Night");
  expect((await library()).captures).toMatchObject([{ wait: "unanalysed", glyph: null, p95Us: null }]);
  await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
  const [analysis] = analyzer.analyses;
  analysis?.report({ phase: "decode", bytesDone: 1, bytesTotal: 4, events: 0, blocks: 0, files: [] });
  expect((await library()).captures[0]).toMatchObject({
    wait: "analysing",
    progress: { phase: "decode", share: 0.25, place: null },
  });
  analysis?.wait({ place: 2, reason: "1 runs and 1 wait before it." });
  expect((await library()).captures[0]?.progress).toMatchObject({ phase: "waiting", place: 2 });
  analysis?.fail(new Error("broken"));
  await until(async () => (await service.captures.get(id)).state === "failed");
  expect((await library()).captures[0]).toMatchObject({
    wait: "unanalysed",
    problem: expect.stringContaining("unexpected error"),
  });
  await request(service.app).patch(`/api/v1/captures/${id}`).send({ name: "Friday" });
  expect((await library("?q=friday")).total).toBe(1);
  expect((await library("?q=night")).total).toBe(0);
  await request(service.app).delete(`/api/v1/captures/${id}`);
  expect((await library()).total).toBe(0);
  const { captures, storage } = await library("?view=trash");
  expect(captures[0]?.trashed?.restorableUntil).toBe(new Date(clock.now() + 7 * 86_400_000).toISOString());
  expect(storage.all).toMatchObject({ bytes: 3, trash: 3 });
  await request(service.app).post(`/api/v1/captures/${id}/restore`);
  expect((await library()).total).toBe(1);
  await request(service.app).delete(`/api/v1/captures/${id}?forGood=true`);
  expect((await library("?view=trash")).total).toBe(0);
});

test.each([
  ["has none", withoutDigest, null],
  ["has those of an earlier version", withEarlierDigest, 1],
])("a capture that %s gets its figures after the start", async (_, asBefore, p95Us) => {
  const id = await capture("Night");
  await analysed(id, { [SUMMARY_FILE]: SUMMARY, [PREVIEW_FILE]: PREVIEW });
  const { analysis } = await service.captures.records.get(id);
  await service.captures.records.change(id, asBefore);
  expect((await library()).captures[0]?.p95Us).toBe(p95Us);
  service.captures.library.fillIn();
  await until(async () => (await library()).captures[0]?.p95Us === 70_600);
  expect((await service.captures.records.get(id)).analysis).toEqual(analysis);
});

test("a start replaces names that an earlier version made, and keeps names that a user gave", async () => {
  const old = "SQL1, SQL2 - Sales - 02:16 to 02:18, 6 May 2016";
  const [unnamed, named] = [await capture("Night"), await capture("Night")];
  const { records, library } = service.captures;
  await records.change(unnamed, (record) => ({ ...record, name: old, isUnnamed: true }));
  await records.change(named, (record) => ({ ...record, name: old, isUnnamed: false }));
  library.fillIn();
  await until(async () => (await records.get(unnamed)).name !== old);
  // The stub has no time for the file.
  expect((await records.get(unnamed)).name).toBe("1 replica · 1 Jan 1601, 00:00 UTC");
  await library.close();
  expect((await records.get(named)).name).toBe(old);
});

test("files that cannot be read leave the list as it is, and are not read again at each start", async () => {
  const id = await capture("Night");
  await analysed(id, STUB_RESULT.files);
  expect(await service.captures.records.get(id)).toMatchObject({ analysis: { digest: null } });
  await service.captures.records.change(id, withoutDigest);
  await writeFile(service.captures.files.pathOf(id, SUMMARY_FILE), "{");
  service.captures.library.fillIn();
  await until(async () => {
    const record = await service.captures.records.get(id);
    return isReady(record) && record.analysis.digest === null;
  });
  expect((await library()).captures).toMatchObject([{ id, state: "ready", glyph: null }]);
});

test("what is no summary, or no picture, has no digest", () => {
  expect(digestOf(SUMMARY, Uint8Array.of(1, 2))).toBeNull();
  expect(digestOf(new TextEncoder().encode("{}"), PREVIEW)).toBeNull();
  expect(digestOf(SUMMARY, PREVIEW)).toMatchObject({ p95Us: 70_600 });
});

test("a line has what its reader may do", async () => {
  await capture("Night");
  const mayChange = async (may: boolean) => {
    const reader = { browser: null, personId: "x", isAdmin: false, maySee: () => true, mayChange: () => may };
    return (await service.captures.library.lines(reader)).map((line) => line.mayChange);
  };
  expect([await mayChange(true), await mayChange(false)]).toEqual([[true], [false]]);
});

test("parameters that are none of the list's are refused", async () => {
  await request(service.app).get("/api/v1/library?sort=colour").expect(400);
  await request(service.app).get("/api/v1/library?limit=1000").expect(400);
  expect((await library("?group=A&group=B")).facets.group.map(({ value }) => value)).toEqual(["A", "B"]);
});

test("a capture is kept for good and back for its days, by its own switch", async () => {
  const id = await capture("Night");
  await request(service.app).patch(`/api/v1/captures/${id}`).send({ kept: true }).expect(200);
  expect((await library()).captures[0]?.expires).toBeNull();
  clock.move(1_000);
  await request(service.app).patch(`/api/v1/captures/${id}`).send({ kept: false }).expect(200);
  expect((await library()).captures[0]?.expires).toBe(new Date(clock.now() + 30 * 86_400_000).toISOString());
  // It stays as long as a link to it.
  await request(service.app)
    .post("/api/v1/links")
    .send({ captureId: id, path: "/", view: "", title: "x", expiresInDays: null })
    .expect(201);
  await request(service.app).patch(`/api/v1/captures/${id}`).send({ kept: false }).expect(200);
  expect((await library()).captures[0]?.expires).toBeNull();
});

test("the group has the name of the topology file, where that has one", async () => {
  const id = await capture("Night");
  analyzer.recognised.set("ag.xml", { kind: "topology", groupNames: ["SALES-AG"] });
  const add = (name: string) =>
    request(service.app)
      .post(`/api/v1/captures/${id}/files?name=${name}`)
      .type("application/octet-stream")
      .send("abc")
      .expect(201);
  await add("ag.xml");
  expect((await library()).captures[0]).toMatchObject({ group: "SALES-AG", groupName: "SALES-AG" });
  analyzer.recognised.set("other.xml", { kind: "topology", groupNames: ["CRM-AG"] });
  await add("other.xml");
  const { captures, facets } = await library();
  expect(captures[0]?.group).not.toMatch(/AG/u);
  // The form of a capture's name, and never the id of a database.
  expect(captures[0]?.groupName).toBe("1 replica");
  expect(facets.group).toEqual([{ value: "1 replica", name: "1 replica", count: 1 }]);
});

/** A library on a catalog that other servers use too. */
function withOthers(others: OtherServers) {
  const catalogue = openSqliteCatalog(":memory:");
  onTestFinished(() => catalogue.close());
  const { analyses } = service.captures;
  const log = pino({ level: "silent" });
  const records = new Records(catalogue, others);
  const parts = { records, analyses, blobs: {} as Blobs, clock, limits: service.config, log };
  return { catalogue, library: new Library(parts) };
}

test("what another server stored is in the list though its news are still on their way", async () => {
  let hear = (): void => {};
  const { catalogue, library } = withOthers({
    ...NO_OTHERS,
    onChanged: (listener) => (hear = () => listener("a", false)),
    heard: () => Promise.resolve(hear()),
  });
  const names = async () => {
    const reader = {
      browser: null,
      personId: null,
      isAdmin: true,
      maySee: () => true,
      mayChange: () => true,
    };
    return (await library.lines(reader)).map(({ name }) => name);
  };
  const { files } = await service.captures.get(await capture("Night"));
  await catalogue.addCapture({ ...stored("a"), files });
  expect(await names()).toEqual(["a"]);
  await catalogue.changeCapture("a", (record) => ({ ...record, name: "New" }));
  expect(await names()).toEqual(["New"]);
});

test("digests that cannot be made while the catalogue is away are left to the next start, and the process lives on", async () => {
  const away = { ...NO_OTHERS, heard: () => Promise.reject(new Error("The catalogue cannot be reached.")) };
  const { library } = withOthers(away);
  library.fillIn();
  await expect(library.close()).resolves.toBeUndefined();
});
