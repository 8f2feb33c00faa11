import { expect, test } from "vitest";
import { modelOf, withCommitMode } from "../../test/model.ts";
import { releasesOf, replicaRows } from "./index.ts";

// A healthy path takes 4,200 µs from the start of the log write, 50 µs after the commit began; 40 µs later the commit wakes up.
const healthy = { secondaries: 2, duration: 1_000_000 };
const ALL = { from: 0, to: 1_000_000, bins: 10, columns: 20 };

test("commits are counted for what released them, in the bin of their end", () => {
  const model = modelOf(
    [
      { at: 10_000, hops: [{ flush: 6_000 }, {}], commits: 3 },
      // Begins in the first bin and ends in the third.
      { at: 99_000, hops: [{}, { flush: 150_000 }] },
      { at: 500_000, localFlush: 20_000, commits: 2 },
    ],
    healthy,
  );
  const { commits, local, replicas } = replicaRows(model, ALL);
  expect(commits).toBe(6);
  expect(replicas[0].released).toEqual([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(replicas[1].released).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
  expect(local.released).toEqual([0, 0, 0, 0, 0, 2, 0, 0, 0, 0]);
  expect([replicas[0].commits, replicas[1].commits, local.commits]).toEqual([3, 1, 2]);
});

test("releases alone are those of the rows, by gate", () => {
  const model = modelOf(
    [
      { at: 10_000, commits: 3 },
      { at: 500_000, localFlush: 20_000 },
    ],
    healthy,
  );
  const { from, to, bins } = ALL;
  const { released, ...range } = releasesOf(model, { from, to, bins });
  expect(range).toEqual({ from: 0, to: 1_000_000, binUs: 100_000 });
  // Both acknowledgments arrive at one instant; the first secondary's counts.
  expect(released.map((counts) => counts.flatMap((n, bin) => (n === 0 ? [] : [[bin, n]])))).toEqual([
    [],
    [[5, 1]],
    [[0, 3]],
    [],
  ]);
});

test("a commit counts where it ends, and an unknown release in no row", () => {
  const model = modelOf([{ at: 99_000 }, { at: 300_000 }], healthy);
  expect(replicaRows(model, { ...ALL, from: 100_000 }).commits).toBe(2);
  expect(replicaRows(model, { ...ALL, to: 100_000 }).commits).toBe(0);
  const unknown = { ...model, commits: { ...model.commits, gate: Uint8Array.of(0, 2) } };
  expect(replicaRows(unknown, ALL)).toMatchObject({ commits: 1, replicas: [{ commits: 1 }, { commits: 0 }] });
});

test("a commit that ends with the capture belongs to its last bin", () => {
  const model = modelOf([{ at: 10_000 }, { at: 200_000 }], { secondaries: 2 });
  const { commits, replicas } = replicaRows(model, { ...ALL, to: model.duration });
  expect(commits).toBe(2);
  expect(replicas[0].released.at(-1)).toBe(1);
  expect(replicaRows(model, { ...ALL, to: model.duration - 1 }).commits).toBe(1);
});

test("only a replica that is asynchronous in each phase in which it is sent something can be behind", () => {
  const model = modelOf([{ at: 0 }], healthy);
  const [phase] = model.phases;
  const behind = (...modes: ("sync" | "async" | null)[]) =>
    replicaRows({ ...model, phases: modes.map((mode) => ({ ...phase, commitModes: ["sync", mode] })) }, ALL)
      .replicas[1].behind !== null;
  expect(behind("async")).toBe(true);
  expect(behind("async", null)).toBe(true);
  expect(behind("async", "sync")).toBe(false);
  expect(behind("sync")).toBe(false);
  expect(behind(null)).toBe(false);
});

test("stages of whole paths add up; without a whole one each is of the blocks that have it", () => {
  const model = modelOf([{ at: 0 }, { at: 50_000, hops: [{ flush: 9_000 }] }], healthy);
  const [row] = replicaRows(model, ALL).replicas;
  expect(row.wholePaths).toBe(2);
  expect(row.stages.secondaryFlush).toBe(6_000);
  const { remoteHarden, ...parts } = row.stages;
  expect(remoteHarden).toBe((4_200 + 10_200) / 2);
  expect(Object.values(parts).reduce<number>((sum, us) => sum + us!, 0)).toBeCloseTo(remoteHarden!, 6);

  const received = Float64Array.of(NaN, model.hops[0].received[1]);
  const half = { ...model, hops: [{ ...model.hops[0], received }, model.hops[1]] };
  expect(replicaRows(half, ALL).replicas[0]).toMatchObject({
    wholePaths: 1,
    stages: { secondaryFlush: 9_000 },
  });
  const without = { ...model.hops[0], received: new Float64Array(2).fill(NaN) };
  expect(replicaRows({ ...model, hops: [without, model.hops[1]] }, ALL).replicas[0]).toMatchObject({
    wholePaths: 0,
    stages: { remoteHarden: 7_200, wireOut: null, secondaryFlush: 6_000 },
  });
});

test("what an asynchronous replica is behind at most is not missed between two samples", () => {
  // Closed at 101,050 and 102,050 µs and acknowledged 4,200 µs later, while samples are taken at 100,000 and 110,000 µs.
  const model = withCommitMode(modelOf([{ at: 101_000 }, { at: 102_000 }], healthy), 2, "async");
  const behind = replicaRows(model, ALL).replicas[1].behind!;
  expect(behind).toMatchObject({ p95: 0, bytesP50: 0, bytesMax: 1_024 });
  expect(behind.max).toBeCloseTo(4_200, 3);
  expect(behind.longest[2]).toBeCloseTo(4_200, 3);
  expect(behind.mostBytes.slice(1, 4)).toEqual([0, 1_024, 0]);
  // As much where the range begins after the last sample before it.
  expect(replicaRows(model, { ...ALL, from: 101_000 }).replicas[1].behind!.bytesMax).toBe(1_024);
});

test("an asynchronous replica is behind by its oldest block without an acknowledgment, and by the bytes of all", () => {
  // Closed at 100,050 and 130,050 µs; acknowledged 101,200 µs later, at 201,250 and 231,250 µs.
  const slow = { flush: 100_000 };
  const model = withCommitMode(
    modelOf(
      [
        { at: 100_000, hops: [{}, slow] },
        { at: 130_000, hops: [{}, slow] },
      ],
      healthy,
    ),
    2,
    "async",
  );
  const [sync, async] = replicaRows(model, ALL).replicas;
  expect(sync.behind).toBeNull();
  const behind = async.behind!;
  // Each is acknowledged 101,200 µs after it was closed, between two samples.
  expect(behind.max).toBeCloseTo(101_200, 3);
  expect(behind.bytesMax).toBe(1_024);
  expect(behind.p50).toBe(0);
  expect(behind.longest[1]).toBe(0);
  expect(behind.longest[2]).toBeCloseTo(140_000 - 100_050, 3);
  expect(behind.longest[4]).toBeCloseTo(101_200, 3);
  expect(behind.longest[5]).toBe(0);
  // Both blocks are out from 140,000 to 200,000 µs: one of 512 bytes before and after.
  expect(behind.mostBytes.slice(1, 6)).toEqual([0, 1_024, 1_024, 1_024, 0]);
  // A bin of 100 ms has ten samples; of the third, 200 to 290 ms, six are 0 and the rest at most 99,950 µs.
  expect(behind.medians).toHaveLength(10);
  expect(behind.medians[2]).toBe(0);
  expect(behind.medians[1]).toBeCloseTo((150_000 + 140_000) / 2 - 100_050, 3);
  // Half a range has the figures of that half.
  expect(replicaRows(model, { ...ALL, from: 500_000 }).replicas[1].behind).toMatchObject({
    max: 0,
    bytesMax: 0,
  });
});

test("a range of years is looked at in no more samples than one of 2.8 hours, and what is behind at most is in it", () => {
  // Every 10 ms that would be 95 billion. Closed at 100,050 µs and acknowledged 4,200 µs later, between two samples.
  const years = 30 * 365 * 86_400e6;
  const model = withCommitMode(modelOf([{ at: 100_000 }], { ...healthy, duration: years }), 2, "async");
  const behind = replicaRows(model, { ...ALL, to: years }).replicas[1].behind!;
  expect(behind.max).toBeCloseTo(4_200, 3);
  expect(behind).toMatchObject({ p50: 0, bytesMax: 512 });
});
