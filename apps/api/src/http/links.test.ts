import request from "supertest";
import { Link } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testService } from "../../test/service.ts";
import { stubAnalyser } from "../../test/stub-analyser.ts";
import type { TestService } from "../../test/service.ts";

const DAY_MS = 24 * 3600 * 1000;
let service: TestService;
let captureId: string;
let clock: TestClock;

beforeEach(async () => {
  clock = new TestClock();
  service = await testService({ keepDays: 10 }, stubAnalyser(), { clock });
  captureId = (await request(service.app).post("/api/v1/captures").send({})).body.id;
});
afterEach(async () => {
  await service.end();
});

const wanted = () => ({ captureId, path: "/timeline", view: "v=1&from=0&to=10", title: "Slow commits" });
const share = async (changes: object = {}) =>
  Link.parse(
    (
      await request(service.app)
        .post("/api/v1/links")
        .send({ ...wanted(), ...changes })
        .expect(201)
    ).body,
  );

test("a link restores the view, and never shows its token again", async () => {
  const link = await share();
  expect(link.id).toMatch(/^[A-Za-z0-9_-]{22}$/u);
  const { body } = await request(service.app).get(`/api/v1/links/${link.id}`).expect(200);
  expect(body).toMatchObject(wanted());
  expect(body).not.toHaveProperty("deleteToken");
  expect(body).not.toHaveProperty("tokenHash");
});

test("only who made it deletes it", async () => {
  const { id, deleteToken } = await share();
  await request(service.app).delete(`/api/v1/links/${id}`).expect(401);
  await request(service.app).delete(`/api/v1/links/${id}`).set("authorization", "Bearer wrong").expect(401);
  await request(service.app)
    .delete(`/api/v1/links/${id}`)
    .set("authorization", `Bearer ${deleteToken}`)
    .expect(204);
  expect((await request(service.app).get(`/api/v1/links/${id}`).expect(404)).body.code).toBe(
    "link-not-found",
  );
});

test("it expires", async () => {
  // Sweeps come every ten minutes, so that none comes at the instant of its end.
  clock.move(5 * 60_000);
  const { id, expires } = await share({ expiresInDays: 1 });
  expect(expires).toBe(new Date(clock.now() + DAY_MS).toISOString());
  clock.move(DAY_MS - 1);
  await request(service.app).get(`/api/v1/links/${id}`).expect(200);
  clock.move(1);
  expect((await request(service.app).get(`/api/v1/links/${id}`).expect(410)).body.code).toBe("link-expired");
});

test("the capture stays as long as the link", async () => {
  const { id } = await share({ expiresInDays: 30 });
  clock.move(30 * DAY_MS - 1);
  await service.captures.expire();
  await request(service.app).get(`/api/v1/captures/${captureId}`).expect(200);
  clock.move(1);
  await service.captures.expire();
  await request(service.app).get(`/api/v1/links/${id}`).expect(404);
});

test("it needs a capture that exists and a path of the app", async () => {
  await request(service.app)
    .post("/api/v1/links")
    .send({ ...wanted(), captureId: "x".repeat(22) })
    .expect(404);
  await request(service.app)
    .post("/api/v1/links")
    .send({ ...wanted(), path: "//evil.example" })
    .expect(400);
});

test("deleting the capture deletes its links", async () => {
  const { id } = await share();
  await request(service.app).delete(`/api/v1/captures/${captureId}`).expect(204);
  await request(service.app).get(`/api/v1/links/${id}`).expect(404);
});
