import { describeAccessStore } from "../../test/access-store-contract.ts";
import { openSqliteAccessStore } from "./sqlite-access-store.ts";

describeAccessStore("SQLite", () => Promise.resolve(openSqliteAccessStore(":memory:")));
