import { setTimeout as sleep } from "node:timers/promises";
import request from "supertest";
import { afterEach, expect, test, vi } from "vitest";
import { as, TOKENS, tokenAccess } from "../../test/access.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";

let service: TestService;
afterEach(async () => {
  await service.end();
});

type Who = ReturnType<typeof as>;

const made = async (who: Who): Promise<string> => (await who.post("/captures").send({})).body.id;
const upload = (who: Who, id: string, bytes: number) =>
  who
    .post(`/captures/${id}/files?name=a.xel`)
    .set("content-type", "application/octet-stream")
    .send(Buffer.alloc(bytes, 1));

test("each person has bytes of their own, to the last one", async () => {
  service = await testService({ ...(await tokenAccess()), quotaBytesPerPerson: 1_000 }, stubAnalyzer());
  const ann = as(service, TOKENS.ann);
  const id = await made(ann);
  await upload(ann, id, 600).expect(201);
  const refused = await upload(ann, id, 401).expect(507);
  expect(refused.body).toMatchObject({
    code: "over-quota",
    detail: expect.stringMatching(/the quota for files of Ann is 0 MB/u),
  });
  await upload(ann, id, 400).expect(201);
  await upload(ann, id, 1).expect(507);
  // A capture in the trash still uses space; a permanently deleted one does not.
  await ann.delete(`/captures/${id}`).expect(204);
  const second = await made(ann);
  await upload(ann, second, 1).expect(507);
  await ann.delete(`/captures/${id}?forGood=true`).expect(204);
  await upload(ann, second, 1_000).expect(201);
  // Another person's bytes are not hers; an admin who adds to her capture uses hers.
  const bob = as(service, TOKENS.bob);
  await upload(bob, await made(bob), 1_000).expect(201);
  await upload(as(service, TOKENS.admin), second, 1).expect(507);
});

test("a length that is not announced is counted as it comes, and nothing of it stays", async () => {
  service = await testService({ quotaBytes: 1_000 }, stubAnalyzer());
  const { body } = await request(service.app).post("/api/v1/captures").send({});
  const send = (bytes: number) => {
    const sending = request(service.app)
      .post(`/api/v1/captures/${body.id}/files?name=a.xel`)
      .set("content-type", "application/octet-stream")
      .set("transfer-encoding", "chunked");
    sending.write(Buffer.alloc(bytes, 1));
    return sending;
  };
  expect((await send(1_001)).body.code).toBe("over-quota");
  expect((await service.captures.get(body.id)).files).toEqual([]);
  expect((await send(1_000)).status).toBe(201);
});

test("so many captures of a person are analyzed at once", async () => {
  const analyzer = stubAnalyzer();
  service = await testService({ ...(await tokenAccess()), analysesPerPerson: 1 }, analyzer);
  const ann = as(service, TOKENS.ann);
  const [first, second] = [await made(ann), await made(ann)];
  for (const id of [first, second]) await upload(ann, id, 1).expect(201);
  await ann.post(`/captures/${first}/analysis`).expect(202);
  expect((await ann.post(`/captures/${second}/analysis`).expect(507)).body.detail).toMatch(
    /^1 capture of Ann/u,
  );
  await ann.delete(`/captures/${first}/analysis`).expect(200);
  await ann.post(`/captures/${second}/analysis`).expect(202);
});

test("captures of a person that are begun together are counted one after the other", async () => {
  service = await testService({ ...(await tokenAccess()), analysesPerPerson: 1 }, stubAnalyzer());
  const ann = as(service, TOKENS.ann);
  const both = [await made(ann), await made(ann)];
  for (const id of both) await upload(ann, id, 1).expect(201);
  const { analyses } = service.captures;
  const start = analyses.start.bind(analyses);
  // A catalog that is far away takes a while to store it.
  vi.spyOn(analyses, "start").mockImplementation((id) => sleep(50).then(() => start(id)));
  const ends = await Promise.all(both.map((id) => ann.post(`/captures/${id}/analysis`)));
  expect(ends.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 507]);
});

test("reads are limited where it is set", async () => {
  service = await testService({ readsPerMinute: 3 }, stubAnalyzer());
  for (let i = 0; i < 3; i++) await request(service.app).get("/api/v1/captures").expect(200);
  expect((await request(service.app).get("/api/v1/captures").expect(429)).body.code).toBe(
    "too-many-requests",
  );
  await request(service.app).post("/api/v1/captures").send({}).expect(201);
});
