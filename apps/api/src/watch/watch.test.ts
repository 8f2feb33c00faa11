import { DatabaseSync } from "node:sqlite";
import type { WatchDefinition, WatchTriggers } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { StandInGroup } from "@aglens/fixtures/replica-standin";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { attach } from "../../test/live-run.ts";
import { until } from "../../test/until.ts";
import { definitionOf, messagesStub, recorderStub } from "../../test/watch.ts";
import { databaseIn } from "../store/sqlite-catalog.ts";
import { bringUpToDate } from "../store/sqlite-format.ts";
import type { WatchStatus } from "./stored-watch.ts";
import { WatchCounts } from "./watch-figures.ts";
import type { NewMessage } from "./watch-messages.ts";
import { WatchStore } from "./watch-store.ts";
import { nextSchedule, RunningWatch } from "./watch.ts";

const LOGIN = { kind: "sql", user: "lens", password: "Tr0ub4dor&3-never-told" } as const;
const NO_TRIGGERS = definitionOf([{ host: "x" }]).triggers;

let clock: TestClock;
let group: StandInGroup;
let watch: RunningWatch;
/** Messages that were stored. */
let told: string[];
/** Whether the catalog refuses messages. */
let isRefused: boolean;
/** The state as it was stored last. */
let status: WatchStatus | null;
beforeEach(async () => {
  clock = new TestClock();
  told = [];
  isRefused = false;
  status = null;
  group = await startGroup({ blocksPerSecond: 20, dispatchMs: 250, clock, login: LOGIN });
});
afterEach(async () => {
  await clock.during(watch.close());
  await group.close();
});

const addMessage = async (message: NewMessage): Promise<void> => {
  await Promise.resolve();
  if (isRefused) throw new Error("The catalog is away.");
  told.push("server" in message ? `${message.kind} ${message.server}` : message.kind);
};

async function begin(definition: WatchDefinition): Promise<void> {
  const file = new DatabaseSync(":memory:");
  bringUpToDate(file, ":memory:");
  watch = new RunningWatch({
    id: "watch",
    definition,
    owner: null,
    status,
    store: new WatchStore(databaseIn(file)),
    recorder: recorderStub(),
    messages: { ...messagesStub(), add: (_, message) => addMessage(message) },
    login: () => Promise.resolve(LOGIN),
    expectAllowed: () => {},
    recovered: () => Promise.resolve(),
    others: { isShared: false },
    clock,
    patience: { connectMs: 5_000, queryMs: 5_000, pollMs: 5_000, cancelMs: 200 },
    log: pino({ level: "silent" }),
    counts: new WatchCounts(),
    saveStatus: async (stored) => {
      status = stored;
    },
  });
  await watch.open();
  await until(async () => {
    await clock.pass(250, 50);
    return watch.status.replicas.some(({ polled }) => polled !== null);
  });
}

const definition = (triggers: Partial<WatchTriggers> = {}, order: readonly number[] = [0, 1]) =>
  definitionOf(
    order.map((index) => attach(group.replicas[index]!).server),
    { group: "TestAG", triggers: { ...NO_TRIGGERS, ...triggers } },
  );
const rules = (): string[] => watch.episodes.list.map(({ trigger }) => trigger.text);

test("a primary that answers each poll after 1.5 s, and rests for 4.5 s, meets a rule", async () => {
  await begin(definition({ commitDelay: { overMs: 15, forSeconds: 15 } }));
  group.replicas[0]?.fault({ kind: "slow", ms: 1_500 });
  await clock.pass(30_000, 50);
  group.logWrite(1, 40);
  await clock.pass(60_000, 50);
  expect(rules()).toEqual(["Commit delay over 15\u00A0ms for 15\u00A0s"]);
});

test("of two schedules at one time the longer one is recorded, and missed times aren't recorded later", async () => {
  const schedules = [
    { cron: "50 2 * * *", forSeconds: 30 },
    { cron: "50 2 * * *", forSeconds: 300 },
    { cron: "*/5 * * * *", forSeconds: 60 },
  ];
  const at = Date.UTC(2026, 10, 21, 2, 50);
  expect(nextSchedule({ triggers: { ...NO_TRIGGERS, schedules } }, at - 1)).toEqual({
    atMs: at,
    cron: "50 2 * * *",
    forSeconds: 300,
  });
  // The machine is suspended from 02:44 to 03:02:30: its next timer is a minute later.
  await begin(definition({ schedules }));
  const now = clock.now.bind(clock);
  const lateMs = Date.UTC(2026, 10, 21, 3, 2, 30) - now();
  clock.now = () => now() + lateMs;
  await clock.pass(6 * 60_000, 250);
  clock.now = now;
  expect(watch.episodes.list.map(({ trigger }) => trigger.at)).toEqual(["2026-11-21T03:05:00.000Z"]);
});

test("a message that the catalog refuses is stored at a later interval, once", async () => {
  await begin(definition());
  isRefused = true;
  group.replicas[1]?.fault({ kind: "down", seconds: 3_600 });
  await clock.pass(90_000, 250);
  expect(status?.told).toEqual([]);
  isRefused = false;
  await clock.pass(20_000, 250);
  expect(told).toEqual(["broken SQL2"]);
  expect(status?.told).toMatchObject([{ replica: 1, server: "SQL2" }]);
  isRefused = true;
  group.replicas[1]?.fault({ kind: "up" });
  await clock.pass(90_000, 250);
  expect(status?.told).toHaveLength(1);
  isRefused = false;
  await clock.pass(20_000, 250);
  expect(told).toEqual(["broken SQL2", "mended SQL2"]);
  expect(status?.told).toEqual([]);
});

test("a replica that people know to be broken is the same one after a change of the definition", async () => {
  await begin(definition());
  group.replicas[1]?.fault({ kind: "down", seconds: 3_600 });
  await clock.pass(90_000, 250);
  await clock.during(watch.close());
  await begin(definition({}, [1, 0]));
  await clock.pass(90_000, 250);
  expect(told).toEqual(["broken SQL2"]);
  expect(status?.told).toMatchObject([{ replica: 0, server: "SQL2" }]);
  group.replicas[1]?.fault({ kind: "up" });
  await clock.pass(90_000, 250);
  expect(told).toEqual(["broken SQL2", "mended SQL2"]);
});
