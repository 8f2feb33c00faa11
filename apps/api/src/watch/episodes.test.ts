import { DatabaseSync } from "node:sqlite";
import { WatchDefinition } from "@aglens/contract";
import type { WatchEpisode, WatchRule } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import pino from "pino";
import { expect, test } from "vitest";
import { databaseIn } from "../store/sqlite-catalog.ts";
import { bringUpToDate } from "../store/sqlite-format.ts";
import { Episodes } from "./episodes.ts";
import type { EpisodesParts } from "./episodes.ts";
import { KeptMinutes } from "./kept-minutes.ts";
import type { RecordedVerdict } from "./recording.ts";
import { WatchCounts } from "./watch-figures.ts";
import { WatchStore } from "./watch-store.ts";

const clock = new TestClock();
const file = new DatabaseSync(":memory:");
bringUpToDate(file, ":memory:");

const definition = WatchDefinition.parse({
  group: "SALES-AG",
  replicas: [{ server: { host: "sql1" } }, { server: { host: "sql2" } }],
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

/** A catalog that refuses the next writes. */
class RefusingStore extends WatchStore {
  refusals = 0;

  override saveTogether(rows: Parameters<WatchStore["saveTogether"]>[0]): Promise<void> {
    if (this.refusals === 0) return super.saveTogether(rows);
    this.refusals -= 1;
    return Promise.reject(new Error("disk I/O error"));
  }
}

/** Episodes of one process, its catalog, and the servers that it records. */
class Night {
  readonly store = new RefusingStore(databaseIn(file));
  /** Replicas with an event session. */
  readonly sessions = new Set<string>();
  /** Times at which recordings ended. */
  readonly ended: number[] = [];
  /** Messages, with the trigger of their episode. */
  readonly told: string[] = [];
  /** Why no event session can be created; null where it can. */
  refusal: string | null = null;
  /** Event sessions run after it. */
  running: Promise<void> = Promise.resolve();
  dropped: Promise<void> = Promise.resolve();
  captureId: string | null = null;
  verdict: RecordedVerdict | null = null;
  begins = 0;
  readonly counts = new WatchCounts();
  readonly episodes: Episodes;

  constructor(id: string, recording: Partial<WatchDefinition["recording"]> = {}) {
    const recorder: EpisodesParts["recorder"] = {
      begin: async () => {
        this.begins += 1;
        await this.running;
        if (this.refusal !== null) throw new Error(this.refusal);
        for (const name of ["SQL1", "SQL2"]) this.sessions.add(name);
        return { captureId: "capture", recordedOn: ["SQL1", "SQL2"], problems: [] };
      },
      end: async () => {
        await this.dropped;
        this.sessions.clear();
        this.ended.push(clock.now());
        return this.captureId;
      },
      verdictOf: () => Promise.resolve(this.verdict),
    };
    this.episodes = new Episodes({
      id,
      definition: { ...definition, recording: { ...definition.recording, ...recording } },
      owner: null,
      store: this.store,
      recorder,
      messages: {
        add: async (_watch, message, rows = []) => {
          await this.store.save("episode", rows);
          if ("episode" in message) this.told.push(`${message.kind} ${message.episode.trigger.rule}`);
        },
      },
      clock,
      log: pino({ level: "silent" }),
      recovered: () => Promise.resolve(),
      names: () => ["SQL1", "SQL2"],
      onChange: () => {},
      counts: this.counts,
    });
  }

  fire(rule: WatchRule, forSeconds: number | null = null): WatchEpisode {
    const none = { value: null, limit: null, usual: null };
    return this.episodes.fire({ rule, at: clock.now(), text: rule, ...none }, forSeconds);
  }

  /** Looks each second, as polls would. @param quietSeconds at the begin; null: a rule stays over its limit */
  async pass(seconds: number, quietSeconds: number | null = 0, isMet = quietSeconds === null): Promise<void> {
    for (let i = 1; i <= seconds; i++) {
      await clock.pass(1_000);
      this.episodes.look(quietSeconds === null ? 0 : quietSeconds + i, isMet);
      await settled();
    }
  }

  get states(): string[] {
    return this.episodes.list.map(({ trigger, state }) => `${trigger.rule} ${state}`);
  }
}

/** Steps of episodes that wait for no clock. */
const settled = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
};

test("a recording by hand in a quiet time lasts from the first event session on, however long servers take", async () => {
  const sessions = Promise.withResolvers<void>();
  const night = new Night("by hand");
  night.running = sessions.promise;
  night.fire("hand");
  // Polls were quiet for an hour before and stay so.
  await night.pass(8, 3_600);
  expect(night.ended).toEqual([]);
  sessions.resolve();
  await night.pass(1, 3_608);
  const began = clock.now();
  await night.pass(9, 3_609);
  await night.episodes.close();
  expect(night.ended).toHaveLength(1);
  expect((night.ended[0] ?? 0) - began).toBeGreaterThanOrEqual(4_000);
  expect((night.ended[0] ?? 0) - began).toBeLessThanOrEqual(6_000);
  // It ends with its recording: it has no condition that was over before.
  expect(Date.parse(night.episodes.list[0]?.ended ?? "")).toBe(night.ended[0]);
});

test("a catalog that refuses the write at a trigger ends nothing: the next trigger is another recording", async () => {
  const night = new Night("first write");
  night.store.refusals = 1;
  night.fire("commitDelay");
  await night.pass(8);
  night.fire("sendQueue");
  await night.pass(8);
  expect(night.states).toEqual(["commitDelay failed", "sendQueue failed"]);
  expect(night.told).toEqual(["start commitDelay", "end commitDelay", "start sendQueue", "end sendQueue"]);
  expect(night.ended).toHaveLength(2);
  expect(night.sessions.size).toBe(0);
});

test("no event session stays after a write that the catalog refused", async () => {
  const night = new Night("end");
  night.fire("commitDelay");
  await night.pass(3, null);
  night.store.refusals = 1;
  await night.episodes.stop("The watch was paused");
  expect(night.sessions.size).toBe(0);
  expect(night.told).toEqual(["start commitDelay", "end commitDelay"]);
});

test("a start message that isn't stored leaves the recording, which ends as usual", async () => {
  const night = new Night("start message");
  night.fire("commitDelay");
  // The row at the trigger is stored, the one with the message isn't.
  await Promise.resolve();
  night.store.refusals = 1;
  await settled();
  expect([...night.sessions]).toEqual(["SQL1", "SQL2"]);
  expect(night.states).toEqual(["commitDelay recording"]);
  await night.pass(8);
  expect(night.ended).toHaveLength(1);
  expect(night.told).toEqual(["end commitDelay"]);
});

test("a begin that fails drops the event sessions that some replicas have", async () => {
  const night = new Night("half");
  night.sessions.add("SQL1");
  night.refusal = "AG Lens can't create the event session.";
  night.fire("commitDelay");
  await settled();
  expect(night.sessions.size).toBe(0);
  expect(night.states).toEqual(["commitDelay refused"]);
});

test("a watch that stops begins no other recording, and says why", async () => {
  const dropped = Promise.withResolvers<void>();
  const night = new Night("stop");
  night.fire("commitDelay");
  await night.pass(2, null);
  night.dropped = dropped.promise;
  const stopped = night.episodes.stop("The watch was changed");
  const refused = [night.fire("sendQueue"), night.fire("schedule", 60), night.fire("http")];
  dropped.resolve();
  await stopped;
  for (const { state, refusal, ended } of refused)
    expect([state, refusal, ended !== null]).toEqual(["refused", "The watch was changed.", true]);
  expect(night.told).toEqual(["start commitDelay", "end commitDelay"]);
  expect(night.sessions.size).toBe(0);
});

test("a login that may not create sessions is tried once per hold-off, and told once while commits wait", async () => {
  const night = new Night("no right", { holdOffSeconds: 60 });
  night.refusal = "The login can't create event sessions on SQL1.";
  night.fire("sendQueue");
  await settled();
  // The queue is around its limit: over it every 10 s.
  for (let i = 0; i < 5; i++) {
    await night.pass(10, null);
    night.fire("sendQueue");
  }
  await settled();
  expect(night.states).toEqual(["sendQueue refused"]);
  expect(night.begins).toBe(1);
  expect(night.told).toEqual(["refused sendQueue"]);
  await night.pass(10, null);
  // 60 s after the first try.
  night.fire("sendQueue");
  await settled();
  expect(night.begins).toBe(2);
  expect(night.told).toEqual(["refused sendQueue"]);
  await night.pass(6);
  expect(night.told).toEqual(["refused sendQueue", "end sendQueue"]);
  expect(night.episodes.list.every(({ ended }) => ended !== null)).toBe(true);
});

test("a failover and a person skip the hold-off of a recording that could not begin", async () => {
  const night = new Night("no right, then a failover", { holdOffSeconds: 60 });
  night.refusal = "No replica answers.";
  night.fire("commitDelay");
  await settled();
  night.refusal = null;
  expect(night.fire("state").state).toBe("recording");
  await night.pass(8);
  night.fire("hand");
  await night.pass(8);
  expect(night.states).toEqual(["commitDelay refused", "state failed", "hand failed"]);
});

test("the hold-off begins when event sessions are dropped, not when commits became quiet", async () => {
  const night = new Night("hold-off", { holdOffSeconds: 5 });
  night.fire("commitDelay");
  await night.pass(2, null);
  // Quiet for 5 s: stopped.
  await night.pass(5);
  expect(night.ended).toHaveLength(1);
  await night.pass(2, 5);
  expect(night.fire("commitDelay").refusal).toMatch(
    /^Hold-off until .* UTC, 5\u00A0s after the last recording\.$/u,
  );
  // 5 s after the stop.
  await night.pass(3, 7);
  expect(night.fire("commitDelay").state).toBe("recording");
  await night.episodes.stop("The watch was paused");
});

test("refused requests with the same reason are one episode and one message", async () => {
  const night = new Night("requests", { mostPerDay: 1 });
  night.fire("http");
  await night.pass(8);
  const first = night.fire("http");
  await night.pass(2);
  const second = night.fire("http");
  await settled();
  expect(second.id).toBe(first.id);
  expect(second.steps.at(-1)?.text).toBe("Also: http");
  expect(night.states).toEqual(["http failed", "http refused"]);
  expect(night.told).toEqual(["start http", "end http", "refused http"]);
  expect(night.counts.refusals.http).toBe(2);
});

const DAY_MS = 86_400_000;
const stored = (id: string, daysAgo: number, more: Partial<WatchEpisode>): WatchEpisode => {
  const at = new Date(clock.now() - daysAgo * DAY_MS).toISOString();
  return {
    id: `${at}-${id}`,
    trigger: { rule: "commitDelay", at, text: "Commit delay", value: null, limit: null, usual: null },
    state: "recording",
    refusal: null,
    ended: null,
    recordedFrom: null,
    recordedTo: null,
    captureId: "capture",
    bytes: null,
    verdict: null,
    place: null,
    p95Us: null,
    steps: [],
    ...more,
  };
};
const inOrder = (a: WatchEpisode, b: WatchEpisode): number => (a.id < b.id ? -1 : 1);

test("after eight days without AG Lens, an interrupted recording ends with its last event", async () => {
  const night = new Night("eight days");
  const analyzing = {
    state: "analyzing",
    ended: new Date(clock.now() - 8.5 * DAY_MS).toISOString(),
  } as const;
  const rows = [
    stored("recording", 8, {}),
    stored("analyzing", 8.6, analyzing),
    stored("over", 8.7, { state: "recorded", ended: analyzing.ended }),
    stored("new", 2, { state: "recorded", ended: new Date(clock.now() - DAY_MS).toISOString() }),
  ];
  const save = rows.map((record) => ({ watch: "eight days", key: record.id, record }));
  await night.store.save("episode", save);
  const to = new Date(clock.now() - 8 * DAY_MS + 60_000).toISOString();
  const figures = { verdict: "Slow log disk", place: "secondary", p95Us: 30_000, bytes: 1_000 } as const;
  night.verdict = { ...figures, from: rows[0]?.trigger.at ?? null, to, problem: null };
  await night.episodes.open();
  await settled();
  // Those that are over are read by pages, not kept by the watch.
  const kept = (await night.store.rows("episode", { watch: "eight days" })).map(
    ({ record }) => record as WatchEpisode,
  );
  expect(kept.toSorted(inOrder).map(({ id, state, ended }) => [id.slice(25), state, ended])).toEqual([
    ["over", "recorded", analyzing.ended],
    ["analyzing", "recorded", analyzing.ended],
    ["recording", "recorded", to],
    ["new", "recorded", rows[3]?.ended],
  ]);
  expect(night.episodes.list.map(({ id }) => id.slice(25))).toEqual(["analyzing", "recording", "new"]);
  expect(night.told).toEqual(["end commitDelay", "end commitDelay"]);
});

test("a schedule in a recording has its complete length, and doesn't shorten another", async () => {
  const night = new Night("schedules", { mostSeconds: 10 });
  night.fire("commitDelay");
  await settled();
  await night.pass(3);
  night.fire("schedule", 20);
  await night.pass(2, 3);
  night.fire("schedule", 10);
  // Quiet all the time: 20 s after the first schedule, which is 23 s after the begin.
  await night.pass(17, 5);
  expect(night.ended).toEqual([]);
  await night.pass(1, 22);
  expect(night.ended).toHaveLength(1);
  const [episode] = night.episodes.list;
  expect(episode?.ended).toBe(new Date(clock.now()).toISOString());
  expect(episode?.steps.map(({ text }) => text)).toContain("Also: schedule");

  night.fire("schedule", 10);
  await settled();
  await night.pass(4);
  night.fire("schedule", 10);
  await night.pass(9, 4);
  expect(night.ended).toHaveLength(1);
  await night.pass(1, 13);
  expect(night.ended).toHaveLength(2);
  expect(night.episodes.list.at(-1)?.steps.map(({ text }) => text)).toContain(
    "Recorded for 14 s: stopped, event sessions dropped",
  );
});

test("a refused episode of a long condition has its first steps, and the number of the others", async () => {
  const night = new Night("many", { mostPerDay: 1 });
  night.fire("sendQueue");
  await night.pass(8);
  for (let i = 0; i < 1_100; i++) night.fire("sendQueue");
  await settled();
  const refused = night.episodes.list.at(-1);
  // The trigger and 49 more; 1,100 in all.
  expect(refused?.steps).toHaveLength(51);
  expect(refused?.steps.at(-2)?.text).toBe("Also: sendQueue");
  expect(refused?.steps.at(-1)?.text).toBe("Also: 1050 more");
});

test("episodes are kept for 90 days, as polls are", async () => {
  const { store } = new Night("ninety days");
  const rows = [91, 89].map((days) => stored("over", days, { state: "recorded" }));
  await store.save(
    "episode",
    rows.map((record) => ({ watch: "ninety days", key: record.id, record })),
  );
  await new KeptMinutes(store, "ninety days").save(clock.now());
  const left = await store.rows("episode", { watch: "ninety days" });
  expect(left.map(({ key }) => key)).toEqual([rows[1]?.id]);
});
