import pino from "pino";
import request from "supertest";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import { until } from "../../test/until.ts";

type Line = Record<string, unknown>;

let service: TestService;
let lines: Line[];
beforeEach(async () => {
  lines = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Line);
  service = await testService({}, stubAnalyzer(), {}, pino({ level: "info" }, { write }));
});
afterEach(() => service.end());

const answered = (): Line[] => lines.filter(({ msg }) => msg === "answered");
/** The line is written when the connection has the complete answer, which the client may read before. */
const lineAfter = async (count: number): Promise<Line> => {
  await until(() => answered().length === count);
  return answered()[count - 1] as Line;
};

test("an answer is one line, by the route's pattern, with the id that the client gets", async () => {
  const { id } = await service.captures.create();
  const { headers, text } = await request(service.app).get(`/api/v1/captures/${id}`).expect(200);
  const line = await lineAfter(1);
  expect(line).toMatchObject({
    method: "GET",
    route: "/api/v1/captures/:id",
    status: 200,
    id: headers["x-request-id"],
  });
  expect(line["bytes"]).toBeGreaterThan(text.length);
  expect(line["ms"]).toBeGreaterThan(0);
  expect(headers["x-request-id"]).toMatch(/^[\w-]{16,}$/u);
});

test("no line has an id of a capture or link, a query, a name of a file or a token", async () => {
  const { id } = await service.captures.create();
  await request(service.app)
    .post(`/api/v1/captures/${id}/files?name=secret.xel`)
    .set({ "content-type": "application/octet-stream", authorization: "Bearer hidden", cookie: "a=hidden" })
    .send("abc")
    .expect(201);
  await request(service.app).get(`/l/${id}?of=secret`).expect(404);
  await request(service.app).get(`/api/v1/links/${id}`).expect(404);
  await request(service.app).get(`/api/v1/nothing/${id}`).expect(404);
  await lineAfter(4);
  expect(answered().map(({ route, status }) => [route, status])).toEqual([
    ["/api/v1/captures/:id/files", 201],
    ["/*", 404],
    ["/api/v1/links/:id", 404],
    ["/api/*", 404],
  ]);
  const all = JSON.stringify(lines);
  for (const word of [id, "secret", "hidden"]) expect(all).not.toContain(word);
});

test("what is logged of a failure has the same id", async () => {
  vi.spyOn(service.captures, "get").mockImplementation(() => {
    throw new Error("broken");
  });
  const { headers } = await request(service.app).get("/api/v1/captures/x").expect(500);
  await lineAfter(1);
  const failure = lines.find(({ msg }) => msg === "request failed");
  expect(failure).toMatchObject({ id: headers["x-request-id"], err: { message: "broken" } });
});
