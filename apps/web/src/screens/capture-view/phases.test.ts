import { describe, expect, it } from "vitest";
import { SLOW_BLOCK as given } from "../../../test/sequence.ts";
import { replicaSummary, summaryOf } from "../../../test/summary.ts";
import { inItsPhase, namesOfSlots, primaryMoved, replicasOfRole, rolesOf } from "./phases.ts";

const replicas = [
  replicaSummary({ name: "SQL1", role: "primary" }),
  replicaSummary({ name: "SQL2", ids: ["b"] }),
];
const phase = (primary: number, from: number, to: number) => ({
  databases: [0],
  primary,
  from,
  to,
  commitModes: ["sync" as const],
});
const failover = summaryOf({ replicas, phases: [phase(0, 0, 4e6), phase(1, 5e6, 9e6), phase(0, 9e6, 1e7)] });

describe("a capture in which roles changed", () => {
  it("names each place by the servers that had it, one after the other", () => {
    expect(namesOfSlots(failover)).toEqual(["SQL1 \u203A SQL2 \u203A SQL1", "SQL2 \u203A SQL1 \u203A SQL2"]);
    expect(namesOfSlots(summaryOf({ replicas }))).toEqual(["SQL1", "SQL2"]);
  });

  it("has the replicas of each role", () => {
    expect(replicasOfRole(failover, 0)).toEqual([0, 1]);
    expect(replicasOfRole(failover, 1)).toEqual([1, 0]);
    expect(replicasOfRole(failover, 2)).toEqual([]);
    expect(replicasOfRole(summaryOf({ replicas, phases: [] }), 1)).toEqual([1]);
  });

  it("is one whose primary is not the same all the time", () => {
    expect(primaryMoved(failover)).toBe(true);
    expect(primaryMoved(summaryOf({ replicas, phases: [phase(1, 0, 4e6), phase(1, 5e6, 9e6)] }))).toBe(false);
    expect(primaryMoved(summaryOf({ replicas, phases: [] }))).toBe(false);
  });

  it("gives each server its roles in their order", () => {
    expect(rolesOf(failover, 0)).toEqual(["primary", "secondary", "primary"]);
    expect(rolesOf(failover, 1)).toEqual(["secondary", "primary", "secondary"]);
    expect(rolesOf(summaryOf({ replicas }), 1)).toEqual(["secondary"]);
  });

  it.each([0, 2])(
    "shows a block of phase %i under the first primary with the names of that phase alone",
    (index) => {
      const { summary, sequence } = inItsPhase(failover, { ...given, phase: index });
      expect(namesOfSlots(summary)).toEqual(["SQL1", "SQL2"]);
      expect(summary.phases).toEqual([failover.phases[index]]);
      expect(sequence).toEqual({ ...given, phase: 0 });
    },
  );

  it("shows a block with the names of its own phase, and its events at their servers", () => {
    const events = given.events.map((event, i) => ({ ...event, replica: i % 2 }));
    const { summary, sequence } = inItsPhase(failover, { ...given, phase: 1, events });
    expect(summary.replicas.map(({ name, role }) => [name, role])).toEqual([
      ["SQL2", "primary"],
      ["SQL1", "secondary"],
    ]);
    expect(sequence.events.map(({ replica }) => replica)).toEqual(events.map(({ replica }) => 1 - replica));
    expect(inItsPhase(summary, sequence)).toEqual({ summary, sequence });
  });
});

it("a block's sequence has the availability mode of its own phase", () => {
  const changing = summaryOf({
    replicas,
    phases: [phase(0, 0, 4e6), { ...phase(0, 4e6, 9e6), commitModes: ["async"] }],
  });
  const modeIn = (index: number) =>
    inItsPhase(changing, { ...given, phase: index }).summary.replicas[1]?.commitMode;
  expect([modeIn(0), modeIn(1)]).toEqual(["sync", "async"]);
});

it("a slot that leads to nobody in a phase is named by the phases in which it leads to somebody", () => {
  const three = [...replicas, replicaSummary({ name: "SQL3" })];
  const groups = [
    { ...phase(0, 0, 9e6), commitModes: ["sync" as const, null] },
    { ...phase(0, 0, 9e6), commitModes: [null, "async" as const] },
  ];
  expect(namesOfSlots({ replicas: three, phases: groups })).toEqual(["SQL1", "SQL2", "SQL3"]);
});
