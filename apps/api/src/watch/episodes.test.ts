import { DatabaseSync } from "node:sqlite";
import { WatchDefinition } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import pino from "pino";
import { expect, test } from "vitest";
import { databaseIn } from "../store/sqlite-catalog.ts";
import { bringUpToDate } from "../store/sqlite-format.ts";
import { Episodes } from "./episodes.ts";
import type { EpisodesParts } from "./episodes.ts";
import { WatchCounts } from "./watch-figures.ts";
import { WatchStore } from "./watch-store.ts";

const clock = new TestClock();
const file = new DatabaseSync(":memory:");
bringUpToDate(file, ":memory:");

const definition = WatchDefinition.parse({
  group: "SALES-AG",
  replicas: [{ server: { host: "sql1" } }],
  login: "sales",
  triggers: { commitDelay: null, timesUsual: null, queue: null, state: false, schedules: [], http: false },
  recording: {
    quietSeconds: 5,
    mostSeconds: 60,
    ringSeconds: null,
    mostPerDay: 6,
    mostPerWeek: 20,
    mostBytesPerWeek: 2e9,
    holdOffSeconds: 0,
    keepDays: null,
    withoutCommits: false,
  },
  receivers: [],
});

test("a recording by hand in a quiet time lasts from the first event session on, however long servers take", async () => {
  const sessions = Promise.withResolvers<void>();
  const ended: number[] = [];
  const recorder: EpisodesParts["recorder"] = {
    begin: async () => {
      await sessions.promise;
      return { captureId: "capture", recordedOn: ["SQL1"], problems: [] };
    },
    end: () => {
      ended.push(clock.now());
      return Promise.resolve(null);
    },
    verdictOf: () => Promise.resolve(null),
  };
  const episodes = new Episodes({
    id: "watch",
    definition,
    owner: null,
    store: new WatchStore(databaseIn(file)),
    recorder,
    messages: { add: () => Promise.resolve() },
    clock,
    log: pino({ level: "silent" }),
    recovered: () => Promise.resolve(),
    names: () => ["SQL1"],
    onChange: () => {},
    counts: new WatchCounts(),
  });
  // Polls were quiet for an hour before and stay so.
  const lookFor = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i++) {
      await clock.pass(1_000);
      episodes.look(3_600, false);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  episodes.fire({ rule: "hand", at: clock.now(), text: "By hand", value: null, limit: null, usual: null });
  await lookFor(8);
  expect(ended).toEqual([]);
  sessions.resolve();
  await lookFor(1);
  const began = clock.now();
  await lookFor(9);
  await episodes.close();
  expect(ended).toHaveLength(1);
  expect((ended[0] ?? 0) - began).toBeGreaterThanOrEqual(4_000);
  expect((ended[0] ?? 0) - began).toBeLessThanOrEqual(6_000);
});
