import type pg from "pg";
import { expect, test } from "vitest";
import { CatalogUnreachableError } from "../catalog.ts";
import { isUnreachable, reachablePool } from "./reachable.ts";

test.each([
  [{ code: "ECONNREFUSED" }, true],
  [{ code: "57P01" }, true],
  [{ code: "08006" }, true],
  [{ message: "Connection terminated unexpectedly" }, true],
  [{ message: "timeout exceeded when trying to connect" }, true],
  [{ code: "23505" }, false],
  [{ code: "42P01" }, false],
  [{ message: "refused" }, false],
])("%o is a database that does not answer: %s", (properties, expected) => {
  expect(isUnreachable(Object.assign(new Error("x"), properties))).toBe(expected);
});

test("an error of a connection is distinguished from an error of a query, and a broken one is not used again", async () => {
  const broken = Object.assign(new Error("closed"), { code: "ECONNRESET" });
  const answers = [Promise.reject(broken), Promise.reject(new Error("refused")), Promise.resolve("rows")];
  const released: unknown[] = [];
  const pool = {
    connect: async () => ({ query: () => answers.shift(), release: (how: unknown) => released.push(how) }),
  };
  const client = await reachablePool(pool as unknown as pg.Pool).connect();
  const unreachable: unknown = await client.query("SELECT 1", []).catch((error: unknown) => error);
  expect(unreachable).toBeInstanceOf(CatalogUnreachableError);
  expect(unreachable).toMatchObject({ cause: broken });
  await expect(client.query("SELECT 1", [])).rejects.toThrow(/^refused$/u);
  expect(await client.query("SELECT 1", [])).toBe("rows");
  client.release(true);
  expect(released).toEqual([true]);
});

test("a connection that can't be made is a database that does not answer", async () => {
  const pool = {
    connect: () => Promise.reject(new Error("Connection terminated due to connection timeout")),
  };
  const connecting = reachablePool(pool as unknown as pg.Pool).connect();
  await expect(connecting).rejects.toBeInstanceOf(CatalogUnreachableError);
});
