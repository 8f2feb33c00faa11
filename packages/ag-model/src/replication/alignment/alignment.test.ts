import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { feasibleLines } from "../../../test/lines.ts";
import {
  blockId,
  blocksInARow,
  hopEvents,
  localEvents,
  secondaryEvents,
  type BlockPath,
  type HopPath,
} from "../../../test/paths.ts";
import { serverOf } from "../../../test/servers.ts";
import { pairClock } from "./alignment.ts";
import type { ClockBounds } from "../clocks/clock-bounds.ts";
import { buildModel } from "../model.ts";
import type { CaptureModel } from "../shapes/tables.ts";

const DRIFT = 40e-6;
const theta = (t: number): number => 5e8 + DRIFT * t;

/** Ways of uneven length: out and back take some hundred µs more or less from block to block. */
const unevenHop = (i: number): HopPath => {
  const out = 500 + ((i * 7919) % 300);
  const back = ((i * 104_729) % 250) + 4_200;
  return { received: out, secondaryFlushStart: out + 80, ackReceived: back, ackProcessed: back + 50 };
};

interface Pair {
  readonly primary: readonly EventSpec[];
  readonly secondary: readonly EventSpec[];
}

const eventsOf = (
  paths: readonly BlockPath[],
  hopOf: (i: number) => HopPath = unevenHop,
  clock: (t: number) => number = theta,
): Pair => ({
  primary: paths.flatMap((path, i) => [...localEvents(path), ...hopEvents(path, hopOf(i))]),
  secondary: paths.flatMap((path, i) => secondaryEvents(path, hopOf(i), clock)),
});

/** UTC of the secondary is 7 ms behind the primary's. */
const modelOf = ({ primary, secondary }: Pair): CaptureModel =>
  buildModel([
    { role: "primary", columns: eventColumns(primary, 0), name: "SQL1" },
    { role: "secondary", columns: eventColumns(secondary, -theta(0) - 7_000), name: "SQL2" },
  ]);

/** The four instants of each block that bound the clock, as the files have them. */
function boundsOf(paths: readonly BlockPath[]): ClockBounds {
  const column = (of: (path: BlockPath, hop: HopPath) => number): Float64Array =>
    Float64Array.from(paths, (path, i) => of(path, unevenHop(i)));
  const on = (t: number): number => t + theta(t);
  return {
    departed: column(({ at }) => at + 66),
    received: column(({ at }, { received }) => on(at + received!)),
    ackDeparted: column(({ at }) => on(at + 3_566)),
    ackReceived: column(({ at }, { ackReceived }) => at + ackReceived!),
  };
}

describe("the clock of a secondary with a file", () => {
  // Blocks a second apart, so that the feasible drifts differ in the two directions.
  const paths = blocksInARow(12, 1_000_000);
  const model = modelOf(eventsOf(paths));
  const [clock] = model.clocks;
  const lines = feasibleLines(boundsOf(paths), 500e-6)!;

  it("is aligned from every block whose four bounds were measured", () => {
    expect(clock).toMatchObject({ status: "aligned", reason: "", secondary: 0, blocksUsed: 12 });
    expect(clock.causalityViolationsAfter).toBe(0);
    expect(clock.driftPpmFeasible[0]).toBeCloseTo(lines.drift[0] * 1e6, 6);
    expect(clock.driftPpmFeasible[1]).toBeCloseTo(lines.drift[1] * 1e6, 6);
    // One line, so that the complete capture has its drift.
    expect(clock.windows).toHaveLength(1);
    expect(clock.windows[0].driftPpm).toBeCloseTo(clock.driftPpm, 6);
    for (const i of [0, 1])
      expect(clock.windows[0].driftPpmFeasible[i]).toBeCloseTo(clock.driftPpmFeasible[i], 6);
  });

  it("has half the band as its uncertainty, and the shortest round trip", () => {
    expect(clock.oneWayUncertaintyUs).toBeCloseTo((lines.width - 2) / 2, 2);
    const { departed, received, ackDeparted, ackReceived } = boundsOf(paths);
    const trips = departed.map((at, i) => ackReceived[i] - at - (ackDeparted[i] - received[i]));
    expect(clock.minNetworkRoundTripUs).toBeCloseTo(Math.min(...trips), 3);
  });

  it("takes no shortest round trip from a block that was under way while the clock stepped", () => {
    // The sixth block is received before its secondary's counter steps by 20 ms, and acknowledged after it.
    const stepped = (t: number): number => theta(t) + (t >= paths[5].at + 2_000 ? 20_000 : 0);
    const { clocks } = modelOf(eventsOf(paths, unevenHop, stepped));
    const { departed, received, ackDeparted, ackReceived } = boundsOf(paths);
    const trips = departed.map((at, i) => ackReceived[i] - at - (ackDeparted[i] - received[i]));
    expect(clocks[0].minNetworkRoundTripUs).toBeCloseTo(Math.min(...trips.filter((_, i) => i !== 5)), 3);
  });

  it("shows no more than what blocks can be off by: the lines' own bound, two roundings, the drift while on the secondary", () => {
    expect(clock.windows).toHaveLength(1);
    const [window] = clock.windows;
    const [fromUs, toUs] = [0, Math.max(...boundsOf(paths).ackReceived) - paths[0].at - 66];
    expect(window.to - window.from).toBeCloseTo(toUs, 3);
    // The line in the model: where a block was received, by the model and by the secondary's own counter.
    const at = (row: number): number =>
      theta(0) + (boundsOf(paths).received[row] - theta(0)) - (model.hops[0].received[row] + 1_000_000);
    const slope = clock.driftPpm * 1e-6;
    const here = at(0) - slope * (model.hops[0].received[0] - 66);
    const errors = [fromUs, toUs].flatMap((x) =>
      lines.at(paths[0].at + 66 + x).map((value) => Math.abs(value - (here + slope * x))),
    );
    const residence = Math.max(
      ...boundsOf(paths).ackDeparted.map((left, i) => left - boundsOf(paths).received[i]),
    );
    const drifting = residence * Math.max(...lines.drift.map(Math.abs));
    expect(lines.drift[1]).toBeGreaterThan(1.5 * Math.abs(lines.drift[0]));
    expect(drifting).toBeGreaterThan(0.2);
    expect(window.uncertaintyUs).toBeCloseTo(Math.max(...errors) + 2 * 1.01 + drifting, 1);
  });

  it("moves each block as a whole: what its own counter measured stays", () => {
    for (let row = 0; row < 12; row++) {
      const { received, ackSent } = model.hops[0];
      const { received: out } = unevenHop(row);
      expect(ackSent[row] - received[row]).toBeCloseTo((3_644 - out!) * (1 + DRIFT), 3);
      const truth = paths[row].at - 1_000_000 + out!;
      expect(Math.abs(received[row] - truth)).toBeLessThan(clock.windows[0].uncertaintyUs);
    }
  });

  it("shows how far UTC is ahead of the primary's", () => {
    // Here its UTC follows its counter: 7 ms behind at first, and closer by the drift in the middle of the 11 s.
    const middle = -7_000 + DRIFT * (1e6 + 5.5e6);
    expect(Math.abs(clock.utcAheadOfPrimaryUs - middle)).toBeLessThan(clock.windows[0].uncertaintyUs);
  });
});

describe("a primary's counter that is set back", () => {
  const SET_BACK = 60_000;
  const paths = blocksInARow(40, 10_000).map((path, i) =>
    i < 20 ? path : { ...path, at: path.at - SET_BACK },
  );
  const before = eventsOf(paths.slice(0, 20));
  const after = eventsOf(
    paths.slice(20),
    (i) => unevenHop(20 + i),
    (t) => theta(t + SET_BACK) + SET_BACK,
  );
  const { clocks, blocks, hops } = modelOf({
    primary: [...before.primary, ...after.primary],
    secondary: [...before.secondary, ...after.secondary],
  });

  it("leaves each block its own way, also those whose instants it shows twice", () => {
    expect(clocks[0].windows).toHaveLength(2);
    for (const [i, { block }] of paths.entries()) {
      const row = blocks.blockId.indexOf(block);
      const out = hops[0].received[row] - hops[0].departed[row];
      expect(Math.abs(out - (unevenHop(i).received! - 66)), `block ${i}`).toBeLessThan(
        hops[0].uncertainty[row],
      );
    }
  });
});

describe("a primary's counter that steps", () => {
  // By 70 ms after 20 blocks, when the last one's acknowledgment has arrived and its event on the secondary has not fired yet.
  const STEP = 70_000;
  const paths = blocksInARow(40, 20_000);
  const before = eventsOf(paths.slice(0, 20), (i) => ({
    ...unevenHop(i),
    ...(i === 19 && { ackSent: 9_000 }),
  }));
  const after = eventsOf(
    paths.slice(20).map((path) => ({ ...path, at: path.at + STEP })),
    (i) => unevenHop(20 + i),
    (t) => theta(t - STEP) - STEP,
  );
  const { clocks, hops } = modelOf({
    primary: [...before.primary, ...after.primary],
    secondary: [...before.secondary, ...after.secondary],
  });

  it("leaves a block that may have been under way uncertain by the step, and no other", () => {
    expect(clocks[0].windows).toHaveLength(2);
    const { uncertainty } = hops[0];
    expect(uncertainty[19]).toBeGreaterThan(STEP - 1_000);
    expect(Math.max(...uncertainty.filter((_, row) => row !== 19))).toBeLessThan(1_000);
  });
});

describe("a secondary's counter that is set back", () => {
  // By 60 ms after 20 blocks; each message and each acknowledgment is 434 µs under way, so that the middle of the band is true.
  const [AHEAD, SET_BACK] = [5e8, 60_000];
  const on = (t: number): number => t + AHEAD - (t < 200_000 ? 0 : SET_BACK);
  const sent = Float64Array.from({ length: 40 }, (_, i) => 10_000 * i);
  const bounds: ClockBounds = {
    departed: sent,
    received: sent.map((t) => on(t + 434)),
    ackDeparted: sent.map((t) => on(t + 3_500)),
    ackReceived: sent.map((t) => t + 3_934),
  };
  const server = serverOf([{ kind: "capture", mode: 2, at: 0, took: 0, block: blockId(1, 16) }]);
  const pair = pairClock(0, 1, [server, server], bounds, { has: () => false })!;

  it("shows instants twice: which of them is meant is told by an instant nearby", () => {
    expect(pair.windows).toHaveLength(2);
    const counter = AHEAD + 150_000;
    expect(pair.fromOther(counter, 149_000)).toBeCloseTo(150_000, 0);
    expect(pair.fromOther(counter, 209_000)).toBeCloseTo(210_000, 0);
  });

  it("is by itself where nothing nearby is known", () => {
    expect(pair.fromOther(AHEAD + 50_000, Number.NaN)).toBeCloseTo(50_000, 0);
    expect(pair.fromOther(AHEAD + 250_000, Number.NaN)).toBeCloseTo(310_000, 0);
  });
});

describe("blocks that do not bound the clock", () => {
  it.each([
    ["capture", 2],
    ["transportReceive", 2],
    ["sendHarden", 3],
    ["receiveHarden", 2],
  ] as const)("are those whose %s of mode %d was lost", (kind, mode) => {
    const paths = blocksInARow(12);
    const { primary, secondary } = eventsOf(paths);
    const names = (end: boolean): bigint => paths[5].block + (end ? 2n : 0n);
    const isLost = (event: EventSpec): boolean =>
      event.kind === kind && event.mode === mode && event.block === names(kind.endsWith("Harden"));
    const rest = {
      primary: primary.filter((e) => !isLost(e)),
      secondary: secondary.filter((e) => !isLost(e)),
    };
    expect(rest.primary.length + rest.secondary.length).toBe(primary.length + secondary.length - 1);
    expect(modelOf(rest).clocks[0].blocksUsed).toBe(11);
  });
});

describe("acknowledgments that UTC would put before they left", () => {
  const ahead = (us: number): number => {
    const { primary, secondary } = eventsOf(blocksInARow(12), unevenHop, () => 5e8);
    return buildModel([
      { role: "primary", columns: eventColumns(primary, 0) },
      { role: "secondary", columns: eventColumns(secondary, -5e8 + us) },
    ]).clocks[0].outOfOrderByUtc;
  };

  it("are all when the secondary's UTC is ahead by more than the way, and none when it is behind", () => {
    expect(ahead(5_000)).toBe(12);
    expect(ahead(-5_000)).toBe(0);
  });

  it("are those whose way took less than UTC is ahead", () => {
    // The acknowledgment's last event fires 20 µs after it left at 3,566, its arrival event 50 µs after it arrived.
    const ways = Array.from({ length: 12 }, (_, i) => unevenHop(i).ackReceived! + 50 - 3_566 - 20);
    const sixth = ways.toSorted((a, b) => a - b)[5];
    expect(new Set(ways).size).toBe(12);
    expect(ahead(sixth)).toBe(5);
    expect(ahead(sixth + 1)).toBe(6);
  });
});

describe("UTC against the primary's", () => {
  it("is compared over the time that both files cover", () => {
    const { primary, secondary } = eventsOf(blocksInARow(12));
    const common = 1_060_000;
    // Before the secondary's file begins the primary's UTC was 300 ms off.
    const wandering = primary.map((event) =>
      event.at! < common ? { ...event, published: event.at! + (event.took ?? 0) - 300_000 } : event,
    );
    const later = secondary.filter(({ at }) => at! > theta(common) + common);
    const [clock] = modelOf({ primary: wandering, secondary: later }).clocks;
    expect(clock.blocksUsed).toBe(6);
    // Correct to a fifth of a ms: events are counted in intervals of 62 ms, and half of the interval at either end is
    // outside.
    expect(Math.abs(clock.utcAheadOfPrimaryUs + 7_000)).toBeLessThan(200);
  });

  const HOUR = 3_600_000_000;
  /** Events as published by a UTC clock that was set at an instant of their counter. */
  const setAt = (events: readonly EventSpec[], instant: number, us: number): EventSpec[] =>
    events.map((event) => {
      const published = event.at! + (event.took ?? 0);
      return { ...event, published: published + (event.at! < instant ? 0 : us) };
    });

  it.each([
    ["the secondary's, ahead", 1, 2 * HOUR],
    ["the secondary's, back", 1, -2 * HOUR],
    ["the primary's, ahead", 0, 2 * HOUR],
    ["the primary's, back", 0, -2 * HOUR],
    ["the secondary's, by 10 s", 1, 10_000_000],
  ])("is what it was for most of the time where a clock was set, and whose was: %s", (_, replica, us) => {
    const { primary, secondary } = eventsOf(blocksInARow(30, 1_000_000));
    // The old difference applies to the first 18 of the 30 s.
    const model = modelOf({
      primary: replica === 0 ? setAt(primary, 18_500_000, us) : primary,
      secondary: replica === 1 ? setAt(secondary, theta(0) + 18_500_000, us) : secondary,
    });
    expect(Math.abs(model.clocks[0].utcAheadOfPrimaryUs + 7_000)).toBeLessThan(2_000);
    expect(model.replicas[1 - replica].utcChanges).toBeUndefined();
    const [change, ...more] = model.replicas[replica].utcChanges!;
    expect(more).toEqual([]);
    expect(Math.abs(change.us - us)).toBeLessThan(2_000);
    // The model's time 0 is the first commit, which begins at 1 s.
    expect(change.from).toBeLessThan(17_500_000);
    expect(change.to).toBeGreaterThan(17_500_000);
    expect(change.to - change.from).toBeLessThan(6_100_000);
    expect(model.duration).toBeLessThan(30_000_000);
  });

  it("was not set where the time service corrected it by less than 10 s", () => {
    const { primary, secondary } = eventsOf(blocksInARow(30, 1_000_000));
    const { replicas } = modelOf({ primary, secondary: setAt(secondary, theta(0) + 9_500_000, 9_900_000) });
    expect(replicas.map(({ utcChanges }) => utcChanges)).toEqual([undefined, undefined]);
  });
});

describe("a block that contradicts the clock", () => {
  /** Blocks whose network takes no time, but for the seventh. */
  const withSeventh = (seventh: HopPath): CaptureModel => {
    const none = { received: 66, secondaryFlushStart: 146, ackReceived: 3_566, ackProcessed: 3_616 };
    return modelOf(
      eventsOf(
        blocksInARow(12),
        (i) => (i === 6 ? { ...none, ...seventh } : none),
        () => 5e8,
      ),
    );
  };

  it.each([
    ["an acknowledgment that arrived before it left", { ackReceived: 3_563 }],
    ["a message that was received before it departed", { received: 63 }],
  ])("is counted: %s", (_, seventh) => {
    expect(withSeventh(seventh).clocks[0]).toMatchObject({ causalityViolationsAfter: 1, blocksUsed: 12 });
  });

  it("is none within the whole µs that counters count", () => {
    for (const seventh of [{ ackReceived: 3_565 }, { received: 65 }, {}])
      expect(withSeventh(seventh).clocks[0].causalityViolationsAfter).toBe(0);
  });
});

describe("a clock that cannot be aligned", () => {
  it("is placed by UTC when the files share no block", () => {
    const [before, after] = [
      blocksInARow(10),
      blocksInARow(10).map((path, i) => ({
        ...path,
        block: blockId(0x30, 16 + 2 * i),
        at: path.at + 500_000,
      })),
    ];
    const model = modelOf({ primary: eventsOf(before).primary, secondary: eventsOf(after).secondary });
    const [clock] = model.clocks;
    expect(clock).toMatchObject({
      status: "cannotAlign",
      blocksUsed: 0,
      windows: [],
      oneWayUncertaintyUs: Number.NaN,
    });
    expect(clock.reason).toContain("share no log block");
    // UTC is 7 ms behind, and the drift is 20 to 60 µs by then: the secondary's blocks appear 7 ms early.
    const first = model.hops[0].received.find((at) => !Number.isNaN(at))!;
    expect(Math.abs(first - (500_000 + unevenHop(0).received! - 7_000))).toBeLessThan(100);
  });

  it("stays on the secondary's own clock without a primary", () => {
    const model = buildModel([
      { role: "secondary", columns: eventColumns(eventsOf(blocksInARow(3)).secondary) },
    ]);
    expect(model.clocks[0]).toMatchObject({ status: "cannotAlign", blocksUsed: 0 });
    expect(model.clocks[0].reason).toContain("no event of the primary");
    expect(model.hops[0].ackSent[0] - model.hops[0].received[0]).toBeCloseTo(3_144, 0);
  });

  it("is not split where the events have no start_timestamp", () => {
    const { primary, secondary } = eventsOf(blocksInARow(5));
    const withoutStart = (events: readonly EventSpec[]): EventSpec[] =>
      events.map(({ at, ...event }) => ({ ...event, published: at! + (event.took ?? 0) }));
    const model = modelOf({ primary, secondary: withoutStart(secondary) });
    expect(model.clocks[0].status).toBe("cannotAlign");
    expect(model.clocks[0].reason).toContain("no start_timestamp");
    expect(modelOf({ primary: withoutStart(primary), secondary }).clocks[0].status).toBe("cannotAlign");
  });
});

describe("several secondaries", () => {
  it("have a clock each", () => {
    const paths = blocksInARow(10);
    const near = (i: number): HopPath => ({ ...unevenHop(i), secondary: "near" });
    const far = (i: number): HopPath => ({
      ...unevenHop(i),
      secondary: "far",
      sendStart: 94,
      departed: 100,
      sendEnd: 270,
    });
    const model = buildModel([
      {
        role: "primary",
        columns: eventColumns(
          paths.flatMap((path, i) => [
            ...localEvents(path),
            ...hopEvents(path, near(i)),
            ...hopEvents(path, far(i)),
          ]),
        ),
      },
      {
        role: "secondary",
        columns: eventColumns(
          paths.flatMap((path, i) => secondaryEvents(path, near(i), () => 1_000)),
          -1_000 + 5_000,
        ),
      },
      {
        role: "secondary",
        columns: eventColumns(
          paths.flatMap((path, i) => secondaryEvents(path, far(i), () => -9_000)),
          9_000 - 5_000,
        ),
      },
    ]);
    expect(model.clocks.map(({ outOfOrderByUtc }) => outOfOrderByUtc)).toEqual([0, 10]);
    expect(model.replicas.map(({ id }) => id)).toEqual(["primary-id", "far", "near"]);
    expect(model.clocks.map(({ secondary, blocksUsed }) => [secondary, blocksUsed])).toEqual([
      [0, 10],
      [1, 10],
    ]);
    for (const { received } of model.hops)
      expect(Math.abs(received[0] - unevenHop(0).received!)).toBeLessThan(600);
  });
});
