import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { TestClock } from "@aglens/fixtures/clock";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { templated } from "../http/openapi.ts";
import { tokenAccess } from "../../test/access.ts";
import { testService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import type { TestService } from "../../test/service.ts";
import { until } from "../../test/until.ts";

let web: string;
let service: TestService;

beforeEach(async () => {
  web = await mkdtemp(join(tmpdir(), "aglens-web-"));
  await mkdir(join(web, "assets"));
  await writeFile(join(web, "index.html"), "<!doctype html><title>AG Lens</title>");
  await writeFile(join(web, "assets/app-1a2b3c4d.js"), "export {}");
  service = await testService({ webDirectory: web, writesPerMinute: 5 }, stubAnalyzer());
});
afterEach(async () => {
  await service.end();
  await rm(web, { recursive: true });
});

describe("OpenAPI", () => {
  test("describes each route and no other", async () => {
    const routes = service.routes.map(({ method, path }) => `${method} ${templated(path)}`);
    const { body } = await request(service.app).get("/api/v1/openapi.json").expect(200);
    const described = Object.entries<object>(body.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(described.toSorted()).toEqual(routes.toSorted());
  });

  test("has every schema it refers to, and each operation a name of its own", async () => {
    const { body } = await request(service.app).get("/api/v1/openapi.json");
    const references = [...JSON.stringify(body).matchAll(/#\/components\/schemas\/(\w+)/gu)].map(
      ([, name = ""]) => name,
    );
    expect(references.filter((name) => !(name in body.components.schemas))).toEqual([]);
    const names = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap((item) =>
      Object.values(item).map((operation) => operation.operationId),
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("the web app", () => {
  test("is served at every address of its own, fresh", async () => {
    for (const path of ["/", "/captures/abc/timeline", "/l/xyz"]) {
      const answer = await request(service.app).get(path).expect(200);
      expect(answer.text).toContain("AG Lens");
      expect(answer.headers["cache-control"]).toBe("no-cache");
    }
  });

  test("hashed assets stay for ever, missing ones are not the page", async () => {
    const { headers } = await request(service.app).get("/assets/app-1a2b3c4d.js").expect(200);
    expect(headers["cache-control"]).toContain("immutable");
    await request(service.app).get("/assets/gone.js").expect(404);
  });

  test("may load nothing from elsewhere", async () => {
    const { headers } = await request(service.app).get("/");
    const policy = headers["content-security-policy"];
    expect(policy).toContain("default-src 'self'");
    expect(policy).not.toMatch(/https?:|unsafe-eval|script-src/u);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers).not.toHaveProperty("x-powered-by");
    // After this header, a browser would require HTTPS on this name, also where only HTTP is served.
    expect(headers).not.toHaveProperty("strict-transport-security");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["x-frame-options"]).toBe("DENY");
  });

  test.each([
    ["https://aglens.example", "max-age=31536000"],
    ["https://tools.example:443/aglens", "max-age=31536000"],
    ["http://aglens.example", undefined],
    // Browsers apply it to every port of the name.
    ["https://aglens.example:8443", undefined],
    ["https://localhost", undefined],
  ])("with the public address %s browsers are told to use HTTPS alone: %s", async (publicUrl, header) => {
    const other = await testService({ publicUrl }, stubAnalyzer());
    const { headers } = await request(other.app).get("/healthz");
    await other.end();
    expect(headers["strict-transport-security"]).toBe(header);
  });
});

describe("protection", () => {
  test("an unknown address of the API is a problem document", async () => {
    const { body, type } = await request(service.app).get("/api/v1/nothing").expect(404);
    expect(type).toBe("application/problem+json");
    expect(body).toMatchObject({ code: "not-found", status: 404 });
  });

  test.each(["cross-site", "same-site"])("a page of a %s origin cannot write, and can read", async (site) => {
    for (const method of ["post", "put", "patch", "delete"] as const) {
      const answer = await request(service.app)[method]("/api/v1/captures").set("sec-fetch-site", site);
      expect(answer.status).toBe(403);
      expect(answer.body.code).toBe("cross-site");
    }
    await request(service.app).get("/api/v1/captures").set("sec-fetch-site", site).expect(200);
  });

  test("writes are limited, reads are not", async () => {
    for (let i = 0; i < 5; i++) await request(service.app).post("/api/v1/captures").expect(201);
    const { body } = await request(service.app).post("/api/v1/captures").expect(429);
    expect(body.code).toBe("too-many-requests");
    await request(service.app).get("/api/v1/health").expect(200);
  });

  test("the limit and what is left of it are in the headers of its draft", async () => {
    const { headers } = await request(service.app).post("/api/v1/captures").expect(201);
    expect(headers["ratelimit-policy"]).toMatch(/q=5; w=60/u);
    expect(headers).not.toHaveProperty("x-ratelimit-limit");
  });

  test.each([
    ["/api/v1/captures", 64 * 1024],
    ["/api/v1/live/checks", 1024 * 1024],
  ])("a JSON body of %s has at most %i bytes", async (path, most) => {
    const send = (bytes: number) =>
      request(service.app).post(path).type("json").send('{"name":1}'.padEnd(bytes));
    await send(most).expect(400);
    expect((await send(most + 1).expect(413)).body.detail).toBe("The JSON body is too large.");
  });

  test("a request without a body is refused for each field that it lacks", async () => {
    for (const path of ["live/checks", "live/runs/x/replicas"]) {
      const { body } = await request(service.app).post(`/api/v1/${path}`).expect(400);
      expect(body.detail).toMatch(/^server: .+\. login: /u);
    }
  });

  test.each([
    ["application/json; charset=klingon", {}, 415],
    ["application/json", { "content-encoding": "klingon" }, 415],
    ["application/json", { "content-encoding": "gzip" }, 400],
  ])("a body as %s %j that cannot be read is the client's fault", async (type, headers, status) => {
    const answer = await request(service.app)
      .post("/api/v1/captures")
      .set({ "content-type": type, ...headers })
      .send('{"name":"x"}');
    expect([answer.status, answer.type]).toEqual([status, "application/problem+json"]);
    expect(answer.body.status).toBe(status);
  });

  // The page is not in the list: it is written for each request, without ranges or versions.
  test.each(["/assets/app-1a2b3c4d.js"])("%s in a range or version it lacks is refused", async (path) => {
    for (const [headers, status] of [
      [{ range: "bytes=100000-" }, 416],
      [{ "if-match": '"x"' }, 412],
      [{ "if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT" }, 412],
    ] as const) {
      const answer = await request(service.app).get(path).set(headers);
      expect([answer.status, answer.type, answer.body.status]).toEqual([
        status,
        "application/problem+json",
        status,
      ]);
      expect(answer.headers["cache-control"]).toBe("no-store");
    }
  });
});

test("captures, uploads and the reserve are swept each ten minutes; a sweep that fails is logged", async () => {
  const clock = new TestClock();
  const logged: { msg: string }[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const swept = await testService({}, stubAnalyzer(), { clock }, log);
  const captures = vi.spyOn(swept.captures, "sweep").mockResolvedValue();
  const uploads = vi.spyOn(swept.uploads, "sweep").mockRejectedValue(new Error("broken"));
  clock.move(600_000 - 1);
  expect(captures).not.toHaveBeenCalled();
  clock.move(1);
  await until(() => logged.some(({ msg }) => msg === "expiry sweep failed"));
  expect([captures.mock.calls.length, uploads.mock.calls.length]).toEqual([1, 1]);
  await swept.end();
});

test("a service that was closed leaves no timer behind", async () => {
  const clock = new TestClock();
  const closed = await testService(await tokenAccess(), stubAnalyzer(), { clock });
  expect(clock.waiting).toBeGreaterThan(0);
  await closed.end();
  expect(clock.waiting).toBe(0);
});
