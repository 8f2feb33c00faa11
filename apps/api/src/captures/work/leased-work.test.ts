import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { noProgress } from "@aglens/engine/files";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { capture } from "../../../test/catalog-contract.ts";
import { POSTGRES_PROGRAMS, startPostgres } from "../../../test/postgres.ts";
import type { TestPostgres } from "../../../test/postgres.ts";
import { skipsWithout } from "../../../test/programs.ts";
import { QUICK, SILENT } from "../../../test/two-servers.ts";
import { until } from "../../../test/until.ts";
import { describeWork, FILE } from "../../../test/work-contract.ts";
import type { WorkUnderTest } from "../../../test/work-contract.ts";
import { openPostgresStores } from "../../service/postgres-stores.ts";
import type { Catalog, CaptureRecord, HeldCatalog, KeptPlan } from "../../store/catalog.ts";
import type { FilePlace } from "../../store/file-place.ts";
import { memoryWork } from "../../store/memory-work.ts";
import { openPostgres } from "../../store/postgres/database.ts";
import type { Database } from "../../store/tables.ts";
import { postgresCatalog } from "../../store/postgres/postgres-catalog.ts";
import { postgresWork } from "../../store/postgres/postgres-work.ts";
import { openSqliteCatalog } from "../../store/sqlite-catalog.ts";
import { LeaseLostError } from "../../store/work-table.ts";
import { Records } from "../records/records.ts";
import { LeasedWork } from "./leased-work.ts";
import type { WorkTimes } from "./leased-work.ts";
import type { AnalysisWorker, Execution, Turn } from "./work.ts";

const atOnce = (): Promise<void> => Promise.resolve();
const ANALYZING = (record: CaptureRecord): CaptureRecord => ({
  ...record,
  analysis: { is: "running", cutOff: 0 },
});
const NOT_ANALYZED = (record: CaptureRecord): CaptureRecord => ({ ...record, analysis: { is: "none" } });

const workerThat = (begin: AnalysisWorker["begin"]): AnalysisWorker => ({
  mayBegin: () => true,
  begin,
  startUnasked: atOnce,
  interrupted: (record) => record,
  cancelled: () => {},
  progressed: () => {},
  ended: () => {},
});

/** Only events cause actions, because the timers are too long for the test. */
const STILL: WorkTimes = { ...QUICK, headStartMs: 0, renewMs: 1e6, lookMs: 1e6, reportMs: 1e6 };
/** The timers do not even repeat a check that a test waits for. */
const NEVER: WorkTimes = { ...STILL, leaseMs: 1e6, waitMs: 1e6 };

/** A server alone. @param catalogue is closed with it */
function openAlone(catalogue: Catalog): WorkUnderTest {
  const records = new Records(catalogue);
  const log = pino({ level: "silent" });
  const work = new LeasedWork({ server: "", table: memoryWork(catalogue), records, log, times: NEVER });
  return {
    records,
    work,
    end: async () => {
      await work.close();
      await catalogue.close();
    },
  };
}

describeWork("a server alone", async () => openAlone(openSqliteCatalog(":memory:")));

describe("a server alone", () => {
  /** Awaited when a record was read. */
  let readsRecord: () => Promise<void>;
  let alone: WorkUnderTest;
  /** Turns of running analyses, by capture, in the order of their start. */
  let turns: Map<string, Turn>;
  let canBegin: boolean;
  /** Whether the result of a cancelled analysis is just being stored. */
  let isStored: (id: string) => boolean;
  beforeEach(async () => {
    readsRecord = atOnce;
    const catalogue = openSqliteCatalog(":memory:");
    const read = catalogue.capture.bind(catalogue);
    vi.spyOn(catalogue, "capture").mockImplementation(async (id) => {
      const record = await read(id);
      await readsRecord();
      return record;
    });
    alone = openAlone(catalogue);
    turns = new Map();
    canBegin = true;
    isStored = () => false;
    for (const id of ["a", "b", "c"]) await alone.records.add({ ...capture(id), files: [FILE] });
    const worker = workerThat(({ id, files }, turn) => {
      if (!canBegin) return Promise.reject(new Error("no threads"));
      turns.set(id, turn);
      const cancel = async () => {
        if (isStored(id)) await turn.end(READY);
        turn.leave();
      };
      return Promise.resolve({ progress: noProgress(files), preview: null, settled: atOnce(), cancel });
    });
    alone.work.employ({
      ...worker,
      // The worker's own queue contains analyses for which there is no room.
      mayBegin: () => false,
      startUnasked: async (id) => void (await alone.work.ask(id, atOnce, ANALYZING, true)),
    });
  });
  afterEach(() => alone.end());
  const READY = (record: CaptureRecord): CaptureRecord => ({
    ...record,
    analysis: { is: "ready", verdict: null, severity: null, place: null },
  });
  const running = (): string[] => [...turns.keys()];
  const found = async (id: string) => (await alone.records.get(id)).analysis.is;
  const toDoAgain = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) {
      await alone.records.change(id, (record) => ({ ...record, analysis: { is: "again", cutOff: 0 } }));
      alone.work.again(id);
    }
  };
  const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
    const pending = Symbol("pending");
    return (await Promise.race([promise, new Promise(setImmediate).then(() => pending)])) !== pending;
  };

  test("has begun an analysis when it was asked for, and knows when there is none", async () => {
    expect(alone.work.hasNone("a")).toBe(true);
    await alone.work.ask("a", atOnce, ANALYZING);
    expect(running()).toEqual(["a"]);
    expect(alone.work.progressOf("a")).toEqual(noProgress([FILE]));
    expect([alone.work.hasNone("a"), alone.work.waiting]).toEqual([false, 0]);
    await turns.get("a")?.end(READY);
    expect(alone.work.hasNone("a")).toBe(true);
  });

  test("lets nothing else begin from the call that asks for an analysis", async () => {
    const ready = Promise.withResolvers<void>();
    const asked = alone.work.ask("a", () => ready.promise, ANALYZING);
    expect([alone.work.isFree("a", null), alone.work.hasNone("a")]).toEqual([false, false]);
    await expect(alone.work.hold("a", atOnce)).rejects.toThrow("is being analyzed");
    const cancelled = alone.work.cancel("a", (record) => ({ ...record, name: "Cancelled" }));
    expect(await isSettled(cancelled)).toBe(false);
    ready.resolve();
    await Promise.all([asked, cancelled]);
    expect(await alone.records.get("a")).toMatchObject({ name: "Cancelled" });
    expect(alone.work.isFree("a", null)).toBe(true);
  });

  test("keeps in their records what is to be done again until that begins, and begins what somebody asks for at once", async () => {
    await toDoAgain("a", "b");
    await until(() => turns.has("a"));
    await alone.work.ask("c", atOnce, ANALYZING);
    expect(running()).toEqual(["a", "c"]);
    expect(await found("b")).toBe("again");
    expect(alone.work.isToDoAgain("b")).toBe(true);
    await turns.get("a")?.end(READY);
    await until(() => turns.has("b"));
    expect(alone.work.isToDoAgain("b")).toBe(false);
  });

  test("leaves in the records what its next start does again, and a result that was stored meanwhile", async () => {
    await alone.work.ask("c", atOnce, ANALYZING);
    await toDoAgain("a", "b");
    await until(() => turns.has("a"));
    isStored = (id) => id === "c";
    alone.work.rest();
    await alone.work.close();
    expect(await found("a")).toBe("again");
    expect(await found("b")).toBe("again");
    expect(await found("c")).toBe("ready");
    alone.work.again("b");
    expect(alone.work.isToDoAgain("b")).toBe(false);
    expect(running()).toEqual(["c", "a"]);
  });

  test("ends though what it is to do again is held", async () => {
    const rest = Promise.withResolvers<void>();
    const held = alone.work.hold("a", () => rest.promise);
    await toDoAgain("a");
    await alone.work.close();
    rest.resolve();
    await held;
    expect(running()).toEqual([]);
  });

  test("begins what is asked of it while it is about to end", async () => {
    alone.work.rest();
    await alone.work.ask("a", atOnce, ANALYZING);
    expect(running()).toEqual(["a"]);
  });

  test("leaves no work on a capture whose analysis could not begin, or whose end could not be stored", async () => {
    canBegin = false;
    await alone.work.ask("a", atOnce, ANALYZING);
    expect([alone.work.hasNone("a"), alone.work.isFree("a", null)]).toEqual([true, true]);
    canBegin = true;
    const refuse = (): never => {
      throw new Error("disk full");
    };
    for (const id of ["b", "c"]) await alone.work.ask(id, atOnce, ANALYZING);
    await expect(alone.work.cancel("b", refuse)).rejects.toThrow("disk full");
    turns.get("c")?.leave();
    expect(["b", "c"].map((id) => alone.work.isFree(id, null))).toEqual([true, true]);
    expect(await alone.work.hold("b", () => Promise.resolve(1))).toBe(1);
  });

  test("has an analysis that is cancelled twice ended for both", async () => {
    await alone.work.ask("a", atOnce, ANALYZING);
    const ends = [1, 2].map(() => alone.work.cancel("a", NOT_ANALYZED));
    expect((await Promise.all(ends)).map(({ analysis }) => analysis.is)).toEqual(["none", "none"]);
    // A result that is late is not stored.
    expect(await turns.get("a")?.end(READY)).toBeNull();
    expect(await found("a")).toBe("none");
  });

  test("does not begin an analysis that is cancelled while its record is read", async () => {
    const [isRead, rest] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    readsRecord = () => {
      isRead.resolve();
      return rest.promise;
    };
    const asked = alone.work.ask("a", atOnce, ANALYZING);
    await isRead.promise;
    await alone.work.cancel("a", NOT_ANALYZED);
    rest.resolve();
    await asked;
    expect(running()).toEqual([]);
    expect(alone.work.hasNone("a")).toBe(true);
  });
});

describe.skipIf(skipsWithout(POSTGRES_PROGRAMS))("with PostgreSQL's programs in /usr/lib/postgresql", () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres(POSTGRES_PROGRAMS);
  });
  afterAll(() => server.end());

  /** A place without any files. */
  const NO_FILES: FilePlace = {
    notedId: async () => noted,
    noteId: async (id) => {
      noted = id;
    },
    hasCaptures: () => Promise.resolve(false),
  };
  let noted: string | null = null;
  beforeEach(() => {
    noted = null;
  });

  interface Server {
    readonly records: Records;
    readonly work: LeasedWork;
    end(): Promise<void>;
  }
  async function open(name: string, url: string, times: WorkTimes = QUICK): Promise<Server> {
    const log = pino({ level: "silent" });
    const directory = await mkdtemp(join(tmpdir(), "aglens-work-"));
    const among = { name, files: NO_FILES, keepsTables: true };
    const stores = await openPostgresStores({ url, passwordFile: null }, directory, among, log);
    const { catalogue, others, openWork } = stores;
    const records = new Records(catalogue, others);
    const work = new LeasedWork({ server: name, table: openWork(times), records, log, times });
    return {
      records,
      work,
      end: async () => {
        await work.close();
        await stores.close();
        await rm(directory, { recursive: true });
      },
    };
  }

  /** Whether a statement waits for another transaction. @param text of it, as a pattern of LIKE */
  const waits = async (database: Database, text: string): Promise<boolean> => {
    const query = sql`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE ${text}`;
    return (await query.execute(database)).rows.length > 0;
  };

  describeWork("servers on one catalogue", async () => open("north", await server.newPlace()));

  describeWork("a server alone with PostgreSQL", async () => {
    const database = await openPostgres({ url: await server.newPlace(), passwordFile: null }, () => {});
    const alone = openAlone(postgresCatalog(database));
    return {
      records: alone.records,
      work: alone.work,
      end: async () => {
        await alone.end();
        await database.destroy();
      },
    };
  });

  test("a capture that a server holds is refused by the others, until that is not heard of any more", async () => {
    const url = await server.newPlace();
    const north = await open("north", url);
    const silent = await open("silent", url, SILENT);
    const south = await open("south", url);
    await north.records.add(capture("a"));
    await north.records.add(capture("b"));
    const rest = Promise.withResolvers<void>();
    let held = 0;
    const atWork = (): Promise<void> => {
      held += 1;
      return rest.promise;
    };
    const holding = [north.work.hold("a", atWork), silent.work.hold("b", atWork)];
    await until(() => held === 2);
    await until(async () => (await south.work.holdIfFree("b", () => Promise.resolve(true))) === true);
    await expect(south.work.hold("a", () => Promise.resolve())).rejects.toThrow("is being made into several");
    await expect(
      south.records.change("a", (record, known) => {
        south.work.expectFree("a", known);
        return { ...record, name: "New" };
      }),
    ).rejects.toThrow("is being made into several");
    rest.resolve();
    await Promise.all(holding);
    expect(await south.work.hold("a", () => Promise.resolve(true))).toBe(true);
    for (const each of [north, silent, south]) await each.end();
  });

  describe("a capture that a server holds, which stands still until its lease runs out,", () => {
    let url: string;
    let database: Database;
    let north: Server;
    let south: Server;
    beforeEach(async () => {
      url = await server.newPlace();
      [north, south] = [await open("north", url), await open("south", url)];
      database = await openPostgres({ url, passwordFile: null }, () => {});
      await north.records.add(capture("a"));
    });
    afterEach(async () => {
      await database.destroy();
      for (const each of [north, south]) await each.end();
    });
    /** Ends the time of its lease. */
    const standStill = () =>
      sql`UPDATE work SET leased_until = clock_timestamp() - interval '1 second' WHERE id = 'a'`.execute(
        database,
      );
    const named = (name: string) => (record: CaptureRecord) => ({ ...record, name });

    test("is another server's then: nothing that the first one brings later is stored", async () => {
      const refused: unknown[] = [];
      const late = north.work.hold("a", async (catalogue) => {
        await standStill();
        await south.work.hold("a", ({ savePlan }) => savePlan({ id: "a", plan: "south's" }));
        for (const store of [
          () => catalogue.changeCapture("a", named("late")),
          () => catalogue.savePlan({ id: "a", plan: "late" }),
          () => catalogue.deletePlan("a"),
          () => catalogue.endPlan("a", [capture("late")], named("late")),
          () => catalogue.deleteCapture("a"),
          () => catalogue.expectHeld(),
        ])
          await store().catch((error: unknown) => refused.push(error));
        throw refused[0];
      });
      await expect(late).rejects.toMatchObject({ problem: { code: "wrong-state" } });
      expect(refused).toHaveLength(6);
      expect(refused.every((error) => error instanceof LeaseLostError)).toBe(true);
      expect(await north.records.ids()).toEqual(["a"]);
      expect(await north.records.get("a")).toEqual(capture("a"));
      expect(await postgresCatalog(database).plans()).toEqual([{ id: "a", plan: "south's" }]);
    });

    test("is still its own where no other server needs it", async () => {
      await north.work.hold("a", async ({ changeCapture }) => {
        await standStill();
        await changeCapture("a", named("New"));
      });
      expect((await south.records.get("a")).name).toBe("New");
    });

    test("is held once more by who has to be alone, and left by who need not", async () => {
      let tries = 0;
      const store = async ({ changeCapture }: HeldCatalog): Promise<CaptureRecord | null> => {
        tries += 1;
        if (tries === 1) {
          await standStill();
          await south.work.hold("a", atOnce);
        }
        return changeCapture("a", (record) => ({ ...record, name: `New ${tries}` }));
      };
      expect((await north.work.holdAlone("a", store))?.name).toBe("New 2");
      tries = 0;
      expect(await north.work.holdIfFree("a", store)).toBeNull();
      expect((await north.records.get("a")).name).toBe("New 2");
    });

    test("is another server's only when what the first one is storing is stored", async () => {
      let found: readonly KeptPlan[] | null = null;
      await north.work.hold("a", async ({ savePlan }) => {
        await standStill();
        const [storing, holding] = await database.transaction().execute(async (on) => {
          await sql`LOCK TABLE plans IN EXCLUSIVE MODE`.execute(on);
          const stored = savePlan({ id: "a", plan: "[]" });
          await until(() => waits(database, `insert into "plans"%`));
          const held = south.work.hold("a", async () => {
            found = await postgresCatalog(database).plans();
          });
          await until(async () => found !== null || (await waits(database, "DELETE FROM work%")));
          return [stored, held] as const;
        });
        await Promise.all([storing, holding]);
      });
      expect(found).toEqual([{ id: "a", plan: "[]" }]);
    });
  });

  describe("a server that does nothing by the time alone", () => {
    let url: string;
    let database: Database;
    let north: Server;
    let south: Server;
    /** Captures whose analysis began at north, and those whose end was reported to south. */
    let begun: string[];
    let ended: string[];
    let isFull: boolean;
    /** Number of checks whether it has room. */
    let tries: number;
    let running: PromiseWithResolvers<Turn>;
    let cancelled: PromiseWithResolvers<void>;
    beforeEach(async () => {
      url = await server.newPlace();
      database = await openPostgres({ url, passwordFile: null }, () => {});
      [north, south] = [await open("north", url, STILL), await open("south", url, STILL)];
      [begun, ended, isFull, tries] = [[], [], false, 0];
      [running, cancelled] = [Promise.withResolvers(), Promise.withResolvers()];
      for (const id of ["a", "b"]) await north.records.add({ ...capture(id), files: [FILE] });
      const began = workerThat((record, turn) => {
        begun.push(record.id);
        isFull = true;
        running.resolve(turn);
        return Promise.resolve(execution());
      });
      const mayBegin = (): boolean => {
        tries += 1;
        return !isFull;
      };
      north.work.employ({ ...began, mayBegin });
      const none = workerThat(() => Promise.reject(new Error("It has no room.")));
      south.work.employ({ ...none, mayBegin: () => false, ended: (id) => void ended.push(id) });
    });
    afterEach(async () => {
      for (const each of [north, south]) await each.end();
      await database.destroy();
    });
    const execution = (): Execution => ({
      progress: noProgress([FILE]),
      preview: null,
      settled: cancelled.promise,
      cancel: () => Promise.resolve(cancelled.resolve()),
    });
    const state = async (id: string) => (await north.records.get(id)).analysis.is;
    /** A transaction outside the servers, about which they get no message. */
    const untold = (steps: RawBuilder<unknown>) => steps.execute(database);

    test("takes the next analysis when it has ended one", async () => {
      for (const id of ["a", "b"]) await north.work.ask(id, atOnce, ANALYZING);
      const turn = await running.promise;
      expect(begun).toEqual(["a"]);
      await turn.end((record) => ({
        ...record,
        analysis: { is: "ready", verdict: null, severity: null, place: null },
      }));
      isFull = false;
      turn.leave();
      await until(() => begun.length === 2);
    });

    test("ends what another one wants ended, and that one hears of the end", async () => {
      await north.work.ask("a", atOnce, ANALYZING);
      await running.promise;
      await until(() => south.work.progressOf("a") !== null);
      // An analysis that another server runs has not ended.
      expect(south.work.hasNone("a")).toBe(false);
      await south.work.cancel("a", (record) => ({ ...NOT_ANALYZED(record), name: "Cancelled" }));
      await cancelled.promise;
      expect(await north.records.get("a")).toMatchObject({ analysis: { is: "none" }, name: "Cancelled" });
      await until(() => ended.includes("a"));
    });

    test("ends one that is cancelled while it begins", async () => {
      // Without room, north can't take the analysis first.
      isFull = true;
      const begins = Promise.withResolvers<Execution>();
      const late = await open("late", url, STILL);
      late.work.employ(
        workerThat(() => {
          begun.push("late");
          return begins.promise;
        }),
      );
      await late.work.ask("a", atOnce, ANALYZING);
      await until(() => begun.length === 1);
      await late.work.cancel("a", NOT_ANALYZED);
      begins.resolve(execution());
      await cancelled.promise;
      await late.end();
      expect(begun).toEqual(["late"]);
      expect(await state("a")).toBe("none");
    });

    test("does not begin what was wanted ended while it waited, nor what is no analysis any more", async () => {
      isFull = true;
      for (const id of ["a", "b"]) await north.work.ask(id, atOnce, ANALYZING);
      await untold(sql`UPDATE work SET is_cancelled = true WHERE id = 'a'`);
      await north.records.change("b", NOT_ANALYZED);
      isFull = false;
      await north.records.add({ ...capture("c"), files: [FILE] });
      await north.work.ask("c", atOnce, ANALYZING);
      await running.promise;
      expect(begun).toEqual(["c"]);
      expect(await state("a")).toBe("none");
      expect((await untold(sql`SELECT id FROM work`)).rows).toEqual([{ id: "c" }]);
    });

    test("that is about to end begins nothing any more, and what is asked of it is for others at once", async () => {
      north.work.rest();
      await north.work.ask("a", atOnce, ANALYZING);
      expect((await untold(sql`SELECT server, asked_of FROM work`)).rows).toEqual([
        { server: null, asked_of: "" },
      ]);
      const west = await open("west", url, STILL);
      west.work.employ(workerThat(() => Promise.resolve(execution())));
      await west.work.ask("b", atOnce, ANALYZING);
      await until(async () => (await untold(sql`SELECT FROM work WHERE server = 'west'`)).rows.length === 2);
      expect(begun).toEqual([]);
      await west.end();
    });

    test("gives back what it was taking when it was asked to end", async () => {
      isFull = true;
      await north.work.ask("a", atOnce, ANALYZING);
      // The server that takes an analysis has found its row by then, and waits.
      await untold(sql`
        CREATE FUNCTION waits() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END'`);
      await untold(sql`
        CREATE TRIGGER waits BEFORE UPDATE OF server ON work
          FOR EACH ROW WHEN (OLD.server IS NULL AND NEW.server IS NOT NULL) EXECUTE FUNCTION waits()`);
      const { closed } = await database.transaction().execute(async (on) => {
        await sql`SELECT pg_advisory_xact_lock(1)`.execute(on);
        isFull = false;
        await north.work.ask("b", atOnce, ANALYZING);
        await until(() => waits(database, "%UPDATE work SET server%"));
        return { closed: north.work.close() };
      });
      await closed;
      const { rows } = await untold(sql`SELECT server, attempts FROM work WHERE id = 'a'`);
      expect(rows).toEqual([{ server: null, attempts: 0 }]);
    });

    test("ends though another one holds what it is to do again", async () => {
      const isHeld = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const held = south.work.hold("a", () => {
        isHeld.resolve();
        return release.promise;
      });
      await isHeld.promise;
      north.work.again("a");
      await pause(5 * STILL.waitMs);
      let hasEnded = false;
      const ending = north.work.close().then(() => (hasEnded = true));
      try {
        await until(() => hasEnded);
      } finally {
        release.resolve();
        await Promise.all([held, ending]);
      }
    });

    test("looks for work where news may have been missed", async () => {
      isFull = true;
      await north.work.ask("a", atOnce, ANALYZING);
      await until(() => tries > 0);
      isFull = false;
      await untold(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`);
      await running.promise;
      expect(begun).toEqual(["a"]);
    });
  });

  /** Waits until the only lease was renewed once more. */
  const untilRenewed = async (database: Database): Promise<void> => {
    const leasedUntil = async () => {
      const { rows } = await sql<{ at: Date }>`SELECT leased_until AS at FROM work`.execute(database);
      return rows[0]?.at.getTime() ?? 0;
    };
    const first = await leasedUntil();
    await until(async () => (await leasedUntil()) > first);
  };

  test("a capture that is held stays its server's, which renews the lease", async () => {
    const url = await server.newPlace();
    const north = await open("north", url, { ...QUICK, renewMs: 10 });
    north.work.employ(workerThat(() => Promise.reject(new Error("Nothing is analyzed."))));
    const database = await openPostgres({ url, passwordFile: null }, () => {});
    await north.records.add(capture("a"));
    await north.work.hold("a", () => untilRenewed(database));
    await database.destroy();
    await north.end();
  });

  test("who finds an analysis taken asks anew whether there is room for the next one", async () => {
    const url = await server.newPlace();
    const north = await open("north", url);
    const database = await openPostgres({ url, passwordFile: null }, () => {});
    const feed = { telling: () => sql`''`, on: () => {} };
    const table = postgresWork(database, feed, { ...QUICK, headStartMs: 0 });
    for (const [id, bytes] of Object.entries({ small: 3, big: 1_000 })) {
      await north.records.add(capture(id));
      const asked = { server: "north", bytes, progress: noProgress([]), isUnasked: false };
      await table.ask(
        id,
        (record) => record,
        () => asked,
      );
    }
    const seen: number[] = [];
    const taken = await database.transaction().execute(async (south) => {
      await sql`UPDATE work SET server = 'south', leased_until = now() + interval '1 minute' WHERE id = 'small'`.execute(
        south,
      );
      const taking = table.take({ server: "north", token: "t", running: [] }, (bytes) => {
        seen.push(bytes);
        return bytes < 10;
      });
      // North skips the analysis that south is taking.
      await until(() => seen.length === 2);
      return { taking };
    });
    expect(await taken.taking).toBeNull();
    expect(seen).toEqual([3, 1_000]);
    await database.destroy();
    await north.end();
  });

  test("an analysis that another server has by now is ended where it still runs", async () => {
    const url = await server.newPlace();
    const north = await open("north", url, { ...QUICK, renewMs: 10 });
    const database = await openPostgres({ url, passwordFile: null }, () => {});
    const [begun, cancelled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    north.work.employ(
      workerThat(({ files }) => {
        begun.resolve();
        return Promise.resolve({
          progress: noProgress(files),
          preview: null,
          settled: cancelled.promise,
          cancel: () => Promise.resolve(cancelled.resolve()),
        });
      }),
    );
    await north.records.add({ ...capture("a"), files: [FILE] });
    await north.work.ask("a", atOnce, ANALYZING);
    await begun.promise;
    await sql`UPDATE work SET server = 'south', token = 'its'`.execute(database);
    await cancelled.promise;
    await database.destroy();
    await north.end();
  });

  test("no other server takes what one that ends is still at, however long that takes", async () => {
    const url = await server.newPlace();
    const [north, south] = [await open("north", url), await open("south", url)];
    const database = await openPostgres({ url, passwordFile: null }, () => {});
    const written = Promise.withResolvers<void>();
    const begun: string[] = [];
    const worker = (name: string, settled: Promise<void>): AnalysisWorker =>
      workerThat(({ files }) => {
        begun.push(name);
        return Promise.resolve({
          progress: noProgress(files),
          preview: null,
          settled,
          cancel: () => settled,
        });
      });
    north.work.employ(worker("north", written.promise));
    south.work.employ(worker("south", Promise.resolve()));
    await north.records.add({ ...capture("a"), files: [FILE] });
    await north.work.ask("a", atOnce, ANALYZING);
    await until(() => begun.length === 1);
    const closing = north.work.close();
    await untilRenewed(database);
    expect(begun).toEqual(["north"]);
    written.resolve();
    await closing;
    await until(() => begun.length === 2);
    expect(begun).toEqual(["north", "south"]);
    await database.destroy();
    for (const each of [north, south]) await each.end();
  });
});
