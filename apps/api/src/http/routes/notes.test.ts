import { readFile } from "node:fs/promises";
import { join } from "node:path";
import request from "supertest";
import { type NewNote, Note, Notes, type Problem } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { as, TOKENS, tokenAccess } from "../../../test/access.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import { RECORD_COPY_FILE } from "../../captures/kept/record-copy-file.ts";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { until } from "../../../test/until.ts";

const ORIGIN = 131_069_746_000_000_000n;

let service: TestService;
let clock: TestClock;
let analyzer: StubAnalyzer;
let captureId: string;

beforeEach(async () => {
  clock = new TestClock();
  analyzer = stubAnalyzer();
  service = await testService({}, analyzer, { clock });
  captureId = (await request(service.app).post("/api/v1/captures").send({ name: "Friday" })).body.id;
});
afterEach(() => service.end());

const api = () => request(service.app);
const at = (): string => `/api/v1/captures/${captureId}/notes`;
const onPeriod = (from: number, to: number, text: string): NewNote => ({
  fromTicks: String(ORIGIN + BigInt(from)),
  toTicks: String(ORIGIN + BigInt(to)),
  lsn: null,
  text,
});
const write = async (note: NewNote): Promise<Note> =>
  Note.parse((await api().post(at()).send(note).expect(201)).body);
const texts = async (path = at()): Promise<string[]> =>
  Notes.parse((await api().get(path).expect(200)).body).notes.map(({ text }) => text);

describe("a note", () => {
  test("is kept with its time of writing and shown in the order of what it is on", async () => {
    const late = await write(onPeriod(500, 900, "  Backup runs  "));
    const written = new Date(clock.now()).toISOString();
    expect(late).toMatchObject({ ...onPeriod(500, 900, "Backup runs"), written });
    await write({ ...onPeriod(100, 120, "Snapshot?"), lsn: "00000022:000001f7" });
    expect(await texts()).toEqual(["Snapshot?", "Backup runs"]);
  });

  test("gets another text, and the time at which that was written", async () => {
    const { id } = await write(onPeriod(0, 1, "Backup"));
    clock.move(60_000);
    const { body } = await api().patch(`${at()}/${id}`).send({ text: "Log backup" }).expect(200);
    expect(body).toMatchObject({ id, text: "Log backup", written: new Date(clock.now()).toISOString() });
    expect(await texts()).toEqual(["Log backup"]);
  });

  test("is deleted at once, and comes back for a minute", async () => {
    const note = await write(onPeriod(0, 1, "Backup"));
    await api().delete(`${at()}/${note.id}`).expect(204);
    expect(await texts()).toEqual([]);
    clock.move(60_000);
    expect((await api().post(`${at()}/${note.id}/restore`).expect(200)).body).toEqual(note);
    expect(await texts()).toEqual(["Backup"]);
    await api().delete(`${at()}/${note.id}`).expect(204);
    clock.move(60_001);
    const { body } = await api().post(`${at()}/${note.id}/restore`).expect(404);
    expect((body as Problem).code).toBe("note-not-found");
    await api().delete(`${at()}/${note.id}`).expect(404);
  });

  test.each([
    ["without a text", { ...onPeriod(0, 1, " ") }],
    ["of 141 characters", onPeriod(0, 1, "x".repeat(141))],
    ["that ends before it begins", onPeriod(1, 0, "Backup")],
    ["on no LSN", { ...onPeriod(0, 1, "Backup"), lsn: "34:503" }],
  ])("%s is refused", async (_, note) => {
    expect((await api().post(at()).send(note).expect(400)).body.code).toBe("bad-request");
    expect(await texts()).toEqual([]);
  });

  test("of 140 characters is taken, and the 201st is refused until one is deleted", async () => {
    const first = await write(onPeriod(0, 1, "x".repeat(140)));
    await service.captures.records.change(captureId, (record) => ({
      ...record,
      notes: Array.from({ length: 200 }, (_, i) => ({ ...first, id: `n${i}` })),
    }));
    expect(
      (
        await api()
          .post(at())
          .send(onPeriod(0, 1, "one more"))
          .expect(422)
      ).body.code,
    ).toBe("too-many-notes");
    await api().delete(`${at()}/n7`).expect(204);
    await write(onPeriod(0, 1, "one more"));
    const restored = await api().post(`${at()}/n7/restore`).expect(422);
    expect(restored.body.code).toBe("too-many-notes");
  });
});

test("notes come and go with their capture, and survive a new analysis, a restart and the loss of the catalogue", async () => {
  await api()
    .post(`/api/v1/captures/${captureId}/files?name=a.xel`)
    .type("application/octet-stream")
    .send("abc")
    .expect(201);
  await write(onPeriod(0, 1, "Backup"));
  expect((await api().get(`/api/v1/captures/${captureId}`)).body).not.toHaveProperty("notes");
  await api().post(`/api/v1/captures/${captureId}/analysis`).expect(202);
  await api().delete(`/api/v1/captures/${captureId}/analysis`).expect(200);
  expect(await texts()).toEqual(["Backup"]);
  await api().delete(`/api/v1/captures/${captureId}`).expect(204);
  await api().get(at()).expect(404);
  await api()
    .post(at())
    .send(onPeriod(0, 1, "late"))
    .expect(404);
  await api().post(`/api/v1/captures/${captureId}/restore`).expect(200);
  const { config } = service;
  await service.close();
  const copy = JSON.parse(
    await readFile(join(config.dataDirectory, "captures", captureId, RECORD_COPY_FILE), "utf8"),
  );
  expect(copy.record.notes).toMatchObject([{ text: "Backup" }]);
  const again = await testService(config, analyzer, { clock });
  expect((await again.captures.get(captureId)).name).toBe("Friday");
  expect((await request(again.app).get(at())).body.notes).toMatchObject([{ text: "Backup" }]);
  await request(again.app).delete(`/api/v1/captures/${captureId}?forGood=true`).expect(204);
  await request(again.app).get(at()).expect(404);
  await again.close();
  service = await testService({}, analyzer, { clock });
});

describe("behind a link", () => {
  async function analysed(): Promise<void> {
    await api()
      .post(`/api/v1/captures/${captureId}/files?name=a.xel`)
      .type("application/octet-stream")
      .send("abc");
    await api().post(`/api/v1/captures/${captureId}/analysis`).expect(202);
    const names = { replicas: [{ name: "SQL1" }], databases: [{ name: "Payroll" }], files: [] };
    analyzer.analyses.at(-1)?.finish({
      files: {
        [SUMMARY_FILE]: new TextEncoder().encode(JSON.stringify({ captureId, name: "Friday", ...names })),
      },
    });
    await until(async () => (await service.captures.get(captureId)).state === "ready");
  }
  const share = async (more: object): Promise<string> =>
    (
      await api()
        .post("/api/v1/links")
        .send({ captureId, path: "/timeline", view: "v=1", title: "Slow", ...more })
        .expect(201)
    ).body.id;

  test("notes are those of its capture, and none can be written", async () => {
    const { id: noteId } = await write(onPeriod(0, 1, "SQL1 was slow"));
    const link = `/api/v1/links/${await share({})}/notes`;
    expect(await texts(link)).toEqual(["SQL1 was slow"]);
    await api()
      .post(link)
      .send(onPeriod(0, 1, "mine"))
      .expect(404);
    await api().delete(`${link}/${noteId}`).expect(404);
  });

  test("that replaces names the notes' names are replaced, and a locked link shows none", async () => {
    await analysed();
    await write(onPeriod(0, 1, "sql1: backup of Payroll, not of Payroll2"));
    const replaced = await share({ replacesNames: true });
    expect(await texts(`/api/v1/links/${replaced}/notes`)).toEqual([
      "Replica 1: backup of Database 1, not of Payroll2",
    ]);
    const locked = await share({ passphrase: "tolu bake nimo resa" });
    await api().get(`/api/v1/links/${locked}/notes`).expect(401);
  });
});

test("who sees a capture reads its notes; who may rename it writes them, and the audit names it", async () => {
  await service.end();
  service = await testService(await tokenAccess(), analyzer, { clock });
  const ann = as(service, TOKENS.ann);
  const bob = as(service, TOKENS.bob);
  const { id } = (await ann.post("/captures").send({ name: "Friday" }).expect(201)).body;
  const notes = `/captures/${id}/notes`;
  const note = (
    await ann
      .post(notes)
      .send(onPeriod(0, 1, "Backup"))
      .expect(201)
  ).body;
  await bob.get(notes).expect(404);
  await ann.patch(`/captures/${id}`).send({ shared: true }).expect(200);
  expect((await bob.get(notes).expect(200)).body.notes).toEqual([{ ...note, mayChange: false }]);
  for (const refused of [
    bob.post(notes).send(onPeriod(0, 1, "mine")),
    bob.patch(`${notes}/${note.id}`).send({ text: "mine" }),
    bob.delete(`${notes}/${note.id}`),
    as(service, TOKENS.viewer).post(`${notes}/${note.id}/restore`),
  ]) {
    expect((await refused.expect(403)).body.code).toBe("not-allowed");
  }
  await as(service, TOKENS.admin).delete(`${notes}/${note.id}`).expect(204);
  const { body } = await as(service, TOKENS.admin).get("/access/audit").expect(200);
  const done = body.entries.map(({ person, action, what }: Record<string, string>) => [person, action, what]);
  expect(done.slice(0, 1)).toEqual([["Shared token (admin)", "deleted a note on", "Friday"]]);
  expect(done).toContainEqual(["Ann", "wrote a note on", "Friday"]);
});

describe("the author of a note", () => {
  const by = (browser: string, method: "get" | "post" | "patch" | "delete", path = "") =>
    api()[method](`${at()}${path}`).set("x-aglens-browser", browser);
  const [ANN, BOB] = ["browser-of-ann-0123456789", "browser-of-bob-0123456789"];

  test("is the browser on a server without sign-in, under the name that was entered, and alone changes the note", async () => {
    const { body } = await by(ANN, "post")
      .send({ ...onPeriod(0, 1, "Backup"), author: "Ann" })
      .expect(201);
    const unnamed = (
      await by(BOB, "post")
        .send(onPeriod(2, 3, "Snapshot"))
        .expect(201)
    ).body;
    const { id } = Note.parse(body);
    const seen = async (browser: string) =>
      Notes.parse((await by(browser, "get").expect(200)).body).notes.map((note) => [
        note.author,
        note.mayChange,
      ]);
    expect(await seen(ANN)).toEqual([
      ["Ann", undefined],
      [undefined, false],
    ]);
    expect(await seen(BOB)).toEqual([
      ["Ann", false],
      [undefined, undefined],
    ]);
    // The server keeps a hash of the browser's name, and shows it to no user.
    expect(JSON.stringify((await by(BOB, "get")).body)).not.toContain("browser");
    for (const refused of [
      by(BOB, "delete", `/${id}`),
      by(BOB, "patch", `/${id}`).send({ text: "No backup" }),
      api().delete(`${at()}/${id}`),
    ])
      expect((await refused.expect(403)).body).toMatchObject({
        code: "not-allowed",
        detail: "Ann wrote this note. Only its author or an admin can change or delete it.",
      });
    const changed = await by(ANN, "patch", `/${id}`).send({ text: "Log backup" }).expect(200);
    expect(changed.body).toMatchObject({ text: "Log backup", author: "Ann" });
    await by(ANN, "delete", `/${id}`).expect(204);
    await by(BOB, "post", `/${id}/restore`).expect(403);
    await by(ANN, "post", `/${id}/restore`).expect(200);
    await by(BOB, "delete", `/${id}`).expect(403);
    await by(BOB, "delete", `/${unnamed.id}`).expect(204);
  });

  test("is who is signed in, whatever name comes with it; an admin changes notes of others", async () => {
    const signedIn = await testService(await tokenAccess(), stubAnalyzer(), { clock });
    try {
      const [ann, admin] = [as(signedIn, TOKENS.ann), as(signedIn, TOKENS.admin)];
      const id = (await ann.post("/captures").send({ name: "Friday" })).body.id;
      const notes = `/captures/${id}/notes`;
      const own = await ann
        .post(notes)
        .send({ ...onPeriod(0, 1, "Backup"), author: "Bob" })
        .expect(201);
      expect(own.body.author).toBe("Ann");
      const other = await admin
        .post(notes)
        .send(onPeriod(2, 3, "Snapshot"))
        .expect(201);
      await ann.delete(`${notes}/${other.body.id}`).expect(403);
      await admin.delete(`${notes}/${own.body.id}`).expect(204);
    } finally {
      await signedIn.end();
    }
  });
});
