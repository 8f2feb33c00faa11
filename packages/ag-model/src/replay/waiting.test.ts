import { describe, expect, it } from "vitest";
import { modelOf, withCommitMode, withPauses, type BlockSpec } from "../../test/model.ts";
import type { CaptureModel } from "../replication/index.ts";
import { takeEpisodes, type Verdict } from "../diagnosis/index.ts";
import { busySeconds } from "./busy-seconds.ts";
import { waitingAnswer } from "./answers.ts";
import { logWriterOf } from "./log-writer.ts";
import { inOrderWaiting } from "./network-waiting.ts";
import { primaryLogOf } from "./primary-replay.ts";
import { replayAtSpeed, replayAtSpeeds, timesUntilFull } from "./rate-replay.ts";
import { slowPeriods } from "./slow-periods.ts";
import { streamsOf } from "./streams.ts";
import { waitingOf } from "./waiting.ts";

describe("waiting of a capture", () => {
  // SQL2 writes from 650 to 20,650; the second block arrives at 1,550 and would have been written from 1,650.
  const flush = 20_000;
  const queued = modelOf([
    { at: 0, hops: [{ flush }] },
    { at: 1_000, hops: [{ flush, append: 19_101 }] },
  ]);

  it("has a row for each log writer and direction, in the order of a block's way", () => {
    const { rows, worst } = waitingOf(queued);
    expect(rows.map(({ kind, replica }) => [kind, replica])).toEqual([
      ["logWrite", 0],
      ["networkOut", 1],
      ["logWrite", 1],
      ["networkBack", 1],
    ]);
    expect(worst).toBe(2);
  });

  it("is of the episodes of the verdict that was stored with the capture", () => {
    const opened = { ...queued };
    const disk = { cause: "secondary_disk", from: 600, to: 21_000, secondary: 0 };
    const network = { cause: "network", from: 600, to: 21_000, secondary: 0 };
    takeEpisodes(opened, { episodes: [disk] as Verdict["episodes"] });
    const other = { ...queued };
    takeEpisodes(other, { episodes: [network] as Verdict["episodes"] });
    const ofSecondary = { phase: 0, primary: 0 };
    expect(slowPeriods(opened, ofSecondary, "secondaryWrite", 1)).toEqual([[600, 21_000]]);
    expect(slowPeriods(opened, ofSecondary, "network", 1)).toEqual([]);
    expect(slowPeriods(other, ofSecondary, "secondaryWrite", 1)).toEqual([]);
    expect(slowPeriods(other, ofSecondary, "network", 1)).toEqual([[600, 21_000]]);
  });

  it("is of the episodes of its own phase", () => {
    const [phase] = queued.phases;
    const phases = [
      { ...phase, to: 10_000 },
      { ...phase, from: 10_000, to: 30_000 },
    ];
    const opened = { ...queued, phases };
    const disk = (from: number, to: number) => ({ cause: "secondary_disk", from, to, secondary: 0 });
    const episodes = [disk(600, 9_000), disk(8_000, 12_000), disk(20_000, 21_000)];
    takeEpisodes(opened, { episodes: episodes as Verdict["episodes"] });
    const inPhase = (at: number) => slowPeriods(opened, { phase: at, primary: 0 }, "secondaryWrite", 1);
    expect(inPhase(0)).toEqual([
      [600, 9_000],
      [8_000, 12_000],
    ]);
    expect(inPhase(1)).toEqual([
      [8_000, 12_000],
      [20_000, 21_000],
    ]);
  });

  it("takes waited and served apart", () => {
    const row = waitingOf(queued).rows[2];
    expect(row).toMatchObject({ blocks: 2, servedUs: 20_000, isSlow: true, isQueued: true });
    expect(row.waitedUs).toBe(19_001 / 2);
    expect(row.busyMean).toBeCloseTo(40_000 / 40_001, 6);
    // With 5 ms a write, the second waits from 1,650 until 5,651.
    expect(row.waitAtFastWriteUs).toBe(4_001 / 2);
  });

  it("leaves out of a network what waited for a server that stood still, and counts it", () => {
    // Each message takes 300 µs; the second leaves at 100,250 and arrives when SQL2 wakes up.
    const model = modelOf([{ at: 0 }, { at: 100_000, hops: [{ wireOut: 2_000_000 }] }, { at: 3_000_000 }]);
    const rowOf = (pauses: Parameters<typeof withPauses>[1]) => waitingOf(withPauses(model, pauses)).rows[1];
    expect(rowOf([[1, 50_000, 2_100_250]])).toMatchObject({
      kind: "networkOut",
      blocks: 2,
      pausedBlocks: 1,
      servedUs: 300,
      isSlow: false,
    });
    expect(rowOf([])).toMatchObject({ blocks: 3, pausedBlocks: 0, isSlow: true });
    // Neither a pause of half of the way nor one of a server that is not at either end explains it.
    expect(rowOf([[1, 50_000, 1_100_250]])).toMatchObject({ blocks: 3, pausedBlocks: 0 });
    expect(rowOf([[2, 50_000, 2_100_250]])).toMatchObject({ blocks: 3, pausedBlocks: 0 });
  });

  it("calls slow what is served over its limit and nothing else", () => {
    const rowOf = (us: number) =>
      waitingOf(
        modelOf([
          { at: 0, hops: [{ flush: us }] },
          { at: 500_000, hops: [{ flush: us }] },
        ]),
      ).rows[2];
    expect(rowOf(10_000)).toMatchObject({ isSlow: false, isQueued: false, waitedUs: 0 });
    expect(rowOf(10_001)).toMatchObject({ isSlow: true, isQueued: false });
  });

  it("calls a direction of the network slow where no clock makes it quick, or where both are over both limits", () => {
    const slow = (wireOut: number, wireBack: number, errorUs: number) => {
      const hops = [{ wireOut, wireBack }];
      const model = modelOf([
        { at: 0, hops },
        { at: 500_000, hops },
      ]);
      const tables = model.hops.map((hop) => ({ ...hop, uncertainty: hop.uncertainty.map(() => errorUs) }));
      const { rows } = waitingOf({ ...model, hops: tables });
      expect(rows.map((row) => row.errorUs)).toEqual([0, errorUs, 0, errorUs]);
      expect(rows.map((row) => row.roundTripUs)).toEqual([NaN, wireOut + wireBack, NaN, wireOut + wireBack]);
      return [rows[1].isSlow, rows[3].isSlow];
    };
    expect(slow(1_500, 300, 499)).toEqual([true, false]);
    expect(slow(1_500, 300, 500)).toEqual([false, false]);
    expect(slow(1_500, 500, 600)).toEqual([false, false]);
    expect(slow(1_500, 501, 600)).toEqual([true, false]);
    expect(slow(12_100, 12_200, 12_000)).toEqual([true, true]);
    expect(slow(300, 1_500, NaN)).toEqual([false, false]);
    expect(slow(300, 1_701, NaN)).toEqual([false, true]);
  });

  it("calls queued what waited over 1 ms and over a fifth of the whole", () => {
    const rowOf = (write: number, arrival: number) => {
      const start = 651 + write;
      const hops = [{ flush: write }];
      return waitingOf(
        modelOf([
          { at: 0, hops },
          { at: arrival, hops: [{ flush: write, append: start - arrival - 550 }] },
        ]),
      ).rows[2];
    };
    expect(rowOf(4_000, 1_000).isQueued).toBe(true);
    expect(rowOf(4_000, 2_100).isQueued).toBe(false);
    expect(rowOf(9_000, 4_400).isQueued).toBe(true);
    expect(rowOf(9_000, 4_800).isQueued).toBe(false);
  });

  it("has one row for a secondary without a file, and never a verdict on an asynchronous one", () => {
    const [primary, secondary] = queued.replicas;
    const without = { ...queued, replicas: [primary, { ...secondary, hasCapture: false }] };
    expect(waitingOf(without).rows.map(({ kind }) => kind)).toEqual(["logWrite", "unseen"]);
    expect(waitingOf(without).worst).toBe(0);
    const async = withCommitMode(queued, 1, "async");
    expect(waitingOf(async).worst).toBe(0);
  });

  it("takes a primary for one that writes together what waited, whatever single blocks did", () => {
    const policyOf = (later: readonly BlockSpec[]) => {
      const model = modelOf([{ at: 0, localFlush: 5_000 }, ...later]);
      return primaryLogOf(model, streamsOf(model)[0]).writer.policy;
    };
    // The third block had arrived when the second one's write began, and is written after it.
    const second = { at: 1_000, commitQueue: 4_051, localFlush: 5_000 };
    expect(policyOf([second, { at: 2_000, commitQueue: 8_052 }])).toBe("together");
    // The second block is written in parallel with the first.
    expect(policyOf([{ at: 1_000, commitQueue: 60 }])).toBe("together");
  });

  it("counts writes by the blocks that share them", () => {
    const shared = modelOf([
      { at: 0, hops: [{ flush }] },
      { at: 1_000, hops: [{ flush, append: 19_101 }] },
      { at: 2_000, hops: [{ flush, append: 18_101 }] },
    ]);
    expect(waitingOf(shared).rows[2].sharedWrites.slice(0, 3)).toEqual([
      { blocks: 1, writes: 1, writeUs: flush, waitedUs: 0 },
      // They waited from 1,650 and from 2,650.
      { blocks: 2, writes: 1, writeUs: flush, waitedUs: 18_501 },
      { blocks: 3, writes: 0, writeUs: Number.NaN, waitedUs: Number.NaN },
    ]);
    expect(waitingOf(modelOf([])).rows).toEqual([]);
    expect(waitingOf(modelOf([])).worst).toBe(-1);
  });
});

describe("an episode of the verdict", () => {
  /** 200 blocks, 50 ms apart; SQL3 writes 40 ms instead of 3 ms from the 81st to the 120th. */
  const specs = Array.from({ length: 200 }, (_, i): BlockSpec => {
    const flush = i >= 80 && i < 120 ? 40_000 : 3_000;
    return { at: 50_000 * i, hops: [{}, { flush }] };
  });
  const model = modelOf(specs, { secondaries: 2 });
  const { time, timeEnd } = model.blocks;
  const rowOf = (each: CaptureModel, replica: number, mode = "sync") =>
    waitingOf(each).rows.find(
      (row) => row.kind === "logWrite" && row.replica === replica && row.mode === mode,
    );

  it("is what a row's figures are of, with what they are otherwise", () => {
    const row = rowOf(model, 2);
    expect(row?.episode).toEqual({
      stretches: [[time[80], timeEnd[119]]],
      waitedUs: 0,
      servedUs: 3_000,
      roundTripUs: Number.NaN,
    });
    expect(row).toMatchObject({ blocks: 200, servedUs: 40_000, isSlow: true, isQueued: false });
    // 40 of each 50 ms: 90 % are reached at 22.5 blocks a second.
    expect(row?.busyMean).toBeCloseTo(0.8, 2);
    expect(row?.fullPerSecond).toBeCloseTo(22.5, 0);
    expect(waitingOf(model).rows[waitingOf(model).worst]).toBe(row);
  });

  it("is of the replica that it names alone", () => {
    expect(rowOf(model, 1)).toMatchObject({ episode: null, servedUs: 3_000, isSlow: false });
    expect(rowOf(model, 0, "primary")).toMatchObject({ episode: null });
  });

  it("is of the phase that it lies in: the same server has another log writer in the other", () => {
    const phases = [
      { ...model.phases[0], to: 2_990_000 },
      { ...model.phases[0], primary: 1, from: 2_990_000 },
    ];
    const phase = Uint16Array.from(time, (at) => (at < 2_990_000 ? 0 : 1));
    const moved = { ...model, phases, blocks: { ...model.blocks, phase } };
    const rows = waitingOf(moved).rows.filter(({ kind, replica }) => kind === "logWrite" && replica === 2);
    expect(rows.map(({ primary, episode, servedUs }) => [primary, episode !== null, servedUs])).toEqual([
      [0, false, 3_000],
      [1, true, 40_000],
    ]);
  });
});

it("gives no rate at which a writer is full that is over the present one while it is full at times", () => {
  // One write fills a second; the verdict has no episode of a single block.
  const model = modelOf([0, 1e6, 2e6, 3e6].map((at) => ({ at, localFlush: at === 1e6 ? 950_000 : 1_000 })));
  const row = waitingOf(model).rows.find(({ mode }) => mode === "primary");
  expect(row).toMatchObject({ episode: null, fullPerSecond: Number.NaN });
  expect(row?.busyMost).toBeCloseTo(0.95, 2);
});

describe("rates", () => {
  // A write of 1 ms every 10 ms: full at nine times the rate.
  const start = Float64Array.from({ length: 2_000 }, (_, i) => i * 10_000);
  const writer = logWriterOf({
    entered: start.map((at) => at - 50),
    start,
    end: start.map((at) => at + 1_000),
  });

  it("are full where the writer is busy 90 % of the time, interpolated", () => {
    expect(timesUntilFull(replayAtSpeeds(writer))).toBeCloseTo(9, 1);
    expect(replayAtSpeed(writer, 5)).toMatchObject({ waitUs: 0 });
    expect(replayAtSpeed(writer, 5).busy).toBeCloseTo(0.5, 2);
    expect(replayAtSpeed(writer, 1, 5_000).busy).toBeCloseTo(0.5, 2);
  });

  it("keep a writer idle whose writes take no time", () => {
    expect(replayAtSpeed(writer, 1, 0)).toEqual({ times: 1, busy: 0, waitUs: 0 });
  });

  it("are not known where nothing queues", () => {
    const beside = logWriterOf({
      entered: Float64Array.of(0, 1_000, 2_000),
      start: Float64Array.of(100, 1_100, 2_100),
      end: Float64Array.of(5_000, 6_000, 7_000),
    });
    expect(replayAtSpeeds(beside)).toEqual([]);
    expect(timesUntilFull([])).toBeNaN();
    const rare = logWriterOf({
      entered: Float64Array.of(0, 1e8),
      start: Float64Array.of(10, 1e8),
      end: Float64Array.of(20, 1e8 + 10),
    });
    expect(timesUntilFull(replayAtSpeeds(rare))).toBeNaN();
  });
});

describe("a network", () => {
  /** Messages with how long each is on its way, µs. */
  const legsOf = (messages: readonly (readonly [start: number, leg: number])[], size = 512) =>
    inOrderWaiting(
      Float64Array.from(messages, ([start]) => start),
      Float64Array.from(messages, ([start, leg]) => start + leg),
      new Float64Array(messages.length).fill(size),
    );

  it("lets a block wait for the one before it, over what those need that are alone", () => {
    // A slow message delays the two after it.
    const legs = legsOf([
      [0, 300],
      [1_000, 300],
      [2_000, 3_000],
      [3_000, 2_100],
      [4_000, 1_200],
    ]);
    expect([...legs.waited]).toEqual([0, 0, 0, 5_000 - 3_300, 5_100 - 4_300]);
    expect([...legs.served]).toEqual([300, 300, 3_000, 400, 400]);
    // 1,024 bytes in 200 µs.
    expect(legs.bytesPerSecondWaiting).toBeCloseTo(5_120_000, 3);
  });

  it("doesn't call a longer way a queue", () => {
    // From the fifth message on each takes 21 ms more; three are on their way together then, but for two pauses.
    const at = [0, 10, 20, 30, 40, 80, 120, 127, 134, 141, 200, 207, 214, 221].map((ms) => 1_000 * ms);
    const legs = legsOf(at.map((start) => [start, start < 35_000 ? 300 : 21_300]));
    expect(legs.waited.every((us) => us === 0)).toBe(true);
    expect([...legs.served].slice(-2)).toEqual([21_300, 21_300]);
    expect(legs.bytesPerSecondWaiting).toBeNaN();
  });

  it("calls it a queue where messages arrive as fast as the wire takes them, from a message alone on the longer way on", () => {
    const legs = legsOf([
      ...[0, 40_000, 80_000].map((start) => [start, 21_300] as const),
      [120_000, 21_300],
      [121_000, 25_300],
      [122_000, 29_300],
    ]);
    expect([...legs.waited].slice(3)).toEqual([0, 0, 3_000]);
    expect(legs.served[5]).toBe(26_300);
  });

  it("counts an acknowledgment of several blocks once, and has no rate where none waited", () => {
    const legs = inOrderWaiting(
      Float64Array.of(0, 5_000, 5_000),
      Float64Array.of(300, 5_300, 5_300),
      new Float64Array(3),
    );
    expect(legs.start).toHaveLength(2);
    expect(legs.bytesPerSecondWaiting).toBeNaN();
  });
});

it("is busy for the union of its intervals, by second", () => {
  const start = Float64Array.of(500_000, 600_000, 1_900_000);
  const end = Float64Array.of(700_000, 900_000, 2_500_000);
  // From 0.5 s on 0.4 of 0.5 s; 0.1 of 1 s; all of the half second until the end.
  expect([...busySeconds(start, end, 3_500_000)].map((share) => Number(share.toFixed(6)))).toEqual([
    0.8, 0.1, 1, 0,
  ]);
  expect([...busySeconds(new Float64Array(0), new Float64Array(0), 100)]).toEqual([0]);
});

describe("a capture longer than a day", () => {
  const DAY_US = 86_400_000_000;

  it("has the busiest second of each two in two days, and no more entries than a day has seconds", () => {
    // 0.25 of the first second and 0.5 of the second one; all from 4.5 s to 9.5 s, which covers half of the seconds at
    // both ends.
    const start = Float64Array.of(0, 1_000_000, 4_500_000, 172_799_000_000);
    const end = Float64Array.of(250_000, 1_500_000, 9_500_000, 172_799_750_000);
    const busy = busySeconds(start, end, 2 * DAY_US);
    expect([...busy.subarray(0, 6)]).toEqual([0.5, 0, 1, 1, 1, 0]);
    // The last second counts as far as it is covered.
    expect([busy.length, busy[86_399]]).toEqual([86_400, 1]);
  });

  it("of 1,800 years takes no more memory or time, however long an interval is", () => {
    const duration = 1_800 * 365 * DAY_US;
    const busy = busySeconds(Float64Array.of(0, 10), Float64Array.of(5, duration), duration);
    expect(busy.length).toBe(86_400);
    expect(busy.every((share) => share > 0.999)).toBe(true);
  });

  it("says how long an entry is, and still how many blocks came in the busiest second", () => {
    const model = modelOf(
      [0, 100_000, 200_000, 900_000_000].map((at) => ({ at })),
      { duration: 3 * DAY_US },
    );
    const [row] = waitingAnswer(model).rows;
    expect(row).toMatchObject({ busyUs: 3_000_000, mostPerSecond: 3 });
    expect(row.busy.length).toBe(86_400);
    expect(waitingAnswer(modelOf([{ at: 0 }])).rows[0]).not.toHaveProperty("busyUs");
  });
});

it("gives the share of each second to 0.0001", () => {
  const model = modelOf([0, 1_000_000].map((at) => ({ at, hops: [{ flush: 123_456 }] })));
  const writer = waitingAnswer(model).rows.find(({ kind, replica }) => kind === "logWrite" && replica === 1);
  // One write ran from 650 to 1,000,000 and one from there to 1,124,106.
  expect(writer?.busy).toEqual([0.1235, 0.9948]);
});
