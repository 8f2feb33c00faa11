import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { describePassing } from "../../test/passing-contract.ts";
import { POSTGRES_PROGRAMS, startPostgres } from "../../test/postgres.ts";
import type { TestPostgres } from "../../test/postgres.ts";
import { skipsWithout } from "../../test/programs.ts";
import { openPostgres } from "../store/postgres/database.ts";
import type { Database } from "../store/tables.ts";
import { postgresPassing } from "./postgres-passing.ts";

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS))("with PostgreSQL's programs in /usr/lib/postgresql", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres(POSTGRES_PROGRAMS);
  });
  afterAll(() => server.end());

  const open: Database[] = [];
  afterEach(async () => {
    for (const database of open.splice(0)) await database.destroy();
  });
  async function opened(url: string): Promise<Database> {
    const database = await openPostgres({ url, passwordFile: null }, () => {});
    open.push(database);
    return database;
  }

  describePassing("PostgreSQL", async () => {
    const url = await server.newPlace();
    return [postgresPassing(await opened(url)), postgresPassing(await opened(url))];
  });

  test("tries are free again when their stretch has ended", async () => {
    const database = await opened(await server.newPlace());
    const tries = postgresPassing(database).tries("a", 1, 60_000);
    await tries.fail("x");
    await sql`UPDATE wrong_tries SET ends = now()`.execute(database);
    expect(await tries.waitMs("x")).toBe(0);
    expect(await tries.fail("x")).toBe(0);
    expect(await tries.waitMs("x")).toBeGreaterThan(0);
  });
});
