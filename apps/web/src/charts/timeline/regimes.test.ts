import type { Summary } from "@aglens/contract";
import { REMOTE_PATH } from "@aglens/ag-model/replication";
import { describe, expect, test } from "vitest";
import { summaryOf } from "../../../test/summary.ts";
import { blockWindow, type GivenBlock } from "../../../test/window.ts";
import { largestPart, regime, twoRegimes } from "./regimes.ts";

/** A block that begins at `from` and spends `us` in each stage of the remote path, `flush` in the secondary's log write. */
function block(from: number, us: number, flush = us): GivenBlock {
  const hop: Record<string, number> = { [REMOTE_PATH[0].from!]: from };
  let now = from;
  for (const { id, to } of REMOTE_PATH) hop[to!] = now += id === "secondaryFlush" ? flush : us;
  return { hops: [hop] };
}

/** `count` blocks, 10 µs apart. */
const blocks = (from: number, count: number, us: number, flush = us): GivenBlock[] =>
  Array.from({ length: count }, (_, i) => block(from + 10 * i, us, flush));

const episode = (from: number, to: number, secondary = 0) =>
  ({ from, to, secondary }) as Summary["verdict"]["episodes"][number];

function summaryWith(...episodes: Summary["verdict"]["episodes"]): Summary {
  const summary = summaryOf();
  return { ...summary, verdict: { ...summary.verdict, episodes } };
}

describe("a regime", () => {
  test("has the means of the blocks that begin in its time, the first one included", () => {
    const window = blockWindow([block(90, 9), block(100, 1, 5), block(150, 3, 7), block(200, 9)]);
    const { blocks: count, stages, total } = regime(window, 0, 100, 200);
    expect(count).toBe(2);
    expect(stages).toMatchObject({ send: 2, wireOut: 2, secondaryFlush: 6, ackReceive: 2 });
    expect(total).toBe(2 * 7 + 6);
  });

  test("leaves out blocks of which an instant is missing", () => {
    const cut = block(110, 4);
    const window = blockWindow([block(100, 1), { hops: [{ ...cut.hops![0], ackSent: Number.NaN }] }]);
    expect(regime(window, 0, 0, 200)).toMatchObject({ blocks: 1, total: 8 });
  });

  test("is empty without a block and for a secondary that is not there", () => {
    expect(regime(blockWindow([block(100, 1)]), 0, 200, 300)).toMatchObject({ blocks: 0, total: 0 });
    expect(regime(blockWindow([block(100, 1)], { secondaries: 1 }), 1, 0, 200).blocks).toBe(0);
  });
});

describe("two regimes", () => {
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
    const found = twoRegimes(window, summaryWith(episode(2_990, 9_000), episode(1_000, 9_000)), 0, -1, 3_000);
    expect(found?.pair[0].to).toBe(1_000);
  });
});

test("the largest part of a regime is a place, all of its stages together", () => {
  const even = regime(blockWindow([block(0, 1)]), 0, 0, 10);
  // Of eight stages four are on the secondary.
  expect(largestPart(even)).toEqual({ place: "secondary", share: 0.5, flushShare: 1 / 8 });
  const hop = block(0, 1).hops![0];
  const late = { ...hop, ackReceived: hop.ackReceived! + 92, ackProcessed: hop.ackProcessed! + 92 };
  expect(largestPart(regime(blockWindow([{ hops: [late] }]), 0, 0, 10))).toEqual({
    place: "network",
    share: 0.94,
    flushShare: 0.01,
  });
});
