import { existsSync } from "node:fs";
import { join } from "node:path";
import request from "supertest";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TABLES_FORMAT, type Fleet, type LibraryPage } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { testService } from "../../../test/service.ts";
import { endAnalysis } from "../../store/capture-state.ts";
import type { TestService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";

const DAY_MS = 24 * 3600 * 1000;
const START = Date.parse("2026-11-22T08:00:00.000Z");

let clock: TestClock;
let service: TestService;
beforeEach(async () => {
  clock = new TestClock(START);
  service = await testService({}, stubAnalyzer(), { clock });
});
afterEach(() => service.end());

const p95 = { n: 9, p50: 2_000, p95: 5_000, p99: 6_000, max: 7_000 };
const FIGURES = {
  durationUs: 60e6,
  blocks: 10,
  commits: 9,
  episodes: 0,
  lanes: [{ stage: "commit", replica: "", isAsynchronous: false, ...p95 } as const],
  paths: [],
};

async function* abc(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode("abc");
}

/** An analyzed capture of the third of November. @param hasFigures false for one of an earlier version */
async function analysed(name: string, hasFigures = true): Promise<string> {
  const { id } = await service.captures.create(name);
  await service.captures.files.receive(id, "a.xel", abc());
  await service.captures.records.change(id, (record) => ({
    ...endAnalysis(record, {
      verdict: "Commits finish in 5.00 ms (p95).",
      severity: null,
      place: null,
      stored: { format: TABLES_FORMAT, files: {} },
      digest: { durationUs: 60e6, p95Us: 5_000, glyph: "", ...(hasFigures ? { fleet: FIGURES } : {}) },
    }),
    files: record.files.map((file) => ({
      ...file,
      from: "2026-11-03T02:00:00.0000000Z",
      groupNames: ["SALES-AG"],
    })),
  }));
  return id;
}

/** Expires a capture, and empties the trash after its days there. */
async function expired(id: string): Promise<void> {
  const over = new Date(clock.now() - 1).toISOString();
  await service.captures.records.change(id, (record) => ({ ...record, expires: over }));
  await service.captures.expire();
  await emptyTrash();
}

/** Empties the trash as if the days of its captures there had ended. */
const emptyTrash = () => service.captures.trash.emptyOld(new Date(clock.now() + 7 * DAY_MS).toISOString());

const get = (path: string) => request(service.app).get(`/api/v1${path}`);
const shown = async () => {
  const { a } = (await get("/fleet").expect(200)).body as Fleet;
  return a?.columns.map(({ name, isThere }) => [name, isThere]) ?? [];
};

test("figures that outlive a capture are found by its tags", async () => {
  const id = await analysed("Night");
  await service.captures.tag(id, "nightly", true);
  await expired(id);
  const columns = async (tag: string) =>
    ((await get(`/fleet?tag=${tag}`).expect(200)).body as Fleet).a?.columns;
  expect(await columns("nightly")).toMatchObject([{ name: "Night", isThere: false }]);
  expect(await columns("drill")).toEqual([]);
});

test("of whom it was, with whom it was shared and its tags stay with the figures", async () => {
  const id = await analysed("Night");
  const whose = { owner: { id: "ann", name: "Ann" }, shared: true, tags: ["nightly"] };
  await service.captures.records.change(id, (record) => ({ ...record, ...whose }));
  await expired(id);
  expect(await service.captures.records.stored(id)).toMatchObject({ ...whose, files: [] });
});

test("figures outlive a capture whose time is over; nothing else of it does", async () => {
  const id = await analysed("Night");
  expect(await shown()).toEqual([["Night", true]]);
  const before = (await get("/fleet")).body as Fleet;
  await expired(id);
  expect(await shown()).toEqual([["Night", false]]);
  const after = (await get("/fleet")).body as Fleet;
  expect(after.a?.group).toBe("SALES-AG");
  expect(after.a?.lanes).toEqual(before.a?.lanes);
  expect(existsSync(join(service.config.dataDirectory, "captures", id))).toBe(false);
  const { views, storage } = (await get("/library")).body as LibraryPage;
  expect([views.all, views.trash, storage.all?.bytes]).toEqual([0, 0, 0]);
  expect((await get("/trash")).body.captures).toEqual([]);
  expect((await get("/captures")).body).toMatchObject({ captures: [], total: 0 });
  expect((await get(`/captures/${id}`).expect(404)).body.detail).toContain("The fleet page has its figures.");
  await request(service.app).post(`/api/v1/captures/${id}/restore`).expect(404);
  await service.captures.recover();
  expect(await shown()).toEqual([["Night", false]]);
});

test("in the trash it is none that can be opened, and restored it is again", async () => {
  const id = await analysed("Night");
  await service.captures.records.change(id, (record) => ({
    ...record,
    expires: new Date(START - 1).toISOString(),
  }));
  await service.captures.expire();
  expect(await shown()).toEqual([["Night", false]]);
  expect((await get("/trash")).body.captures).toHaveLength(1);
  await service.captures.restore(id);
  expect(await shown()).toEqual([["Night", true]]);
  expect(await service.captures.records.stored(id)).toMatchObject({ life: { is: "listed" } });
});

test("what somebody deletes leaves no figures: in the trash, for good, or by emptying it", async () => {
  const ids = [await analysed("A"), await analysed("B"), await analysed("C")];
  for (const id of ids.slice(0, 2)) await service.captures.trash.put(id);
  expect(await shown()).toEqual([["C", true]]);
  await emptyTrash();
  expect(await shown()).toEqual([["C", true]]);
  // The capture expired, and a user then deleted it.
  const over = new Date(clock.now() - 1).toISOString();
  await service.captures.records.change(ids[2] ?? "", (record) => ({ ...record, expires: over }));
  await service.captures.expire();
  expect(await shown()).toEqual([["C", false]]);
  await request(service.app).delete("/api/v1/trash").expect(204);
  expect(await shown()).toEqual([]);
});

test("figures that are left are deleted by the capture's id, and two years after its first event", async () => {
  const [a, b] = [await analysed("A"), await analysed("B")];
  await expired(a);
  await request(service.app).delete(`/api/v1/captures/${a}?forGood=true`).expect(204);
  expect(await service.captures.records.stored(a)).toBeNull();
  await expired(b);
  const setBegun = (ageMs: number) =>
    service.captures.records.changeStored(b, (record) => ({
      ...record,
      life: {
        is: "ended",
        since: record.created,
        group: "SALES-AG",
        from: new Date(clock.now() - ageMs).toISOString(),
      },
    }));
  await setBegun(732 * DAY_MS);
  await service.captures.expire();
  expect(await shown()).toEqual([["B", false]]);
  await setBegun(732 * DAY_MS + 1);
  await service.captures.expire();
  expect(await shown()).toEqual([]);
});

test("a capture without figures leaves nothing", async () => {
  const id = await analysed("Night", false);
  await expired(id);
  expect(await service.captures.records.stored(id)).toBeNull();
});
