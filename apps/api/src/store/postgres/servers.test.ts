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
import { POSTGRES_PROGRAMS, startPostgres } from "../../../test/postgres.ts";
import type { TestPostgres } from "../../../test/postgres.ts";
import { skipsWithout } from "../../../test/programs.ts";
import { openPostgres } from "./database.ts";
import type { Database } from "../tables.ts";
import { openServers } from "./servers.ts";
import type { Servers } from "./servers.ts";

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS))("with PostgreSQL's programs in /usr/lib/postgresql", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres(POSTGRES_PROGRAMS);
  });
  afterAll(() => server.end());

  let database: Database;
  const open: Servers[] = [];
  beforeEach(async () => {
    database = await openPostgres({ url: await server.newPlace(), passwordFile: null }, () => {});
  });
  afterEach(async () => {
    for (const servers of open.splice(0)) await servers.close();
    await database.destroy();
  });

  async function start(name: string, home = name): Promise<Servers> {
    const servers = await openServers(database, { name, home, version: "1.2.3" }, (error) => {
      throw error;
    });
    open.push(servers);
    return servers;
  }
  /** A server ended by force, so long ago. */
  async function leaveDead(name: string, seconds: number, duty?: string): Promise<void> {
    await sql`INSERT INTO servers (name, home, process, version, seen)
      VALUES (${name}, ${name}, ${`process of ${name}`}, '1.2.3', now() - make_interval(secs => ${seconds}))`.execute(
      database,
    );
    if (duty !== undefined)
      await sql`INSERT INTO duties (name, process) VALUES (${duty}, ${`process of ${name}`})`.execute(
        database,
      );
  }

  test("servers are listed by name, with those that are not seen any more, for a week", async () => {
    await leaveDead("forgotten", 8 * 86_400);
    await leaveDead("west", 3_600);
    const south = await start("south");
    await start("north");
    const listed = await south.list();
    expect(listed).toMatchObject([
      { name: "north", version: "1.2.3", isRunning: true, isThis: false },
      { name: "south", isRunning: true, isThis: true },
      { name: "west", isRunning: false, isThis: false },
    ]);
    const [, here, west] = listed;
    expect(west?.unseenMs).toBeGreaterThan(3_599_000);
    expect(west?.unseenMs).toBeLessThan(3_700_000);
    expect(Math.abs(Date.parse(here?.started ?? "") - Date.now())).toBeLessThan(60_000);
  });

  test("one that runs is seen every few seconds, and says where another took its name meanwhile", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const failed: string[] = [];
    const north = await openServers(database, { name: "north", home: "a", version: "1.2.3" }, (error) =>
      failed.push(error.message),
    );
    open.push(north);
    const unseen = (seconds: number) =>
      sql`UPDATE servers SET seen = now() - make_interval(secs => ${seconds})`.execute(database);
    const unseenMs = async () => (await north.list())[0]?.unseenMs ?? 0;
    await unseen(20);
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(unseenMs).toBeLessThan(15_000);
    expect(failed).toEqual([]);
    await unseen(60);
    const second = await start("north", "another directory");
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => failed).toEqual(["another server has taken the name north"]);
    // The end of one server does not remove the other from the list.
    await north.close();
    expect(await second.list()).toMatchObject([{ name: "north", isThis: true }]);
  });

  test("one that ends in order is listed no more", async () => {
    const north = await start("north");
    const south = await start("south");
    await south.close();
    open.pop();
    expect((await north.list()).map(({ name }) => name)).toEqual(["north"]);
  });

  test("a name is of one server that runs, and of the next once that has ended", async () => {
    await start("north", "a directory");
    await expect(start("north", "another directory")).rejects.toMatchObject({
      code: "bad-setting",
      message: expect.stringContaining("is called north. Set AGLENS_SERVER_NAME"),
    });
    await leaveDead("west", 60);
    await start("west", "another directory");
  });

  test("one that was ended by force and starts again with its directory has its name at once", async () => {
    await leaveDead("north", 1);
    expect(await (await start("north")).list()).toMatchObject([{ name: "north", isThis: true }]);
  });

  describe("what one server does for all", () => {
    test("another does not do meanwhile, and does behind that", async () => {
      const [north, south] = [await start("north"), await start("south")];
      const done: string[] = [];
      const work = Promise.withResolvers<void>();
      const first = north.alone("sweep", async () => {
        done.push("north");
        await work.promise;
      });
      await expect.poll(() => done).toEqual(["north"]);
      expect(await south.alone("sweep", async () => void done.push("south"))).toBe(false);
      expect(await south.alone("something else", async () => void done.push("else"))).toBe(true);
      work.resolve();
      expect(await first).toBe(true);
      expect(await south.alone("sweep", async () => void done.push("south"))).toBe(true);
      expect(done).toEqual(["north", "else", "south"]);
    });

    test("is free again where it failed", async () => {
      const north = await start("north");
      await expect(north.alone("sweep", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
      // An error of the file system is not an error of the database.
      const missing = Object.assign(new Error("no such file"), { code: "ENOENT" });
      await expect(north.alone("sweep", () => Promise.reject(missing))).rejects.toBe(missing);
      expect(await north.alone("sweep", () => Promise.resolve())).toBe(true);
    });

    test("is done once at a time by one server too", async () => {
      const north = await start("north");
      const work = Promise.withResolvers<void>();
      const first = north.alone("sweep", () => work.promise);
      expect(await north.alone("sweep", () => Promise.resolve())).toBe(false);
      work.resolve();
      expect(await first).toBe(true);
    });

    test("is free again, for who did it at once, where the database could not be told that it has ended", async () => {
      const url = await server.newPlace();
      const own = await openPostgres({ url, passwordFile: null }, () => {});
      const north = await openServers(own, { name: "north", home: "north", version: "1.2.3" }, () => {});
      let back: Promise<void> = Promise.resolve();
      const goesAway = async (): Promise<void> => {
        back = server.restart();
        await expect.poll(() => north.list().catch(() => "away"), { interval: 5 }).toBe("away");
      };
      await expect(north.alone("sweep", goesAway)).rejects.toThrow("The catalogue cannot be reached.");
      await back;
      await expect.poll(() => north.alone("sweep", () => Promise.resolve()).catch(() => null)).toBe(true);
      await north.close();
      await own.destroy();
    });

    test("is taken over from one that is not seen for half a minute, and not before", async () => {
      await leaveDead("east", 20, "sweep");
      await leaveDead("west", 40, "plans");
      const north = await start("north");
      expect(await north.alone("sweep", () => Promise.resolve())).toBe(false);
      expect(await north.alone("plans", () => Promise.resolve())).toBe(true);
    });

    test("is who took it over's, whatever the one before ends", async () => {
      const [north, south, east] = [await start("north"), await start("south"), await start("east")];
      const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let begun = 0;
      const at = (work: Promise<void>) => () => {
        begun += 1;
        return work;
      };
      const standing = north.alone("sweep", at(first.promise));
      await expect.poll(() => begun).toBe(1);
      await sql`UPDATE servers SET seen = now() - interval '40 seconds' WHERE name = 'north'`.execute(
        database,
      );
      const taken = south.alone("sweep", at(second.promise));
      await expect.poll(() => begun).toBe(2);
      first.resolve();
      await standing;
      expect(await east.alone("sweep", () => Promise.resolve())).toBe(false);
      second.resolve();
      expect(await taken).toBe(true);
    });

    test("is taken over from a process that was started again meanwhile", async () => {
      await leaveDead("north", 1, "sweep");
      const north = await start("north");
      expect(await north.alone("sweep", () => Promise.resolve())).toBe(true);
    });
  });
});
