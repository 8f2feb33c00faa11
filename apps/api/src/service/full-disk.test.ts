/** Behavior of the service when its disk fills, with simulated errors of the file system and of SQLite. */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { beforeWrites } from "../../test/before-writes.ts";
import { elementAt } from "../../test/element-at.ts";
import { testService } from "../../test/service.ts";
import { sourcesOnDisk } from "../../test/sources-on-disk.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../test/stub-analyzer.ts";
import { until } from "../../test/until.ts";

const KEPT_FREE = 1000;
const TOTAL = 1e12;

let dataDirectory: string;
let free: number;
let service: TestService;
let analyzer: StubAnalyzer;
let id: string;
let allowWrites = (): void => {};

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "aglens-full-"));
  free = TOTAL;
  await open();
  ({ id } = await service.captures.create("Night"));
  await receive("a.xel");
});
afterEach(async () => {
  allowWrites();
  await service.close();
  await rm(dataDirectory, { recursive: true });
});

async function open(): Promise<void> {
  analyzer = stubAnalyzer();
  const disk = () => ({ free, total: TOTAL });
  service = await testService({ dataDirectory, keepFreeBytes: KEPT_FREE }, analyzer, { disk });
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

const receive = (name: string) => service.captures.files.receive(id, name, bytesOf("abc"));
const get = () => service.captures.get(id);
const reserve = (): boolean => existsSync(join(dataDirectory, "reserve"));
const full = (): Error =>
  Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });

/** From now on every write of the catalog fails while `isFull()`. */
function failWrites(isFull: () => boolean): void {
  allowWrites = beforeWrites(() => {
    if (isFull()) throw full();
  });
}

describe("before the disk is full", () => {
  beforeEach(() => {
    free = KEPT_FREE - 1;
  });

  test("an upload is refused with 507 and leaves nothing", async () => {
    const answer = await request(service.app)
      .post(`/api/v1/captures/${id}/files?name=b.xel`)
      .set("content-type", "application/octet-stream")
      .send(Buffer.from("abc"));
    expect(answer.status).toBe(507);
    expect(answer.body.code).toBe("disk-full");
    expect(await readdir(join(dataDirectory, "incoming"))).toEqual([]);
    expect((await get()).files).toHaveLength(1);
  });

  test("an analysis is refused with 507 and leaves the capture as it was", async () => {
    const answer = await request(service.app).post(`/api/v1/captures/${id}/analysis`);
    expect(answer.status).toBe(507);
    expect((await get()).state).toBe("receiving");
    free = TOTAL;
    expect((await service.captures.analyses.start(id)).state).toBe("analysing");
  });

  test("an upload that began with room is refused in its course", async () => {
    free = TOTAL;
    async function* large(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(1);
      free = KEPT_FREE - 1;
      yield new Uint8Array(17 * 1024 * 1024);
    }
    await expect(service.captures.files.receive(id, "b.xel", large())).rejects.toMatchObject({
      problem: { code: "disk-full" },
    });
    expect(await readdir(join(dataDirectory, "incoming"))).toEqual([]);
  });

  test("the tables of an analysis that began with room are refused, and the capture says so", async () => {
    free = TOTAL;
    await service.captures.analyses.start(id);
    free = KEPT_FREE - 1;
    elementAt(analyzer.analyses, 0).finish();
    await until(async () => (await get()).state === "failed");
    expect((await get()).problem?.code).toBe("disk-full");
  });

  test("an analysis that a start would begin again waits for somebody, with the reason", async () => {
    free = TOTAL;
    await service.captures.analyses.start(id);
    await service.close();
    free = KEPT_FREE - 1;
    await open();
    expect(await get()).toMatchObject({ state: "failed", problem: { code: "disk-full" } });
  });
});

describe("when the disk is full", () => {
  test("the end of an analysis that cannot be stored ends nothing else, and can be repeated", async () => {
    await service.captures.analyses.start(id);
    let isFull = true;
    failWrites(() => isFull);
    const news: string[] = [];
    service.captures.analyses.watch(id, (one) => news.push(one.news));
    elementAt(analyzer.analyses, 0).finish();
    await until(() => news.length > 0);
    expect(news).toEqual(["failed"]);
    expect(await get()).toMatchObject({ state: "failed", problem: { code: "analysis-failed" } });
    expect((await get()).problem?.detail).toContain("could not be stored");
    isFull = false;
    await service.captures.analyses.start(id);
    elementAt(analyzer.analyses, 1).finish();
    await until(async () => (await get()).state === "ready");
  });

  test("small writes use the reserve, which comes back when there is room", async () => {
    expect(reserve()).toBe(true);
    failWrites(reserve);
    await service.captures.rename(id, "Day");
    expect((await get()).name).toBe("Day");
    expect(reserve()).toBe(false);
    const other = (await service.captures.create("Other")).id;
    await service.captures.trash.put(other);
    expect(reserve()).toBe(true);
  });

  test("a deletion works without any reserve: the blobs make room", async () => {
    const folder = join(dataDirectory, "captures", id);
    await rm(join(dataDirectory, "reserve"));
    failWrites(() => existsSync(folder));
    const answer = await request(service.app).delete(`/api/v1/captures/${id}`);
    expect(answer.status).toBe(204);
    expect((await service.captures.list(50, { fewestFiles: 0 })).captures).toEqual([]);
  });

  test("what cannot be written is answered with 507", async () => {
    await rm(join(dataDirectory, "reserve"));
    failWrites(() => true);
    const answer = await request(service.app).post("/api/v1/captures").send({ name: "New" });
    expect(answer.status).toBe(507);
    expect(answer.body.code).toBe("disk-full");
  });

  test("the service ends in order, and starts", async () => {
    await service.captures.analyses.start(id);
    failWrites(() => true);
    await service.close();
    await open();
    expect((await service.captures.list(50, { fewestFiles: 0 })).captures).toHaveLength(1);
  });

  test("a file that a recogniser had no room to write anew is refused, and not kept", async () => {
    analyzer.recognised.set("b.csv", Object.assign(new Error("write"), { code: "ENOSPC" }));
    await expect(receive("b.csv")).rejects.toMatchObject({ code: "ENOSPC" });
    expect((await get()).files).toHaveLength(1);
    expect(await sourcesOnDisk(dataDirectory, id)).toEqual([elementAt((await get()).files, 0).id]);
  });
});
