import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { Capture, CaptureList } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { TestService } from "../../../test/service.ts";
import { beginAnalysis } from "../../store/capture-state.ts";
import { until } from "../../../test/until.ts";

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let service: TestService;
let analyzer: StubAnalyzer;
let clock: TestClock;

beforeEach(async () => {
  analyzer = stubAnalyzer();
  clock = new TestClock();
  service = await testService({}, analyzer, { clock });
});
afterEach(() => service.end());

const create = async (name = "Test"): Promise<Capture> =>
  Capture.parse((await request(service.app).post("/api/v1/captures").send({ name }).expect(201)).body);

async function withFile(): Promise<Capture> {
  const capture = await create();
  await request(service.app)
    .post(`/api/v1/captures/${capture.id}/files?name=a.xel`)
    .type("application/octet-stream")
    .send("abc")
    .expect(201);
  return capture;
}

describe("a capture", () => {
  test("is made under an unguessable id and listed", async () => {
    const capture = await create("Night of the 7th");
    // 128 bits in base64url.
    expect(capture.id).toMatch(/^[A-Za-z0-9_-]{22}$/u);
    expect(capture).toMatchObject({ name: "Night of the 7th", state: "receiving", files: [] });
    const { body } = await request(service.app).get("/api/v1/captures").expect(200);
    expect(CaptureList.parse(body).captures.map((one) => one.id)).toEqual([capture.id]);
  });

  test("is listed with what lists need, however many names its files bring", async () => {
    const { id } = await create("Night");
    await request(service.app)
      .post(`/api/v1/captures/${id}/files?name=a.xel`)
      .type("application/octet-stream")
      .send("abc");
    const { body } = await request(service.app).get("/api/v1/captures").expect(200);
    const whole = (await request(service.app).get(`/api/v1/captures/${id}`)).body;
    expect(whole.files).toHaveLength(1);
    expect(body).toEqual({
      captures: [
        {
          owner: null,
          shared: false,
          id,
          name: "Night",
          created: whole.created,
          expires: whole.expires,
          state: "receiving",
          problem: null,
          verdict: null,
          severity: null,
          place: null,
          p95Us: null,
          files: 1,
          from: whole.files[0].from,
        },
      ],
      total: 1,
      next: null,
    });
  });

  test("is on one page of the list, newest first", async () => {
    const made = [];
    for (const name of ["a", "b", "c", "d", "e"]) made.push((await create(name)).id);
    const pages: string[][] = [];
    let next: string | null = "";
    while (next !== null) {
      const query: string = next === "" ? "" : `&after=${encodeURIComponent(next)}`;
      const { body } = await request(service.app).get(`/api/v1/captures?limit=2${query}`).expect(200);
      const list = CaptureList.parse(body);
      pages.push(list.captures.map(({ id }) => id));
      next = list.next;
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(pages.flat().toSorted()).toEqual(made.toSorted());
    // Full pages have no next one when nothing follows.
    const { body } = await request(service.app).get("/api/v1/captures?limit=5");
    expect([body.captures.length, body.next]).toEqual([5, null]);
  });

  test("whose analysis has no stored end is listed as it is shown: failed", async () => {
    const { id } = await create();
    await service.captures.records.change(id, (record) => beginAnalysis(record, false));
    const whole = (await request(service.app).get(`/api/v1/captures/${id}`)).body;
    const [listed] = (await request(service.app).get("/api/v1/captures")).body.captures;
    expect(listed).toMatchObject({ state: "failed", problem: whole.problem });
    expect(whole.problem.code).toBe("analysis-failed");
  });

  test.each(["limit=0", "limit=201", "after=x", "after=%20"])(
    "a page of %s is a bad request",
    async (query) => {
      const { body } = await request(service.app).get(`/api/v1/captures?${query}`).expect(400);
      expect(body.code).toBe("bad-request");
    },
  );

  test("keeps its name when a change names none", async () => {
    const { id } = await create("Night");
    await request(service.app).patch(`/api/v1/captures/${id}`).send({}).expect(400);
    expect((await request(service.app).get(`/api/v1/captures/${id}`)).body.name).toBe("Night");
  });

  test("has a name without control and direction characters", async () => {
    expect((await create(" Night\u0000\u202e 7\u2066 ")).name).toBe("Night 7");
    await request(service.app).post("/api/v1/captures").send({ name: "\u200b" }).expect(400);
  });

  test("is renamed and deleted", async () => {
    const { id } = await create();
    const renamed = await request(service.app)
      .patch(`/api/v1/captures/${id}`)
      .send({ name: " New " })
      .expect(200);
    expect(renamed.body.name).toBe("New");
    await request(service.app).delete(`/api/v1/captures/${id}`).expect(204);
    const { body, type } = await request(service.app).get(`/api/v1/captures/${id}`).expect(404);
    expect(type).toBe("application/problem+json");
    expect(body).toMatchObject({ code: "capture-not-found", status: 404 });
  });

  test("needs a name of sensible length", async () => {
    await request(service.app)
      .post("/api/v1/captures")
      .send({ name: "x".repeat(121) })
      .expect(400);
  });

  test("a body that is no JSON is a bad request", async () => {
    const answer = await request(service.app).post("/api/v1/captures").type("json").send("{").expect(400);
    expect(answer.body.code).toBe("bad-request");
  });
});

describe("analysis", () => {
  test("without a readable file there is nothing to analyze", async () => {
    const { id } = await create();
    const { body } = await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(422);
    expect(body.code).toBe("nothing-to-analyse");
  });

  test("starts once, refuses changes meanwhile, and can be cancelled", async () => {
    const { id } = await withFile();
    const started = await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
    expect(Capture.parse(started.body)).toMatchObject({ state: "analysing", progress: { bytesTotal: 3 } });
    const again = await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(409);
    expect(again.body.code).toBe("wrong-state");
    await request(service.app)
      .post(`/api/v1/captures/${id}/files?name=b.xel`)
      .type("application/octet-stream")
      .send("abc")
      .expect(409);
    const cancelled = await request(service.app).delete(`/api/v1/captures/${id}/analysis`).expect(200);
    expect(cancelled.body).toMatchObject({ state: "receiving", progress: null });
    expect(analyzer.analyses).toMatchObject([{ cancelled: true }]);
    await request(service.app).delete(`/api/v1/captures/${id}/analysis`).expect(409);
  });

  test("answers wait for it", async () => {
    const { id } = await withFile();
    for (const path of [
      "summary",
      "overview",
      "window",
      "commits",
      "markers",
      "statistics",
      "slowest",
      "blocks/0",
    ]) {
      const { body } = await request(service.app).get(`/api/v1/captures/${id}/${path}`).expect(409);
      expect(body.code).toBe("wrong-state");
    }
  });

  test("deleting the capture ends it", async () => {
    const { id } = await withFile();
    await request(service.app).post(`/api/v1/captures/${id}/analysis`).expect(202);
    await request(service.app).delete(`/api/v1/captures/${id}`).expect(204);
    expect(analyzer.analyses).toMatchObject([{ cancelled: true }]);
    await request(service.app).delete(`/api/v1/captures/${id}?forGood=true`).expect(204);
    expect(await readdir(join(service.config.dataDirectory, "captures"))).toEqual([]);
  });
});

/** Moves the clock in steps of a running server: after a large jump of the clock, deletions would pause. */
const pass = (ms: number): Promise<void> => clock.pass(ms, DAY_MS / 4);

describe("a restart", () => {
  test("keeps captures, sweeps what was half received", async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), "aglens-restart-"));
    const before = await testService({ dataDirectory }, stubAnalyzer());
    const { id } = (await request(before.app).post("/api/v1/captures").send({ name: "Kept" })).body;
    await request(before.app)
      .post(`/api/v1/captures/${id}/files?name=a.xel`)
      .type("application/octet-stream")
      .send("abc")
      .expect(201);
    await before.close();
    await mkdir(join(dataDirectory, "captures", "withoutRow"), { recursive: true });
    await writeFile(join(dataDirectory, "incoming", "half"), "abc");

    const after = await testService({ dataDirectory }, stubAnalyzer());
    const { body } = await request(after.app).get(`/api/v1/captures/${id}`).expect(200);
    expect(body).toMatchObject({ name: "Kept", state: "receiving", files: [{ name: "a.xel" }] });
    expect(await readdir(join(dataDirectory, "captures"))).toEqual([id]);
    expect(await readdir(join(dataDirectory, "incoming"))).toEqual([]);
    await after.close();
    await rm(dataDirectory, { recursive: true });
  });

  test("captures expire: they are in the trash for a week", async () => {
    const blobs = join(service.config.dataDirectory, "captures");
    const { id } = await create();
    const { id: gone } = await create();
    await request(service.app)
      .post(`/api/v1/captures/${gone}/files?name=a.xel`)
      .type("application/octet-stream")
      .send("abc")
      .expect(201);
    // 30 days, and at most ten minutes until the next sweep.
    await pass(30 * DAY_MS - MINUTE_MS);
    await request(service.app).get(`/api/v1/captures/${id}`).expect(200);
    clock.move(10 * MINUTE_MS);
    await until(async () => (await service.captures.trash.list()).length === 2);
    expect(await readdir(blobs)).toEqual([gone]);
    await request(service.app).get(`/api/v1/captures/${id}`).expect(404);
    await request(service.app).get(`/api/v1/captures/${gone}`).expect(404);
    await pass(7 * DAY_MS);
    await until(async () => {
      clock.move(10 * MINUTE_MS);
      return (await service.captures.trash.list()).length === 0;
    });
    expect(await readdir(blobs)).toEqual([]);
  });
});
