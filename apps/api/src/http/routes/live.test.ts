import request from "supertest";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { TestService } from "../../../test/service.ts";

let service: TestService;
beforeEach(async () => {
  service = await testService({ liveHosts: "127.0.0.1:9" }, stubAnalyzer());
});
afterEach(() => service.end());

const LOGIN = { kind: "sql", user: "lens", password: "correct horse" };

describe("hosts", () => {
  test("only those on the list are connected to", async () => {
    const { body } = await request(service.app)
      .post("/api/v1/live/checks")
      .send({ server: { host: "sql1.example" }, login: LOGIN })
      .expect(403);
    expect(body).toMatchObject({ code: "live-not-allowed" });
    expect(body.detail).toContain("sql1.example:1433");
  });

  test("the allowance says which", async () => {
    const { body } = await request(service.app).get("/api/v1/live/allowance").expect(200);
    expect(body).toEqual({ enabled: true, anyHost: false, reason: "AGLENS_LIVE_HOSTS permits 127.0.0.1:9." });
  });

  test("one that does not answer is named, without the login", async () => {
    const answer = await request(service.app)
      .post("/api/v1/live/checks")
      .send({ server: { host: "127.0.0.1", port: 9 }, login: LOGIN })
      .expect(502);
    expect(answer.body.code).toBe("live-unreachable");
    expect(answer.text).not.toContain("correct horse");
  });
});

test("an authority that is no certificate is refused before anything is sent", async () => {
  const { body } = await request(service.app)
    .post("/api/v1/live/checks")
    .send({ server: { host: "127.0.0.1", port: 9, certificateAuthority: "MIIB" }, login: LOGIN })
    .expect(502);
  expect(body.code).toBe("live-certificate");
});

test("what is wrong with a request is said without what it held", async () => {
  const { body, text } = await request(service.app)
    .post("/api/v1/live/checks")
    .send({ server: { host: "tcp://x y" }, login: { ...LOGIN, user: "" } })
    .expect(400);
  expect(body.code).toBe("bad-request");
  expect(text).not.toContain("correct horse");
});
