import type { BinWindow, Summary } from "@aglens/contract";
import { expect, test } from "vitest";
import { replicaNamed } from "../../../../test/replicas.ts";
import { captureLanes } from "../../../lanes/lanes.ts";
import { layoutBins } from "../../../charts/timeline/layout.ts";
import { slotText } from "./bin-grid.tsx";
import { SLOTS, slotRange } from "./grid-cells.ts";

const REPLICAS = [replicaNamed("SQL1"), replicaNamed("SQL2")];
const lane = captureLanes(REPLICAS).find(({ key }) => key === "hop0.secondaryFlush")!;
const summary = { replicas: REPLICAS, phases: [] } as unknown as Summary;

/**
 * 48 s in bins of half a second, four per slot of 2 s. Two bins of the second slot have values, the others are empty.
 */
function bins(): BinWindow {
  const empty = () => new Float64Array(96).fill(Number.NaN);
  const [max, p50] = [empty(), empty()];
  [max[4], p50[4]] = [524_000, 6_600];
  [max[6], p50[6]] = [9_000, 6_800];
  const key = "hop0.secondaryFlush";
  const window = { detail: "bins", from: 0, to: 48e6, length: 96, max: { [key]: max }, p50: { [key]: p50 } };
  return window as unknown as BinWindow;
}

test("a stretch names median and maximum of its bins, an empty one that it has none", () => {
  const range = [0, 48e6] as const;
  const heat = layoutBins(bins(), lane, { from: 0, to: 48e6, width: SLOTS });
  expect(slotRange(range, 1)).toEqual([2e6, 4e6]);
  const words = slotText(heat, summary, lane, range, 1).replaceAll("\u2009", " ");
  expect(words).toBe("SQL2 log write, p50 6.60 ms, maximum 524 ms, bad, +2.00 s to +4.00 s");
  expect(slotText(heat, summary, lane, range, 5)).toContain("SQL2 log write, no log block");
});
