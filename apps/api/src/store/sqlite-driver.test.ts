import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { databaseIn } from "./sqlite-catalog.ts";

test("statements next to a transaction wait for its end, and are not rolled back with it", async () => {
  const file = new DatabaseSync(":memory:");
  file.exec("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL)");
  const database = databaseIn(file);
  const results = await Promise.allSettled([
    database.transaction().execute(async (on) => {
      await on.insertInto("facts").values({ name: "a", value: "1" }).execute();
      throw new Error("refused");
    }),
    database.insertInto("facts").values({ name: "b", value: "2" }).execute(),
    database
      .transaction()
      .execute((on) => on.insertInto("facts").values({ name: "c", value: "3" }).execute()),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  const names = await database.selectFrom("facts").select("name").orderBy("name").execute();
  expect(names).toEqual([{ name: "b" }, { name: "c" }]);
  file.close();
});
