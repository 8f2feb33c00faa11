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
      [250, 800],
      [-270, 5],
      [530, 531],
    ]) {
      const { begins } = figuresOfBins(at, "x", { width: 8, first, end }, compute);
      expect([...begins]).toEqual(Array.from({ length: end - first }, (_, bin) => (first + bin) * 8));
    }
  });

  it("are computed once for whoever looks, per name and width", () => {
    const { compute, computed } = beginnings();
    const at = model();
    figuresOfBins(at, "x", { width: 8, first: 0, end: 400 }, compute);
    expect(computed).toEqual([0, 256 * 8]);
    figuresOfBins(at, "x", { width: 8, first: 30, end: 512 }, compute);
    expect(computed).toHaveLength(2);
    figuresOfBins(at, "x", { width: 8, first: 400, end: 513 }, compute);
    expect(computed).toEqual([0, 256 * 8, 512 * 8]);
    figuresOfBins(at, "x", { width: 16, first: 0, end: 10 }, compute);
    figuresOfBins(at, "y", { width: 8, first: 0, end: 10 }, compute);
    figuresOfBins(model(), "x", { width: 8, first: 0, end: 10 }, compute);
    expect(computed).toHaveLength(6);
  });

  it("are forgotten when many others were asked for since", () => {
    const { compute, computed } = beginnings();
    const at = model();
    const wide: FiguresBetween = (edges) => {
      const columns = Array.from({ length: 100 }, (_, i) => [`c${i}`, new Float64Array(256)]);
      return { ...compute(edges), ...Object.fromEntries(columns) };
    };
    // 256 bins of 101 figures are 207 kB: 64 MB are some 325 tiles.
    for (let tile = 0; tile < 350; tile++)
      figuresOfBins(at, "x", { width: 1, first: tile * 256, end: tile * 256 + 1 }, wide);
    const before = computed.length;
    figuresOfBins(at, "x", { width: 1, first: 349 * 256, end: 349 * 256 + 1 }, wide);
    expect(computed).toHaveLength(before);
    figuresOfBins(at, "x", { width: 1, first: 0, end: 1 }, wide);
    expect(computed).toHaveLength(before + 1);
  });
});
