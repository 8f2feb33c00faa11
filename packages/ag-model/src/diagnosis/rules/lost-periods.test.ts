/**
 * Periods that a server lost completely, from captures in which every event of every block exists at first;
 * `fixtures/judge/lost-periods.test.ts` has simulated ones.
 */
import { describe, expect, it } from "vitest";
import { eventsAt, modelOf, type BlockSpec } from "../../../test/model.ts";
import {
  HOP_ANCHORS,
  isOnSecondaryClock,
  LOCAL_ANCHORS,
  Obtained,
  type CaptureModel,
} from "../../replication/shapes/tables.ts";
import { lossesOf } from "./loss.ts";
import { overviewOf } from "../../query/overview.ts";
import { lostPeriods } from "./lost-periods.ts";

const BLOCKS = 300;
/** Time from the begin of a block of the handmade model to its end, µs; the secondary's last event of it is earlier. */
const BLOCK_US = 4_290;

/** 300 blocks in 30 s, every n-th of another database. */
function capture(everyNth = 0): CaptureModel {
  const model = modelOf(
    Array.from({ length: BLOCKS }, (_, i): BlockSpec => ({ at: i * 100_000 })),
    { duration: 30_000_000 },
  );
  if (everyNth === 0) return model;
  for (let row = 0; row < BLOCKS; row += everyNth) model.blocks.database[row] = 1;
  const [database] = model.databases;
  return { ...model, databases: [database, { ...database, id: "db2" }] };
}

const rowsFrom = (first: number, n: number): number[] => Array.from({ length: n }, (_, i) => first + i);

/** Removes all data of one server's events from blocks. */
function lose({ blocks, hops }: CaptureModel, replica: number, rows: readonly number[]): void {
  const [hop] = hops;
  for (const row of rows) {
    for (const [index, anchor] of HOP_ANCHORS.entries())
      if (isOnSecondaryClock(anchor) === (replica === 1)) {
        hop.obtained[row] &= ~(3 << (2 * index));
        hop[anchor][row] = Number.NaN;
      }
    if (replica === 1) continue;
    blocks.obtained[row] = 0;
    for (const anchor of LOCAL_ANCHORS) blocks[anchor][row] = Number.NaN;
  }
}

describe("a stretch of which a server lost all events", () => {
  it("is none of a capture that has them all", () => {
    expect(lostPeriods(capture())).toEqual([]);
  });

  it("reaches from the first lost block's beginning to the last one's end", () => {
    for (const replica of [0, 1]) {
      const model = capture();
      lose(model, replica, rowsFrom(100, 40));
      expect(lostPeriods(model)).toEqual([{ replica, from: 10_000_000, to: 13_900_000 + BLOCK_US }]);
    }
  });

  it("has at least twenty blocks", () => {
    const periods = (n: number): number => {
      const model = capture();
      lose(model, 1, rowsFrom(100, n));
      return lostPeriods(model).length;
    };
    expect([periods(19), periods(20)]).toEqual([0, 1]);
  });

  it("is none where the server has events of another database in it", () => {
    for (const replica of [0, 1]) {
      const model = capture(10);
      lose(model, replica, rowsFrom(101, 49).filter((row) => row % 10 !== 0)); // prettier-ignore
      // D15's finding about the one database stays.
      expect(lossesOf(model).find((loss) => loss.replica === replica)?.stretches).toHaveLength(1);
      expect(lostPeriods(model)).toEqual([]);
    }
  });

  it("is one where all databases were lost", () => {
    const model = capture(2);
    lose(model, 1, rowsFrom(100, 60));
    expect(lossesOf(model).find(({ replica }) => replica === 1)?.stretches).toHaveLength(2);
    expect(lostPeriods(model)).toEqual([{ replica: 1, from: 10_000_000, to: 15_900_000 + BLOCK_US }]);
  });

  it("leaves out at its ends what the server has of the blocks beside it", () => {
    const model = capture();
    lose(model, 1, rowsFrom(100, 40));
    const [hop] = model.hops;
    // The block before is acknowledged only then, the one after was received early.
    hop.ackSent[99] = 10_050_000;
    model.blocks.timeEnd[99] = 10_050_500;
    model.blocks.timeEnd[139] = 14_020_000;
    hop.received[140] = 13_990_000;
    expect(lostPeriods(model)).toEqual([{ replica: 1, from: 10_050_000, to: 13_990_000 }]);
  });

  it("is none where most of it has single events of the server, of whatever kind", () => {
    const withEvent = (row: number, us: number): number => {
      const model = capture();
      lose(model, 0, rowsFrom(100, 40));
      // D15 does not count a commit's end as an event.
      model.blocks.commitEnd[row] = us;
      model.blocks.obtained[row] |= Obtained.derived << (2 * LOCAL_ANCHORS.indexOf("commitEnd"));
      return lostPeriods(model).length;
    };
    expect([withEvent(101, 10_101_000), withEvent(120, 12_001_000)]).toEqual([1, 0]);
    const acted = capture();
    lose(acted, 0, rowsFrom(100, 40));
    // Nor does it count the processing of an acknowledgment.
    acted.hops[0].ackProcessed[120] = 12_001_000;
    acted.hops[0].obtained[120] |= Obtained.measured << (2 * HOP_ANCHORS.indexOf("ackProcessed"));
    expect(lostPeriods(acted)).toEqual([]);
  });

  it("does not end where a commit began that its server tells of later", () => {
    const model = capture();
    lose(model, 0, rowsFrom(100, 40));
    model.blocks.commitStart[120] = 12_000_000;
    model.blocks.obtained[120] = Obtained.measured << (2 * LOCAL_ANCHORS.indexOf("commitStart"));
    expect(lostPeriods(model)).toHaveLength(1);
  });

  it("lies when the server was silent, though a replica that lags would have had these blocks later", () => {
    const model = capture();
    const [hop] = model.hops;
    const lag = 2_000_000;
    for (let row = 0; row < BLOCKS; row++) {
      for (const anchor of HOP_ANCHORS)
        if (anchor !== "departed" && anchor !== "sendStart") hop[anchor][row] += lag;
      model.blocks.timeEnd[row] += lag;
    }
    lose(model, 1, rowsFrom(100, 40));
    const [period] = lostPeriods(model);
    expect(period).toEqual({ replica: 1, from: hop.ackSent[99], to: 13_900_000 + BLOCK_US + lag });
  });

  it("is the time between two files where that is lost, beside one within a file", () => {
    const model = capture();
    lose(model, 1, rowsFrom(60, 30));
    lose(model, 1, rowsFrom(180, 40));
    const fires = [0, 5_900_000, 9_000_000, 29_900_000];
    const twoFiles = {
      ...model,
      files: [0, 1].map((n) => ({ ...model.files[0], name: `NODE/${n}.xel`, replica: 1 })),
      events: eventsAt(fires.map((fire, i) => ({ replica: 1, file: i < 2 ? 0 : 1, fire }))),
    };
    expect(lostPeriods(twoFiles)).toEqual([
      { replica: 1, from: 5_900_000, to: 9_000_000 },
      { replica: 1, from: 18_000_000, to: 21_900_000 + BLOCK_US },
    ]);
  });

  it("is one before and after a change of roles where it lies between the same files", () => {
    const model = capture();
    for (let row = 75; row < BLOCKS; row++) model.blocks.phase[row] = 1;
    lose(model, 1, rowsFrom(60, 15));
    // From then on the second server is the primary, and its hop leads to the first.
    for (const row of rowsFrom(75, 15)) lose(model, 0, [row]);
    const phases = [0, 1].map((primary) => ({
      ...model.phases[0],
      primary,
      from: primary === 0 ? 0 : 7_500_000,
      to: primary === 0 ? 7_400_000 : 30_000_000,
    }));
    const fires = [0, 5_900_000, 9_000_000, 29_900_000];
    const changed = {
      ...model,
      phases,
      files: [0, 1].map((n) => ({ ...model.files[0], name: `NODE/${n}.xel`, replica: 1 })),
      events: eventsAt(
        fires.map((fire, i) => ({
          replica: 1,
          file: i < 2 ? 0 : 1,
          fire,
          block: Math.round(fire / 100_000),
        })),
      ),
    };
    expect(lostPeriods(changed)).toEqual([{ replica: 1, from: 5_900_000, to: 9_000_000 }]);
  });
});

/**
 * Ten blocks a second of one unit, for 10 s, then no block for some time, in which ids advance by this many, then again
 * for 20 s.
 */
function interrupted(seconds: number, missing: number): CaptureModel {
  const model = modelOf(
    Array.from({ length: BLOCKS }, (_, i): BlockSpec => ({
      at: i * 100_000 + (i < 100 ? 0 : seconds * 1_000_000),
    })),
    { duration: 30_000_000 + seconds * 1_000_000 },
  );
  for (let row = 100; row < BLOCKS; row++) model.blocks.blockId[row] += BigInt(missing);
  return model;
}

const idleOf = (model: CaptureModel) =>
  overviewOf(model, { from: 0, to: model.duration, bins: 200, secondary: 0 }).idle;

describe("a stretch of which no server has an event", () => {
  const periods = (seconds: number, missing: number): number =>
    lostPeriods(interrupted(seconds, missing)).length;

  it("is one of every server where as much log is missing as was written beside it, and is not idle", () => {
    const model = interrupted(4, 40);
    const found = lostPeriods(model);
    expect(found.map(({ replica }) => replica).toSorted((a, b) => a - b)).toEqual([0, 1]);
    for (const { from, to } of found) {
      expect(Math.abs(from - 9_900_000)).toBeLessThanOrEqual(BLOCK_US);
      expect(Math.abs(to - 14_000_000)).toBeLessThanOrEqual(BLOCK_US);
    }
    expect(idleOf(model)).toEqual([]);
  });

  it("has at least twenty blocks, and half of what was written in as long a time on either side", () => {
    // The time from the last block before the gap to the first one after it is 2.1 s, in which 21 blocks are written on
    // either side, and 4.1 s with 41 blocks.
    expect([periods(2, 19), periods(2, 20)]).toEqual([0, 2]);
    expect([periods(4, 20), periods(4, 21)]).toEqual([0, 2]);
    // With blocks of two units 82 are written in 4.1 s after it, twice as much as before it.
    const busyBehind = (missing: number): number => {
      const model = interrupted(4, missing);
      model.blocks.size.fill(1_024, 100);
      for (let row = 100; row < BLOCKS; row++) model.blocks.blockId[row] += BigInt(row - 100);
      return lostPeriods(model).length;
    };
    expect([busyBehind(40), busyBehind(41)]).toEqual([0, 2]);
  });

  it("stays idle where ids continue, jump into the next VLF, or too little is missing", () => {
    const nextVlf = interrupted(4, 40);
    for (let row = 100; row < BLOCKS; row++) nextVlf.blocks.blockId[row] += 1n << 32n;
    for (const model of [interrupted(4, 0), interrupted(4, 20), nextVlf]) {
      expect(lostPeriods(model)).toEqual([]);
      expect(idleOf(model)).toHaveLength(1);
    }
  });

  it("is none of a server whose files do not cover it, or that has events of another database in it", () => {
    const [primary, secondary] = interrupted(4, 40).replicas;
    const ends = { ...interrupted(4, 40), replicas: [primary, { ...secondary, to: 12_000_000 }] };
    expect(lostPeriods(ends).map(({ replica }) => replica)).toEqual([0]);
    const other = interrupted(4, 41);
    other.blocks.database[99] = 1;
    for (const anchor of LOCAL_ANCHORS) other.blocks[anchor][99] += 2_000_000;
    for (const anchor of HOP_ANCHORS) other.hops[0][anchor][99] += 2_000_000;
    other.blocks.time[99] += 2_000_000;
    other.blocks.timeEnd[99] += 2_000_000;
    const [database] = other.databases;
    expect(lostPeriods({ ...other, databases: [database, { ...database, id: "db2" }] })).toEqual([]);
  });
});
