import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { connectionTo } from "./database.ts";

test.each([
  "postgres://aglens@db.example/aglens?sslmode=disable",
  "postgres:///aglens?host=/run/pg&user=aglens",
])("the password of the file is the one that %s is reached with", async (url) => {
  const folder = await mkdtemp(join(tmpdir(), "aglens-password-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const passwordFile = join(folder, "password");
  await writeFile(passwordFile, "p&ss w%41+rd/ü?#@\n");
  const client = new pg.Client(await connectionTo({ url, passwordFile }));
  expect(client).toMatchObject({ password: "p&ss w%41+rd/ü?#@", user: "aglens", database: "aglens" });
});
