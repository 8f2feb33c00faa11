import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { capture } from "../../../test/catalog-contract.ts";
import { POSTGRES_PROGRAMS, startPostgres } from "../../../test/postgres.ts";
import type { TestPostgres } from "../../../test/postgres.ts";
import { skipsWithout } from "../../../test/programs.ts";
import { until } from "../../../test/until.ts";
import { trash } from "../capture-state.ts";
import type { Catalog } from "../catalog.ts";
import { openPostgres } from "./database.ts";
import type { Database } from "../tables.ts";
import { openFeed } from "./feed.ts";
import type { Feed } from "./feed.ts";
import { receivedChanges, postgresCatalog } from "./postgres-catalog.ts";

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS))("with PostgreSQL's programs in /usr/lib/postgresql", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres(POSTGRES_PROGRAMS);
  });
  afterAll(() => server.end());

  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  async function open(url: string): Promise<{ readonly database: Database; readonly feed: Feed }> {
    const place = { url, passwordFile: null };
    const database = await openPostgres(place, () => {});
    const feed = await openFeed(place, () => {});
    ends.push(
      () => feed.close(),
      () => database.destroy(),
    );
    return { database, feed };
  }

  /**
   * An address by which a database is reached through this process. @returns the address, and a function that makes its
   * present connections transfer nothing any more
   */
  async function through(
    url: string,
  ): Promise<{ readonly address: string; readonly fallSilent: () => void }> {
    const folder = await mkdtemp(join(tmpdir(), "aglens-through-"));
    const socket = (of: string): string => join(of, ".s.PGSQL.5432");
    const its = new URL(url);
    const carried: Socket[] = [];
    const between = createServer((near) => {
      const far = connect(socket(decodeURIComponent(its.host)));
      for (const each of [near, far]) each.on("error", () => {});
      near.pipe(far).pipe(near);
      carried.push(near, far);
    });
    between.listen(socket(folder));
    await once(between, "listening");
    ends.push(async () => {
      between.close();
      carried.forEach((each) => each.destroy());
      await rm(folder, { recursive: true });
    });
    const fallSilent = (): void => {
      for (const each of carried) each.unpipe().pause();
    };
    return { address: url.replace(its.host, encodeURIComponent(folder)), fallSilent };
  }

  /** News about captures that a feed receives. */
  function heardBy(feed: Feed): unknown[] {
    const heard: unknown[] = [];
    feed.on("x", (id, details) => heard.push([id, details]));
    return heard;
  }
  const tell = (database: Database, feed: Feed, id: string, details?: unknown): Promise<unknown> =>
    sql`SELECT ${feed.telling({ topic: "x", id, details })}`.execute(database);

  describe("news of one server", () => {
    let north: Awaited<ReturnType<typeof open>>;
    let south: Awaited<ReturnType<typeof open>>;
    let url: string;
    beforeEach(async () => {
      url = await server.newPlace();
      north = await open(url);
      south = await open(url);
    });

    test("are heard by the others, and not by itself", async () => {
      const [own, others] = [heardBy(north.feed), heardBy(south.feed)];
      await tell(north.database, north.feed, "a", { share: 0.5 });
      await tell(north.database, north.feed, "b");
      await south.feed.heard();
      await north.feed.heard();
      expect(others).toEqual([
        ["a", { share: 0.5 }],
        ["b", undefined],
      ]);
      expect(own).toEqual([]);
    });

    test("are heard once they are committed, and never where the transaction is undone", async () => {
      const heard = heardBy(south.feed);
      const undone = north.database.transaction().execute(async (transaction) => {
        await tell(transaction, north.feed, "undone");
        throw new Error("no");
      });
      await expect(undone).rejects.toThrow("no");
      await north.database.transaction().execute(async (transaction) => {
        await tell(transaction, north.feed, "a");
        await south.feed.heard();
        expect(heard).toEqual([]);
      });
      await south.feed.heard();
      expect(heard).toEqual([["a", undefined]]);
    });

    test("that are longer than PostgreSQL takes come without their details", async () => {
      const heard = heardBy(south.feed);
      // 8,000 bytes in 4,000 characters.
      await tell(north.database, north.feed, "long", "é".repeat(4_000));
      await south.feed.heard();
      expect(heard).toEqual([["long", undefined]]);
    });

    test("of another catalogue in the same database are not heard", async () => {
      const heard = heardBy(south.feed);
      const elsewhere = await open(await server.newPlace());
      await tell(elsewhere.database, elsewhere.feed, "a");
      await south.feed.heard();
      expect(heard).toEqual([]);
    });

    test("may be missed while the database is away: that is told, and what comes then is heard", async () => {
      const heard = heardBy(south.feed);
      let missed = 0;
      south.feed.onMissed(() => (missed += 1));
      await server.restart();
      await until(() => missed === 1);
      // The next user of a connection of the pool may find it broken.
      await until(() =>
        tell(north.database, north.feed, "a").then(
          () => true,
          () => false,
        ),
      );
      await south.feed.heard();
      expect(heard).toEqual([["a", undefined]]);
    });

    test("may be missed while a connection is silent, as one that a firewall forgot: it is found, and made anew", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
      onTestFinished(() => void vi.useRealTimers());
      const { address, fallSilent } = await through(url);
      const { feed } = await open(address);
      const heard = heardBy(feed);
      const missed = vi.fn<() => void>();
      feed.onMissed(missed);
      fallSilent();
      await vi.advanceTimersByTimeAsync(24_000);
      expect(missed).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(2_000);
      await expect.poll(() => missed.mock.calls.length).toBe(1);
      await tell(north.database, north.feed, "a");
      await feed.heard();
      expect(heard).toEqual([["a", undefined]]);
    });

    test("cannot be waited for while the database is away", async () => {
      const database = await startPostgres(POSTGRES_PROGRAMS);
      const { feed } = await open(await database.newPlace());
      await database.end();
      await expect(feed.heard()).rejects.toMatchObject({ message: "The catalogue cannot be reached." });
    });
  });

  describe("a change of a capture in one catalogue is told to the other:", () => {
    let catalogue: Catalog;
    let changes: unknown[];
    let heard: () => Promise<unknown[]>;
    beforeEach(async () => {
      const url = await server.newPlace();
      const [here, there] = [await open(url), await open(url)];
      catalogue = postgresCatalog(here.database, here.feed);
      const others = receivedChanges(there.feed);
      changes = [];
      others.onChanged((id, isOutdated) => changes.push([id, isOutdated]));
      heard = async () => {
        await others.heard();
        return changes.splice(0);
      };
    });
    const stored = { format: 1, files: { "blocks.arrow": { bytes: 1, sha256: "00" } } };

    test("that it was added, once", async () => {
      await catalogue.addCapture(capture("a"));
      await catalogue.addCapture(capture("a"));
      expect(await heard()).toEqual([["a", false]]);
    });

    test("that it has another name, and not that nothing was changed", async () => {
      await catalogue.addCapture(capture("a"));
      await heard();
      await catalogue.changeCapture("a", (record) => record);
      await catalogue.changeCapture("none", (record) => ({ ...record, name: "x" }));
      expect(await heard()).toEqual([]);
      await catalogue.changeCapture("a", (record) => ({ ...record, name: "x" }));
      expect(await heard()).toEqual([["a", false]]);
    });

    test("that its analysis, its being there or its record is another or gone outdates what was computed", async () => {
      await catalogue.addCapture(capture("a"));
      await catalogue.changeCapture("a", (record) => ({
        ...record,
        analysis: { is: "ready", verdict: null, severity: null, place: null, stored },
      }));
      await catalogue.changeCapture("a", (record) => ({ ...record, name: "x" }));
      await catalogue.changeCapture("a", (record) => trash(record, "2026-11-02", "deleted"));
      await catalogue.deleteCapture("a");
      await catalogue.deleteCapture("a");
      expect(await heard()).toEqual([
        ["a", false],
        ["a", true],
        ["a", false],
        ["a", true],
        ["a", true],
      ]);
    });

    test("that a plan ended, of all that it added and changed", async () => {
      await catalogue.addCapture(capture("a"));
      await catalogue.savePlan({ id: "a", plan: "{}" });
      await heard();
      await catalogue.endPlan("a", [capture("b")], (record) => ({ ...record, name: "x" }));
      expect(await heard()).toEqual([
        ["b", false],
        ["a", false],
      ]);
    });
  });
});
