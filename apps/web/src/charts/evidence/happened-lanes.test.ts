import { describe, expect, it } from "vitest";
import {
  evidenceAnswer,
  happenedEvent,
  healthEvent,
  LEASE,
  leaseFailover,
  roleEvent,
} from "../../../test/evidence.ts";
import { type Band, happenedLanes, mainEvents } from "./happened-lanes.ts";

const SECOND = 1e6;

const bandsOf = (bands: readonly Band[]): string[] =>
  bands.map(
    ({ from, to, words, tone }) => `${from / SECOND} to ${to / SECOND} ${words.at(-1) ?? "-"} ${tone}`,
  );

const laneOf = (events: Parameters<typeof evidenceAnswer>[0], key: string) =>
  happenedLanes(evidenceAnswer(events)).find((lane) => lane.key === key);

describe("lanes of roles", () => {
  it("have the role before the first change, and a replica with a pending role as resolving", () => {
    const lanes = happenedLanes(leaseFailover());
    expect(lanes.map(({ name }) => name)).toEqual([
      "SQL1 role",
      "SQL2 role",
      "Lease, health",
      "Role change, DDL",
      "Connectivity",
    ]);
    expect(bandsOf(lanes[0].bands)).toEqual([
      "-Infinity to 10 PRIMARY primary",
      "10 to 27 RESOLVING quiet",
      "27 to Infinity SECONDARY secondary",
    ]);
    expect(bandsOf(lanes[1].bands)).toEqual([
      "-Infinity to 15 SECONDARY secondary",
      "15 to 22.5 RESOLVING quiet",
      "22.5 to Infinity PRIMARY primary",
    ]);
  });

  it("are apart for two groups of one server", () => {
    const events = ["SALES-AG", "HR-AG"].map((group, i) =>
      roleEvent("SQL1", (5 + i) * SECOND, ["PRIMARY_NORMAL", "RESOLVING_NORMAL"], { group }),
    );
    expect(happenedLanes(evidenceAnswer({ events })).map(({ name }) => name)).toEqual([
      "SQL1, HR-AG role",
      "SQL1, SALES-AG role",
    ]);
  });
});

describe("lanes of ticks", () => {
  it("have the new primary, and not each change of a role that is a band", () => {
    const ddl = happenedLanes(leaseFailover()).find(({ key }) => key === "ddl");
    expect(ddl?.ticks.map(({ text, isMain }) => [text, isMain])).toEqual([["19406: SQL2 is primary", true]]);
  });

  it("skip the databases that follow their replica, and have them where no replica is reported", () => {
    const database = roleEvent("SQL1", 10 * SECOND, ["PRIMARY", "RESOLVING"], {
      database: "Orders",
      message: 1480,
      text: "Database Orders on SQL1 changed from PRIMARY to RESOLVING.",
    });
    const replica = roleEvent("SQL1", 10 * SECOND, ["PRIMARY_NORMAL", "RESOLVING_NORMAL"]);
    expect(laneOf({ events: [replica, database] }, "ddl")).toBeUndefined();
    expect(laneOf({ events: [database] }, "ddl")?.ticks.map(({ text }) => text)).toEqual([
      "1480: Database Orders on SQL1 changed from PRIMARY to RESOLVING",
    ]);
  });

  it("are by time, whatever the order of the events", () => {
    const events = [30, 10, 20].map((at) => happenedEvent({ at: at * SECOND }));
    expect(laneOf({ events }, "lease")?.ticks.map(({ event }) => event)).toEqual([1, 2, 0]);
  });
});

describe("the cause of a failover", () => {
  it("is the event of its kind that has a duration, and ends with the new primary", () => {
    const answer = leaseFailover();
    const early = happenedEvent({ at: 9 * SECOND });
    const events = [...answer.events, early];
    const [failover] = answer.failovers;
    const failovers = [{ ...failover, events: [6, ...failover.events] }];
    expect([...mainEvents({ events, failovers })]).toEqual([LEASE.expired, LEASE.primary]);
  });

  it("may be unknown, and an index without an event is no error", () => {
    const answer = leaseFailover();
    const [failover] = answer.failovers;
    expect([
      ...mainEvents({ ...answer, failovers: [{ ...failover, kind: "notShown", events: [99] }] }),
    ]).toEqual([]);
  });
});

describe("lanes of databases", () => {
  const state = (at: number, before: string | null, after: string) =>
    happenedEvent({
      kind: "synchronization",
      at: at * SECOND,
      server: "SQL2",
      replica: "SQL1",
      database: "Orders",
      states: [before, after],
    });
  const suspension = (at: number, before: string, after: string) =>
    happenedEvent({ kind: "suspension", at: at * SECOND, database: "Orders", states: [before, after] });

  it("join states and suspensions, with the length of a suspension that ended", () => {
    const events = [
      state(5, "SYNCHRONIZED", "NOT SYNCHRONIZING"),
      suspension(20, "RESUMED", "SUSPENDED"),
      suspension(37.2, "SUSPENDED", "RESUMED"),
      state(41, null, "SYNCHRONIZED"),
    ];
    const lane = laneOf({ events }, "sync Orders SQL1");
    expect(lane?.name).toBe("Orders on SQL1");
    expect(bandsOf(lane!.bands)).toEqual([
      "-Infinity to 5 SYNCHRONIZED quiet",
      "5 to 20 NOT SYNCHRONIZING warning",
      "20 to 37.2 suspended warning",
      "37.2 to 41 - quiet",
      "41 to Infinity SYNCHRONIZED quiet",
    ]);
    expect(lane!.bands[2].words[0]).toBe("suspended 17.2\u2009s");
  });

  it("know nothing before a first state without an earlier one", () => {
    expect(bandsOf(laneOf({ events: [state(5, null, "SYNCHRONIZED")] }, "sync Orders SQL1")!.bands)).toEqual([
      "5 to Infinity SYNCHRONIZED quiet",
    ]);
  });
});

describe("lanes of health checks", () => {
  const bands = (...events: ReturnType<typeof healthEvent>[]): string[] =>
    bandsOf(laneOf({ events }, "health SQL1")?.bands ?? []);

  it("have the worst state of all components, and one quiet band between", () => {
    expect(
      bands(
        healthEvent(0, 60 * SECOND, "CLEAN"),
        healthEvent(5 * SECOND, 30 * SECOND, "CLEAN"),
        healthEvent(10 * SECOND, 20 * SECOND, "WARNING"),
        healthEvent(15 * SECOND, 18 * SECOND, "ERROR"),
      ),
    ).toEqual([
      "0 to 10 clean quiet",
      "10 to 15 warning warning",
      "15 to 18 error error",
      "18 to 20 warning warning",
      "20 to 60 clean quiet",
    ]);
  });

  it("are empty where no result is", () => {
    expect(bands(healthEvent(0, SECOND, "CLEAN"), healthEvent(3 * SECOND, 4 * SECOND, "CLEAN"))).toEqual([
      "0 to 1 clean quiet",
      "3 to 4 clean quiet",
    ]);
  });

  it("have no name of a server where no file names it", () => {
    const lane = laneOf({ events: [healthEvent(0, SECOND, "CLEAN", { server: null })] }, "health");
    expect(lane?.name).toBe("Health check");
  });

  it("leave a single report of a health problem to the ticks", () => {
    const events = [
      happenedEvent({ kind: "health", text: "The cluster's check of the group failed on SQL1." }),
    ];
    expect(laneOf({ events }, "lease")?.ticks).toHaveLength(1);
  });
});
