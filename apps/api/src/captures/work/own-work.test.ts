import pino from "pino";
import { describeWork } from "../../../test/work-contract.ts";
import { openSqliteCatalogue } from "../../store/sqlite-catalogue.ts";
import { Records } from "../records/records.ts";
import { OwnWork } from "./own-work.ts";

describeWork("one server", async () => {
  const catalogue = openSqliteCatalogue(":memory:");
  const records = new Records(catalogue);
  const work = new OwnWork(catalogue, records, pino({ level: "silent" }));
  return {
    records,
    work,
    end: async () => {
      await work.close();
      await catalogue.close();
    },
  };
});
