import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { POSTGRES_PROGRAMS, startPostgres } from "../../../test/postgres.ts";
import type { TestPostgres } from "../../../test/postgres.ts";
import { skipsWithout } from "../../../test/programs.ts";
import { startProcess } from "../../../test/process.ts";
import { connectionTo } from "./database.ts";

const PASSWORD = "p&ss w%41+rd/ü?#@";

let folder: string;
let passwordFile: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-password-"));
  passwordFile = join(folder, "password");
  await writeFile(passwordFile, `${PASSWORD}\n`);
});
afterEach(() => rm(folder, { recursive: true }));

test.each([
  "postgres://aglens@db.example/aglens?sslmode=disable",
  "postgres:///aglens?host=/run/pg&user=aglens",
])("the password of the file is the one that %s is reached with", async (url) => {
  const client = new pg.Client(await connectionTo({ url, passwordFile }));
  expect(client).toMatchObject({ password: PASSWORD, user: "aglens", database: "aglens" });
});

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS))("with PostgreSQL's programs in /usr/lib/postgresql", () => {
  let server: TestPostgres;
  let catalogue: string;
  beforeAll(async () => {
    server = await startPostgres(POSTGRES_PROGRAMS);
    catalogue = await server.newPlaceWithPassword(PASSWORD);
  });
  afterAll(() => server.end());

  const start = (changes: Readonly<Record<string, string>>) =>
    startProcess(join(folder, "data"), 0, { AGLENS_CATALOGUE: catalogue, AGLENS_LOG: "trace", ...changes });

  test("a server whose database asks for a password signs in with the one of the file, and logs it nowhere", async () => {
    const api = start({ AGLENS_CATALOGUE_PASSWORD_FILE: passwordFile });
    const address = await api.address;
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    expect((await fetch(`${address}/api/v1/captures`, { method: "POST" })).status).toBe(201);
    await api.kill("SIGTERM");
    const { code, output } = await api.ended;
    expect(code).toBe(0);
    expect(output).toContain("answered");
    expect(output).not.toMatch(/p(?:&|%26)ss/u);
  });

  test.each([
    ["another password", "pa$$word", 'password authentication failed for user "with_password"'],
    ["an empty file", "", "it asks for a password"],
    ["no file", null, "it asks for a password"],
  ])("a start with %s ends, and names the setting", async (_, password, what) => {
    if (password !== null) await writeFile(passwordFile, password);
    const { code, output } = await start(
      password === null ? {} : { AGLENS_CATALOGUE_PASSWORD_FILE: passwordFile },
    ).ended;
    expect(code).toBe(78);
    expect(output).toContain(`cannot be used: ${what}. AGLENS_CATALOGUE_PASSWORD_FILE names the file`);
    expect(output).not.toContain("pa$$");
  });
});
