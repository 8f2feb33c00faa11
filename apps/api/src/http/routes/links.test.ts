import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import express from "express";
import request from "supertest";
import { Link, LinkList, OpenedLink } from "@aglens/contract";
import type { ProblemError } from "@aglens/engine/problems";
import { TestClock } from "@aglens/fixtures/clock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { as, TOKENS, tokenAccess } from "../../../test/access.ts";
import { passingInMemory } from "../../access/passing.ts";
import { keptPassphrase } from "../../access/passphrase.ts";
import { testService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { StubAnalyzer } from "../../../test/stub-analyzer.ts";
import type { TestService } from "../../../test/service.ts";
import { SUMMARY_FILE } from "@aglens/engine/analysis";
import { until } from "../../../test/until.ts";
import { CatalogUnreachableError } from "../../store/catalog.ts";
import type { Catalog, LinkRecord } from "../../store/catalog.ts";
import { LinkDoor } from "./link-door.ts";
import type { LinkParts } from "./link-door.ts";

const DAY_MS = 24 * 3600 * 1000;
const START = Date.parse("2026-11-22T08:00:00.000Z");
const PASSPHRASE = "Tolu bake nimo resa";
const page = { host: "localhost", origin: "http://localhost" };
const VERDICT = "The network to SQL2 takes 94 % of remote harden in Payroll.";

let service: TestService;
let analyzer: StubAnalyzer;
let captureId: string;
let clock: TestClock;

beforeEach(async () => {
  clock = new TestClock();
  analyzer = stubAnalyzer();
  service = await testService({ keepDays: 10 }, analyzer, { clock });
  captureId = (await request(service.app).post("/api/v1/captures").send({ name: "Friday" })).body.id;
});
afterEach(async () => {
  await service.end();
});

/** An analyzed capture, with the names in its summary. */
async function analysed(to: TestService, id: string, token?: string): Promise<void> {
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const post = (path: string) => request(to.app).post(`/api/v1/captures/${id}${path}`).set(bearer);
  await post("/files?name=a.xel")
    .set("content-type", "application/octet-stream")
    .send(Buffer.from("x"))
    .expect(201);
  await post("/analysis").expect(202);
  const summary = {
    captureId: id,
    name: "Friday",
    replicas: [{ name: "SQL1" }, { name: "SQL2" }],
    databases: [{ name: "Payroll" }],
    files: [{ name: "sql1_0.xel" }],
    verdict: { sentence: VERDICT, place: "network" },
  };
  analyzer.analyses.at(-1)?.finish({
    files: { [SUMMARY_FILE]: new TextEncoder().encode(JSON.stringify(summary)) },
  });
  await until(async () => (await to.captures.get(id)).state === "ready");
}

const wanted = () => ({ captureId, path: "/timeline", view: "v=1&from=0&to=10", title: "Slow commits" });
const share = async (changes: object = {}): Promise<Link> =>
  Link.parse(
    (
      await request(service.app)
        .post("/api/v1/links")
        .send({ ...wanted(), ...changes })
        .expect(201)
    ).body,
  );
const look = (id: string) => request(service.app).get(`/api/v1/links/${id}`);
const takeBack = (link: Link) =>
  request(service.app).delete(`/api/v1/links/${link.id}`).set("authorization", `Bearer ${link.deleteToken}`);
const madeLinks = async (): Promise<Link[]> =>
  LinkList.parse((await request(service.app).get(`/api/v1/captures/${captureId}/links`).expect(200)).body)
    .links;

describe("a link", () => {
  test("restores the view, and shows neither its token nor the capture's id", async () => {
    const link = await share();
    expect(link.id).toMatch(/^[A-Za-z0-9_-]{22}$/u);
    const { body, text } = await look(link.id).expect(200);
    const { path, view, title } = wanted();
    expect(OpenedLink.parse(body)).toEqual({
      id: link.id,
      isLocked: false,
      expires: link.expires,
      replacesNames: false,
      path,
      view,
      title,
    });
    for (const secret of [captureId, link.deleteToken ?? "", "tokenHash"]) expect(text).not.toContain(secret);
  });

  test("opens its capture under its own id, which no answer leads out of", async () => {
    await analysed(service, captureId);
    const link = await share();
    const { body, text } = await request(service.app).get(`/api/v1/links/${link.id}/summary`).expect(200);
    expect(body).toMatchObject({ captureId: link.id, name: "Friday", verdict: { sentence: VERDICT } });
    expect(text).not.toContain(captureId);
    // The link allows only requests of the capture's screens, and no changes.
    for (const path of ["/files", "/tables/blocks.arrow", "/analysis", "/preview", "/progress"]) {
      await request(service.app).get(`/api/v1/links/${link.id}${path}`).expect(404);
    }
    await request(service.app).get(`/api/v1/captures/${link.id}`).expect(404);
    await request(service.app).get(`/api/v1/links/${captureId}`).expect(404);
    await request(service.app).get(`/api/v1/links/${captureId}/summary`).expect(404);
  });

  test("opens its capture where its opening cannot be counted, and nothing ends by that", async () => {
    await analysed(service, captureId);
    const record = { id: "link", captureId, expires: null, audience: "anyone" } as LinkRecord;
    const lost = new CatalogUnreachableError(new Error("gone"));
    const door = new LinkDoor({
      ...({} as Pick<LinkParts, "captures" | "answers">),
      catalogue: {
        link: () => Promise.resolve(record),
        changeLink: () => Promise.reject(lost),
      } as Partial<Catalog> as Catalog,
      passing: passingInMemory(clock),
      clock,
      config: { publicUrl: null },
      hasAccess: false,
    });
    const app = express();
    const told: unknown[] = [];
    app.get("/links/:id", async (asked, response) => {
      response.locals["log"] = { error: (what: unknown) => told.push(what) };
      const { onSummary } = await door.open(asked, response);
      response.end();
      onSummary?.();
    });
    await request(app).get("/links/link").expect(200);
    await until(() => told.length > 0);
    expect(told).toEqual([{ err: lost }]);
  });

  test("is taken back by who made it, and then opens nothing", async () => {
    await analysed(service, captureId);
    const link = await share();
    await request(service.app).delete(`/api/v1/links/${link.id}`).expect(401);
    await takeBack({ ...link, deleteToken: "wrong" }).expect(401);
    await request(service.app).get(`/api/v1/links/${link.id}/summary`).expect(200);
    await takeBack(link).expect(204);
    for (const path of ["", "/summary", "/window", "/blocks/0"]) {
      const { body, text } = await request(service.app).get(`/api/v1/links/${link.id}${path}`).expect(410);
      expect(body.code).toBe("link-taken-back");
      expect(text).not.toContain("Slow commits");
    }
    await request(service.app)
      .patch(`/api/v1/links/${link.id}`)
      .set("authorization", `Bearer ${link.deleteToken}`)
      .send({ expiresInDays: 7 })
      .expect(410);
  });

  test("expires, and can be renewed under the same address", async () => {
    await analysed(service, captureId);
    // Sweeps run every ten minutes, so this moves them away from the time of its end.
    clock.move(5 * 60_000);
    const link = await share({ expiresInDays: 1 });
    expect(link.expires).toBe(new Date(clock.now() + DAY_MS).toISOString());
    clock.move(DAY_MS - 1);
    await look(link.id).expect(200);
    clock.move(1);
    for (const path of ["", "/summary"]) {
      const { body } = await request(service.app).get(`/api/v1/links/${link.id}${path}`).expect(410);
      expect(body.code).toBe("link-expired");
    }
    await request(service.app).patch(`/api/v1/links/${link.id}`).send({ expiresInDays: 7 }).expect(401);
    const renewed = await request(service.app)
      .patch(`/api/v1/links/${link.id}`)
      .set("authorization", `Bearer ${link.deleteToken}`)
      .send({ expiresInDays: 7 })
      .expect(200);
    expect(Link.parse(renewed.body).expires).toBe(new Date(clock.now() + 7 * DAY_MS).toISOString());
    await look(link.id).expect(200);
  });

  test("counts how often it was opened and, after its end, tried", async () => {
    await analysed(service, captureId);
    const link = await share({ expiresInDays: 1 });
    expect((await madeLinks())[0]?.opens).toEqual({ count: 0, last: null, after: 0 });
    const summary = () => request(service.app).get(`/api/v1/links/${link.id}/summary`);
    await summary();
    clock.move(1_000);
    await summary();
    const last = new Date(clock.now()).toISOString();
    await look(link.id);
    expect((await madeLinks())[0]?.opens).toEqual({ count: 2, last, after: 0 });
    clock.move(DAY_MS);
    await look(link.id);
    expect((await madeLinks())[0]?.opens).toEqual({ count: 2, last, after: 1 });
  });

  test("keeps its capture as long as it lasts", async () => {
    const { id } = await share({ expiresInDays: 30 });
    await clock.pass(30 * DAY_MS - 1, DAY_MS / 4);
    await service.captures.expire();
    await request(service.app).get(`/api/v1/captures/${captureId}`).expect(200);
    await look(id).expect(200);
  });

  test("that is renewed keeps its capture as long as it lasts then", async () => {
    const link = await share({ expiresInDays: 7 });
    const expires = async (): Promise<string> =>
      (await request(service.app).get(`/api/v1/captures/${captureId}`).expect(200)).body.expires;
    // Captures are kept for ten days here.
    expect(await expires()).toBe(new Date(clock.now() + 10 * DAY_MS).toISOString());
    clock.move(60_000);
    await request(service.app)
      .patch(`/api/v1/links/${link.id}`)
      .set("authorization", `Bearer ${link.deleteToken}`)
      .send({ expiresInDays: 90 })
      .expect(200);
    expect(await expires()).toBe(new Date(clock.now() + 90 * DAY_MS).toISOString());
  });

  test("can be renewed for a month after its end, then it is gone", async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), "aglens-links-"));
    const serverAfter = (ms: number): Promise<TestService> =>
      testService({ dataDirectory, keepDays: null }, stubAnalyzer(), { clock: new TestClock(START + ms) });
    const first = await serverAfter(0);
    const post = (path: string, body: object) => request(first.app).post(`/api/v1${path}`).send(body);
    const capture = (await post("/captures", { name: "Friday" })).body.id as string;
    const { id } = (await post("/links", { ...wanted(), captureId: capture, expiresInDays: 1 })).body as Link;
    await first.close();
    /** Problem code that the link's address returns after a sweep. */
    const codeAfter = async (ms: number): Promise<string> => {
      const server = await serverAfter(ms);
      await server.captures.expire();
      const { body } = await request(server.app).get(`/api/v1/links/${id}`);
      await server.close();
      return (body as { code: string }).code;
    };
    expect(await codeAfter(31 * DAY_MS - 1)).toBe("link-expired");
    expect(await codeAfter(31 * DAY_MS)).toBe("link-not-found");
    await rm(dataDirectory, { recursive: true });
  });

  test("needs a capture that exists and a path of the app", async () => {
    const send = (changes: object) =>
      request(service.app)
        .post("/api/v1/links")
        .send({ ...wanted(), ...changes });
    await send({ captureId: "x".repeat(22) }).expect(404);
    await send({ path: "//evil.example" }).expect(400);
    await send({ passphrase: "short" }).expect(400);
  });

  test("ends with its capture", async () => {
    const { id } = await share();
    await request(service.app).delete(`/api/v1/captures/${captureId}`).expect(204);
    await look(id).expect(404);
  });
});

describe("a passphrase", () => {
  const give = (id: string, passphrase: string) =>
    request(service.app).post(`/api/v1/links/${id}/passphrase`).set(page).send({ passphrase });
  const cookieFrom = (answer: { headers: Record<string, unknown> }): string =>
    String((answer.headers["set-cookie"] as string[] | undefined)?.[0]).split(";", 1)[0] ?? "";
  /** A browser with the link's page open, at an address. @returns function that sends a passphrase from there */
  const browserAt = async (id: string, host: number) => {
    const cookie = cookieFrom(await look(id).expect(200));
    expect(cookie).toMatch(/^aglens-browser-[\w-]{8}=[\w-]{20,}$/u);
    return (passphrase: string, own = cookie) =>
      give(id, passphrase).set({ cookie: own, "x-forwarded-for": `10.0.0.${host}` });
  };
  const behindProxy = async (): Promise<void> => {
    await service.end();
    service = await testService({ trustedProxies: ["127.0.0.1"] }, analyzer, { clock });
    captureId = (await service.captures.create("Friday")).id;
  };

  test("keeps everything closed until it is given, in any case and spacing", async () => {
    await analysed(service, captureId);
    const link = await share({ passphrase: PASSPHRASE });
    expect(link.hasPassphrase).toBe(true);
    const locked = await look(link.id).expect(200);
    expect(locked.body).toMatchObject({ isLocked: true, expires: link.expires, title: "", view: "" });
    const summary = (cookie: string) =>
      request(service.app).get(`/api/v1/links/${link.id}/summary`).set("cookie", cookie);
    expect((await summary("").expect(401)).body.code).toBe("passphrase-needed");
    const unlocked = await give(link.id, "TOLU-BAKE  nimo-resa ").expect(204);
    for (const set of unlocked.headers["set-cookie"] as unknown as string[])
      expect(set).toMatch(/; HttpOnly; SameSite=Lax$/u);
    const cookie = cookieFrom(unlocked);
    await summary(cookie).expect(200);
    // The end in the cookie can't be changed, and the cookie opens no other link.
    await summary(cookie.replace(/=\d/u, "=9")).expect(401);
    const other = await share({ passphrase: PASSPHRASE });
    const forOther = cookie.replace(link.id.slice(0, 8), other.id.slice(0, 8));
    await request(service.app).get(`/api/v1/links/${other.id}/summary`).set("cookie", forOther).expect(401);
    clock.move(12 * 3_600_000);
    await summary(cookie).expect(401);
  });

  test("is kept as a hash of its own salt", async () => {
    await share({ passphrase: PASSPHRASE });
    await share({ passphrase: PASSPHRASE });
    const kept = await service.captures.records.get(captureId);
    expect(JSON.stringify(kept)).not.toContain("tolu");
    const text = JSON.stringify(await madeLinks());
    expect(text).not.toMatch(/tolu|salt|hash/iu);
  });

  test("may be tried 5 times an hour", async () => {
    const { id } = await share({ passphrase: PASSPHRASE });
    for (const left of ["4 tries", "3 tries", "2 tries", "1 try", "0 tries"]) {
      expect(
        (await give(id, left === "4 tries" ? "not the right one" : "wrong").expect(401)).body,
      ).toMatchObject({
        code: "wrong-passphrase",
        detail: expect.stringContaining(`${left} left this hour`),
      });
    }
    expect((await give(id, PASSPHRASE).expect(429)).body.code).toBe("too-many-tries");
    clock.move(3_600_000);
    await give(id, PASSPHRASE).expect(204);
  });

  test("may be tried 5 times also by tries that are sent at once, where they are counted somewhere else", async () => {
    const passphrase = await keptPassphrase(PASSPHRASE);
    const record = { id: "link", captureId, expires: null, audience: "anyone", passphrase } as LinkRecord;
    const counted = passingInMemory(clock);
    const door = new LinkDoor({
      ...({} as Pick<LinkParts, "captures" | "answers">),
      catalogue: { link: () => Promise.resolve(record) } as Partial<Catalog> as Catalog,
      passing: {
        tries: (...kind) => {
          const tries = counted.tries(...kind);
          const waitMs = async (key: string): Promise<number> => {
            const ms = await tries.waitMs(key);
            await pause(200);
            return ms;
          };
          return { ...tries, waitMs };
        },
      },
      clock,
      config: { publicUrl: null },
      hasAccess: false,
    });
    const app = express().use(express.json());
    app.post("/links/:id", async (asked, response) => {
      await door
        .unlock(asked, response)
        .catch((error: ProblemError) => response.status(error.problem.status));
      response.end();
    });
    const tries = Array.from({ length: 8 }, () => request(app).post("/links/link").send({ passphrase: "x" }));
    const answers = await Promise.all(tries);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
  });

  test("that a browser mistypes locks out that browser, and nobody else at its address", async () => {
    const { id } = await share({ passphrase: PASSPHRASE });
    const [mistyping, other] = [await browserAt(id, 1), await browserAt(id, 1)];
    for (let tries = 0; tries < 5; tries += 1) await mistyping("x").expect(401);
    await mistyping(PASSPHRASE).expect(429);
    await other(PASSPHRASE).expect(204);
    // Nor a script, which sends no cookie.
    await give(id, PASSPHRASE).expect(204);
  });

  test("is guessed 20 times an hour at one address, whatever cookies are sent, and those who gave it come in all the same", async () => {
    await behindProxy();
    const { id } = await share({ passphrase: PASSPHRASE });
    const ann = await browserAt(id, 1);
    const opened = await ann(PASSPHRASE).expect(204);
    const known = String((opened.headers["set-cookie"] as unknown as string[])[1]).split(";", 1)[0] ?? "";
    const guess = await browserAt(id, 1);
    for (let tries = 0; tries < 20; tries += 1)
      await guess("x", `aglens-browser-${id.slice(0, 8)}=made-up-${tries}`).expect(401);
    await guess("x", "").expect(429);
    const newcomer = await browserAt(id, 1);
    expect((await newcomer(PASSPHRASE).expect(429)).body.detail).toBe(
      "Too many wrong passphrases. Try again in 60 min.",
    );
    // From another address, and from a browser that opened it before: its own twelve hours may have ended.
    await (await browserAt(id, 2))(PASSPHRASE).expect(204);
    await ann(PASSPHRASE, known).expect(204);
    // A cookie of that kind alone opens nothing, and can't be made without the passphrase.
    const summary = request(service.app).get(`/api/v1/links/${id}/summary`);
    await summary.set("cookie", known.replace("browser", "link")).expect(401);
    await ann(PASSPHRASE, known.replace(/=\d/u, "=9")).expect(429);
    for (let tries = 0; tries < 5; tries += 1) await ann("x", known).expect(401);
    await ann(PASSPHRASE, known).expect(429);
  });

  test("may be tried 100 times an hour from all addresses together", async () => {
    await behindProxy();
    const { id } = await share({ passphrase: PASSPHRASE });
    // Too short to be one: no hash is made of it.
    const tryFrom = (host: number) => give(id, "x").set("x-forwarded-for", `10.0.0.${host}`);
    for (let tries = 0; tries < 99; tries += 1) await tryFrom(Math.floor(tries / 5)).expect(401);
    expect((await tryFrom(50).expect(401)).body.detail).toMatch(/^0 tries left this hour\./u);
    clock.move(60_000);
    expect((await tryFrom(51).expect(429)).body.detail).toBe(
      "Too many wrong passphrases. Try again in 59 min.",
    );
  });

  test("opens nothing when the link has ended", async () => {
    await analysed(service, captureId);
    const link = await share({ passphrase: PASSPHRASE, expiresInDays: 1 });
    const cookie = cookieFrom(await give(link.id, PASSPHRASE));
    await takeBack(link).expect(204);
    await request(service.app).get(`/api/v1/links/${link.id}/summary`).set("cookie", cookie).expect(410);
    await give(link.id, PASSPHRASE).expect(410);
  });
});

test("names are replaced in all that a link shows, and found again in what it is asked", async () => {
  await analysed(service, captureId);
  const link = await share({
    replacesNames: true,
    title: "Slow network to SQL2, Friday",
    view: "v=1&change=async%3ASQL2",
  });
  const opened = await look(link.id).expect(200);
  expect(opened.body).toMatchObject({ title: "Slow network to Replica 2, Group 1", replacesNames: true });
  expect(new URLSearchParams(String(opened.body.view)).get("change")).toBe("async:Replica 2");
  const { body, text } = await request(service.app).get(`/api/v1/links/${link.id}/summary`).expect(200);
  expect(body).toMatchObject({
    name: "Group 1",
    replicas: [{ name: "Replica 1" }, { name: "Replica 2" }],
    databases: [{ name: "Database 1" }],
    files: [{ name: "File 1" }],
    verdict: {
      sentence: "The network to Replica 2 takes 94 % of remote harden in Database 1.",
      place: "network",
    },
  });
  expect(text).not.toMatch(/sql1|sql2|payroll|friday/iu);
});

test("the view of a link that replaces names has no lanes of evidence, whose keys name servers and volumes", async () => {
  await analysed(service, captureId);
  const lanes = "lease,wait+time%40WRITELOG%40DB7,disk+write+latency%40G%3A%40DB7";
  const view = `v=1&event=2_3400&evidence=${lanes}&event=lease_10000000&stage=commit`;
  const renamed = await share({ replacesNames: true, view });
  const opened = await look(renamed.id).expect(200);
  expect(String(opened.body.view)).toBe("v=1&event=2_3400&stage=commit");
  expect(JSON.stringify(opened.body)).not.toContain("DB7");
  const named = await look((await share({ view })).id).expect(200);
  expect(new URLSearchParams(String(named.body.view)).get("evidence")).toContain("WRITELOG@DB7");
});

/** Tags in the head of a link's page. */
async function tagsOf(of: TestService, id: string): Promise<Record<string, string>> {
  await mkdir(of.config.webDirectory, { recursive: true });
  await writeFile(join(of.config.webDirectory, "index.html"), "<!doctype html><head></head>");
  const { text } = await request(of.app).get(`/l/${id}/timeline`).expect(200);
  const tags = text.matchAll(/<meta property="og:([^"]*)" content="([^"]*)">/gu);
  return Object.fromEntries(Array.from(tags, ([, name, content]) => [name, content]));
}

describe("a pasted link", () => {
  test("says its title and the verdict, with the names that it shows", async () => {
    await analysed(service, captureId);
    const open = await share({ title: 'Slow "network" to SQL2 & <others>' });
    expect(await tagsOf(service, open.id)).toMatchObject({
      title: "Slow &quot;network&quot; to SQL2 &amp; &lt;others&gt;",
      description: VERDICT,
      image: expect.stringMatching(`/api/v1/links/${open.id}/picture.png$`),
    });
    const renamed = await share({ title: "To SQL2", replacesNames: true });
    expect(await tagsOf(service, renamed.id)).toMatchObject({
      title: "To Replica 2",
      description: "The network to Replica 2 takes 94 % of remote harden in Database 1.",
    });
    // Looking at the tags is not opening the link.
    expect((await madeLinks()).map(({ opens }) => opens.count)).toEqual([0, 0]);
  });

  test("says nothing with a passphrase, after its end, and when there is none", async () => {
    await analysed(service, captureId);
    const ended = await share();
    const expired = await share({ expiresInDays: 1 });
    await takeBack(ended).set(page).expect(204);
    clock.move(DAY_MS);
    const locked = await share({ passphrase: PASSPHRASE });
    for (const id of [locked.id, ended.id, expired.id, "none"]) {
      const { title, description } = await tagsOf(service, id);
      expect([title, description]).toEqual(["A capture shared with AG Lens", undefined]);
    }
  });
});

describe("where people sign in", () => {
  test("a link opens without a role only when its maker allows it", async () => {
    const guarded = await testService(await tokenAccess(), analyzer);
    try {
      const ann = as(guarded, TOKENS.ann);
      const { body: capture } = await ann.post("/captures").send({ name: "Friday" });
      await analysed(guarded, capture.id, TOKENS.ann);
      const make = async (changes: object): Promise<Link> => {
        const link = { ...wanted(), captureId: capture.id, ...changes };
        return Link.parse((await ann.post("/links").send(link).expect(201)).body);
      };
      const inside = await make({});
      const outside = await make({ audience: "anyone" });
      expect(inside).toMatchObject({ audience: "signed-in" });
      expect(inside).not.toHaveProperty("deleteToken");
      const anonymous = (path: string) => request(guarded.app).get(`/api/v1${path}`);
      expect((await anonymous(`/links/${inside.id}/summary`).expect(401)).body.code).toBe("sign-in-needed");
      await anonymous(`/links/${outside.id}`).expect(200);
      expect((await tagsOf(guarded, inside.id))["description"]).toBeUndefined();
      expect((await tagsOf(guarded, outside.id))["description"]).toBe(VERDICT);
      await anonymous(`/links/${outside.id}/summary`).expect(200);
      // The link is no way to the capture itself.
      await anonymous(`/captures/${capture.id}/summary`).expect(401);
      await as(guarded, TOKENS.viewer).get(`/links/${inside.id}/summary`).expect(200);
      await as(guarded, TOKENS.viewer).get(`/captures/${capture.id}/summary`).expect(404);

      await as(guarded, TOKENS.bob).get(`/captures/${capture.id}/links`).expect(404);
      await as(guarded, TOKENS.bob).delete(`/links/${outside.id}`).expect(404);
      await ann.delete(`/links/${outside.id}`).expect(204);
      const { body } = await as(guarded, TOKENS.admin).get("/access/audit");
      expect(body.entries[0]).toMatchObject({
        person: "Ann",
        action: "revoked a link",
        what: "Slow commits",
      });
      expect(JSON.stringify(body.entries)).toContain('"made a link"');
      // Entries name a link by its title: the log opens nothing.
      expect(JSON.stringify(body.entries)).not.toContain(inside.id);
      await anonymous(`/links/${outside.id}/summary`).expect(410);
    } finally {
      await guarded.end();
    }
  });
});
