import { describeAccessStore } from "../../test/access-store-contract.ts";
import { openSqlite } from "../store/sqlite-catalog.ts";
import { SqlAccessStore } from "./sql-access-store.ts";

describeAccessStore("SQLite", async () => {
  const { database, catalogue } = openSqlite(":memory:");
  return { store: new SqlAccessStore(database), end: () => catalogue.close() };
});
