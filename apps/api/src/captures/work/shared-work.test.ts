import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe } from "vitest";
import { POSTGRES_PROGRAMS, startPostgres } from "../../../test/postgres.ts";
import type { TestPostgres } from "../../../test/postgres.ts";
import { QUICK } from "../../../test/two-servers.ts";
import { describeWork } from "../../../test/work-contract.ts";
import { openPostgresStores } from "../../postgres-stores.ts";
import { Records } from "../records.ts";
import { SharedWork } from "./shared-work.ts";

describe.skipIf(POSTGRES_PROGRAMS === null)("with PostgreSQL's programs in /usr/lib/postgresql", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres(POSTGRES_PROGRAMS ?? "");
  });
  afterAll(() => server.end());

  describeWork("servers on one catalogue", async () => {
    const log = pino({ level: "silent" });
    const directory = await mkdtemp(join(tmpdir(), "aglens-work-"));
    const place = { url: await server.newPlace(), passwordFile: null };
    const stores = await openPostgresStores(place, directory, "north", log);
    const { catalogue, others, openWork } = stores;
    if (openWork === null) throw new Error("Servers on one catalogue share their work.");
    const records = new Records(catalogue, others);
    const work = new SharedWork("north", openWork(QUICK), records, log, QUICK);
    return {
      records,
      work,
      end: async () => {
        await work.close();
        await stores.close();
        await rm(directory, { recursive: true });
      },
    };
  });
});
