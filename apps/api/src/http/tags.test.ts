import request from "supertest";
import { Capture, LibraryPage, MOST_TAGS } from "@aglens/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { as, TOKENS, tokenAccess } from "../../test/access.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";

let service: TestService;
afterEach(() => service.end());

describe("tags of a capture", () => {
  beforeEach(async () => {
    service = await testService({}, stubAnalyzer());
  });
  const api = () => request(service.app);
  const made = async (body: object): Promise<Capture> =>
    Capture.parse((await api().post("/api/v1/captures").send(body).expect(201)).body);
  const tagsOf = async (id: string): Promise<readonly string[] | undefined> =>
    Capture.parse((await api().get(`/api/v1/captures/${id}`).expect(200)).body).tags;
  const add = (id: string, tag: unknown) => api().post(`/api/v1/captures/${id}/tags`).send({ tag });
  const remove = (id: string, tag: string) =>
    api().delete(`/api/v1/captures/${id}/tags/${encodeURIComponent(tag)}`);
  const file = (id: string) =>
    api()
      .post(`/api/v1/captures/${id}/files?name=a.xel`)
      .type("application/octet-stream")
      .send("abc")
      .expect(201);

  test("are each there once, in lower case and in order, whatever they were written like", async () => {
    const { id, tags } = await made({ name: "Night" });
    expect(tags).toBeUndefined();
    await add(id, "  Nightly ").expect(200);
    await add(id, "nightly").expect(200);
    // The same letter, as one sign and as two.
    await add(id, "Caf\u00E9").expect(200);
    const { body } = await add(id, "cafe\u0301").expect(200);
    expect(Capture.parse(body).tags).toEqual(["caf\u00E9", "nightly"]);
    await remove(id, "NIGHTLY").expect(200);
    await remove(id, "never there").expect(200);
    expect(await tagsOf(id)).toEqual(["caf\u00E9"]);
    await remove(id, "cafe\u0301").expect(200);
    expect(await tagsOf(id)).toBeUndefined();
  });

  test("may have a slash, a space and a sign of addresses", async () => {
    const { id } = await made({});
    for (const tag of ["q3/2026 load?", "100 %", "#48213"]) {
      await add(id, tag).expect(200);
      expect(await tagsOf(id)).toEqual([tag]);
      await remove(id, tag).expect(200);
    }
  });

  test.each([
    ["no text", " "],
    ["41 letters", "x".repeat(41)],
    ["a comma", "a,b"],
    ["a quote", 'a"b'],
    ["a number", 7],
  ])("of %s are refused", async (_, tag) => {
    const { id } = await made({});
    expect((await add(id, tag).expect(400)).body.code).toBe("bad-request");
    expect(await tagsOf(id)).toBeUndefined();
  });

  test("are twenty at most", async () => {
    const twenty = Array.from({ length: MOST_TAGS }, (_, i) => `t${i}`);
    const { id } = await made({ tags: twenty });
    expect(await tagsOf(id)).toEqual(twenty.toSorted());
    expect((await add(id, "one more").expect(422)).body.code).toBe("too-many-tags");
    await add(id, "T7").expect(200);
    await remove(id, "t7").expect(200);
    await add(id, "one more").expect(200);
    await api()
      .post("/api/v1/captures")
      .send({ tags: [...twenty, "one more"] })
      .expect(400);
  });

  test("that are given at the same time are all kept", async () => {
    const { id } = await made({});
    await Promise.all(["a", "b", "c", "d"].map((tag) => add(id, tag).expect(200)));
    expect(await tagsOf(id)).toEqual(["a", "b", "c", "d"]);
  });

  test("find it in the list, also by words, until they are taken off", async () => {
    const { id } = await made({ tags: ["Month End"] });
    await file(id);
    const { id: other } = await made({});
    await file(other);
    const found = async (query: string) => {
      const { body } = await api().get(`/api/v1/library?${query}`).expect(200);
      return LibraryPage.parse(body).captures.map((capture) => capture.id);
    };
    for (const query of ["tag=month+end", "q=tag:month", "q=month"]) expect(await found(query)).toEqual([id]);
    await remove(id, "month end").expect(200);
    expect(await found("q=month")).toEqual([]);
  });

  test("stay through the trash, and are none of a capture that is gone", async () => {
    const { id } = await made({ tags: ["drill"] });
    await file(id);
    await api().delete(`/api/v1/captures/${id}`).expect(204);
    await add(id, "late").expect(404);
    await api().post(`/api/v1/captures/${id}/restore`).expect(200);
    expect(await tagsOf(id)).toEqual(["drill"]);
  });
});

test("who may not change a capture sees its tags and sets none; the audit log has who did", async () => {
  service = await testService(await tokenAccess(), stubAnalyzer());
  const ann = as(service, TOKENS.ann);
  const bob = as(service, TOKENS.bob);
  const admin = as(service, TOKENS.admin);
  const { id } = (
    await ann
      .post("/captures")
      .send({ name: "Friday", tags: ["nightly"] })
      .expect(201)
  ).body;
  await bob.post(`/captures/${id}/tags`).send({ tag: "mine" }).expect(404);
  await ann.patch(`/captures/${id}`).send({ shared: true }).expect(200);
  await bob.post(`/captures/${id}/tags`).send({ tag: "mine" }).expect(403);
  await bob.delete(`/captures/${id}/tags/nightly`).expect(403);
  expect((await bob.get(`/captures/${id}`).expect(200)).body.tags).toEqual(["nightly"]);
  await ann.post(`/captures/${id}/tags`).send({ tag: "drill" }).expect(200);
  await admin.delete(`/captures/${id}/tags/drill`).expect(200);
  const { entries } = (await admin.get("/access/audit").expect(200)).body;
  expect(entries.slice(0, 2)).toMatchObject([
    { person: "Shared token (admin)", action: "took a tag off", what: "Friday" },
    { person: "Ann", action: "tagged", what: "Friday" },
  ]);
});
