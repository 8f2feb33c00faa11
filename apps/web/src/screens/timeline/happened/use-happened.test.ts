import { expect, test } from "vitest";
import {
  evidenceAnswer,
  evidenceMetric,
  failoverCause,
  happenedEvent,
  healthEvent,
  LEASE,
  leaseFailover,
} from "../../../../test/evidence.ts";
import { failoverOf, summaryOf } from "../../../../test/summary.ts";
import { roleSwitches } from "../../capture-view/phases.ts";
import { outagesOf, shownSwitches } from "./shown-switches.ts";
import { nextEvent } from "./use-event-selection.ts";
import { happenedOf, leftOfLabels, nameOf, selectedEvent, shownFailover } from "./use-happened.ts";

const SECOND = 1e6;
const summary = summaryOf({ durationUs: 60 * SECOND });

test("an address names an event by its kind and time, also after clocks were aligned again", () => {
  const { events } = leaseFailover();
  expect(selectedEvent(events, { kind: "role", at: 22.6 * SECOND, nth: 1 })).toBe(LEASE.primary);
  expect(selectedEvent(events, { kind: "role", at: 30 * SECOND, nth: 1 })).toBeNull();
  expect(selectedEvent(events, { kind: "ddl", at: 22.5 * SECOND, nth: 1 })).toBeNull();
  expect(selectedEvent(events, null)).toBeNull();
});

test("each of several events at one time has its own address", () => {
  const at = 70_791_175.4;
  const events = [
    happenedEvent({ at }),
    happenedEvent({ at, kind: "role" }),
    happenedEvent({ at }),
    happenedEvent({ at: at + 1 }),
  ];
  const names = events.map((_, index) => nameOf(events, index));
  expect(names).toEqual([
    { kind: "lease", at: 70_791_175, nth: 1 },
    { kind: "role", at: 70_791_175, nth: 1 },
    { kind: "lease", at: 70_791_175, nth: 2 },
    { kind: "lease", at: 70_791_176, nth: 1 },
  ]);
  expect(names.map((name) => selectedEvent(events, name))).toEqual([0, 1, 2, 3]);
  // The second one may be gone after another analysis.
  expect(selectedEvent(events.slice(0, 1), names[2])).toBe(0);
});

test("keys go through the events by time, begin at the view, and skip clean health checks", () => {
  const answer = evidenceAnswer({
    events: [
      happenedEvent({ at: 30 * SECOND }),
      healthEvent(0, 20 * SECOND, "CLEAN"),
      happenedEvent({ at: 10 * SECOND }),
      happenedEvent({ at: 90 * SECOND }),
      healthEvent(0, 40 * SECOND, "WARNING"),
    ],
  });
  const happened = happenedOf(answer, null, summary);
  expect(happened.inTurn).toEqual([2, 0, 4]);
  const step = (selected: number | null, by: 1 | -1) =>
    nextEvent(happened, selected, [15 * SECOND, 35 * SECOND], by);
  expect([step(null, 1), step(null, -1), step(0, 1), step(0, -1), step(4, 1), step(2, -1)]).toEqual([
    0,
    0,
    4,
    2,
    null,
    null,
  ]);
  // From an event that keys skip, its time is the start.
  expect([step(1, 1), step(1, -1)]).toEqual([0, 2]);
});

test("metrics are lanes as far as there is room for eight kinds, and none where the user hid the lanes", () => {
  const answer = { ...leaseFailover(), metrics: [evidenceMetric()] };
  const keys = (chosen: readonly string[] | null) =>
    happenedOf(answer, chosen, summary).shown.map(({ key }) => key);
  expect(keys(null)).toEqual([
    "role SQL1",
    "role SQL2",
    "lease",
    "ddl",
    "connectivity",
    "wait time@HADR_SYNC_COMMIT@SQL1",
  ]);
  expect(keys(["lease"])).toEqual(["lease"]);
  expect(keys([])).toEqual([]);
});

test("the failover is that of the selected event, else the one in view, else the nearest", () => {
  const early = failoverCause({ at: 5 * SECOND, until: 6 * SECOND, events: [0] });
  const late = failoverCause({ at: 50 * SECOND, until: null, events: [1] });
  const of = (from: number, to: number, selected: number | null = null) =>
    shownFailover({ failovers: [early, late] }, [from * SECOND, to * SECOND], selected);
  expect(of(0, 10)).toBe(early);
  expect(of(0, 10, 1)).toBe(late);
  expect(of(30, 40)).toBe(late);
  expect(of(15, 20)).toBe(early);
  expect(shownFailover({ failovers: [] }, [0, 1], null)).toBeNull();
});

const changed = failoverOf();
const switches = roleSwitches(changed);
const [change] = switches;

test("a role change has the times of its failover while the lanes are shown", () => {
  const [from, to] = [change.from, change.to];
  const failover = failoverCause({ at: from + 10, until: to - 10 });
  const answer = evidenceAnswer({ events: [happenedEvent()], failovers: [failover] });
  const shown = happenedOf(answer, null, changed);
  expect(shownSwitches(switches, shown, changed)).toEqual([
    { ...change, from: from + 10, to: to - 10, isReported: true },
  ]);
  expect(outagesOf(switches, shown, changed)).toEqual([[from + 10, to - 10]]);
  const hidden = happenedOf(answer, [], changed);
  expect(shownSwitches(switches, hidden, changed)).toEqual([{ ...change, isReported: false }]);
  expect(outagesOf(switches, null, changed)).toEqual([[from, to]]);
});

test("a failover without a role change in the log blocks is a period of its own", () => {
  const failover = failoverCause({ at: change.to + SECOND, until: null });
  const answer = evidenceAnswer({ events: [happenedEvent()], failovers: [failover] });
  expect(outagesOf(switches, happenedOf(answer, null, changed), changed)).toEqual([
    [change.from, change.to],
    [change.to + SECOND, change.to + SECOND],
  ]);
});

test("labels of rules stay in the plot at its right edge, and don't cover each other", () => {
  const failover = (from: number, to: number): (number | null)[] =>
    leftOfLabels(
      [
        { x: from, isBefore: true, width: 70 },
        { x: to, isBefore: false, width: 70 },
      ],
      1_000,
    );
  expect(failover(300, 400)).toEqual([230, 400]);
  // The label of the new primary replica ends at 980, and the one of the loss at 910.
  expect(failover(950, 980)).toEqual([840, 910]);
  expect(failover(800, 980)).toEqual([730, 910]);
  expect(failover(950, 1_100)).toEqual([880, null]);
});

test("a role change has the times of the failover of its group to its server; others are periods of their own", () => {
  const [from, to] = [change.from, change.to];
  const own = failoverCause({ group: "SALES-AG", toServer: "sql2", at: from + 30, until: to - 30 });
  const otherServer = failoverCause({ group: "SALES-AG", toServer: "SQL1", at: from + 10, until: from + 20 });
  const otherGroup = failoverCause({ group: "HR-AG", toServer: "SQL2", at: from + 15, until: to - 5 });
  const answer = evidenceAnswer({
    events: [
      happenedEvent({ group: "SALES-AG", database: "payroll" }),
      happenedEvent({ group: "HR-AG", database: "Staff" }),
    ],
    failovers: [otherServer, otherGroup, own],
  });
  const shown = happenedOf(answer, null, changed);
  expect(shownSwitches(switches, shown, changed)).toEqual([
    { ...change, from: from + 30, to: to - 30, isReported: true },
  ]);
  expect(outagesOf(switches, shown, changed)).toEqual([
    [from + 10, from + 20],
    [from + 15, to - 5],
    [from + 30, to - 30],
  ]);
  // No replica of the capture has this name, and no event names the group of its databases: the time decides.
  const unnamed = failoverCause({ group: "X", toServer: "NODE7", at: from + 1, until: to - 1 });
  const alone = happenedOf(
    evidenceAnswer({ events: [happenedEvent()], failovers: [unnamed] }),
    null,
    changed,
  );
  expect(shownSwitches(switches, alone, changed)[0]?.isReported).toBe(true);
});
