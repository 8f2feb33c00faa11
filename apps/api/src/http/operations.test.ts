import request from "supertest";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TOKENS, tokenAccess } from "../../test/access.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../test/stub-analyzer.ts";
import { until } from "../../test/until.ts";

let service: TestService;
let analyzer: StubAnalyzer;
let free: number;
beforeEach(async () => {
  analyzer = stubAnalyzer();
  free = 5000;
  const disk = () => ({ free, total: 10_000 });
  service = await testService({ keepFreeBytes: 1000 }, analyzer, { disk });
});
afterEach(() => service.end());

const get = (path: string) => request(service.app).get(path);

test("a service that can work is ready", async () => {
  expect((await get("/healthz").expect(200)).body).toEqual({ status: "ok" });
  expect((await get("/readyz").expect(200)).body).toEqual({
    status: "ready",
    checks: { disk: "ok", catalogue: "ok", threads: "ok" },
  });
});

test("one without room, or without threads, is not ready and lives all the same", async () => {
  free = 999;
  const full = await get("/readyz").expect(503);
  expect(full.body).toEqual({
    status: "not ready",
    checks: { disk: "The disk is full", catalogue: "ok", threads: "ok" },
  });
  free = 1000;
  await get("/readyz").expect(200);
  vi.spyOn(analyzer, "check").mockRejectedValue(new Error("EAGAIN at /home/secret"));
  const { body, text } = await get("/readyz").expect(503);
  expect(body.checks.threads).toBe("cannot be used; the log says why");
  expect(text).not.toContain("secret");
  await get("/healthz").expect(200);
});

test("one that ends is not ready, answers its probes and nothing else", async () => {
  await service.drain.end(0);
  expect((await get("/readyz").expect(503)).body.status).toBe("ending");
  await get("/healthz").expect(200);
  expect((await get("/api/v1/health").expect(503)).body.code).toBe("ending");
});

test("a proxy's probes are answered under the name that it has for this server, metrics are not", async () => {
  await get("/readyz").set("host", "north:4700").expect(200);
  await get("/healthz").set("host", "north:4700").expect(200);
  expect((await get("/metrics").set("host", "north:4700").expect(421)).body.code).toBe("other-host");
});

test("metrics count answers by route, and show disk, captures and threads", async () => {
  const { id } = await service.captures.create();
  await get(`/api/v1/captures/${id}`).expect(200);
  await get("/api/v1/captures/unknown").expect(404);
  analyzer.load = { analysing: 1, analysesWaiting: 2, recognising: 3, filesWaiting: 4 };
  let seen = "";
  await until(async () => {
    seen = (await get("/metrics").expect(200)).text;
    return seen.includes('status="404"} 1');
  });
  expect(seen.split("\n")).toEqual(
    expect.arrayContaining([
      'aglens_http_request_duration_seconds_count{method="GET",route="/api/v1/captures/:id",status="200"} 1',
      'aglens_http_request_duration_seconds_count{method="GET",route="/api/v1/captures/:id",status="404"} 1',
      "aglens_captures 1",
      "aglens_live_runs 0",
      "aglens_analyses_running 1",
      "aglens_analyses_waiting 2",
      "aglens_recognitions_running 3",
      "aglens_recognitions_waiting 4",
      "aglens_disk_free_bytes 5000",
      "aglens_disk_bytes 10000",
    ]),
  );
  expect(seen).not.toContain(id);
});

test("metrics count unclaimed payload bytes of received files once, by events of the catalogue", async () => {
  const unclaimed = (event: string, events: number, bytes: number) => ({
    package: "sqlserver",
    event,
    events,
    bytes,
    offset: 9,
  });
  const capture = "hadr_capture_log_block";
  analyzer.recognised.set("a.xel", {
    unclaimed: [unclaimed(capture, 50, 400), unclaimed("customers", 2, 7)],
  });
  analyzer.recognised.set("b.xel", { unclaimed: [unclaimed(capture, 1, 8), unclaimed("orders", 1, 3)] });
  const counted = async () => {
    const { text } = await get("/metrics").expect(200);
    expect(text).not.toMatch(/customers|orders/u);
    return text.split("\n").filter((line) => line.startsWith("aglens_unclaimed_") && !line.endsWith(" 0"));
  };
  expect(await counted()).toEqual([]);
  expect((await get("/metrics")).text).toContain('aglens_unclaimed_payload_bytes_total{event="other"} 0');
  for (const name of ["a.xel", "b.xel", "sound.xel"]) {
    const { id } = await service.captures.create();
    await request(service.app)
      .post(`/api/v1/captures/${id}/files?name=${name}`)
      .type("application/octet-stream")
      .send(name)
      .expect(201);
  }
  const expected = [
    `aglens_unclaimed_payload_bytes_total{event="${capture}"} 408`,
    'aglens_unclaimed_payload_bytes_total{event="other"} 10',
    `aglens_unclaimed_payload_events_total{event="${capture}"} 51`,
    'aglens_unclaimed_payload_events_total{event="other"} 3',
  ];
  expect(await counted()).toEqual(expected);
  // A second reading does not count them again.
  expect(await counted()).toEqual(expected);
});

test("where people sign in, metrics need a token, probes do not", async () => {
  await service.end();
  service = await testService(await tokenAccess(), stubAnalyzer());
  expect((await get("/metrics").expect(401)).body.code).toBe("sign-in-needed");
  await get("/metrics").set("authorization", `Bearer ${TOKENS.viewer}`).expect(200);
  await get("/readyz").expect(200);
  await get("/healthz").expect(200);
});
