import { afterEach, beforeEach, describe, expect, test } from "vitest";
import request from "supertest";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import { hostNameOf, isOwnName } from "./own-site.ts";

let service: TestService;
beforeEach(async () => {
  service = await testService({ hosts: ["aglens.corp"] }, stubAnalyzer());
});
afterEach(() => service.end());

const CAPTURES = "/api/v1/captures";

describe("the name that a request was sent to", () => {
  test.each([
    ["localhost:4700", "localhost"],
    ["LOCALHOST.", "localhost"],
    ["[::1]:80", "::1"],
    ["a.b", "a.b"],
    ["a.b:", "a.b"],
    ["", null],
    [undefined, null],
    ["a b", null],
    ["evil@localhost", null],
    ["localhost/", null],
    ["::1", null],
    ["[::1", null],
  ])("%j is %j", (header, name) => {
    expect(hostNameOf(header)).toBe(name);
  });

  test("is the loopback's, the bound one, a configured one", () => {
    const bound = { host: "127.0.0.1", hosts: ["aglens.corp"] };
    for (const name of ["localhost", "127.0.0.1", "::1", "aglens.corp"])
      expect([name, isOwnName(name, bound)]).toEqual([name, true]);
    for (const name of ["evil.example", "x.localhost", "localhost.evil.example", "10.0.0.1", "corp", ""])
      expect([name, isOwnName(name, bound)]).toEqual([name, false]);
    expect(isOwnName("sqlmon", { host: "SQLMON", hosts: [] })).toBe(true);
  });

  test("is any literal address where the server is bound to more than the loopback", () => {
    const wide = { host: "0.0.0.0", hosts: [] };
    expect(["10.0.0.1", "fe80::1", "localhost"].every((name) => isOwnName(name, wide))).toBe(true);
    expect(["evil.example", "10.0.0.1.evil.example"].some((name) => isOwnName(name, wide))).toBe(false);
  });

  test.each(["evil.example", "evil.example:4700", "localhost.evil.example"])(
    "%s reads nothing and changes nothing",
    async (host) => {
      const { id } = (await request(service.app).post(CAPTURES)).body as { id: string };
      const answers = [
        await request(service.app).get(CAPTURES).set("host", host),
        await request(service.app).get("/").set("host", host),
        await request(service.app).delete(`${CAPTURES}/${id}`).set("host", host),
        await request(service.app).post("/api/v1/live/checks").set("host", host).send({}),
      ];
      for (const { status, body, type } of answers) {
        expect([status, type, body.code]).toEqual([421, "application/problem+json", "other-host"]);
        expect(body.detail).toContain("AGLENS_HOSTS");
      }
      await request(service.app).get(`${CAPTURES}/${id}`).expect(200);
    },
  );

  test("is shown up to its 80th character where it is refused", async () => {
    const { body } = await request(service.app).get(CAPTURES).set("host", "x".repeat(81));
    expect(body.detail).toContain(`under the name "${"x".repeat(80)}".`);
  });

  test("may be one that the operator configured", async () => {
    await request(service.app).get(CAPTURES).set("host", "aglens.corp").expect(200);
  });
});

describe("a write", () => {
  const write = (headers: Record<string, string>) =>
    request(service.app)
      .post(CAPTURES)
      .set({ host: "localhost:4700", ...headers });

  test.each([
    { origin: "http://localhost:4700" },
    { origin: "http://localhost:4700", "sec-fetch-site": "same-origin" },
    { host: "aglens.corp", origin: "https://aglens.corp" },
    { host: "aglens.corp:443", origin: "https://aglens.corp" },
    { host: "localhost", origin: "http://localhost" },
  ])("of a page of the app: %j", async (headers: Record<string, string>) => {
    await write(headers).expect(201);
  });

  test.each([{}, { referer: "http://localhost:4700/" }, { "sec-fetch-mode": "cors" }])(
    "of a program that is no browser: %j",
    async (headers: Record<string, string>) => {
      await write(headers).expect(201);
    },
  );

  test.each([
    { origin: "http://evil.example" },
    { origin: "http://evil.example", "sec-fetch-site": "same-origin" },
    { origin: "null" },
    { origin: "http://localhost:4701" },
    { origin: "http://127.0.0.1:4700" },
    { origin: "http://localhost:4700.evil.example" },
    { origin: "file://localhost:4700" },
    { origin: "http://localhost:4700", "sec-fetch-site": "cross-site" },
    { origin: "http://localhost:4700", "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
    { referer: "http://evil.example/page" },
  ])("is refused of anything else: %j", async (headers: Record<string, string>) => {
    const { status, body } = await write(headers);
    expect([status, body.code]).toEqual([403, "cross-site"]);
    expect((await request(service.app).get(CAPTURES)).body.captures).toEqual([]);
  });
});

describe("the type of a body", () => {
  test.each(["text/plain", "application/x-www-form-urlencoded", "application/octet-stream"])(
    "%s is not taken for JSON",
    async (type) => {
      const { status, body } = await request(service.app)
        .post(CAPTURES)
        .set("content-type", type)
        .send('{"name":"x"}');
      expect([status, body.code]).toEqual([415, "wrong-type"]);
    },
  );

  test("that is refused is shown up to its 80th character, beside the one that is taken", async () => {
    const type = `text/${"x".repeat(76)}`;
    const { body } = await request(service.app).post(CAPTURES).set("content-type", type).send("x");
    expect(body.detail).toBe(
      `The body must be sent as "content-type: application/json", not as "${type.slice(0, 80)}".`,
    );
    const part = await request(service.app).patch(`${CAPTURES}/x/uploads/y/`);
    expect(part.body.detail).toBe(
      'The body must be sent as "content-type: application/offset+octet-stream", not as nothing.',
    );
  });

  test("may be missing where there is no body", async () => {
    await request(service.app).post(CAPTURES).expect(201);
    await request(service.app).post(CAPTURES).set("content-length", "0").expect(201);
  });

  test.each(["application/json", "multipart/form-data; boundary=x", "text/plain", ""])(
    "%j is no upload, and no file is kept of it",
    async (type) => {
      const { id } = (await request(service.app).post(CAPTURES)).body as { id: string };
      const upload = request(service.app).post(`${CAPTURES}/${id}/files?name=a.xel`);
      const { status, body } = await (type === "" ? upload : upload.set("content-type", type).send("{}"));
      expect([status, body.code]).toEqual([415, "wrong-type"]);
      expect(body.detail).toContain("application/octet-stream");
      expect((await request(service.app).get(`${CAPTURES}/${id}`)).body.files).toEqual([]);
    },
  );
});
