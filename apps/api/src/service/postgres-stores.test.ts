import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { as, TOKENS, tokenAccess } from "../../test/access.ts";
import { describeAccessStore } from "../../test/access-store-contract.ts";
import { POSTGRES_PROGRAMS, startPostgres } from "../../test/postgres.ts";
import type { TestPostgres } from "../../test/postgres.ts";
import { skipsWithout } from "../../test/programs.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import { until } from "../../test/until.ts";
import { SqlAccessStore } from "../access/sql-access-store.ts";
import type { Config } from "../settings/config.ts";
import { backUpDirectory } from "../maintenance/backup.ts";
import { checkDirectory } from "../maintenance/check.ts";
import { moveCatalog } from "../maintenance/move.ts";
import { openPostgres } from "../store/postgres/database.ts";

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS))("with PostgreSQL's programs in /usr/lib/postgresql", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres(POSTGRES_PROGRAMS);
  });
  afterAll(() => server.end());

  let dataDirectory: string;
  let catalogue: string;
  let service: TestService | null;
  beforeEach(async () => {
    dataDirectory = await mkdtemp(join(tmpdir(), "aglens-postgres-"));
    catalogue = await server.newPlace();
    service = null;
  });
  afterEach(async () => {
    await service?.close();
    await rm(dataDirectory, { recursive: true });
  });

  const place = () => ({ url: catalogue, passwordFile: null });
  async function open(changes: Partial<Config> = {}): Promise<TestService> {
    service = await testService({ dataDirectory, catalogue, ...changes }, stubAnalyzer());
    return service;
  }
  async function close(): Promise<void> {
    await service?.close();
    service = null;
  }
  /** A capture with a file, and a link to it. */
  async function shared({
    app,
  }: Pick<TestService, "app">): Promise<{ readonly id: string; readonly link: string }> {
    const { body: capture } = await request(app).post("/api/v1/captures").send({ name: "Night" }).expect(201);
    await request(app)
      .post(`/api/v1/captures/${capture.id}/files?name=a.xel`)
      .type("application/octet-stream")
      .send("abc")
      .expect(201);
    const wanted = { captureId: capture.id, path: "/timeline", view: "v=1", title: "T", expiresInDays: 7 };
    const { body: link } = await request(app).post("/api/v1/links").send(wanted).expect(201);
    return { id: capture.id, link: link.id };
  }
  /** Ann signs in. @returns her cookie */
  async function signIn({ app }: Pick<TestService, "app">): Promise<string> {
    const signedIn = await request(app)
      .post("/api/v1/access/token")
      .set({ origin: "http://127.0.0.1", host: "127.0.0.1" })
      .send({ token: TOKENS.ann })
      .expect(200);
    return [signedIn.get("set-cookie")].flat()[0] ?? "";
  }
  const refused = (opening: Promise<unknown>, code: string, sentence: RegExp) =>
    expect(opening).rejects.toMatchObject({ code, message: expect.stringMatching(sentence) });

  describeAccessStore("PostgreSQL", async () => {
    const database = await openPostgres({ url: await server.newPlace(), passwordFile: null }, () => {});
    return { store: new SqlAccessStore(database), end: () => database.destroy() };
  });

  test("a service keeps captures and links over restarts, of itself and of the database", async () => {
    const { id, link } = await shared(await open());
    await close();
    await server.restart();
    const { app } = await open();
    const { body } = await request(app).get(`/api/v1/captures/${id}`).expect(200);
    expect(body.name).toBe("Night");
    await request(app).get(`/api/v1/links/${link}`).expect(200);
    expect((await request(app).get("/api/v1/library").expect(200)).body).toMatchObject({ total: 1 });
    expect(existsSync(join(dataDirectory, "catalogue.sqlite"))).toBe(false);
    await request(app).delete(`/api/v1/captures/${id}?forGood=true`).expect(204);
    await request(app).get(`/api/v1/captures/${id}`).expect(404);
  });

  test("a database that goes away meanwhile is a sentence, not the end, and it goes on when that is back", async () => {
    const { app } = await open();
    const { id } = await shared({ app });
    await request(app).get("/readyz").expect(200);
    const back = server.restart();
    const answer = await request(app).get(`/api/v1/captures/${id}`);
    expect([200, 503]).toContain(answer.status);
    if (answer.status === 503) expect(answer.body.code).toBe("catalogue-unreachable");
    await back;
    await until(async () => (await request(app).get(`/api/v1/captures/${id}`)).status === 200);
  });

  test("people who signed in are still, after a restart", async () => {
    const access = await tokenAccess();
    const { app } = await open(access);
    const cookie = await signIn({ app });
    await close();
    const again = await open(access);
    const { body } = await request(again.app).get("/api/v1/access").set("cookie", cookie).expect(200);
    expect(body.person).toMatchObject({ name: "Ann" });
    const { body: audit } = await as(again, TOKENS.admin).get("/access/audit").expect(200);
    expect(audit.entries).toMatchObject([{ person: "Ann", action: "signed in" }]);
  });

  describe("a directory and a catalogue that are not each other's are refused:", () => {
    test("a directory whose catalogue is in PostgreSQL, without that", async () => {
      const { id } = await shared(await open());
      await close();
      await refused(open({ catalogue: null }), "bad-setting", /is in PostgreSQL\. Set AGLENS_CATALOGUE/u);
      expect(existsSync(join(dataDirectory, "captures", id))).toBe(true);
    });

    test("a catalogue of another directory", async () => {
      await shared(await open());
      const other = await mkdtemp(join(tmpdir(), "aglens-postgres-"));
      await refused(
        testService({ dataDirectory: other, catalogue }, stubAnalyzer()),
        "directory-foreign",
        /of another data directory/u,
      );
      await rm(other, { recursive: true });
    });

    test("an empty catalogue, as after its loss, in the place of that of a directory with captures", async () => {
      const { id } = await shared(await open());
      await close();
      catalogue = await server.newPlace();
      await refused(open(), "directory-foreign", /is empty, and .* has captures\. Restore the database/u);
      expect(existsSync(join(dataDirectory, "captures", id))).toBe(true);
    });

    test("a directory whose catalogue is in its file", async () => {
      await shared(await open({ catalogue: null }));
      await close();
      await refused(
        open(),
        "bad-setting",
        /is in its catalogue\.sqlite\. Bring it to PostgreSQL with "aglens move"/u,
      );
    });
  });

  describe("a move", () => {
    test("brings captures, links, trash, sessions and audit to PostgreSQL, and leaves the file under another name", async () => {
      const access = await tokenAccess();
      const before = await open({ catalogue: null });
      const { id, link } = await shared(before);
      const { id: gone } = await before.captures.create("Gone");
      await before.captures.trash.put(gone);
      const record = await before.captures.records.get(id);
      await close();
      await signIn(await open({ catalogue: null, ...access }));
      await close();
      expect(await moveCatalog(dataDirectory, place())).toEqual({ captures: 2, links: 1 });
      expect(existsSync(join(dataDirectory, "catalogue.sqlite"))).toBe(false);
      expect(existsSync(join(dataDirectory, "catalogue.sqlite.moved"))).toBe(true);
      const after = await open(access);
      expect(await after.captures.records.get(id)).toEqual(record);
      expect(await after.captures.trash.list()).toMatchObject([{ id: gone }]);
      await as(after, TOKENS.admin).get(`/links/${link}`).expect(200);
      const { body } = await as(after, TOKENS.admin).get("/access/audit").expect(200);
      expect(body.entries).toMatchObject([{ person: "Ann" }]);
    });

    test("that was cut off behind its transaction is ended by the next, and not done twice", async () => {
      const { id } = await shared(await open({ catalogue: null }));
      await close();
      const file = await readFile(join(dataDirectory, "catalogue.sqlite"));
      await moveCatalog(dataDirectory, place());
      await rm(join(dataDirectory, "catalogue.sqlite.moved"));
      await writeFile(join(dataDirectory, "catalogue.sqlite"), file);
      expect(await moveCatalog(dataDirectory, place())).toEqual({ captures: 1, links: 1 });
      expect((await (await open()).captures.get(id)).name).toBe("Night");
    });

    test("into a catalogue of another directory, or of one in use, is refused and changes nothing", async () => {
      await shared(await open());
      const other = await mkdtemp(join(tmpdir(), "aglens-postgres-"));
      const file = await testService({ dataDirectory: other }, stubAnalyzer());
      await refused(moveCatalog(other, place()), "directory-in-use", /in use by AG Lens/u);
      await file.close();
      await refused(
        moveCatalog(other, place()),
        "bad-setting",
        /of another data directory\. Give an empty one/u,
      );
      await (await testService({ dataDirectory: other }, stubAnalyzer())).close();
      await rm(other, { recursive: true });
    });
  });

  test("a check reads it, a backup says what to do instead", async () => {
    const { id } = await shared(await open());
    const settings = { catalogue, cataloguePasswordFile: null };
    expect(await checkDirectory(dataDirectory, settings)).toMatchObject({
      captures: 1,
      files: 1,
      findings: [],
    });
    const [file] = (await service!.captures.get(id)).files;
    await rm(join(dataDirectory, "captures", id, file?.id ?? ""));
    const { findings } = await checkDirectory(dataDirectory, settings);
    expect(findings).toEqual([`Capture ${id} (Night): a.xel (${file?.id}) is missing.`]);
    await refused(checkDirectory(dataDirectory), "bad-setting", /Set AGLENS_CATALOGUE to it/u);
    await refused(backUpDirectory(dataDirectory, join(dataDirectory, "../none")), "bad-setting", /pg_dump/u);
  });

  test("a password is read from its file; one that cannot be read is named", async () => {
    const passwordFile = join(dataDirectory, "password");
    await writeFile(passwordFile, "secret\n");
    await (await openPostgres({ url: catalogue, passwordFile }, () => {})).destroy();
    await refused(
      openPostgres({ url: catalogue, passwordFile: `${passwordFile}.none` }, () => {}),
      "bad-setting",
      /AGLENS_CATALOGUE_PASSWORD_FILE cannot be read: ENOENT/u,
    );
  });
});
