/** Bins of a secondary that lags: its lanes are where single blocks draw them, whichever way the bins are made. */
import { describe, expect, it } from "vitest";
import { modelOf, type BlockSpec } from "../../test/model.ts";
import { anchorAt, SPAN_ANCHORS } from "../columns/index.ts";
import { STAGES } from "../replication/shapes/stages.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import { prepareColumn, preparations, windowOf, type BinWindow, type BlockFilter } from "./index.ts";

const BLOCKS = 6_000;
/** A block each ms; the second of two secondaries lags by up to 2 s, and one log write in seven there is slow. */
const behind = (): CaptureModel =>
  modelOf(
    Array.from({ length: BLOCKS }, (_, i): BlockSpec => ({
      at: i * 1_000,
      hops: [{}, { wireOut: 300 + Math.min(i, 4_000) * 500, flush: i % 7 === 0 ? 9_000 : 3_000 }],
    })),
    { secondaries: 2 },
  );

const binsOf = (model: CaptureModel, filter: BlockFilter | null = null): BinWindow => {
  const window = windowOf(model, { from: 0, to: 8_200_000, limit: -1, bins: 128, filter });
  if (window.detail !== "bins") throw new Error("expected bins");
  return window;
};

/** Largest duration between two anchors by bin, from a plain walk over the blocks; a bar is where it begins. */
function walked(
  model: CaptureModel,
  bins: BinWindow,
  secondary: number,
  from: string,
  to: string,
  wanted = (_row: number) => true,
): number[] {
  const width = (bins.to - bins.from) / bins.length;
  const most = Array.from({ length: bins.length }, () => Number.NaN);
  for (let row = 0; row < model.blocks.length; row++) {
    const [start, end] = [from, to].map((anchor) => anchorAt(model, secondary, anchor as never, row)) as [
      number,
      number,
    ];
    const bin = Math.floor((start - bins.from) / width);
    if (wanted(row) && !(most[bin] >= end - start)) most[bin] = end - start;
  }
  return most;
}

const LANES = [
  ...STAGES.filter(({ id }) =>
    ["send", "wireOut", "secondaryAppend", "secondaryFlush", "wireBack", "ackReceive"].includes(id),
  ).map(({ id, from, to }) => [id, from!, to!] as const),
  ["acknowledge", ...SPAN_ANCHORS.acknowledge] as const,
  ["unseen", ...SPAN_ANCHORS.unseen] as const,
];

function prepared(): CaptureModel {
  const model = behind();
  for (const column of preparations(model)) column.keep(prepareColumn(column));
  return model;
}

describe("bins of a secondary that is behind", () => {
  it.each([
    ["made when they are asked for", behind],
    ["prepared", prepared],
  ] as const)("%s: have each bar where it begins", (_, make) => {
    const model = make();
    const bins = binsOf(model);
    for (const secondary of [0, 1])
      for (const [id, from, to] of LANES)
        expect([id, ...bins.max[`hop${secondary}.${id}`]]).toEqual([
          id,
          ...walked(model, bins, secondary, from, to),
        ]);
    // Two seconds after the last block was written its log write is on the secondary's lane.
    const last = (lane: string): number => bins.max[lane].findLastIndex((us) => !Number.isNaN(us));
    expect(last("hop1.secondaryFlush") - last("localFlush")).toBe(Math.round(2_000_000 / 65_536));
    expect(bins.count.reduce((sum, n) => sum + n, 0)).toBe(BLOCKS);
  });

  it("of a filter's blocks have theirs alone", () => {
    const model = behind();
    const bins = binsOf(model, [
      { kind: "duration", stage: "secondaryFlush", secondary: 1, comparison: { sign: ">", amount: 5_000 } },
    ]);
    expect([...bins.max["hop1.secondaryFlush"]]).toEqual(
      walked(model, bins, 1, "secondaryFlushStart", "secondaryFlushEnd", (row) => row % 7 === 0),
    );
  });
});

it("of a replica that is 8 s behind have their bars where single blocks have them, at every width of bins", () => {
  // A block each 20 ms for 12 s; every hundredth log write is slow.
  const model = modelOf(
    Array.from({ length: 600 }, (_, i): BlockSpec => ({
      at: i * 20_000,
      hops: [{}, { wireOut: 8_000_000, flush: i % 100 === 0 ? 9_000 : 3_000 }],
    })),
    { secondaries: 2 },
  );
  const [from, to] = [7_500_000, 11_500_000];
  const fine = windowOf(model, { from, to, limit: 10_000, bins: 1 });
  if (fine.detail !== "blocks") throw new Error("expected blocks");
  const { secondaryFlushStart, secondaryFlushEnd } = fine.hops[1];
  for (const count of [8, 64, 512]) {
    const coarse = windowOf(model, { from, to, limit: -1, bins: count });
    if (coarse.detail !== "bins") throw new Error("expected bins");
    const width = (coarse.to - coarse.from) / coarse.length;
    const most = Array.from({ length: coarse.length }, () => Number.NaN);
    for (const [i, start] of secondaryFlushStart.entries()) {
      const bin = Math.floor((start - coarse.from) / width);
      if (bin >= 0 && bin < most.length && !(most[bin] >= secondaryFlushEnd[i] - start))
        most[bin] = secondaryFlushEnd[i] - start;
    }
    const edges = [0, coarse.length - 1];
    const drawn = (figures: ArrayLike<number>): number[] =>
      Array.from(figures).filter((_, bin) => !edges.includes(bin));
    expect(drawn(coarse.max["hop1.secondaryFlush"])).toEqual(drawn(most));
    // No bar before 8 s: the first block had not arrived yet.
    expect(Math.floor((8_000_000 - coarse.from) / width)).toBeLessThanOrEqual(
      coarse.max["hop1.secondaryFlush"].findIndex((us) => !Number.isNaN(us)),
    );
  }
});
