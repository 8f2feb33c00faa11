import type { LivePoll, LiveReplica } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import { gaugesOf, scaleTop } from "./gauges.ts";

const replica = (index: number, role: LiveReplica["role"]): LiveReplica =>
  ({ index, role, name: `SQL${index + 1}`, replicaId: `id${index}` }) as LiveReplica;

const poll = (at: number, over: Partial<LivePoll>): LivePoll => ({
  replica: 0,
  at,
  seconds: 2,
  waits: [],
  logWrites: [],
  queues: [],
  schedulers: null,
  ...over,
});

const wait = (type: string, waitMs: number): LivePoll["waits"][number] => ({
  type,
  waitMs,
  resourceMs: waitMs,
  signalMs: 0,
  count: 1,
  percent: 100,
});

describe("gauges", () => {
  const replicas = [replica(0, "primary"), replica(1, "secondary")];

  it("turn waited ms of an interval into the mean number of waiting sessions", () => {
    const gauges = gaugesOf(replicas, [poll(4e6, { waits: [wait("HADR_SYNC_COMMIT", 6000)] })]);
    const gauge = gauges.find((g) => g.label === "HADR_SYNC_COMMIT")!;
    // 6,000 ms waited in 2,000 ms: three sessions on average.
    expect(gauge.steps).toEqual([{ from: 2e6, to: 4e6, value: 3 }]);
  });

  it("weigh the files of a server by their writes", () => {
    const file = (writes: number, msPerWrite: number | null): LivePoll["logWrites"][number] => ({
      database: "db",
      writes,
      bytes: 0,
      msPerWrite,
      word: null,
    });
    const gauges = gaugesOf(replicas, [poll(2e6, { logWrites: [file(30, 1), file(10, 5), file(0, null)] })]);
    // (30 x 1 + 10 x 5) / 40 = 2 ms
    expect(gauges.find((g) => g.key === "file.0")!.steps[0].value).toBe(2);
  });

  it("add up the queues of all databases towards one secondary and leave out what nobody reported", () => {
    const queue = (replicaId: string, sendQueueKb: number | null): LivePoll["queues"][number] => ({
      database: "db",
      replicaId,
      sendQueueKb,
      redoQueueKb: null,
      lagSeconds: null,
    });
    const gauges = gaugesOf(replicas, [
      poll(2e6, { queues: [queue("id1", 40), queue("id1", 2), queue("other", 7)] }),
    ]);
    expect(gauges.find((g) => g.key === "send.1")!.steps[0].value).toBe(42);
    expect(gauges.some((g) => g.key === "redo.1")).toBe(false);
    expect(gauges.some((g) => g.key.startsWith("runnable"))).toBe(false);
  });

  it.each([
    [999.6, "1,000", "KB"],
    [1_000, "1.00", "MB"],
    [9_994, "9.99", "MB"],
    [10_000, "10.0", "MB"],
  ])("write a queue of %s KB as %s %s", (kb, value, unit) => {
    const queues = [{ database: "db", replicaId: "id1", sendQueueKb: kb, redoQueueKb: 0, lagSeconds: null }];
    const gauge = gaugesOf(replicas, [poll(2e6, { queues })]).find(({ key }) => key === "send.1")!;
    expect(gauge.format(kb)).toEqual({ value, unit });
  });

  it("have the colours of their replica's role", () => {
    const schedulers = { count: 4, runnable: 1, runnableMax: 2 };
    const logWrites = [{ database: "db", writes: 1, bytes: 0, msPerWrite: 1, word: null }];
    const polls = [0, 1].map((at) => poll(2e6, { replica: at, schedulers, logWrites }));
    const colours = gaugesOf(replicas, polls).map(({ key, colour }) => [key, colour]);
    expect(Object.fromEntries(colours)).toMatchObject({
      "file.0": "--p-disk",
      "file.1": "--s-disk",
      "runnable.0": "--p-work",
      "runnable.1": "--s-work",
    });
  });

  it("have a scale that ends on 1, 2 or 5", () => {
    const step = (value: number): { from: number; to: number; value: number } => ({ from: 0, to: 1, value });
    expect(scaleTop([step(3.3)], 0, 1)).toBe(5);
    expect(scaleTop([step(0.13)], 0, 1)).toBeCloseTo(0.2);
    expect(scaleTop([step(700)], 0, 1)).toBe(1000);
    expect(scaleTop([step(0)], 0, 1)).toBe(1);
    expect(scaleTop([step(900), { from: 5, to: 6, value: 2 }], 4, 7)).toBe(2);
  });
});
