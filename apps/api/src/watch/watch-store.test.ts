import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { bringUpToDate } from "../store/sqlite-format.ts";
import { databaseIn } from "../store/sqlite-catalog.ts";
import { WatchStore } from "./watch-store.ts";

function opened(): WatchStore {
  const file = new DatabaseSync(":memory:");
  bringUpToDate(file, ":memory:");
  return new WatchStore(databaseIn(file));
}

test("rows are kept by watch and key, read in a range, replaced and removed", async () => {
  const store = opened();
  await store.save("hour", [
    { watch: "sales", key: "2026-11-24T02", record: { polls: 1 } },
    { watch: "crm", key: "2026-11-24T02", record: { polls: 2 } },
    { watch: "sales", key: "2026-11-24T03", record: { polls: 3 } },
  ]);
  await store.save("episode", [{ watch: "sales", key: "2026-11-24T02", record: { isEpisode: true } }]);
  await store.save("hour", [{ watch: "sales", key: "2026-11-24T02", record: { polls: 4 } }]);

  expect(await store.rows("hour", { watch: "sales" })).toEqual([
    { watch: "sales", key: "2026-11-24T02", record: { polls: 4 } },
    { watch: "sales", key: "2026-11-24T03", record: { polls: 3 } },
  ]);
  expect(await store.rows("hour", { from: "2026-11-24T03" })).toHaveLength(1);
  expect(await store.rows("hour", { watch: "sales", newest: 1 })).toEqual([
    { watch: "sales", key: "2026-11-24T03", record: { polls: 3 } },
  ]);

  await store.remove("hour", { before: "2026-11-24T03" });
  expect(await store.rows("hour")).toHaveLength(1);
  await store.remove("all", { watch: "sales" });
  expect(await store.rows("hour")).toEqual([]);
  expect(await store.rows("episode")).toEqual([]);
});

test("a row is changed as it is stored at that time, and one that was removed isn't made again", async () => {
  const store = opened();
  const row = { watch: "sales", key: "definition" };
  await store.save("definition", [{ ...row, record: { isPaused: false, asked: "" } }]);
  const changed = (more: object) =>
    store.change("definition", row, (record) => ({ ...(record as object), ...more }));
  await Promise.all([changed({ isPaused: true }), changed({ asked: "now" })]);
  const both = { isPaused: true, asked: "now" };
  expect(await store.rows("definition")).toEqual([{ ...row, record: both }]);
  expect(await store.change("definition", row, () => null)).toEqual(both);
  await store.remove("all", { watch: "sales" });
  expect(await changed({ isPaused: false })).toBeNull();
  expect(await store.rows("definition")).toEqual([]);
});
