import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { AccessState, AuditPage } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { routeFinder } from "../route.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { as, TOKENS, tokenAccess } from "../../../test/access.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import { stubDirectory } from "../../../test/stub-directory.ts";
import type { Config } from "../../settings/config.ts";
import type { Parts } from "../../service/open-service.ts";

const HOUR_MS = 3_600_000;
let base: string;
let directories = 0;
const services: TestService[] = [];
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aglens-access-"));
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.end();
  await rm(base, { recursive: true });
});

async function open(
  access: Partial<Config> | null,
  changes: Partial<Config> = {},
  parts: Partial<Parts> = {},
): Promise<TestService> {
  const dataDirectory = join(base, String(directories++));
  const service = await testService({ ...access, dataDirectory, ...changes }, stubAnalyzer(), parts);
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await service.close();
    isOpen = false;
  };
  services.push({ ...service, end: close });
  return { ...service, close };
}

/** A browser's own page: it sends its origin with its writes. */
const page = { host: "localhost", origin: "http://localhost" };
const cookiesOf = (answer: { headers: Record<string, unknown> }): string =>
  ((answer.headers["set-cookie"] ?? []) as string[]).map((cookie) => cookie.split(";", 1)[0]).join("; ");
const signIn = async (service: TestService, token: string): Promise<string> =>
  cookiesOf(await request(service.app).post("/api/v1/access/token").set(page).send({ token }).expect(200));

/** The page at any address of a service. */
async function pageOf({ app, config }: TestService): Promise<string> {
  await mkdir(config.webDirectory);
  await writeFile(join(config.webDirectory, "index.html"), "<!doctype html><head></head>");
  return (await request(app).get("/captures/abc").expect(200)).text;
}

describe("without access control", () => {
  test("nobody is asked to sign in, and nothing has an owner", async () => {
    const service = await open(null);
    const { body } = await request(service.app).post("/api/v1/captures").send({}).expect(201);
    expect(body).not.toHaveProperty("owner");
    await request(service.app).get("/api/v1/captures").expect(200);
    await request(service.app).get("/api/v1/access").expect(404);
    await request(service.app).get("/api/v1/access/audit").expect(404);
    expect(await pageOf(await open(null))).not.toContain("aglens-access");
    expect(await pageOf(await open(await tokenAccess()))).toContain('<meta name="aglens-access"');
  });
});

describe("the rules", () => {
  test("are found as the router finds them: either case, a slash at the end, HEAD as GET, ids decoded", async () => {
    const find = routeFinder((await open(null)).routes);
    expect(find("HEAD", "/Captures/a%62c/Summary/")).toMatchObject({ id: "abc", route: { needs: "see" } });
    expect(find("GET", "/captures/a/b/c")).toBeNull();
    expect(find("OPTIONS", "/captures")).toBeNull();
  });

  test("refuse everything but signing in and links to who is not signed in", async () => {
    const service = await open(await tokenAccess());
    for (const { method: verb, path, needs: need } of service.routes) {
      const sent = request(service.app)[verb](`/api/v1${path.replaceAll(/:\w+/gu, "x")}`);
      const { status, body } = await sent.set({
        ...page,
        ...(path.endsWith("/files") || path === "/captures/aglens-file"
          ? { "content-type": "application/octet-stream" }
          : {}),
        ...(verb === "patch" && path.includes("/uploads/")
          ? { "content-type": "application/offset+octet-stream" }
          : {}),
      });
      // An answer to HEAD has no body.
      if (verb === "head") expect([path, status]).toEqual([path, 401]);
      else if (need === "anyone") expect(body.code).not.toBe("sign-in-needed");
      else expect([path, status, body.code]).toEqual([path, 401, "sign-in-needed"]);
    }
  });
});

describe("an access token", () => {
  test("begins a session whose cookie scripts of the page cannot read", async () => {
    const service = await open(await tokenAccess());
    const answer = await request(service.app)
      .post("/api/v1/access/token")
      .set(page)
      .send({ token: ` ${TOKENS.ann} ` })
      .expect(200);
    expect(AccessState.parse(answer.body)).toMatchObject({
      person: { id: "token:Ann", name: "Ann", role: "contributor" },
      ways: { directory: null, token: true, proxy: false },
    });
    const [cookie] = answer.headers["set-cookie"] as unknown as string[];
    expect(cookie).toMatch(/^aglens-session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/u);
    await request(service.app).get("/api/v1/captures").set("cookie", cookiesOf(answer)).expect(200);
  });

  test("behind TLS the cookie is of this host alone", async () => {
    const service = await open(await tokenAccess(), { publicUrl: "https://aglens.example" });
    const answer = await request(service.app)
      .post("/api/v1/access/token")
      .set({ host: "aglens.example", origin: "https://aglens.example" })
      .send({ token: TOKENS.ann });
    expect(answer.headers["set-cookie"]?.[0]).toMatch(
      /^__Host-aglens-session=.*; HttpOnly; Secure; SameSite=Lax$/u,
    );
  });

  test.each([
    ["https://aglens.example", "__Host-aglens-session"],
    ["https://tools.example/aglens", "__Secure-aglens-session"],
    ["http://localhost", "aglens-session"],
  ])(
    "at %s the session is read from the cookie %s, and from none that a sibling host can set",
    async (publicUrl, own) => {
      const service = await open(await tokenAccess(), { publicUrl });
      const { host, origin } = new URL(publicUrl);
      const answer = await request(service.app)
        .post("/api/v1/access/token")
        .set({ host, origin })
        .send({ token: TOKENS.ann });
      const [, secret = ""] = /=([\w-]+)/u.exec(cookiesOf(answer)) ?? [];
      for (const name of [
        "__Host-aglens-session",
        "__Secure-aglens-session",
        "aglens-session",
        "__Host-aglens",
      ]) {
        await request(service.app)
          .get("/api/v1/captures")
          .set({ host, cookie: `${name}=${secret}` })
          .expect(name === own ? 200 : 401);
      }
    },
  );

  test("is also taken from a header, for scripts", async () => {
    const service = await open(await tokenAccess());
    await as(service, TOKENS.viewer).get("/captures").expect(200);
    await as(service, `${TOKENS.viewer}x`).get("/captures").expect(401);
  });

  test("that is wrong in a header may be sent 5 times a minute, which locks out no session and no health check", async () => {
    const clock = new TestClock();
    const service = await open(await tokenAccess(), {}, { clock });
    const cookie = await signIn(service, TOKENS.ann);
    const guess = (number: number) => as(service, `a-guess-of-a-token-${number}`).get("/captures");
    for (let number = 0; number < 5; number += 1)
      expect((await guess(number).expect(401)).body.code).toBe("sign-in-needed");
    expect((await guess(5).expect(429)).body.code).toBe("too-many-tries");
    await as(service, TOKENS.bob).get("/captures").expect(429);
    // Ann signed in from there before.
    await as(service, TOKENS.ann).get("/captures").expect(200);
    await as(service, "a-guess-of-a-token-6").get("/captures").set("cookie", cookie).expect(200);
    await request(service.app).get("/api/v1/health").expect(200);
    const { body } = await as(service, TOKENS.ann).get("/access");
    expect(AccessState.parse(body).person?.name).toBe("Ann");
    clock.move(60_000);
    await as(service, TOKENS.bob).get("/captures").expect(200);
    const refused = (await as(service, TOKENS.admin).get("/access/audit?q=sign-in+refused")).body;
    expect(AuditPage.parse(refused).entries).toHaveLength(5);
  });

  test("that is wrong may be tried 5 times a minute", async () => {
    const clock = new TestClock();
    const service = await open(await tokenAccess(), {}, { clock });
    const attempt = (token: string) =>
      request(service.app).post("/api/v1/access/token").set(page).send({ token });
    for (const left of ["4 tries", "3 tries", "2 tries", "1 try", "0 tries"]) {
      expect((await attempt(`not right, ${left}`).expect(401)).body).toMatchObject({
        code: "wrong-token",
        detail: expect.stringContaining(`${left} left`),
      });
    }
    expect((await attempt(TOKENS.ann).expect(429)).body.detail).toContain("again in 60 s");
    clock.move(60_000);
    await attempt(TOKENS.ann).expect(200);
  });
});

describe("a session", () => {
  test("ends after its hours, and by signing out", async () => {
    const clock = new TestClock();
    const service = await open(await tokenAccess(), {}, { clock });
    const cookie = await signIn(service, TOKENS.ann);
    const other = await signIn(service, TOKENS.ann);
    await request(service.app).delete("/api/v1/access/session").set(page).set("cookie", other).expect(200);
    await request(service.app).get("/api/v1/captures").set("cookie", other).expect(401);
    clock.move(12 * HOUR_MS - 1);
    await request(service.app).get("/api/v1/captures").set("cookie", cookie).expect(200);
    clock.move(1);
    await request(service.app).get("/api/v1/captures").set("cookie", cookie).expect(401);
  });

  test("goes on after a restart, and ends when its token is taken out of the file", async () => {
    const access = await tokenAccess();
    const first = await open(access);
    const cookie = await signIn(first, TOKENS.ann);
    await first.close();
    const { dataDirectory } = first.config;
    const second = await open(access, { dataDirectory });
    await request(second.app).get("/api/v1/captures").set("cookie", cookie).expect(200);
    await second.close();
    const without = await tokenAccess([TOKENS.ann]);
    const third = await open(without, { dataDirectory });
    await request(third.app).get("/api/v1/captures").set("cookie", cookie).expect(401);
  });

  test("writes only from a page that says whose it is", async () => {
    const service = await open(await tokenAccess());
    const cookie = await signIn(service, TOKENS.ann);
    const write = () => request(service.app).post("/api/v1/captures").set("cookie", cookie).send({});
    expect((await write().expect(403)).body.code).toBe("cross-site");
    await write().set({ host: "localhost", origin: "http://evil.example" }).expect(403);
    await write().set(page).expect(201);
  });
});

describe("roles and owners", () => {
  test("each sees own and shared captures, an admin all", async () => {
    const service = await open(await tokenAccess());
    const ann = as(service, TOKENS.ann);
    const bob = as(service, TOKENS.bob);
    const admin = as(service, TOKENS.admin);
    const vera = as(service, TOKENS.viewer);
    const { body: mine } = await ann.post("/captures").send({ name: "Ann's" }).expect(201);
    expect(mine.owner).toEqual({ id: "token:Ann", name: "Ann" });
    const names = async (who: typeof ann): Promise<string[]> => {
      const { body } = await who.get("/captures").expect(200);
      expect(body.total).toBe(body.captures.length);
      return body.captures.map(({ name }: { name: string }) => name);
    };
    expect(await names(ann)).toEqual(["Ann's"]);
    expect(await names(admin)).toEqual(["Ann's"]);
    expect(await names(bob)).toEqual([]);
    // A capture that a person may not see does not exist for that person.
    for (const path of ["", "/summary", "/window", "/tables/blocks.arrow", "/progress"]) {
      expect((await bob.get(`/captures/${mine.id}${path}`).expect(404)).body.code).toBe("capture-not-found");
    }
    await bob.delete(`/captures/${mine.id}`).expect(404);
    await bob.post("/links").send({ captureId: mine.id, path: "/", view: "", title: "x" }).expect(404);

    await ann.patch(`/captures/${mine.id}`).send({ shared: true }).expect(200);
    expect(await names(bob)).toEqual(["Ann's"]);
    expect(await names(vera)).toEqual(["Ann's"]);
    await bob.get(`/captures/${mine.id}`).expect(200);
    expect((await bob.delete(`/captures/${mine.id}`).expect(403)).body.detail).toBe(
      "Only Ann or an admin can change this capture.",
    );
    await bob.patch(`/captures/${mine.id}`).send({ name: "Bob's" }).expect(403);
    await bob.post("/links").send({ captureId: mine.id, path: "/", view: "", title: "x" }).expect(403);
    await admin.delete(`/captures/${mine.id}`).expect(204);
  });

  test("the trash is each one's own: nobody else sees, restores, deletes or empties it", async () => {
    const service = await open(await tokenAccess());
    const [ann, bob, admin] = [as(service, TOKENS.ann), as(service, TOKENS.bob), as(service, TOKENS.admin)];
    const { body: mine } = await ann.post("/captures").send({ name: "Ann's" }).expect(201);
    await ann.patch(`/captures/${mine.id}`).send({ shared: true }).expect(200);
    await ann.delete(`/captures/${mine.id}`).expect(204);
    const names = async (who: typeof ann): Promise<string[]> =>
      (await who.get("/trash").expect(200)).body.captures.map(({ name }: { name: string }) => name);
    expect([await names(ann), await names(bob), await names(admin)]).toEqual([["Ann's"], [], ["Ann's"]]);
    await bob.post(`/captures/${mine.id}/restore`).expect(403);
    await bob.delete(`/captures/${mine.id}?forGood=true`).expect(403);
    await bob.delete("/trash").expect(204);
    await ann.post(`/captures/${mine.id}/restore`).expect(200);
    await ann.delete(`/captures/${mine.id}`).expect(204);
    await ann.delete("/trash").expect(204);
    expect(await names(admin)).toEqual([]);
    await ann.get("/lost-captures").expect(403);
    await admin.get("/lost-captures").expect(200);
    const { body } = await admin.get("/access/audit").expect(200);
    expect(AuditPage.parse(body).entries.map(({ person, action }) => [person, action])).toContainEqual([
      "Ann",
      "restored",
    ]);
  });

  test("files of no capture become a capture of the person who takes them back", async () => {
    const service = await open(await tokenAccess());
    const admin = as(service, TOKENS.admin);
    const lost = join(service.config.dataDirectory, "lost-and-found", "nobodys");
    await mkdir(lost, { recursive: true });
    await writeFile(join(lost, "a.xel"), "abc");
    const { body: me } = await admin.get("/access").expect(200);
    const { body } = await admin.post("/lost-captures/nobodys/restore").expect(201);
    expect(body.owner).toEqual({ id: me.person.id, name: me.person.name });
    await as(service, TOKENS.ann).get(`/captures/${body.id}`).expect(404);
  });

  test("a viewer makes nothing, and only an admin reads the audit log", async () => {
    const service = await open(await tokenAccess());
    const vera = as(service, TOKENS.viewer);
    expect((await vera.post("/captures").send({}).expect(403)).body.code).toBe("not-allowed");
    await vera.post("/samples/slow-network").expect(403);
    await vera.get("/live/allowance").expect(403);
    await as(service, TOKENS.ann).get("/access/audit").expect(403);
    await as(service, TOKENS.admin).get("/access/audit").expect(200);
  });

  test("a capture from before there was a login is the admins', who may share it", async () => {
    const before = await open(null);
    const { body } = await request(before.app).post("/api/v1/captures").send({}).expect(201);
    await before.close();
    const service = await open(await tokenAccess(), { dataDirectory: before.config.dataDirectory });
    await as(service, TOKENS.ann).get(`/captures/${body.id}`).expect(404);
    await as(service, TOKENS.admin).patch(`/captures/${body.id}`).send({ shared: true }).expect(200);
    await as(service, TOKENS.ann).get(`/captures/${body.id}`).expect(200);
    await as(service, TOKENS.ann).delete(`/captures/${body.id}`).expect(403);
  });
});

test("the audit log has what was done, and nothing that a route refused", async () => {
  const service = await open(await tokenAccess());
  const ann = as(service, TOKENS.ann);
  const { id } = (await ann.post("/captures").send({ name: "Friday" })).body;
  const at = `/captures/${id}`;
  await ann.patch(at).send({ name: "" }).expect(400);
  await ann.post(`${at}/tags`).send({ tag: "a,b" }).expect(400);
  await ann.delete(`${at}/files/none`).expect(404);
  await ann.delete(`${at}/notes/none`).expect(404);
  await ann.post(`${at}/analysis`).expect(422);
  await ann.post(`${at}/restore`).expect(404);
  await ann.get(`${at}/summary`).expect(409);
  await ann.post("/captures/aglens-file").type("application/octet-stream").send("x").expect(422);
  await ann.post(`${at}/tags`).send({ tag: "drill" }).expect(200);
  const { body } = await as(service, TOKENS.admin).get("/access/audit").expect(200);
  expect(AuditPage.parse(body).entries.map(({ person, action, what }) => [person, action, what])).toEqual([
    ["Ann", "tagged", "Friday"],
  ]);
});

test("the audit log says who did what, newest first, page by page", async () => {
  const service = await open(await tokenAccess());
  const ann = as(service, TOKENS.ann);
  await signIn(service, TOKENS.ann);
  const { body } = await ann.post("/captures").send({ name: "Friday" });
  await ann.patch(`/captures/${body.id}`).send({ shared: true });
  await as(service, TOKENS.bob).delete(`/captures/${body.id}`).expect(403);
  await ann.delete(`/captures/${body.id}`).expect(204);
  const read = async (query: string): Promise<AuditPage> =>
    AuditPage.parse((await as(service, TOKENS.admin).get(`/access/audit${query}`).expect(200)).body);
  const first = await read("?limit=2");
  expect(first.entries).toMatchObject([
    { person: "Ann", action: "deleted", what: "Friday" },
    { person: "Ann", action: "changed", what: "Friday" },
  ]);
  const second = await read(`?limit=2&before=${first.next}`);
  expect(second.entries).toMatchObject([{ person: "Ann", action: "signed in", what: "access token" }]);
  expect(second.next).toBeNull();
});

describe("a proxy's header", () => {
  const settings: Partial<Config> = {
    userHeader: "x-user",
    groupsHeader: "x-groups",
    contributors: ["dba"],
    admins: ["lead"],
    people: { viewer: [], contributor: [], admin: ["root"] },
  };

  test("names the person when it comes from a trusted address", async () => {
    const service = await open(settings, { trustedProxies: ["127.0.0.1"] });
    const state = async (headers: Record<string, string>) =>
      (await request(service.app).get("/api/v1/access").set(headers).expect(200)).body;
    expect(await state({ "x-user": "ann", "x-groups": "staff, dba" })).toMatchObject({
      person: { id: "user:ann", name: "ann", role: "contributor" },
      ways: { directory: null, token: false, proxy: true },
    });
    expect((await state({ "x-user": "lead" })).person.role).toBeNull();
    expect((await state({ "x-user": "eve", "x-groups": "lead" })).person.role).toBe("admin");
    expect((await state({ "x-user": "root" })).person.role).toBe("admin");
    expect((await state({})).person).toBeNull();
    const refused = await request(service.app).get("/api/v1/captures").set("x-user", "eve").expect(403);
    expect(refused.body).toMatchObject({
      code: "no-role",
      detail: expect.stringContaining("signed in as eve"),
    });
  });

  test("is worth nothing from anywhere else", async () => {
    const service = await open(settings, { trustedProxies: ["10.4.0.10"] });
    const forged = { "x-user": "lead", "x-forwarded-for": "10.4.0.10" };
    await request(service.app).get("/api/v1/captures").set(forged).expect(401);
  });
});

describe("a directory", () => {
  const directory = stubDirectory();
  const openDirectory = (): Promise<TestService> =>
    open(
      {
        oidcIssuer: directory.issuer,
        oidcClient: "aglens",
        oidcName: "Contoso Entra ID",
        viewers: ["*"],
        contributors: ["0f-dba"],
        publicUrl: "https://tools.example/aglens",
      },
      {},
      { directoryFetch: directory.fetch },
    );
  const get = (service: TestService, path: string, cookie = "") =>
    request(service.app).get(`/api/v1${path}`).set({ host: "tools.example", cookie });
  const WANTED = "/captures/abc/timeline?v=1&from=0";

  test("signs in by code, with PKCE, state and nonce, and the page that was asked for opens", async () => {
    const service = await openDirectory();
    const begun = await get(service, `/access/directory?returnTo=${encodeURIComponent(WANTED)}`).expect(302);
    const sentTo = new URL(begun.headers["location"] ?? "");
    expect(sentTo.origin + sentTo.pathname).toBe("https://login.example/tenant/authorize");
    expect(sentTo.searchParams.get("redirect_uri")).toBe(
      "https://tools.example/aglens/api/v1/access/directory/answer",
    );
    expect(sentTo.searchParams.get("code_challenge_method")).toBe("S256");
    const back = directory.signIn(sentTo.href, {
      sub: "s1",
      name: "Ann Smith",
      preferred_username: "ann@contoso.example",
      groups: ["0f-dba"],
    });
    const answer = await get(service, `/access/directory/answer${back}`, cookiesOf(begun)).expect(302);
    expect(answer.headers["location"]).toBe(`/aglens${WANTED}`);
    const cookie = cookiesOf(answer);
    expect((await get(service, "/access", cookie)).body.person).toEqual({
      id: "directory:s1",
      name: "Ann Smith",
      role: "contributor",
    });
    // The code was used, and the pending sign-in with it.
    const again = await get(service, `/access/directory/answer${back}`, cookiesOf(begun)).expect(302);
    expect(cookiesOf(answer)).toContain("__Secure-aglens-session=");
    expect(cookiesOf(again)).not.toContain("aglens-session");
  });

  test.each([
    ["another browser's sign-in", (back: string) => back, false, {}],
    ["another state", (back: string) => back.replace(/state=.*/u, "state=x"), true, {}],
    ["another nonce", (back: string) => back, true, { nonce: "x" }],
    ["a token for another program", (back: string) => back, true, { aud: "other" }],
    ["a token of another directory", (back: string) => back, true, { iss: "https://evil.example" }],
    ["a refusal", () => "?error=access_denied", true, {}],
  ])("%s signs nobody in, and the page says that it failed", async (_, changed, sameBrowser, claims) => {
    const service = await openDirectory();
    const begun = await get(service, "/access/directory?returnTo=/live").expect(302);
    const back = directory.signIn(begun.headers["location"] ?? "", { sub: "s1", ...claims });
    const answer = await get(
      service,
      `/access/directory/answer${changed(back)}`,
      sameBrowser ? cookiesOf(begun) : "",
    ).expect(302);
    expect(answer.headers["location"]).toBe(sameBrowser ? "/aglens/live" : "/aglens/");
    const { body } = await get(service, "/access", cookiesOf(answer)).expect(200);
    expect(body).toMatchObject({ person: null, failure: expect.stringContaining("did not sign you in") });
  });

  test.each(["//evil.example", "https://evil.example", "/\\evil.example", "/a b"])(
    "it never sends on to %s",
    async (returnTo) => {
      const service = await openDirectory();
      await get(service, `/access/directory?returnTo=${encodeURIComponent(returnTo)}`).expect(400);
    },
  );

  describe("that is asked again", () => {
    const MINUTE_MS = 60_000;
    const asked = stubDirectory({ refreshes: true, endsSessions: true });
    const settings: Partial<Config> = {
      oidcIssuer: asked.issuer,
      oidcClient: "aglens",
      oidcName: "Contoso",
      contributors: ["dba"],
      admins: ["lead"],
      publicUrl: "https://aglens.example",
    };
    const at = { host: "aglens.example", origin: "https://aglens.example" };
    const personOf = async (service: TestService, cookie: string) =>
      AccessState.parse(
        (
          await request(service.app)
            .get("/api/v1/access")
            .set({ ...at, cookie })
            .expect(200)
        ).body,
      ).person;
    /** Cookie of a person whom the directory signed in. */
    async function enter(service: TestService, sub: string, groups: readonly string[]): Promise<string> {
      const begun = await request(service.app).get("/api/v1/access/directory?returnTo=/").set(at);
      const query = asked.signIn(begun.headers["location"] ?? "", { sub, name: sub, groups });
      const cookie = cookiesOf(begun);
      return cookiesOf(
        await request(service.app)
          .get(`/api/v1/access/directory/answer${query}`)
          .set({ ...at, cookie }),
      );
    }
    let clock: TestClock;
    let service: TestService;
    beforeEach(async () => {
      asked.isAway = false;
      clock = new TestClock();
      service = await open(settings, {}, { clock, directoryFetch: asked.fetch });
    });

    test("takes a role away within five minutes, of that person alone, and asks once for requests that come together", async () => {
      const [ann, eve] = [await enter(service, "ann", ["dba"]), await enter(service, "eve", ["lead"])];
      asked.change("eve", { groups: ["dba"] });
      clock.move(5 * MINUTE_MS - 1);
      expect((await personOf(service, eve))?.role).toBe("admin");
      const before = asked.confirmations;
      clock.move(1);
      const roles = await Promise.all([1, 2, 3].map(async () => (await personOf(service, eve))?.role));
      expect(roles).toEqual(["contributor", "contributor", "contributor"]);
      expect(asked.confirmations).toBe(before + 1);
      expect((await personOf(service, ann))?.role).toBe("contributor");
      // Each refresh token is good for once: the next one is kept.
      clock.move(5 * MINUTE_MS);
      expect((await personOf(service, eve))?.role).toBe("contributor");
    });

    test("ends the session of somebody whom it refuses, and writes it down", async () => {
      const [ann, eve] = [await enter(service, "ann", ["lead"]), await enter(service, "eve", ["dba"])];
      asked.change("eve", null);
      clock.move(5 * MINUTE_MS);
      expect(await personOf(service, eve)).toBeNull();
      asked.change("eve", { groups: ["lead"] });
      expect(await personOf(service, eve)).toBeNull();
      const { body } = await request(service.app)
        .get("/api/v1/access/audit")
        .set({ ...at, cookie: ann });
      expect(AuditPage.parse(body).entries[0]).toMatchObject({ person: "eve", action: "session ended" });
    });

    test("while nobody reaches it sessions last an hour after it was asked last", async () => {
      const ann = await enter(service, "ann", ["dba"]);
      asked.isAway = true;
      clock.move(59 * MINUTE_MS);
      expect((await personOf(service, ann))?.role).toBe("contributor");
      clock.move(MINUTE_MS);
      expect(await personOf(service, ann)).toBeNull();
    });

    test("without a refresh token a session lasts an hour", async () => {
      const plain = stubDirectory();
      const other = await open(settings, {}, { clock, directoryFetch: plain.fetch });
      const begun = await request(other.app).get("/api/v1/access/directory?returnTo=/").set(at);
      const query = plain.signIn(begun.headers["location"] ?? "", { sub: "ann", groups: ["dba"] });
      const cookie = cookiesOf(
        await request(other.app)
          .get(`/api/v1/access/directory/answer${query}`)
          .set({ ...at, cookie: cookiesOf(begun) }),
      );
      clock.move(60 * MINUTE_MS - 1);
      expect((await personOf(other, cookie))?.role).toBe("contributor");
      clock.move(1);
      expect(await personOf(other, cookie)).toBeNull();
      const left = await request(other.app)
        .delete("/api/v1/access/session")
        .set({ ...at, cookie })
        .expect(200);
      expect(left.body).toEqual({ leaveAt: null, staysAt: null });
    });

    test("ends its own session when somebody signs out, where it says how", async () => {
      const ann = await enter(service, "ann", ["dba"]);
      const { body } = await request(service.app)
        .delete("/api/v1/access/session")
        .set({ ...at, cookie: ann });
      const leaveAt = new URL(body.leaveAt);
      expect(leaveAt.origin + leaveAt.pathname).toBe("https://login.example/tenant/logout");
      expect(leaveAt.searchParams.get("client_id")).toBe("aglens");
      expect(leaveAt.searchParams.get("post_logout_redirect_uri")).toBe("https://aglens.example/");
      const [, claims = ""] = (leaveAt.searchParams.get("id_token_hint") ?? "").split(".");
      expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toMatchObject({ sub: "ann" });
      expect(body.staysAt).toBeNull();
      expect(await personOf(service, ann)).toBeNull();
    });

    test("keeps no token of the directory in the clear", async () => {
      await enter(service, "ann", ["dba"]);
      const { dataDirectory } = service.config;
      const kept = Buffer.concat(
        await Promise.all(
          ["catalogue.sqlite", "catalogue.sqlite-wal"].map((name) =>
            readFile(join(dataDirectory, name)).catch(() => Buffer.alloc(0)),
          ),
        ),
      ).toString("latin1");
      expect(kept).toContain("directory:ann");
      // Every ID token begins with a header, `{"alg"` in base64url.
      expect(kept).not.toContain("eyJhbGciOi");
      expect(kept).not.toContain("refresh");
    });
  });

  test("that has no address to sign out at is named as one that still knows the person", async () => {
    const service = await openDirectory();
    const begun = await get(service, "/access/directory?returnTo=/").expect(302);
    const back = directory.signIn(begun.headers["location"] ?? "", { sub: "s1" });
    const cookie = cookiesOf(await get(service, `/access/directory/answer${back}`, cookiesOf(begun)));
    const { body } = await request(service.app)
      .delete("/api/v1/access/session")
      .set({ host: "tools.example", origin: "https://tools.example", cookie })
      .expect(200);
    expect(body).toEqual({ leaveAt: null, staysAt: "Contoso Entra ID" });
  });

  test("that does not answer is named", async () => {
    const service = await open(
      {
        oidcIssuer: "https://gone.example",
        oidcClient: "a",
        oidcName: "Contoso",
        viewers: ["*"],
        publicUrl: "https://tools.example",
      },
      {},
      { directoryFetch: () => Promise.reject(new TypeError("fetch failed")) },
    );
    expect((await get(service, "/access/directory").expect(502)).body).toMatchObject({
      code: "directory-unreachable",
      detail: expect.stringContaining("Contoso does not answer"),
    });
  });
});
