import { describe, expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import { figuresOfBins, type FiguresBetween } from "./bin-tiles.ts";

/** Each bin's beginning, and how often bins were computed. */
function beginnings(): { compute: FiguresBetween; computed: number[] } {
  const computed: number[] = [];
  return {
    computed,
    compute: (edges) => {
      computed.push(edges[0]);
      return { begins: edges.slice(0, -1) };
    },
  };
}

const model = () => modelOf([{ at: 0 }]);

describe("figures of bins", () => {
  it("are those of each bin, also across tiles, before zero and within one tile", () => {
    const { compute } = beginnings();
    const at = model();
    for (const [first, end] of [
      [0, 3],
      [60, 200],
      [-70, 5],
      [130, 131],
    ]) {
      const { begins } = figuresOfBins(at, "x", { width: 8, first, end }, compute);
      expect([...begins]).toEqual(Array.from({ length: end - first }, (_, bin) => (first + bin) * 8));
    }
  });

  it("are computed once for whoever looks, per name and width", () => {
    const { compute, computed } = beginnings();
    const at = model();
    figuresOfBins(at, "x", { width: 8, first: 0, end: 100 }, compute);
    expect(computed).toEqual([0, 64 * 8]);
    figuresOfBins(at, "x", { width: 8, first: 30, end: 128 }, compute);
    expect(computed).toHaveLength(2);
    figuresOfBins(at, "x", { width: 8, first: 100, end: 129 }, compute);
    expect(computed).toEqual([0, 64 * 8, 128 * 8]);
    figuresOfBins(at, "x", { width: 16, first: 0, end: 10 }, compute);
    figuresOfBins(at, "y", { width: 8, first: 0, end: 10 }, compute);
    figuresOfBins(model(), "x", { width: 8, first: 0, end: 10 }, compute);
    expect(computed).toHaveLength(6);
  });

  it("are forgotten when many others were asked for since", () => {
    const { compute, computed } = beginnings();
    const at = model();
    const wide: FiguresBetween = (edges) => {
      const columns = Array.from({ length: 100 }, (_, i) => [`c${i}`, new Float64Array(64)]);
      return { ...compute(edges), ...Object.fromEntries(columns) };
    };
    // 64 bins of 101 figures are 52 kB: 64 MB are some 1,300 tiles.
    for (let tile = 0; tile < 1_400; tile++)
      figuresOfBins(at, "x", { width: 1, first: tile * 64, end: tile * 64 + 1 }, wide);
    const before = computed.length;
    figuresOfBins(at, "x", { width: 1, first: 1_399 * 64, end: 1_399 * 64 + 1 }, wide);
    expect(computed).toHaveLength(before);
    figuresOfBins(at, "x", { width: 1, first: 0, end: 1 }, wide);
    expect(computed).toHaveLength(before + 1);
  });
});
