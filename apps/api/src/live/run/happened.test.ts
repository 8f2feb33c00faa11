import type { LiveDatabaseState } from "@aglens/contract";
import type { EvidenceEvent } from "@aglens/evidence";
import { beforeEach, describe, expect, test } from "vitest";
import type { Attachment } from "./attachment.ts";
import { Happened } from "./happened.ts";
import type { PollReading } from "./polls.ts";
import { RunClock } from "./run-clock.ts";

const BEGAN = Date.UTC(2026, 4, 14, 2, 16, 30);
/** The servers' UTC is ahead of this machine's: SQL1's 5 s, SQL2's 2 s. */
const AHEAD_MS = [5_000, 2_000];
const REPLICAS = ["r1", "r2"];

let attachments: Attachment[];
let happened: Happened;
beforeEach(() => {
  attachments = [0, 1].map((index) => attachmentOf(index, index === 0 ? "primary" : "secondary"));
  happened = new Happened(attachments);
});

const attachmentOf = (index: number, role: string): Attachment =>
  ({
    index,
    identity: {
      name: `SQL${index + 1}`,
      replicaId: REPLICAS[index],
      group: "SALES-AG",
      role,
      topology: { replicas: [], databases: [{ id: "d1", name: "Orders" }] },
    },
    serverClock: { offset: { aheadMs: AHEAD_MS[index], boundMs: 20 } },
  }) as unknown as Attachment;

const roleIs = (index: number, role: "primary" | "secondary" | null, sinceMs: number, atMs: number): void =>
  happened.takeRole(
    attachments[index]!,
    { replicaId: REPLICAS[index]!, groupId: "g", role },
    BEGAN + sinceMs,
    BEGAN + atMs,
  );

/** A poll of a server's view. */
const poll = (index: number, atMs: number, ...databases: Partial<LiveDatabaseState>[]): void =>
  happened.takePoll(
    attachments[index]!,
    {
      databases: databases.map((row) => ({
        database: "Orders",
        synchronization: "SYNCHRONIZED",
        suspended: false,
        suspendReason: null,
        isLocal: row.replicaId === REPLICAS[index],
        ...row,
      })),
    } as unknown as PollReading,
    BEGAN + atMs,
  );

/** An event of a server's session. @param atMs of this machine's clock */
const event = (index: number, atMs: number, more: Partial<EvidenceEvent>): EvidenceEvent => ({
  kind: "role",
  atUs: (BEGAN + atMs + AHEAD_MS[index]!) * 1000,
  fromUs: null,
  server: `SQL${index + 1}`,
  group: "SALES-AG",
  database: null,
  replica: null,
  message: null,
  states: null,
  count: 1,
  text: "Something happened.",
  sources: [{ file: "AlwaysOn_health", place: 1, text: null, plusMinusUs: 1_000 }],
  lsn: null,
  ...more,
});
const health = (index: number, ...events: EvidenceEvent[]): void =>
  happened.takeHealth(attachments[index]!, events);

/** The run's time is this machine's from the beginning. */
const shown = (nowMs = 60_000) => happened.picture(new RunClock(BEGAN), BEGAN + nowMs).happened;
const summary = () =>
  shown().map(({ kind, server, states, at, plusMinusUs, sources }) => [
    kind,
    server,
    states?.join(" > "),
    at / 1000,
    plusMinusUs / 1000,
    sources.length,
  ]);

describe("a role", () => {
  test("at the first poll is no change; a change is between two polls", () => {
    roleIs(0, "primary", Number.NaN, 0);
    roleIs(0, "primary", 1_000, 2_000);
    expect(shown()).toEqual([]);
    roleIs(0, null, 9_000, 11_000);
    expect(summary()).toEqual([["role", "SQL1", "PRIMARY > RESOLVING", 10_000, 1_000, 1]]);
    expect(shown()[0]?.text).toBe("The replica on SQL1 changed from PRIMARY to RESOLVING in SALES-AG.");
  });

  test("after a lost connection is between the polls before and after it", () => {
    roleIs(0, "primary", Number.NaN, 0);
    roleIs(0, "secondary", Number.NaN, 30_000);
    expect(summary()).toEqual([["role", "SQL1", "PRIMARY > SECONDARY", 15_000, 15_000, 1]]);
  });

  test.each(["poll first", "session first"])("in poll and session is one event: %s", (order) => {
    const fromSession = (): void =>
      health(0, event(0, 10_300, { states: ["PRIMARY_NORMAL", "RESOLVING_NORMAL"] }));
    roleIs(0, "primary", Number.NaN, 0);
    if (order === "session first") fromSession();
    roleIs(0, null, 9_000, 11_000);
    if (order === "poll first") fromSession();
    // ± of the event and of SQL1's clock.
    expect(summary()).toEqual([["role", "SQL1", "PRIMARY_NORMAL > RESOLVING_NORMAL", 10_300, 21, 2]]);
    expect(shown()[0]?.sources.map(({ file }) => file)).toEqual(["AlwaysOn_health", "Polls of SQL1"]);
  });

  test("takes one of two events of the session, and none of another server, state or time", () => {
    roleIs(0, "primary", Number.NaN, 0);
    roleIs(0, null, 9_000, 11_000);
    health(1, event(1, 10_000, { states: ["SECONDARY_NORMAL", "RESOLVING_NORMAL"] }));
    health(0, event(0, 10_000, { states: ["RESOLVING_NORMAL", "PRIMARY_PENDING"] }));
    health(0, event(0, 12_100, { states: ["PRIMARY_NORMAL", "RESOLVING_NORMAL"] }));
    expect(summary().map(([, , , , , sources]) => sources)).toEqual([1, 1, 1, 1]);
    health(
      0,
      event(0, 10_000, { states: ["PRIMARY_NORMAL", "RESOLVING_NORMAL"] }),
      event(0, 10_100, { states: ["RESOLVING_NORMAL", "RESOLVING_PENDING_FAILOVER"] }),
    );
    expect(
      summary()
        .map(([, , , , , sources]) => sources)
        .toSorted((a, b) => Number(a) - Number(b)),
    ).toEqual([1, 1, 1, 1, 2]);
  });
});

test("a failover that only polls see has its servers, and the poll of each event", () => {
  roleIs(0, "primary", Number.NaN, 0);
  roleIs(1, "secondary", Number.NaN, 0);
  poll(0, 1_000);
  poll(1, 1_000);
  roleIs(0, null, 9_000, 11_000);
  roleIs(1, null, 9_000, 11_000);
  roleIs(0, "secondary", 12_000, 13_000);
  roleIs(1, "primary", 13_000, 15_000);
  const { failovers, happened: events } = happened.picture(new RunClock(BEGAN), BEGAN + 60_000);
  expect(failovers).toMatchObject([
    {
      kind: "notShown",
      at: 10_000_000,
      until: 14_000_000,
      group: "SALES-AG",
      fromServer: "SQL1",
      toServer: "SQL2",
    },
  ]);
  // Each is in the second poll of its server.
  expect(events.map(({ sources }) => sources[0]!.place)).toEqual([2, 2, 2, 2]);
});

test("a change of a database is in the poll that has it", () => {
  poll(0, 1_000, { replicaId: "r1" });
  poll(0, 2_000, { replicaId: "r1", synchronization: "NOT SYNCHRONIZING" });
  expect(shown()[0]?.sources).toMatchObject([{ file: "Polls of SQL1", place: 2 }]);
});

describe("the state of a database", () => {
  const both = (atMs: number, second: Partial<LiveDatabaseState> = {}): void => {
    poll(0, atMs, { replicaId: "r1" }, { replicaId: "r2", ...second });
    poll(1, atMs + 100, { replicaId: "r2", ...second });
  };

  test("of a secondary is told once, by the primary's view", () => {
    both(1_000);
    both(2_000, { synchronization: "NOT SYNCHRONIZING" });
    expect(summary()).toEqual([
      ["synchronization", "SQL1", "SYNCHRONIZED > NOT SYNCHRONIZING", 1_500, 500, 1],
    ]);
    expect(shown()[0]).toMatchObject({
      replica: "SQL2",
      database: "Orders",
      text: "Orders on SQL2 changed from SYNCHRONIZED to NOT SYNCHRONIZING.",
    });
  });

  test("is told by the secondary itself while no primary's view is polled", () => {
    both(1_000);
    poll(1, 5_000, { replicaId: "r2", synchronization: "NOT SYNCHRONIZING" });
    expect(summary()).toEqual([
      ["synchronization", "SQL2", "SYNCHRONIZED > NOT SYNCHRONIZING", 3_000, 2_000, 1],
    ]);
  });

  test("of a suspension is told once, by the replica itself, with the reason", () => {
    both(1_000);
    both(2_000, { suspended: true, suspendReason: "SUSPEND_FROM_REDO" });
    both(3_000);
    expect(summary()).toEqual([
      ["suspension", "SQL2", "RESUMED > SUSPENDED", 1_600, 500, 1],
      ["suspension", "SQL2", "SUSPENDED > RESUMED", 2_600, 500, 1],
    ]);
    expect(shown().map(({ text }) => text)).toEqual([
      "Data movement of Orders was suspended on SQL2 (SUSPEND_FROM_REDO).",
      "Data movement of Orders was resumed on SQL2.",
    ]);
  });

  test("in the session has names in place of ids, and is the change that a poll saw", () => {
    both(1_000);
    both(2_000, { synchronization: "NOT SYNCHRONIZING" });
    const group = "5f0c21d4-6b1e-4f4e-9d5c-0d0f3c5a7e11";
    const states = [null, "NOT_SYNCHRONIZING"] as const;
    health(0, event(0, 1_700, { kind: "synchronization", group, database: "d1", replica: "r2", states }));
    expect(summary()).toEqual([
      ["synchronization", "SQL1", "SYNCHRONIZED > NOT SYNCHRONIZING", 1_700, 21, 2],
    ]);
    expect(shown()[0]).toMatchObject({
      group: "SALES-AG",
      database: "Orders",
      replica: "SQL2",
      text: "Orders on SQL2 changed from SYNCHRONIZED to NOT SYNCHRONIZING.",
    });
  });
});

describe("what is shown and kept", () => {
  test("the picture has the last five minutes, in the order of this machine's time", () => {
    health(0, event(0, 1_000, { text: "old" }));
    health(0, event(0, 200_000, { text: "third" }));
    health(1, event(1, 150_000, { text: "second" }));
    expect(shown(301_500).map(({ text, at }) => [text, at])).toEqual([
      ["second", 150_000_000],
      ["third", 200_000_000],
    ]);
    expect(shown(300_500).map(({ text }) => text)).toEqual(["old", "second", "third"]);
  });

  test("states of one millisecond are in their turn, whatever order they came in", () => {
    const change = (before: string, after: string): EvidenceEvent =>
      event(1, 10_000, { states: [before, after] });
    roleIs(1, "secondary", Number.NaN, 0);
    roleIs(1, "primary", 9_000, 11_000);
    health(1, change("PRIMARY_PENDING", "PRIMARY_NORMAL"), change("RESOLVING_NORMAL", "PRIMARY_PENDING"));
    const order = [
      ["RESOLVING_NORMAL", "PRIMARY_PENDING"],
      ["PRIMARY_PENDING", "PRIMARY_NORMAL"],
    ];
    expect(shown().map(({ states }) => states)).toEqual(order);
    expect(happened.eventsOf(attachments[1]!).map(({ states }) => states)).toEqual(order);
  });

  test("a server's own events are by its own clock, also since a time", () => {
    roleIs(1, "secondary", Number.NaN, 0);
    roleIs(1, "primary", 40_000, 42_000);
    health(1, event(1, 10_000, { text: "first" }));
    health(0, event(0, 10_000, { text: "SQL1's" }));
    const times = (sinceMs?: number) =>
      happened.eventsOf(attachments[1]!, sinceMs).map(({ atUs }) => atUs / 1000 - BEGAN);
    expect(times()).toEqual([12_000, 43_000]);
    expect(times(BEGAN + 20_000)).toEqual([43_000]);
  });
});
