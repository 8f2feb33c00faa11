import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { TestClock } from "@aglens/fixtures/clock";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import { until } from "../../../test/until.ts";
import { leave } from "../../store/capture-state.ts";
import type { Trash } from "./trash.ts";

const DAY_MS = 24 * 3600 * 1000;
const START = Date.parse("2026-11-22T08:00:00.000Z");
const KEPT_FREE = 1000;

let dataDirectory: string;
let clock: TestClock;
let free: () => number;
let service: TestService;
let analyzer: StubAnalyzer;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "aglens-trash-"));
  clock = new TestClock(START);
  free = () => 1e12;
  await open();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await service.close();
  await rm(dataDirectory, { recursive: true });
});

async function open(keepBytes: number | null = null): Promise<void> {
  analyzer = stubAnalyzer();
  const disk = () => ({ free: free(), total: 1e12 });
  service = await testService({ dataDirectory, keepFreeBytes: KEPT_FREE, keepBytes }, analyzer, {
    clock,
    disk,
  });
}

async function* abc(): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode("abc");
}

async function withFile(name: string): Promise<string> {
  const { id } = await service.captures.create(name);
  await service.captures.files.receive(id, "a.xel", abc());
  return id;
}

const folder = (id: string): string => join(dataDirectory, "captures", id);
const trash = async () => (await service.captures.trash.list()).map(({ name }) => name);
const get = (path: string) => request(service.app).get(`/api/v1${path}`);

test.each(["put", "deleteForGood"] as const)("during %s no analysis begins", async (way) => {
  const id = await withFile("Night");
  const { analyses, records, trash: bin } = service.captures;
  const change = records.changeStored.bind(records);
  // With a distant catalog it takes time until the mark is stored.
  vi.spyOn(records, "changeStored").mockImplementationOnce(async (...of) => {
    await expect(analyses.start(id)).rejects.toMatchObject({ problem: { code: "wrong-state" } });
    return change(...of);
  });
  await bin[way](id);
  expect(analyzer.analyses).toEqual([]);
  expect(existsSync(folder(id))).toBe(way === "put");
});

describe("a deleted capture", () => {
  test("cannot be opened, is listed in the trash, and comes back with its links", async () => {
    const id = await withFile("Night");
    const { body: link } = await request(service.app)
      .post("/api/v1/links")
      .send({ captureId: id, path: "/timeline", view: "v=1", title: "Night", expiresInDays: 30 })
      .expect(201);
    await request(service.app).delete(`/api/v1/captures/${id}`).expect(204);
    const { body } = await get(`/captures/${id}`).expect(404);
    expect(body.detail).toContain("in the trash until 2026-11-29T08:00:00.000Z");
    await get(`/links/${link.id}`).expect(404);
    expect((await get("/captures")).body).toMatchObject({ captures: [], total: 0 });
    expect((await get("/trash")).body.captures).toEqual([
      {
        id,
        name: "Night",
        created: "2026-11-22T08:00:00.000Z",
        deleted: "2026-11-22T08:00:00.000Z",
        restorableUntil: "2026-11-29T08:00:00.000Z",
        files: 1,
        bytes: 3,
      },
    ]);
    const { body: restored } = await request(service.app).post(`/api/v1/captures/${id}/restore`).expect(200);
    expect(restored).toMatchObject({ id, name: "Night", files: [{ name: "a.xel" }] });
    expect(restored).not.toHaveProperty("deleted");
    await get(`/links/${link.id}`).expect(200);
    expect(await trash()).toEqual([]);
    await request(service.app).post(`/api/v1/captures/${id}/restore`).expect(404);
  });

  test("comes back analyzed, or to be analyzed where its analysis was running", async () => {
    const [ready, running] = [await withFile("Ready"), await withFile("Running")];
    for (const id of [ready, running]) await service.captures.analyses.start(id);
    analyzer.analyses[0]?.finish();
    await until(async () => (await service.captures.get(ready)).state === "ready");
    for (const id of [ready, running]) await service.captures.trash.put(id);
    expect(analyzer.analyses[1]?.cancelled).toBe(true);
    expect(await service.captures.restore(ready)).toMatchObject({ state: "ready", severity: "slow" });
    expect(await service.captures.restore(running)).toMatchObject({ state: "receiving", verdict: null });
  });

  test("stays a week, to the millisecond, also over a restart", async () => {
    const id = await withFile("Night");
    await service.captures.trash.put(id);
    await service.close();
    await open();
    await clock.pass(7 * DAY_MS - 1, DAY_MS / 4);
    await service.captures.expire();
    expect(await trash()).toEqual(["Night"]);
    clock.move(1);
    await service.captures.expire();
    expect(await trash()).toEqual([]);
    expect(existsSync(folder(id))).toBe(false);
  });

  test("that two people delete at once stays a week from the first deletion", async () => {
    const id = await withFile("Night");
    const { records, trash: bin } = service.captures;
    const change = records.changeStored.bind(records);
    // Both have read the capture before the first one stored its mark; the second one continues a day later.
    vi.spyOn(records, "changeStored").mockImplementationOnce(async (...of) => {
      const changed = await change(...of);
      clock.move(DAY_MS);
      return changed;
    });
    await Promise.all([bin.put(id), bin.put(id)]);
    expect(await bin.list()).toMatchObject([{ deleted: "2026-11-22T08:00:00.000Z" }]);
  });

  test("whose time was over stays a week when it is restored", async () => {
    const id = await withFile("Old");
    const over = new Date(START - 1).toISOString();
    await service.captures.records.change(id, (record) => ({ ...record, expires: over }));
    await service.captures.expire();
    expect(await trash()).toEqual(["Old"]);
    expect((await service.captures.restore(id)).expires).toBe("2026-11-29T08:00:00.000Z");
  });

  test("is gone at once when it is deleted for good, and when the trash is emptied; others stay", async () => {
    const [a, b, c] = [await withFile("A"), await withFile("B"), await withFile("C")];
    await service.captures.trash.put(a);
    await request(service.app).delete(`/api/v1/captures/${a}?forGood=true`).expect(204);
    await service.captures.trash.put(b);
    expect(await trash()).toEqual(["B"]);
    await request(service.app).delete("/api/v1/trash").expect(204);
    expect(await trash()).toEqual([]);
    expect([a, b, c].map((id) => existsSync(folder(id)))).toEqual([false, false, true]);
    await request(service.app).delete(`/api/v1/captures/${a}?forGood=true`).expect(404);
  });

  test("whose files are gone is not offered: the process ended while it was deleted for good", async () => {
    const id = await withFile("Night");
    await service.captures.trash.put(id);
    await service.close();
    await rm(folder(id), { recursive: true });
    await open();
    expect(await trash()).toEqual([]);
  });
});

test("above AGLENS_KEEP_BYTES the oldest captures go to the trash, without those that a link opens", async () => {
  await service.close();
  await open(6);
  const ids: string[] = [];
  for (const name of ["Shared", "Old", "Older than new", "New"]) {
    ids.push(await withFile(name));
    clock.move(1);
  }
  const link = { captureId: ids[0], path: "/timeline", view: "v=1", title: "Shared", expiresInDays: 30 };
  await request(service.app).post("/api/v1/links").send(link).expect(201);
  await service.captures.sweep();
  // The four captures have twelve bytes, six more than the limit.
  expect((await trash()).toSorted()).toEqual(["Old", "Older than new"]);
  await service.captures.sweep();
  expect(await trash()).toHaveLength(2);
});

test("above AGLENS_KEEP_BYTES a capture whose link was revoked goes to the trash like any other", async () => {
  await service.close();
  await open(3);
  const shared = await withFile("Shared");
  clock.move(1);
  await withFile("New");
  const link = { captureId: shared, path: "/timeline", view: "v=1", title: "Shared", expiresInDays: 30 };
  const { body } = await request(service.app).post("/api/v1/links").send(link).expect(201);
  await request(service.app)
    .delete(`/api/v1/links/${body.id}`)
    .set("authorization", `Bearer ${body.deleteToken}`)
    .expect(204);
  await service.captures.sweep();
  expect(await trash()).toEqual(["Shared"]);
});

describe("a disk that is short of room", () => {
  test("takes it from the trash, first deleted first, and no more than it needs", async () => {
    const ids = [await withFile("First"), await withFile("Second"), await withFile("Third")];
    for (const id of ids) {
      await service.captures.trash.put(id);
      clock.move(1);
    }
    // Each deleted capture frees ten bytes; one is too little, two are enough.
    const lying = (): number => ids.filter((id) => existsSync(folder(id))).length;
    free = () => KEPT_FREE - 15 + (3 - lying()) * 10;
    const id = await withFile("New");
    expect(await trash()).toEqual(["Third"]);
    // A deletion on a disk that is short of space frees space.
    free = () => KEPT_FREE - 15 + (3 - lying()) * 5;
    await service.captures.trash.put(id);
    expect(await trash()).toEqual(["New"]);
    // Bytes that are being deleted count as free: all bytes together, four times three, are not enough.
    free = () => KEPT_FREE - 13;
    await expect(withFile("One more")).rejects.toMatchObject({ problem: { code: "disk-full" } });
    expect(await trash()).toEqual([]);
  });
});

test.each([
  ["by age", (bin: Trash) => bin.emptyOld(new Date(START + 8 * DAY_MS).toISOString())],
  ["by a person", (bin: Trash) => bin.empty()],
])("what is restored while the trash is emptied %s is not deleted", async (_, empty) => {
  const [first, second] = [await withFile("First"), await withFile("Second")];
  const { records, trash: bin } = service.captures;
  for (const id of [first, second]) await bin.put(id);
  const listed = records.deleted.bind(records);
  vi.spyOn(records, "deleted").mockImplementationOnce(async () => {
    const all = await listed();
    await service.captures.restore(second);
    return all;
  });
  await empty(bin);
  expect([existsSync(folder(first)), existsSync(folder(second))]).toEqual([false, true]);
  expect(await service.captures.get(second)).toMatchObject({ name: "Second", files: [{ name: "a.xel" }] });
  expect(await trash()).toEqual([]);
});

test("a disk that is short of room waits for nothing in the trash that is at work: that may wait for the room", async () => {
  const id = await withFile("Night");
  const { records, trash: bin } = service.captures;
  await bin.put(id);
  free = () => KEPT_FREE - 1;
  const change = records.changeStored.bind(records);
  vi.spyOn(records, "changeStored").mockImplementationOnce(async (...of) => {
    await expect(withFile("New")).rejects.toMatchObject({ problem: { code: "disk-full" } });
    return change(...of);
  });
  await bin.deleteForGood(id);
  expect(await trash()).toEqual([]);
});

test("what is being deleted for good is not restored, and the next process ends its deletion", async () => {
  const id = await withFile("Night");
  await request(service.app).delete(`/api/v1/captures/${id}`).expect(204);
  await service.captures.records.changeStored(id, (record) => leave(record, record.created, false));
  await request(service.app).post(`/api/v1/captures/${id}/restore`).expect(404);
  await service.captures.trash.recover();
  expect(await trash()).toEqual([]);
  expect(existsSync(folder(id))).toBe(false);
});
