/** Two servers on one catalog, with a clock of the tests. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Person, WatchDefinition } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { StandInGroup } from "@aglens/fixtures/replica-standin";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { attach } from "../../test/live-run.ts";
import { until } from "../../test/until.ts";
import { definitionOf, messagesStub, recorderStub } from "../../test/watch.ts";
import type { OtherServers } from "../store/other-servers.ts";
import { databaseIn } from "../store/sqlite-catalog.ts";
import { bringUpToDate } from "../store/sqlite-format.ts";
import { statusIn } from "./stored-watch.ts";
import { Watches } from "./watches.ts";
import { WatchSecrets } from "./watch-file.ts";
import { WatchStore } from "./watch-store.ts";

const LOGIN = { kind: "sql", user: "lens", password: "Tr0ub4dor&3-never-told" } as const;
const ANA: Person = { id: "1", name: "Ana", role: "admin" };
const noNote = (): Promise<void> => Promise.resolve();

let clock: TestClock;
let directory: string;
let store: WatchStore;
/** The server of each duty. */
let duties: Map<string, string>;
let group: StandInGroup;
let north: Watches;
let south: Watches;
beforeEach(async () => {
  clock = new TestClock();
  directory = await mkdtemp(join(tmpdir(), "aglens-watches-"));
  const sales = { ...LOGIN, password: { value: LOGIN.password } };
  await writeFile(join(directory, "watch.json"), JSON.stringify({ logins: { sales } }));
  const file = new DatabaseSync(":memory:");
  bringUpToDate(file, ":memory:");
  store = new WatchStore(databaseIn(file));
  duties = new Map();
  group = await startGroup({ blocksPerSecond: 20, dispatchMs: 250, clock, login: LOGIN });
  [north, south] = [await opened("north"), await opened("south")];
});
afterEach(async () => {
  await clock.during(Promise.all([north, south].map((each) => each.close())));
  await group.close();
  await rm(directory, { recursive: true, force: true });
});

const othersOf = (server: string): OtherServers => ({
  isShared: true,
  onChanged: () => {},
  onMissed: () => {},
  heard: () => Promise.resolve(),
  list: () => Promise.resolve([]),
  alone: async (duty, work) => {
    if (duties.has(duty)) return false;
    duties.set(duty, server);
    await work();
    if (duties.get(duty) === server) duties.delete(duty);
    return true;
  },
});

async function opened(server: string): Promise<Watches> {
  const watches = new Watches({
    store,
    secrets: new WatchSecrets(join(directory, "watch.json")),
    live: { expectAllowed: () => {}, check: () => Promise.reject(new Error("not here")), dropLeft: () => {} },
    openRecorder: recorderStub,
    messages: messagesStub(),
    recovered: () => Promise.resolve(),
    others: othersOf(server),
    server,
    clock,
    patience: { connectMs: 5_000, queryMs: 5_000, pollMs: 5_000, cancelMs: 200 },
    log: pino({ level: "silent" }),
  });
  await watches.open();
  return watches;
}

const definition = (order: readonly number[] = [0, 1]): WatchDefinition =>
  definitionOf(
    order.map((index) => attach(group.replicas[index]!).server),
    { group: "TestAG" },
  );
const serverAt = async (watches: Watches, id: string): Promise<string | null> =>
  (await watches.get(id, null)).onServer;
/** A watch that north runs. */
async function made(): Promise<string> {
  const { id } = await north.create(definition(), null, noNote);
  await passUntil(async () => {
    const { replicas } = await south.get(id, null).catch(() => ({ replicas: [] }));
    return replicas[0]?.polled != null && replicas[1]?.polled != null;
  });
  expect([await serverAt(north, id), await serverAt(south, id)]).toEqual([null, "north"]);
  return id;
}
const passUntil = (is: () => Promise<boolean>): Promise<void> =>
  until(async () => {
    await clock.pass(1_000, 50);
    return is();
  });

test("a server that lost its watch to another one no longer runs it, nor stores its state", async () => {
  const id = await made();
  // Others have not seen north for 30 s, because it couldn't reach the catalog.
  duties.clear();
  await passUntil(async () => (await serverAt(south, id)) === null);
  await passUntil(async () => (await serverAt(north, id)) === "south");
  await clock.pass(3 * 60_000, 250);
  expect([await serverAt(north, id), await serverAt(south, id)]).toEqual(["south", null]);
  const rows = await store.rows("definition", { watch: id, from: "status" });
  expect(rows.map((row) => statusIn(row)?.server)).toEqual(["south"]);
  expect([...duties.values()]).toEqual(["south"]);
  // A second loss, in the other direction.
  duties.clear();
  await passUntil(async () => (await serverAt(north, id)) === null);
  await passUntil(async () => (await serverAt(south, id)) === "north");
});

test("a request to record that another server left is not carried out later", async () => {
  const id = await made();
  const leave = (key: string, agoMs: number): Promise<void> => {
    const record = { rule: "hand", at: new Date(clock.now() - agoMs).toISOString(), episode: null };
    return store.save("definition", [{ watch: id, key, record }]);
  };
  await leave("record late", 16_000);
  await clock.pass(5_000, 50);
  expect(await store.rows("episode", { watch: id })).toEqual([]);
  expect(await store.rows("definition", { watch: id, from: "record", before: "record~" })).toEqual([]);
  await leave("record now", 1_000);
  await passUntil(async () => (await store.rows("episode", { watch: id })).length === 1);
});

test("a change keeps the pause of another server, and no watch that was deleted there comes back", async () => {
  const id = await made();
  await clock.during(south.pause(id, true, ANA, noNote).then(() => {}));
  // North has not read it yet.
  const changed = await north.change(id, definition([1, 0]), null, noNote);
  expect(changed).toMatchObject({ state: "paused", pausedBy: "Ana" });
  expect(changed.replicas.map(({ serverName, role }) => [serverName, role])).toEqual([
    ["SQL2", "secondary"],
    ["SQL1", "primary"],
  ]);
  await clock.pass(5_000, 250);
  expect(await south.get(id, null)).toMatchObject({ state: "paused", pausedBy: "Ana" });
  expect(duties.size).toBe(0);
  await south.remove(id, null, noNote);
  await expect(north.change(id, definition(), null, noNote)).rejects.toThrow("There is no such watch.");
  await clock.pass(5_000, 250);
  expect(await store.rows("definition")).toEqual([]);
});
