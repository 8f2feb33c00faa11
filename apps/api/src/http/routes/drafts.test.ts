import request from "supertest";
import { Capture, CaptureList, LibraryPage } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { as, tokenAccess, TOKENS } from "../../../test/access.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import { until } from "../../../test/until.ts";

const HOUR_MS = 3_600_000;
const ANNS = "browser-of-ann-0123456789";
const BOB = "browser-of-bob-0123456789";

let service: TestService;
let analyzer: StubAnalyzer;
let clock: TestClock;

beforeEach(async () => {
  analyzer = stubAnalyzer();
  clock = new TestClock();
  service = await testService({}, analyzer, { clock });
});
afterEach(() => service.end());

const inDays = (days: number): string => new Date(clock.now() + days * 24 * HOUR_MS).toISOString();

/** Requests of a browser; null of a program. */
const by = (browser: string | null) => ({
  send: (method: "get" | "post" | "patch" | "delete", path: string) => {
    const sent = request(service.app)[method](`/api/v1${path}`);
    return browser === null ? sent : sent.set("x-aglens-browser", browser);
  },
});

async function drop(browser: string | null): Promise<Capture> {
  const { send } = by(browser);
  const { id } = (await send("post", "/captures").send({ draft: true }).expect(201)).body;
  await send("post", `/captures/${id}/files?name=a.xel`)
    .type("application/octet-stream")
    .send("abc")
    .expect(201);
  return Capture.parse((await send("get", `/captures/${id}`).expect(200)).body);
}

const listed = async (browser: string | null, query = ""): Promise<string[]> =>
  CaptureList.parse((await by(browser).send("get", `/captures?${query}`).expect(200)).body).captures.map(
    ({ id }) => id,
  );

const library = async (browser: string | null, query = ""): Promise<string[]> =>
  LibraryPage.parse((await by(browser).send("get", `/library?${query}`).expect(200)).body).captures.map(
    ({ id }) => id,
  );

test("dropped files are a draft of the browser alone, below all captures, and expire within a day", async () => {
  const night = await service.captures.create("Night");
  await by(null)
    .send("post", `/captures/${night.id}/files?name=a.xel`)
    .type("application/octet-stream")
    .send("x");
  clock.move(HOUR_MS);
  const draft = await drop(ANNS);
  expect(draft).toMatchObject({ isDraft: true, expires: inDays(1) });
  expect(night.isDraft).toBeUndefined();

  for (const other of [BOB, null, "short"]) {
    expect(await listed(other)).toEqual([night.id]);
    expect(await library(other)).toEqual([night.id]);
  }
  expect(await listed(ANNS)).toEqual([draft.id, night.id]);
  expect(await listed(ANNS, "drafts=without")).toEqual([night.id]);
  expect(await listed(ANNS, "drafts=only")).toEqual([draft.id]);
  expect(await library(ANNS)).toEqual([night.id, draft.id]);
  expect(await library(ANNS, "sort=captured")).toEqual([night.id, draft.id]);

  clock.move(24 * HOUR_MS);
  await service.captures.expire();
  expect(await listed(ANNS)).toEqual([night.id]);
  // In the trash, only its owner can see it as well.
  expect(await library(BOB, "view=trash")).toEqual([]);
  expect(await library(ANNS, "view=trash")).toEqual([draft.id]);
  expect((await by(BOB).send("get", "/trash")).body.captures).toEqual([]);
});

test("an analysis makes a draft a capture that all users see, kept as long as the others", async () => {
  const { id } = await drop(ANNS);
  await by(ANNS).send("post", `/captures/${id}/analysis`).expect(202);
  expect(await listed(BOB)).toEqual([id]);
  analyzer.analyses[0]?.finish();
  await until(async () => (await service.captures.get(id)).state === "ready");
  const capture = await service.captures.get(id);
  expect(capture.expires).toBe(inDays(30));
  expect(capture).not.toHaveProperty("isDraft");
  expect(capture).not.toHaveProperty("draft");
});

test("an analysis that is canceled leaves a capture, not a draft", async () => {
  const { id } = await drop(ANNS);
  await by(ANNS).send("post", `/captures/${id}/analysis`).expect(202);
  await by(ANNS).send("delete", `/captures/${id}/analysis`).expect(200);
  expect(await service.captures.get(id)).toMatchObject({
    state: "receiving",
    expires: inDays(30),
  });
  expect(await listed(BOB)).toEqual([id]);
});

test("a draft that is kept stays, and what a program drops is in every list", async () => {
  const [kept, programs] = [await drop(ANNS), await drop(null)];
  await by(ANNS).send("patch", `/captures/${kept.id}`).send({ kept: true }).expect(200);
  expect((await listed(BOB)).toSorted()).toEqual([kept.id, programs.id].toSorted());
  clock.move(24 * HOUR_MS);
  await service.captures.expire();
  expect(await listed(BOB)).toEqual([kept.id]);
});

test("a draft stays while a file is sent to it in parts", async () => {
  const { id } = await drop(ANNS);
  const begin = by(ANNS)
    .send("post", `/captures/${id}/uploads`)
    .set({ "tus-resumable": "1.0.0", "upload-length": "9" })
    .set("upload-metadata", `filename ${Buffer.from("b.xel").toString("base64")}`);
  await begin.expect(201);
  // Others can't resume an upload of a draft, because they can't see it.
  const uploads = async (browser: string) => (await by(browser).send("get", "/uploads")).body.uploads.length;
  expect([await uploads(ANNS), await uploads(BOB)]).toEqual([1, 0]);
  clock.move(20 * HOUR_MS);
  await service.uploads.sweep();
  clock.move(20 * HOUR_MS);
  await service.captures.expire();
  expect(await listed(ANNS)).toEqual([id]);
});

test("where people sign in a draft is its owner's, on any browser, and not in an admin's list", async () => {
  const signedIn = await testService(await tokenAccess(), stubAnalyzer(), { clock });
  try {
    const ann = as(signedIn, TOKENS.ann);
    const { body: draft } = await ann.post("/captures").send({ draft: true }).expect(201);
    await ann.post(`/captures/${draft.id}/files?name=a.xel`).type("application/octet-stream").send("abc");
    const names = async (token: string) => [
      (await as(signedIn, token).get("/captures")).body.captures.length,
      (await as(signedIn, token).get("/library")).body.captures.length,
    ];
    expect(await names(TOKENS.ann)).toEqual([1, 1]);
    expect(await names(TOKENS.bob)).toEqual([0, 0]);
    expect(await names(TOKENS.admin)).toEqual([0, 0]);
    await ann.patch(`/captures/${draft.id}`).send({ shared: true }).expect(200);
    expect(await names(TOKENS.bob)).toEqual([1, 1]);
  } finally {
    await signedIn.end();
  }
});
