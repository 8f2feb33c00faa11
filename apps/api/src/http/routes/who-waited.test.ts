/** Clients of commits by the API: what is kept of a file, and what a link shows. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Summary, WhoWaited } from "@aglens/contract";
import { clients } from "@aglens/fixtures/scenarios";
import { simulate } from "@aglens/fixtures/simulator";
import { as, TOKENS, tokenAccess } from "../../../test/access.ts";
import { testService, type TestService } from "../../../test/service.ts";
import { until } from "../../../test/until.ts";

let service: TestService;
let ann: ReturnType<typeof as>;
let bob: ReturnType<typeof as>;
const { files } = simulate({ ...clients, load: { seconds: 3, blocksPerSecond: 60 } });

beforeAll(async () => {
  service = await testService({ ...(await tokenAccess()), keepsTables: true });
  ann = as(service, TOKENS.ann);
  bob = as(service, TOKENS.bob);
});
afterAll(() => service.end());

async function analyzed(keepSensitive: boolean): Promise<string> {
  const { body } = await ann.post("/captures").send({ name: "Night" }).expect(201);
  const id = String(body.id);
  for (const { replica, name, bytes } of files) {
    const path = encodeURIComponent(`${replica}/${name}`);
    await ann
      .post(`/captures/${id}/files?name=${path}&keepSensitive=${keepSensitive}`)
      .set("content-type", "application/octet-stream")
      .send(Buffer.from(bytes))
      .expect(201);
  }
  await ann.post(`/captures/${id}/analysis`).expect(202);
  await until(async () => (await service.captures.get(id)).state === "ready");
  return id;
}

const answered = async (who: ReturnType<typeof as>, path: string): Promise<WhoWaited> =>
  WhoWaited.parse((await who.get(path).expect(200)).body);

async function linkTo(captureId: string, replacesNames: boolean): Promise<string> {
  const link = { captureId, path: "/waiting", view: "v=1", title: "Night", expiresInDays: 1 };
  const { body } = await ann
    .post("/links")
    .send({ ...link, audience: "anyone", replacesNames })
    .expect(201);
  return String(body.id);
}

test("applications are kept without asking, statements only where the uploader kept them", async () => {
  const id = await analyzed(false);
  const { rows, recorded } = await answered(ann, `/captures/${id}/who-waited?by=application`);
  expect(recorded).toEqual({ sessions: "recorded", applications: "recorded", statements: "dropped" });
  expect(rows.map(({ application }) => application)).toContain("OrderEntry");
  const { clients: known } = (await ann.get(`/captures/${id}/summary`).expect(200)).body as Summary;
  expect(known).toMatchObject({ statements: "dropped" });
  expect(known?.names).toHaveLength(5);
});

test("a link shows applications but no statement, and no name where it replaces names", async () => {
  const id = await analyzed(true);
  const own = await answered(ann, `/captures/${id}/who-waited?by=statement`);
  expect(own.rows.map(({ statement }) => statement)).toContain("UPDATE Orders SET Total = ? WHERE Id = ?");
  const shown = await linkTo(id, false);
  for (const by of ["statement", "application"]) {
    const { body } = await bob.get(`/links/${shown}/who-waited?by=${by}`).expect(200);
    expect(JSON.stringify(body)).not.toMatch(/UPDATE|INSERT/u);
    expect(WhoWaited.parse(body).rows.length).toBeGreaterThan(1);
  }
  expect((await bob.get(`/links/${shown}/who-waited?by=application`)).text).toContain("OrderEntry");
  const hidden = await linkTo(id, true);
  for (const path of ["who-waited?by=application", "summary"]) {
    const { text } = await bob.get(`/links/${hidden}/${path}`).expect(200);
    expect(text).toMatch(/Application 1/u);
    expect(text).not.toMatch(/OrderEntry|Web shop|UPDATE/u);
  }
  expect(await service.dataset.whenWritten(id)).toBe(true);
  const sql = "SELECT count(statement)::INT AS statements, count(application)::INT > 0 AS named FROM commits";
  const counted = async (who: ReturnType<typeof as>, path: string) =>
    (await who.post(path).send({ sql }).expect(200)).body.columns as { values: unknown[] }[];
  expect((await counted(bob, `/links/${shown}/sql`)).map(({ values }) => values)).toEqual([[0], [true]]);
  expect(Number((await counted(ann, `/captures/${id}/sql`))[0]?.values[0])).toBeGreaterThan(100);
});
