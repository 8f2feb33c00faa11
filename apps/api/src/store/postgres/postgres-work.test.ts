import { sql } from "kysely";
import type { KyselyPlugin } from "kysely";
import { noProgress } from "@aglens/engine/files";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { capture } from "../../../test/catalog-contract.ts";
import { POSTGRES_PROGRAMS, startPostgres } from "../../../test/postgres.ts";
import type { TestPostgres } from "../../../test/postgres.ts";
import { skipsWithout } from "../../../test/programs.ts";
import type { CaptureRecord, CaptureWork } from "../catalog.ts";
import { LeaseLostError } from "../work-table.ts";
import type { SharedWorkTable } from "../work-table.ts";
import { openPostgres } from "./database.ts";
import type { Database } from "../tables.ts";
import { postgresCatalog } from "./postgres-catalog.ts";
import { postgresWork } from "./postgres-work.ts";

const LEASE_MS = 60_000;
const HEAD_START_MS = 30_000;
const NO_FEED = { telling: () => sql`''`, on: () => {} };

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS))("with PostgreSQL's programs in /usr/lib/postgresql", () => {
  let server: TestPostgres;
  let database: Database;
  let work: SharedWorkTable;
  beforeAll(async () => {
    server = await startPostgres(POSTGRES_PROGRAMS);
  });
  afterAll(() => server.end());
  beforeEach(async () => {
    database = await openPostgres({ url: await server.newPlace(), passwordFile: null }, () => {});
    work = postgresWork(database, NO_FEED, { leaseMs: LEASE_MS, headStartMs: HEAD_START_MS });
    for (const id of ["a", "b", "c"]) await postgresCatalog(database).addCapture(capture(id));
  });
  afterEach(() => database.destroy());

  /** Simulates that so much time has passed. */
  const wait = (ms: number) =>
    sql`UPDATE work SET leased_until = leased_until - ${ms} * interval '1 ms',
      asked_at = asked_at - ${ms} * interval '1 ms'`.execute(database);
  const unchanged = (record: CaptureRecord): CaptureRecord => record;
  const ask = (id: string, { isUnasked = false, server: of = "north" } = {}) =>
    work.ask(id, unchanged, () => ({ server: of, bytes: 1, progress: noProgress([]), isUnasked }));
  const take = async (by = "north", running: readonly string[] = []) =>
    (await work.take({ server: by, token: `${by} ${Math.random()}`, running }, () => true)) ?? null;

  describe("a capture that is held", () => {
    const known = async (catalogue = postgresCatalog(database)) => {
      const seen: (CaptureWork["kind"] | null)[] = [];
      await catalogue.changeCapture("a", (record, by) => {
        seen.push(by?.kind ?? null);
        return { ...record, name: `${record.name}.` };
      });
      return seen;
    };

    test("is free for changes and analyses again when the lease has run out", async () => {
      await work.hold("a", "north", "t");
      await wait(LEASE_MS - 1_000);
      expect(await known()).toEqual(["hold"]);
      expect(await work.kindOf("a")).toBe("hold");
      await wait(1_001);
      expect(await known()).toEqual([null]);
      expect(await work.kindOf("a")).toBeNull();
      expect(await ask("a")).toMatchObject({ id: "a" });
    });

    test("is seen as such by a change that read its record before", async () => {
      let isHeld = false;
      // Runs between the read and the write of the change.
      const holding: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if (!isHeld) {
            isHeld = true;
            await work.hold("a", "south", "t");
          }
          return result;
        },
      };
      expect(await known(postgresCatalog(database.withPlugin(holding)))).toEqual([null, "hold"]);
    });

    test("stays held by who took it over, whatever the one before ends", async () => {
      await work.hold("a", "north", "old");
      await wait(LEASE_MS + 1);
      expect(await work.hold("a", "south", "new")).toBeNull();
      await work.release("a", "old");
      expect(await work.kindOf("a")).toBe("hold");
      expect((await work.renew(["old", "new"])).map(({ token }) => token)).toEqual(["new"]);
      await work.release("a", "new");
      expect(await work.kindOf("a")).toBeNull();
    });

    test("is neither cancelled nor seized: that is for analyses", async () => {
      await work.hold("a", "north", "t");
      expect(await work.cancel("a")).toBe(false);
      await wait(LEASE_MS + 1);
      expect(await work.seize("a", "south", "s")).toBe(false);
      expect(await take("south")).toBeNull();
    });
  });

  describe("analyses that wait", () => {
    test("are taken in the order of asking; what nobody asked for comes last", async () => {
      await ask("c", { isUnasked: true });
      await ask("b");
      await ask("a");
      expect((await work.analyses()).map(({ id }) => id)).toEqual(["b", "a", "c"]);
      expect([await take(), await take(), await take()].map((taken) => taken?.id)).toEqual(["b", "a", "c"]);
      expect(await take()).toBeNull();
    });

    test("are passed over, and not waited for, while another server is taking them", async () => {
      await ask("a");
      await ask("b");
      await database.transaction().execute(async (other) => {
        await sql`SELECT id FROM work WHERE id = 'a' FOR UPDATE`.execute(other);
        expect((await take())?.id).toBe("b");
        expect(await take()).toBeNull();
      });
      expect((await take())?.id).toBe("a");
    });

    test("and that nobody asked for are for a server that runs none", async () => {
      await ask("a", { isUnasked: true });
      expect(await take("north", ["x"])).toBeNull();
      expect((await take())?.id).toBe("a");
    });

    test("are for the server that was asked, and for any after a while", async () => {
      await ask("a");
      await wait(HEAD_START_MS - 1_000);
      expect(await take("south")).toBeNull();
      await wait(1_001);
      expect((await take("south"))?.id).toBe("a");
    });

    test("and were given back are for any server at once, and no attempt of who gave them back", async () => {
      await ask("a");
      const taken = await take();
      await work.keepPreview(taken?.token ?? "", new Uint8Array([1]));
      await work.giveBack([taken?.token ?? ""]);
      expect(await work.preview("a")).toBeNull();
      expect(await take("south")).toMatchObject({ id: "a", attempts: 0, isCancelled: false });
    });
  });

  describe("an analysis whose lease has run out", () => {
    let token: string;
    beforeEach(async () => {
      await ask("a");
      token = (await take())?.token ?? "";
      await wait(LEASE_MS + 1);
    });

    test("is shown as one that waits, and is taken as one that was lost with its server", async () => {
      expect(await work.analyses()).toMatchObject([{ id: "a", server: null }]);
      expect(await take("south")).toMatchObject({ id: "a", attempts: 1 });
      expect(await work.analyses()).toMatchObject([{ id: "a", server: "south" }]);
      expect(await work.renew([token])).toEqual([]);
    });

    test("is not taken by the server that still runs it", async () => {
      expect(await take("north", ["a"])).toBeNull();
      expect(await work.renew([token])).toEqual([{ token, isCancelled: false }]);
      expect(await take("south")).toBeNull();
    });

    test("is still a work on its capture: nothing else begins", async () => {
      expect(await work.kindOf("a")).toBe("analysis");
      expect(await ask("a")).toBe("analysis");
      expect(await work.hold("a", "south", "h")).toBe("analysis");
    });

    test("is what its next server makes of it, though the one before still reports and ends it", async () => {
      expect(await work.seize("a", "south", "new")).toBe(true);
      await work.report(token, "a", { ...noProgress([]), events: 7 });
      await work.keepPreview(token, new Uint8Array([7]));
      await work.release("a", token);
      await work.giveBack([token]);
      await expect(work.end("a", token, (record) => ({ ...record, name: "late" }))).rejects.toThrow(
        LeaseLostError,
      );
      expect(await work.analyses()).toMatchObject([{ id: "a", server: "south", progress: { events: 0 } }]);
      expect(await work.preview("a")).toBeNull();
      await work.end("a", "new", (record) => ({ ...record, name: "in time" }));
      expect(await postgresCatalog(database).capture("a")).toMatchObject({ name: "in time" });
      expect(await work.analyses()).toEqual([]);
    });
  });

  test("an analysis that runs is seized by nobody, and its server is told that it is wanted ended", async () => {
    await ask("a");
    const { token = "" } = (await take()) ?? {};
    expect(await work.seize("a", "south", "s")).toBe(false);
    expect(await work.cancel("a")).toBe(true);
    expect(await work.renew([token])).toEqual([{ token, isCancelled: true }]);
    expect(await work.cancel("b")).toBe(false);
  });
});
