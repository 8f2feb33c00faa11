import type { LiveDatabaseState, LivePoll, LiveReplica } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import { type Gauge, gaugesOf, missedPolls, scaleTop } from "./gauges.ts";
import { counterReading, databaseState, poll, wait } from "../../../test/polls.ts";

const replica = (index: number, role: LiveReplica["role"]): LiveReplica =>
  ({ index, role, name: `SQL${index + 1}`, replicaId: `id${index}` }) as LiveReplica;

const replicas = [replica(0, "primary"), replica(1, "secondary")];
const gaugesFor = (polls: LivePoll[], now = 4e6): Gauge[] =>
  gaugesOf({ replicas, phases: [], unattached: [], polls, now });
const gaugeFor = (key: string, polls: LivePoll[], now = 4e6): Gauge => {
  const found = gaugesFor(polls, now).find((gauge) => gauge.key === key);
  if (found === undefined) throw new Error(`No gauge ${key}`);
  return found;
};
const state = (over: Partial<LiveDatabaseState>): LiveDatabaseState =>
  databaseState({ replicaId: "id1", ...over });

describe("gauges", () => {
  it("turn waited ms of an interval into the mean number of waiting sessions", () => {
    const waits = [wait("HADR_SYNC_COMMIT", 6000)];
    // 6,000 ms waited in 2,000 ms: three sessions on average.
    expect(gaugeFor("wait.HADR_SYNC_COMMIT", [poll({ at: 4e6, seconds: 2, waits })]).steps).toEqual([
      { from: 2e6, to: 4e6, value: 3 },
    ]);
  });

  it("can show every wait that is polled; two of them are usual", () => {
    const types = [
      "HADR_SYNC_COMMIT",
      "WRITELOG",
      "HADR_GROUP_COMMIT",
      "LOGBUFFER",
      "XE_BUFFERMGR_FREEBUF_EVENT",
    ];
    const gauges = gaugesFor([poll({ at: 1e6, waits: types.map((type) => wait(type, 100)) })]);
    const waits = gauges.filter(({ key }) => key.startsWith("wait."));
    expect(waits).toHaveLength(13);
    expect(waits.filter(({ isUsual }) => isUsual).map(({ label }) => label)).toEqual([
      "HADR_SYNC_COMMIT",
      "WRITELOG",
    ]);
    expect(waits.find(({ label }) => label === "LOGBUFFER")?.now.value).toBe("0.10");
  });

  it("follow each other without overlap and without a seam, though their ends are received a little early or late", () => {
    const polls = [1e6, 2_030_000, 2_980_000, 4_010_000].map((at) =>
      poll({ at, waits: [wait("WRITELOG", 10)] }),
    );
    const { steps, missed } = gaugeFor("wait.WRITELOG", polls, 4.1e6);
    expect(steps.map(({ from, to }) => [from, to])).toEqual([
      [0, 1e6],
      [1e6, 2.03e6],
      [2.03e6, 2.98e6],
      [2.98e6, 4.01e6],
    ]);
    expect(missed).toEqual([]);
  });

  it("have a hole where a poll was not answered, also at the end", () => {
    const polls = [1, 2, 5].map((at) => poll({ at: at * 1e6, waits: [wait("WRITELOG", 10)] }));
    const missing = [3, 4].map((at) =>
      poll({ at: at * 1e6, waits: null, failures: [{ set: "waits", detail: "Slow." }] }),
    );
    const { steps, missed } = gaugeFor("wait.WRITELOG", [...polls, ...missing], 8e6);
    expect(steps).toHaveLength(3);
    expect(missed).toEqual([
      [2e6, 4e6],
      [5e6, 8e6],
    ]);
    expect(missedPolls([...polls, ...missing], 0)).toEqual({ count: 2, why: "Slow." });
    expect(missedPolls([...polls, ...missing], 3.5e6)).toEqual({ count: 1, why: "Slow." });
    // A second may pass until the newest poll is here.
    expect(gaugeFor("wait.WRITELOG", polls, 7.4e6).missed).toEqual([[2e6, 4e6]]);
  });

  it("weigh the files of a server by their writes", () => {
    const file = (writes: number, msPerWrite: number | null) => ({
      database: "db",
      writes,
      bytes: 0,
      msPerWrite,
      word: null,
    });
    // (30 x 1 + 10 x 5) / 40 = 2 ms
    const logWrites = [file(30, 1), file(10, 5), file(0, null)];
    expect(gaugeFor("file.0", [poll({ logWrites })]).steps[0].value).toBe(2);
  });

  it("weigh the transaction delay of databases by their transactions", () => {
    const counters = counterReading({
      databases: [
        { database: "a", transactionDelayMs: 1, mirroredPerSecond: 30 },
        { database: "b", transactionDelayMs: 5, mirroredPerSecond: 10 },
        { database: "c", transactionDelayMs: null, mirroredPerSecond: 0 },
      ],
    });
    const { steps, now } = gaugeFor("delay", [poll({ at: 6e6, counters })]);
    expect(steps).toEqual([{ from: 1e6, to: 6e6, value: 2 }]);
    expect(now).toEqual({ value: "2.00", unit: "ms" });
  });

  it("show what the primary sends to a replica that nobody attached", () => {
    const counters = counterReading({
      replicas: [{ name: "SQL3", sentBytesPerSecond: 22_528, flowControlMsPerSecond: 308 }],
    });
    const gauges = gaugesOf({
      replicas,
      phases: [],
      unattached: [{ replicaId: "id2", name: "SQL3" }],
      polls: [poll({ counters, databases: [state({ replicaId: "id2", sendQueueKb: 862 })] })],
      now: 1e6,
    });
    const shown = (key: string) => gauges.find((gauge) => gauge.key === key)?.now;
    expect(shown("sent.SQL3")).toEqual({ value: "22", unit: "KB/s" });
    expect(shown("flow.SQL3")).toEqual({ value: "308", unit: "ms/s" });
    expect(shown("send.SQL3")).toEqual({ value: "862", unit: "KB" });
    const named = gauges.filter(({ key }) => key.endsWith(".SQL3"));
    expect(named.map(({ label, source }) => `${label} (${source})`)).toEqual([
      "Bytes sent to SQL3 (Bytes Sent to Replica/sec)",
      "Log send queue, SQL3 (log_send_queue_size)",
      "Flow control time, SQL3 (Flow Control Time)",
    ]);
  });

  it("of the primary are of whoever was it at that time, of a replica its own", () => {
    const writing = (replica: number, at: number, waitMs: number): LivePoll =>
      poll({
        replica,
        at,
        waits: [wait("WRITELOG", waitMs)],
        schedulers: { runnable: waitMs, runnableMax: 1, count: 4 },
      });
    const seconds = [1e6, 2e6, 3e6, 4e6];
    const polls = seconds.flatMap((at) => [writing(0, at, at / 1e4), writing(1, at, at / 1e3)]);
    const gaugesUntil = (to: number): Gauge[] =>
      gaugesOf({ replicas, phases: [{ to, primary: 1 }], unattached: [], polls, now: 4e6 });
    const values = (gauges: readonly Gauge[], key: string): number[] | undefined =>
      gauges.find((each) => each.key === key)?.steps.map(({ value }) => value);
    // SQL2 was the primary for two seconds.
    const gauges = gaugesUntil(2e6 + 1);
    expect(values(gauges, "wait.WRITELOG")).toEqual([1, 2, 0.4]);
    expect(values(gauges, "wait.WRITELOG.1")).toEqual([1, 2, 3, 4]);
    expect(values(gauges, "runnable.0")).toEqual([100, 200, 300, 400]);
    // The second with the role change is a mean of both roles.
    expect(gauges.find(({ key }) => key === "wait.WRITELOG")?.missed).toEqual([[2e6, 3e6]]);
    expect(values(gaugesUntil(2e6), "wait.WRITELOG")).toEqual([1, 0.3, 0.4]);
  });

  it("add up the queues of all databases towards one secondary and leave out what nobody reported", () => {
    const databases = [
      state({ sendQueueKb: 40 }),
      state({ sendQueueKb: 2 }),
      state({ replicaId: "other", sendQueueKb: 7 }),
    ];
    const gauges = gaugesFor([poll({ databases })]);
    expect(gauges.find((g) => g.key === "send.SQL2")?.steps[0].value).toBe(42);
    expect(gauges.some((g) => g.key === "redo.SQL2")).toBe(false);
    expect(gauges.some((g) => g.key.startsWith("runnable"))).toBe(false);
  });

  it("show the largest lag of a secondary's databases", () => {
    const databases = [state({ lagSeconds: 3 }), state({ lagSeconds: 12 }), state({ lagSeconds: null })];
    expect(gaugeFor("lag.SQL2", [poll({ databases })]).now).toEqual({ value: "12", unit: "s" });
  });

  it.each([
    [999.6, "1,000", "KB"],
    [1_000, "1.00", "MB"],
    [9_994, "9.99", "MB"],
    [10_000, "10.0", "MB"],
  ])("write a queue of %s KB as %s %s", (kb, value, unit) => {
    expect(gaugeFor("send.SQL2", [poll({ databases: [state({ sendQueueKb: kb })] })]).now).toEqual({
      value,
      unit,
    });
  });

  it("have the colors of their replica's role", () => {
    const schedulers = { count: 4, runnable: 1, runnableMax: 2 };
    const logWrites = [{ database: "db", writes: 1, bytes: 0, msPerWrite: 1, word: null }];
    const polls = [0, 1].map((index) => poll({ replica: index, schedulers, logWrites }));
    const colors = gaugesFor(polls).map(({ key, color }) => [key, color]);
    expect(Object.fromEntries(colors)).toMatchObject({
      "file.0": "--p-disk",
      "file.1": "--s-disk",
      "runnable.0": "--p-work",
      "runnable.1": "--s-work",
    });
  });

  it("have a scale that ends on 1, 2, 2.5 or 5", () => {
    const step = (value: number): { from: number; to: number; value: number } => ({ from: 0, to: 1, value });
    expect(scaleTop([step(3.3)], 0, 1)).toBe(5);
    expect(scaleTop([step(2.2)], 0, 1)).toBe(2.5);
    expect(scaleTop([step(0.13)], 0, 1)).toBeCloseTo(0.2);
    expect(scaleTop([step(700)], 0, 1)).toBe(1000);
    expect(scaleTop([step(0)], 0, 1)).toBe(1);
  });

  it("have a scale that grows at once and shrinks when a lower one was enough for 30 s", () => {
    const steps = [
      { from: 0, to: 1e6, value: 2 },
      { from: 10e6, to: 11e6, value: 900 },
      { from: 60e6, to: 61e6, value: 2 },
    ];
    expect(scaleTop(steps, 0, 10e6)).toBe(2);
    expect(scaleTop(steps, 0, 10.1e6)).toBe(1000);
    expect(scaleTop(steps, 40.9e6, 70.9e6)).toBe(1000);
    expect(scaleTop(steps, 41e6, 71e6)).toBe(2);
  });
});
