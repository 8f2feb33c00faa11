import type { LivePoll, LiveReplica } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import { counterReading, databaseState, poll } from "../../../test/polls.ts";
import { replicaStates, resumeSql, suspendText } from "./replica-states.ts";

const replica = (index: number, over: Partial<LiveReplica>): LiveReplica =>
  ({
    index,
    name: `SQL${index + 1}`,
    replicaId: `id${index}`,
    role: "secondary",
    commitMode: "sync",
    state: "reading",
    behindSeconds: 0.2,
    ...over,
  }) as LiveReplica;
const replicas = [replica(0, { role: "primary" }), replica(1, { behindSeconds: 6.1 })];
const third = { replicaId: "id2", name: "SQL3", role: "secondary", commitMode: "async" } as const;
const secondary = (over: object) => databaseState({ replicaId: "id1", ...over });
const at = (seconds: number, databases: LivePoll["databases"], over: Partial<LivePoll> = {}): LivePoll =>
  poll({ at: seconds * 1e6, databases, ...over });
const statesOf = (polls: LivePoll[], now = 10e6) =>
  replicaStates({ replicas, unattached: [third], polls, now });
const firstOf = (polls: LivePoll[]) => statesOf(polls)?.secondaries[0];

describe("states of replicas", () => {
  it("are the primary's newest answer, for the attached and the others", () => {
    const counters = counterReading({ replicas: [{ name: "SQL3", flowControlMsPerSecond: 308 }] });
    const databases = [
      secondary({
        sendQueueKb: 0,
        redoQueueKb: 62_900,
        redoKbPerSecond: 48_400,
        lagSeconds: 1,
        dataLossSeconds: 0,
      }),
      databaseState({
        replicaId: "id2",
        synchronization: "SYNCHRONIZING",
        sendQueueKb: 862,
        dataLossSeconds: 20.8,
      }),
    ];
    const connections = [
      { replicaId: "id1", connected: true, lastError: null },
      { replicaId: "id2", connected: false, lastError: "Timed out." },
    ];
    const states = statesOf([
      at(8, [], { counters }),
      at(9, databases, { connections }),
      poll({ at: 9.5e6, replica: 1, databases: [secondary({ sendQueueKb: 7 })] }),
      at(10, null),
    ]);
    expect(states).toMatchObject({ source: "SQL1", at: 9e6, isStale: false });
    expect(states?.secondaries).toMatchObject([
      {
        name: "SQL2",
        isAttached: true,
        synchronization: "SYNCHRONIZED",
        connected: true,
        lastError: null,
        sendQueueKb: 0,
        redoQueueKb: 62_900,
        lagSeconds: 1,
        dataLossSeconds: 0,
        flowControlMsPerSecond: null,
        heardSecondsAgo: 6.1,
      },
      {
        name: "SQL3",
        commitMode: "async",
        isAttached: false,
        synchronization: "SYNCHRONIZING",
        connected: false,
        lastError: "Timed out.",
        sendQueueKb: 862,
        dataLossSeconds: 20.8,
        flowControlMsPerSecond: 308,
        heardSecondsAgo: null,
      },
    ]);
    // 62,900 KB at 48,400 KB/s.
    expect(states?.secondaries[0]?.redo?.rate).toBe("view");
    expect(states?.secondaries[0]?.redo?.seconds).toBeCloseTo(1.2996, 4);
  });

  it("are stale after ten seconds without an answer", () => {
    expect(statesOf([at(10, [])], 20e6)?.isStale).toBe(false);
    expect(statesOf([at(10, [])], 20.1e6)?.isStale).toBe(true);
  });

  it("are none without a primary and without an answer", () => {
    expect(statesOf([at(1, null)])).toBeNull();
    expect(replicaStates({ replicas: [replicas[1]], unattached: [], polls: [at(1, [])], now: 0 })).toBeNull();
  });

  it("count the databases that are synchronized where they differ", () => {
    const databases = [secondary({}), secondary({}), secondary({ synchronization: "NOT SYNCHRONIZING" })];
    expect(firstOf([at(1, databases)])?.synchronization).toBe("2 of 3 SYNCHRONIZED");
    expect(firstOf([at(1, databases.slice(2))])?.synchronization).toBe("NOT SYNCHRONIZING");
    expect(firstOf([at(1, [])])?.synchronization).toBeNull();
  });

  it("add up queues and take the largest of what a failover would cost", () => {
    const databases = [
      secondary({ sendQueueKb: 40, redoQueueKb: 100, redoKbPerSecond: 50, dataLossSeconds: 0 }),
      secondary({ sendQueueKb: 2, redoQueueKb: 300, redoKbPerSecond: 100, dataLossSeconds: 4 }),
      secondary({ redoQueueKb: 0, redoKbPerSecond: 0, dataLossSeconds: 1 }),
    ];
    expect(firstOf([at(1, databases)])).toMatchObject({
      sendQueueKb: 42,
      redoQueueKb: 400,
      redoKbPerSecond: 150,
      redo: { seconds: 3, rate: "view" },
      dataLossSeconds: 4,
    });
  });

  it("cannot tell the cost when one database does not: it may be the largest", () => {
    const known = secondary({ redoQueueKb: 100, redoKbPerSecond: 50, dataLossSeconds: 0 });
    const noRate = secondary({ redoQueueKb: 100, redoKbPerSecond: 0, dataLossSeconds: null });
    expect(firstOf([at(1, [known, noRate])])).toMatchObject({ redo: null, dataLossSeconds: null });
  });

  it("divide the redo queue by the slower of the view's rate and what the secondary itself counted in 30 s", () => {
    const redone = (seconds: number, kb: number) =>
      poll({
        at: seconds * 1e6,
        replica: 1,
        counters: counterReading({ databases: [{ redoneBytesPerSecond: kb * 1024 }] }),
      });
    const redoOf = (redoKbPerSecond: number, polls: LivePoll[], redoQueueKb = 600) =>
      statesOf([at(40, [secondary({ redoQueueKb, redoKbPerSecond })]), ...polls], 40e6)?.secondaries[0]?.redo;
    // The mean of 20 and 40 KB/s; values from before the last 30 s do not count.
    const counted = [redone(9, 1_000), redone(30, 20), redone(35, 40)];
    expect(redoOf(100, counted)).toEqual({ seconds: 20, rate: "counter" });
    expect(redoOf(10, counted)).toEqual({ seconds: 60, rate: "view" });
    expect(redoOf(0, counted)).toEqual({ seconds: 20, rate: "counter" });
    expect(redoOf(0, [redone(30, 0)])).toBeNull();
    expect(redoOf(0, [])).toBeNull();
    expect(redoOf(0, [], 0)).toEqual({ seconds: 0, rate: null });
  });

  it("say since when a database is suspended, or that it was before", () => {
    const sales = (suspended: boolean) =>
      secondary({ suspended, suspendReason: suspended ? "SUSPEND_FROM_USER" : null });
    const polls = [
      at(1, [sales(true)]),
      at(2, [sales(false)]),
      at(3, [sales(true)]),
      at(4, null),
      at(5, [sales(true)]),
    ];
    expect(firstOf(polls)?.suspended).toEqual([
      { database: "Sales", reason: "SUSPEND_FROM_USER", since: 3e6, orEarlier: false },
    ]);
    expect(firstOf(polls.slice(2))?.suspended).toMatchObject([{ since: 3e6, orEarlier: true }]);
    expect(firstOf(polls.slice(0, 2))?.suspended).toEqual([]);
  });
});

it("a reason for a suspension is words; one that is new is shown as the server writes it", () => {
  expect(suspendText("SUSPEND_FROM_USER")).toBe("by a user");
  expect(suspendText("SUSPEND_FROM_SOMETHING")).toBe("SUSPEND_FROM_SOMETHING");
  expect(suspendText(null)).toBe("for an unknown reason");
});

it("a database's name cannot end the statement", () => {
  expect(resumeSql("a]b")).toBe("ALTER DATABASE [a]]b] SET HADR RESUME;");
});
