import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { sql } from "kysely";
import { capture, describeCatalog, link } from "../../../test/catalog-contract.ts";
import { POSTGRES_PROGRAMS, startPostgres } from "../../../test/postgres.ts";
import type { TestPostgres } from "../../../test/postgres.ts";
import { skipsWithout } from "../../../test/programs.ts";
import { openPostgres } from "./database.ts";
import type { Database } from "../tables.ts";
import { postgresCatalog } from "./postgres-catalog.ts";

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS))("with PostgreSQL's programs in /usr/lib/postgresql", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres(POSTGRES_PROGRAMS);
  });
  afterAll(() => server.end());

  const open = (url: string): Promise<Database> => openPostgres({ url, passwordFile: null }, () => {});

  describeCatalog("PostgreSQL", async () => {
    const url = await server.newPlace();
    return {
      open: async () => {
        return postgresCatalog(await open(url));
      },
      end: () => Promise.resolve(),
    };
  });

  test("several servers that start at once make the tables once", async () => {
    const url = await server.newPlace();
    const databases = await Promise.all([open(url), open(url), open(url)]);
    const [first, second] = databases.map((database) => postgresCatalog(database));
    expect(await first?.addCapture(capture("a"))).toBe(true);
    expect(await second?.ids()).toEqual(["a"]);
    await Promise.all(databases.map((database) => database.destroy()));
  });

  test("tables of a later version are refused and left as they are", async () => {
    const url = await server.newPlace();
    const database = await open(url);
    onTestFinished(() => database.destroy());
    await sql`INSERT INTO aglens_versions (name, timestamp) VALUES ('999', '')`.execute(database);
    await expect(open(url)).rejects.toMatchObject({
      code: "directory-newer",
      message: expect.stringContaining("version 999 of its tables"),
    });
    await sql`DELETE FROM aglens_versions WHERE name = '999'`.execute(database);
    await (await open(url)).destroy();
  });

  test("a deletion that fails is undone as a whole", async () => {
    const database = await open(await server.newPlace());
    onTestFinished(() => database.destroy());
    const catalogue = postgresCatalog(database);
    await catalogue.addCapture(capture("a"));
    await catalogue.addLink(link("l", "a"));
    // Fails in the middle of the deletion, after that of the capture.
    await sql
      .raw("CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no''; END'")
      .execute(database);
    await sql.raw("CREATE TRIGGER no BEFORE DELETE ON links EXECUTE FUNCTION no()").execute(database);
    await expect(catalogue.deleteCapture("a")).rejects.toThrow("no");
    expect(await catalogue.link("l")).not.toBeNull();
    expect(await catalogue.capture("a")).not.toBeNull();
  });

  test("after the database broke off calls work again, and what was stored is there", async () => {
    const url = await server.newPlace();
    const lost: Error[] = [];
    const database = await openPostgres({ url, passwordFile: null }, (error) => lost.push(error));
    onTestFinished(() => database.destroy());
    const catalogue = postgresCatalog(database);
    await catalogue.addCapture(capture("a"));
    await server.restart();
    // An idle connection may be found broken by the next user of it.
    await catalogue.ids().catch(() => {});
    expect(await catalogue.ids()).toEqual(["a"]);
  });

  test.each([
    [
      "postgres://127.0.0.1:1/none?user=aglens",
      "catalogue-unreachable",
      /The catalogue at 127\.0\.0\.1:1\/none cannot be used: /u,
    ],
    ["DATABASE", "bad-setting", /database "none" does not exist/u],
  ])("a place that cannot be used is a sentence: %s", async (place, code, message) => {
    const url = place === "DATABASE" ? (await server.newPlace()).replace("/postgres?", "/none?") : place;
    await expect(open(url)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });
});
