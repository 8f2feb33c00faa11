/**
 * Events that attached replicas sent: the role they count for, how late they arrived, and which replicas are waited
 * for.
 */
import { describe, expect, it, vi } from "vitest";
import { BASE_TICKS, eventColumns, type EventSpec } from "../../test/events.ts";
import { handFedRow } from "../../test/hand-fed-stream.ts";
import type { EventColumns } from "../events/index.ts";
import { AttachedReplicas } from "./attached-replicas.ts";
import type { LiveModelReplica } from "./picture.ts";
import { RunClock } from "./run-clock.ts";

vi.mock("xel-parser/format", async (original) => {
  const { openHandFedStream } = await import("../../test/hand-fed-stream.ts");
  return { ...(await original<object>()), openColumnStream: openHandFedStream };
});
vi.mock("../events/index.ts", async (original) => {
  const events = await original<typeof import("../events/index.ts")>();
  return { ...events, eventColumnsOf: (parts: readonly EventColumns[]) => events.mergeColumns(parts) };
});

/** Events from 0 to an instant, µs of the run. */
const readTo = (to: number) => ({ from: 0, to });
const SECOND = 1_000_000;
const ticks = (seconds: number): bigint => BASE_TICKS + BigInt(seconds * 1e7);

const attached = (...roles: LiveModelReplica["role"][]): AttachedReplicas =>
  new AttachedReplicas(roles.map((role, i) => ({ name: `SQL${i + 1}`, role, replicaId: `id-${i + 1}` })));

/** The clock of a run that began when the counters of hand-written events were 0. */
function clockOfRun(): RunClock {
  const clock = new RunClock();
  clock.originTicks = BASE_TICKS;
  return clock;
}

const push = (replicas: AttachedReplicas, replica: number, events: readonly EventSpec[]): void => {
  replicas.push(replica, handFedRow(eventColumns(events)));
};

/** Pushes events that primaries and secondaries have alike, at these seconds, and takes them in at `now`, s. */
function send(
  replicas: AttachedReplicas,
  replica: number,
  seconds: readonly number[],
  { now = 0, settledTo = 0, clock = clockOfRun() } = {},
): boolean {
  const events = seconds.map((s): EventSpec => ({ kind: "flushStart", at: s * SECOND, block: 1n, local: 5 }));
  if (events.length > 0) push(replicas, replica, events);
  return replicas.collect(clock, now * SECOND, settledTo * SECOND);
}

/** When the events held were published, s, by replica. */
const held = (replicas: AttachedReplicas): number[][] =>
  replicas.given().map(({ input }) => Array.from(input.columns.ticks, (t) => Number(t - BASE_TICKS) / 1e7));

describe("the role of a replica's events", () => {
  const captureAt = (s: number): EventSpec => ({
    kind: "capture",
    mode: 1,
    at: s * SECOND,
    took: 0,
    block: 1n,
  });
  const receiveAt = (s: number): EventSpec => ({
    kind: "transportReceive",
    mode: 1,
    at: s * SECOND,
    took: 0,
    block: 1n,
  });
  const rolesOf = (replicas: AttachedReplicas): [number, string][] => {
    replicas.collect(clockOfRun(), 0, 0);
    return replicas.given().map(({ replica, input }) => [replica, input.role]);
  };

  it("is the one they show where none is known, and none where they show none", () => {
    const replicas = attached("unknown", "unknown", "unknown");
    push(replicas, 0, [receiveAt(1)]);
    push(replicas, 1, [captureAt(1)]);
    push(replicas, 2, [{ kind: "flushStart", at: SECOND, block: 1n, local: 5 }]);
    expect(rolesOf(replicas)).toEqual([
      [0, "secondary"],
      [1, "primary"],
    ]);
    expect(replicas.described.map(({ role }) => role)).toEqual(["secondary", "primary", "unknown"]);
  });

  it("is not the one given where they show only the other", () => {
    const replicas = attached("primary", "secondary");
    push(replicas, 0, [receiveAt(1)]);
    push(replicas, 1, [captureAt(1)]);
    expect(rolesOf(replicas)).toEqual([
      [0, "secondary"],
      [1, "primary"],
    ]);
  });

  it("changes with the fiftieth event in a row of the other role", () => {
    const after = (count: number): string[] => {
      const replicas = attached("primary");
      push(replicas, 0, [captureAt(1), ...Array.from({ length: count }, (_, i) => receiveAt(2 + i / 100))]);
      return rolesOf(replicas).map(([, role]) => role);
    };
    expect([after(49), after(50)]).toEqual([["primary"], ["secondary"]]);
  });

  it("is the primary's only for the one of two whose events are newer", () => {
    const taken = (first: number, second: number): [number, string][] => {
      const replicas = attached("primary", "secondary", "primary");
      push(replicas, 0, [captureAt(first)]);
      push(replicas, 1, [receiveAt(1)]);
      push(replicas, 2, [captureAt(second)]);
      return rolesOf(replicas);
    };
    expect(taken(2, 1)).toEqual([
      [0, "primary"],
      [1, "secondary"],
    ]);
    expect(taken(1, 2)).toEqual([
      [1, "secondary"],
      [2, "primary"],
    ]);
  });
});

describe("events that are held", () => {
  it("are let go of when they are older than the newest by more than a minute, or all at once", () => {
    const replicas = attached("primary", "secondary");
    send(replicas, 0, [0, 0.9, 1, 61]);
    send(replicas, 1, [0, 1]);
    replicas.forgetOld(Infinity);
    expect(held(replicas)).toEqual([
      [1, 61],
      [0, 1],
    ]);
    replicas.clear();
    expect(held(replicas)).toEqual([]);
  });

  it("that make no model are no more than may be held, the newest ones of each replica", () => {
    const replicas = attached("primary", "secondary");
    send(replicas, 0, [1, 2, 3, 4]);
    send(replicas, 1, [1]);
    replicas.forgetOld(4);
    expect(held(replicas)).toEqual([[3, 4], [1]]);
  });

  it("are let go of before an instant of the primary, by each replica's own UTC", () => {
    const replicas = attached("primary", "secondary");
    send(replicas, 0, [4, 5, 6]);
    send(replicas, 1, [5, 6, 7, 8]);
    replicas.advance(1, readTo(6 * SECOND), 2 * SECOND, "");
    replicas.dropBefore(ticks(5));
    expect(held(replicas)).toEqual([
      [5, 6],
      [7, 8],
    ]);
  });

  it("are as far as a replica was read by its UTC, where they make no model", () => {
    const replicas = attached("primary", "secondary", "secondary", "secondary");
    for (const replica of [0, 1, 2]) send(replicas, replica, [9]);
    replicas.advance(0, readTo(5 * SECOND), 0, "");
    replicas.advance(1, readTo(5 * SECOND), SECOND, "");
    replicas.advance(2, readTo(9.5 * SECOND), 0, "");
    replicas.advanceByUtc(clockOfRun());
    expect(replicas.decodedTo).toEqual([9 * SECOND, 8 * SECOND, 9.5 * SECOND, Number.NaN]);
  });

  it("of a new session have their own clock; after lost buffers they do not", () => {
    // Published ten seconds after they fired, which the events before did not.
    const later: EventSpec = {
      kind: "flushStart",
      at: 2 * SECOND,
      published: 12 * SECOND,
      block: 1n,
      local: 5,
    };
    const heldAfter = (reason: "connection" | "droppedByServer" | "droppedByUs" | "sessionStopped") => {
      const replicas = attached("primary");
      send(replicas, 0, [1]);
      replicas.gap(0, reason);
      push(replicas, 0, [later]);
      send(replicas, 0, []);
      return held(replicas);
    };
    expect(heldAfter("connection")).toEqual([[1, 12]]);
    expect(heldAfter("sessionStopped")).toEqual([[1, 12]]);
    expect(heldAfter("droppedByServer")).toEqual([[1]]);
    expect(heldAfter("droppedByUs")).toEqual([[1]]);
  });
});

describe("how events come", () => {
  it("is reported by the oldest one that came at once, and by what was settled before", () => {
    const replicas = attached("primary", "secondary");
    expect(send(replicas, 0, [], { now: 10 })).toBe(false);
    expect(send(replicas, 0, [4, 6], { now: 10, settledTo: 5.5 })).toBe(true);
    expect(replicas.deliveries(10 * SECOND)).toEqual([
      {
        lateUs: 6 * SECOND,
        waitedUs: Number.NaN,
        patienceUs: 10 * SECOND,
        silentSince: Number.NaN,
        tooLate: 1,
      },
      {
        lateUs: Number.NaN,
        waitedUs: Number.NaN,
        patienceUs: 10 * SECOND,
        silentSince: Number.NaN,
        tooLate: 0,
      },
    ]);
    send(replicas, 0, [1, 2, 9], { now: 10, settledTo: 5.5 });
    expect(replicas.deliveries(10 * SECOND)[0]).toMatchObject({
      lateUs: 9 * SECOND,
      patienceUs: 12 * SECOND,
      tooLate: 3,
    });
  });

  it("is not the age of rows that waited for each other, for which the picture waits all the same", () => {
    const after = (dispatchUs: number) => {
      const replicas = attached("primary", "secondary");
      replicas.setDispatch(0, dispatchUs);
      // One row a second for 40 s, all of which arrived at 41 s.
      for (let second = 1; second <= 40; second++)
        push(replicas, 0, [{ kind: "flushStart", at: second * SECOND, block: 1n, local: 5 }]);
      send(replicas, 0, [], { now: 41 });
      return replicas.deliveries(41 * SECOND)[0];
    };
    expect(after(SECOND)).toMatchObject({
      lateUs: Number.NaN,
      waitedUs: 40 * SECOND,
      patienceUs: 43 * SECOND,
    });
    // Another user's session holds its rows back for as long.
    expect(after(30 * SECOND)).toMatchObject({ lateUs: 40 * SECOND, waitedUs: Number.NaN });
  });

  it("is by the primary's clock", () => {
    const replicas = attached("primary", "secondary");
    replicas.advance(1, readTo(0), 2 * SECOND, "");
    send(replicas, 1, [7, 8], { now: 10, settledTo: 5.5 });
    // Its 7 s are the primary's 5 s.
    expect(replicas.deliveries(10 * SECOND)[1]).toMatchObject({ lateUs: 5 * SECOND, tooLate: 1 });
  });

  it("is not known before the run has a time", () => {
    const replicas = attached("primary");
    expect(send(replicas, 0, [4], { now: 10, clock: new RunClock() })).toBe(true);
    expect(replicas.deliveries(0)[0]).toMatchObject({ lateUs: Number.NaN, tooLate: 0 });
  });
});

describe("a replica that is behind", () => {
  /** SQL1 was read to 20 s, SQL2 to `second` s; looked at at 20 s. */
  const behind = (second: number): AttachedReplicas => {
    const replicas = attached("primary", "secondary");
    replicas.advance(0, readTo(20 * SECOND), 0, "");
    replicas.advance(1, readTo(second * SECOND), 0, "");
    replicas.watch(20 * SECOND);
    return replicas;
  };
  const isWaitedFor = (replicas: AttachedReplicas, us: number): boolean[] =>
    [0, 1].map((replica) => replicas.isWaitedFor(replica, us));

  it("is waited for ten seconds", () => {
    const replicas = behind(19);
    expect([isWaitedFor(replicas, 30 * SECOND), isWaitedFor(replicas, 30 * SECOND + 1)]).toEqual([
      [true, true],
      [true, false],
    ]);
    expect([replicas.readByAll(30 * SECOND), replicas.readByAll(30 * SECOND + 1)]).toEqual([
      19 * SECOND,
      20 * SECOND,
    ]);
    expect(replicas.deliveries(30 * SECOND + 1).map(({ silentSince }) => silentSince)).toEqual([
      Number.NaN,
      19 * SECOND,
    ]);
    expect(isWaitedFor(behind(19.000_001), 99 * SECOND)).toEqual([true, true]);
  });

  it("is waited for anew when something of it comes, and no longer behind when it has come up", () => {
    const replicas = behind(10);
    replicas.watch(25 * SECOND);
    expect(isWaitedFor(replicas, 30 * SECOND + 1)).toEqual([true, false]);
    send(replicas, 1, [11], { now: 11 });
    replicas.watch(29 * SECOND);
    expect([isWaitedFor(replicas, 39 * SECOND)[1], isWaitedFor(replicas, 39 * SECOND + 1)[1]]).toEqual([
      true,
      false,
    ]);
    replicas.advance(1, readTo(20 * SECOND), 0, "");
    replicas.watch(39 * SECOND);
    expect(isWaitedFor(replicas, 99 * SECOND)).toEqual([true, true]);
  });

  it("is not waited for from a hole in its stream on until events come", () => {
    const replicas = behind(10);
    replicas.gap(1, "connection");
    expect([isWaitedFor(replicas, 20 * SECOND)[1], replicas.readByAll(20 * SECOND)]).toEqual([
      false,
      20 * SECOND,
    ]);
    send(replicas, 1, [], { now: 20 });
    expect(replicas.isExcused(1)).toBe(true);
    send(replicas, 1, [11], { now: 20 });
    expect([replicas.isExcused(1), replicas.readByAll(20 * SECOND)]).toEqual([false, 10 * SECOND]);
  });

  it("is read less far than its newest event, where its buffers overtake each other", () => {
    const replicas = behind(18);
    send(replicas, 1, [18], { now: 18 });
    send(replicas, 1, [15, 17], { now: 18 });
    // The event of 15 s arrived after that of 18 s.
    expect(replicas.readByAll(20 * SECOND)).toBe(15 * SECOND);
    expect(attached("primary").readByAll(0)).toBe(0);
  });
});

describe("how long sessions hold events back", () => {
  const delays = (replicas: AttachedReplicas): number[] => [
    replicas.heldBack / SECOND,
    replicas.quietAfter / SECOND,
    replicas.deliveries(0)[0].patienceUs / SECOND,
  ];

  it("is three seconds where nothing is known, and news are waited for ten", () => {
    expect(delays(attached("primary", "secondary"))).toEqual([3, 10, 10]);
  });

  it("is what a session may take and a second more, a minute at most; for news three seconds more", () => {
    const replicas = attached("primary", "secondary");
    const withDispatch = (us: number): number[] => {
      replicas.setDispatch(0, us);
      return delays(replicas);
    };
    expect(withDispatch(1.5 * SECOND)).toEqual([3, 10, 10]);
    expect(withDispatch(30 * SECOND)).toEqual([31, 33, 33]);
    expect(withDispatch(Infinity)).toEqual([60, 60, 60]);
    replicas.gap(0, "connection");
    expect(delays(replicas)).toEqual([3, 10, 60]);
  });

  it("is as late as events came, if that is later", () => {
    const replicas = attached("primary");
    send(replicas, 0, [2], { now: 10 });
    expect(delays(replicas)).toEqual([9, 11, 11]);
    replicas.setDispatch(0, 5 * SECOND);
    expect(delays(replicas)).toEqual([9, 11, 11]);
  });

  it("makes the primary's first event awaited as long", () => {
    const replicas = attached("primary", "secondary");
    replicas.setDispatch(0, 30 * SECOND);
    expect([replicas.lacksPrimary([], 329_999_999n), replicas.lacksPrimary([], 330_000_000n)]).toEqual([
      true,
      false,
    ]);
  });
});
