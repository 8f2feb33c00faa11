import type { Summary } from "@aglens/contract";
import { NO_PAUSES } from "@aglens/ag-model/columns";
import { REMOTE_PATH } from "@aglens/ag-model/replication";
import { describe, expect, test } from "vitest";
import { summaryOf } from "../../../test/summary.ts";
import { blockWindow, type BlockInput } from "../../../test/window.ts";
import { regime, twoRegimes } from "./regimes.ts";

/** A block that begins at `from` and spends `us` in each stage of the remote path, `flush` in the secondary's log write. */
function block(from: number, us: number, flush = us): BlockInput {
  const hop: Record<string, number> = { [REMOTE_PATH[0].from!]: from };
  let now = from;
  for (const { id, to } of REMOTE_PATH) hop[to!] = now += id === "secondaryFlush" ? flush : us;
  return { hops: [hop] };
}

/** `count` blocks, 10 µs apart. */
const blocks = (from: number, count: number, us: number, flush = us): BlockInput[] =>
  Array.from({ length: count }, (_, i) => block(from + 10 * i, us, flush));

const episode = (from: number, to: number, secondary = 0, label = "Slow network") =>
  ({ from, to, secondary, label }) as Summary["verdict"]["episodes"][number];

function summaryWith(...episodes: Summary["verdict"]["episodes"]): Summary {
  const summary = summaryOf();
  return { ...summary, verdict: { ...summary.verdict, episodes } };
}

describe("a regime", () => {
  test("has the means of the blocks that begin in its time, the first one included", () => {
    const window = blockWindow([block(90, 9), block(100, 1, 5), block(150, 3, 7), block(200, 9)]);
    const { blocks: count, stages, total } = regime(window, NO_PAUSES, 0, [100, 200]);
    expect(count).toBe(2);
    expect(stages).toMatchObject({ send: 2, wireOut: 2, secondaryFlush: 6, ackReceive: 2 });
    expect(total).toBe(2 * 7 + 6);
  });

  test("leaves out blocks of which an instant is missing", () => {
    const cut = block(110, 4);
    const window = blockWindow([block(100, 1), { hops: [{ ...cut.hops![0], ackSent: Number.NaN }] }]);
    expect(regime(window, NO_PAUSES, 0, [0, 200])).toMatchObject({ blocks: 1, total: 8 });
  });

  test("is empty without a block and for a secondary that is not there", () => {
    expect(regime(blockWindow([block(100, 1)]), NO_PAUSES, 0, [200, 300])).toMatchObject({
      blocks: 0,
      total: 0,
    });
    expect(regime(blockWindow([block(100, 1)], { secondaries: 1 }), NO_PAUSES, 1, [0, 200]).blocks).toBe(0);
  });
});

describe("two regimes", () => {
  test("have every block in view: one that began before it and reaches into it is the first one's, one that ended before is not", () => {
    const ended = blocks(500, 1, 1);
    const reaching = blocks(700, 1, 50);
    const window = blockWindow([...ended, ...reaching, ...blocks(1_000, 6, 10), ...blocks(2_000, 15, 3)]);
    const { pair } = twoRegimes(window, summaryWith(episode(2_000, 4_000)), 0, 990, 3_000)!;
    expect(pair.map((each) => each.blocks)).toEqual([7, 15]);
    expect(pair[0].total).toBe((8 * 50 + 6 * 8 * 10) / 7);
  });

  const window = blockWindow([...blocks(0, 5, 1), ...blocks(1_000, 6, 10), ...blocks(2_000, 15, 3)]);

  test("are an episode inside the view, and the rest by the number of its blocks", () => {
    const found = twoRegimes(window, summaryWith(episode(1_000, 2_000)), 0, -1, 3_000)!;
    expect(found.kind).toBe("inside");
    const [inside, rest] = found.pair;
    expect(inside).toMatchObject({ from: 1_000, to: 2_000, blocks: 6, total: 80 });
    // Five blocks of 1 µs a stage, fifteen of 3 µs.
    expect(rest).toMatchObject({ from: -1, to: 3_000, blocks: 20, total: 20 });
    expect(rest.stages.wireOut).toBe(2.5);
  });

  test.each([
    ["begins", [1_000, 9_000], [5, 21]],
    ["ends", [-9_000, 1_000], [5, 21]],
  ] as const)("are before and after where an episode %s in the view", (_, [from, to], counts) => {
    const found = twoRegimes(window, summaryWith(episode(from, to)), 0, -1, 3_000)!;
    expect(found.kind).toBe("edge");
    expect(found.pair.map((part) => part.blocks)).toEqual(counts);
    expect(found.pair.map((part) => [part.from, part.to])).toEqual([
      [-1, 1_000],
      [1_000, 3_000],
    ]);
  });

  test("are none where no edge lies in the view, for another secondary, and with under five blocks on a side", () => {
    expect(twoRegimes(window, summaryWith(episode(-9_000, 9_000)), 0, -1, 3_000)).toBeNull();
    expect(twoRegimes(window, summaryWith(episode(0, 3_000)), 0, 0, 3_000)).toBeNull();
    expect(twoRegimes(window, summaryWith(episode(1_000, 2_000, 1)), 0, -1, 3_000)).toBeNull();
    expect(twoRegimes(window, summaryWith(episode(1_050, 9_000)), 0, 1_000, 3_000)?.kind).toBe("edge");
    expect(twoRegimes(window, summaryWith(episode(1_040, 9_000)), 0, 1_000, 3_000)).toBeNull();
  });

  test("are those of the first episode that makes any", () => {
    const episodes = [episode(2_990, 9_000, 0, "Slow disk"), episode(1_000, 9_000)];
    const found = twoRegimes(window, summaryWith(...episodes), 0, -1, 3_000);
    expect(found?.pair[0].to).toBe(1_000);
  });

  test("are those of the verdict's own cause where episodes of several causes lie in the view", () => {
    const slowDisk = { ...episode(2_000, 2_100, 0, "Slow disk"), cause: "secondary_disk" } as const;
    const { verdict, ...rest } = summaryWith(episode(1_000, 1_900), slowDisk);
    const found = twoRegimes(
      window,
      { ...rest, verdict: { ...verdict, cause: "secondary_disk" } },
      0,
      -1,
      3_000,
    );
    expect(found?.episode).toMatchObject({ label: "Slow disk" });
    expect(found?.pair[0].from).toBe(2_000);
  });

  test("have as many blocks as the verdict says, though the next one begins before the last has ended", () => {
    // The last of its six blocks ends at 1,130 µs, the next one begins at 1,100.
    const late = blockWindow([...blocks(0, 5, 1), ...blocks(1_000, 6, 10), ...blocks(1_100, 15, 3)]);
    const found = twoRegimes(late, summaryWith({ ...episode(1_000, 1_130), blocks: 6 }), 0, -1, 3_000)!;
    expect(found.pair.map((part) => part.blocks)).toEqual([6, 20]);
    expect(found.pair[0].total).toBe(80);
  });

  test("are all episodes of the same, and what is none of them", () => {
    const episodes = [episode(2_000, 2_050), episode(1_000, 1_900), episode(2_080, 2_090, 0, "Slow disk")];
    const found = twoRegimes(window, summaryWith(...episodes), 0, -1, 3_000)!;
    expect(found).toMatchObject({ kind: "inside", stretches: 2 });
    // 6 blocks of 80 µs and 5 of 24; the rest 5 of 8 and 10 of 24.
    expect(found.pair[0]).toMatchObject({ from: 1_000, to: 2_050, blocks: 11, total: 600 / 11 });
    expect(found.pair[1]).toMatchObject({ from: -1, to: 3_000, blocks: 15, total: 280 / 15 });
  });
});

describe("a server that was unresponsive", () => {
  const standing = (from: number, to: number) => ({
    phases: summaryOf().phases,
    pauses: [{ replica: 1, from, to }],
  });
  /** A block that is sent at once and received after `out` µs; the rest of its path takes 10 µs a stage. */
  const late = (from: number, out: number): BlockInput => {
    const { hops } = block(from, 10);
    const moved = Object.entries(hops![0]).map(([name, at]) => [
      name,
      name === "sendStart" || name === "sendEnd" ? at : at + out - 10,
    ]);
    return { hops: [Object.fromEntries(moved)] };
  };

  test("has its part of the mean of the stage that it fell into", () => {
    const window = blockWindow([late(100, 1_000), late(200, 500), late(2_000, 10)]);
    // The first two of three blocks waited: 1,500 µs.
    const still = regime(window, standing(90, 700), 0, [0, 10_000]);
    expect(still.paused).toEqual({ replica: 1, stages: { wireOut: 500 } });
    expect(still.stages.wireOut).toBeCloseTo(1_510 / 3, 9);
    expect(regime(window, standing(5_000, 6_000), 0, [0, 10_000]).paused).toBeNull();
  });

  test("keeps its part where several stretches are one regime", () => {
    const blocks = [0, 1, 2, 3, 4].map((i) => late(100 + i, 1_000));
    const more = [0, 1, 2, 3, 4].map((i) => late(5_000 + i, 10));
    const found = twoRegimes(
      blockWindow([...blocks, ...more, late(7_000, 500)]),
      {
        ...summaryWith(
          episode(90, 1_200, 0, "SQL2 was unresponsive"),
          episode(6_990, 7_600, 0, "SQL2 was unresponsive"),
        ),
        pauses: [
          { replica: 1, from: 110, to: 1_100 },
          { replica: 1, from: 7_010, to: 7_510 },
        ],
      },
      0,
      0,
      10_000,
    )!;
    // Five blocks of 1,000 µs and one of 500.
    expect(found.pair[0].paused?.stages.wireOut).toBeCloseTo(5_500 / 6, 9);
    expect(found.pair[1].paused).toBeNull();
  });
});
