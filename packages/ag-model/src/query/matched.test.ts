import { describe, expect, it } from "vitest";
import { modelOf, type BlockSpec } from "../../test/model.ts";
import type { CaptureModel } from "../replication/shapes/tables.ts";
import type { BlockFilter, Comparison, FilterStage } from "./block-filter.ts";
import { slowestBlocks } from "./index.ts";
import { matchedOf } from "./matched.ts";

// Log writes of SQL1, SQL2 and SQL3 in ms. The fourth and the last are of another database; with the fifth SQL2 is the primary.
const WRITES = [
  [60, 3, 3],
  [2, 3, 70],
  [2, 55, 51],
  [2, 3, 90],
  [52, 80, 3],
  [95, 3, 65],
  [2, 3, 3],
];
const specs = WRITES.map(([sql1, sql2, sql3], row): BlockSpec => {
  const [local, first] = row < 4 ? [sql1, sql2] : [sql2, sql1];
  return {
    at: row * 1e6,
    localFlush: 1_000 * local,
    hops: [{ flush: 1_000 * first }, { flush: 1_000 * sql3 }],
    commits: 2,
  };
});
const before = modelOf(specs, { secondaries: 2, duration: 8e6 });
const model: CaptureModel = {
  ...before,
  databases: [before.databases[0], { ...before.databases[0], id: "other", name: "Other" }],
  phases: [
    { ...before.phases[0], databases: [0, 1], to: 3.5e6 },
    { ...before.phases[0], databases: [0, 1], primary: 1, from: 3.5e6 },
  ],
  blocks: {
    ...before.blocks,
    phase: Uint16Array.from(WRITES, (_, row) => (row < 4 ? 0 : 1)),
    database: Uint16Array.from(WRITES, (_, row) => (row === 3 || row === 6 ? 1 : 0)),
  },
};

const duration = (
  stage: FilterStage,
  comparison: Comparison,
  secondary: number | null = null,
): BlockFilter => [{ kind: "duration", stage, secondary, comparison }];
const over = (ms: number): Comparison => ({ sign: ">", amount: 1_000 * ms });

const listed = (filter: BlockFilter, sort: "matched" | "time" = "matched") =>
  slowestBlocks(model, {
    from: 0,
    to: 8e6,
    sort,
    descending: sort === "matched",
    secondary: 0,
    limit: 10,
    offset: 0,
    filter,
  }).rows.map(({ row, matched }) => [row, matched?.stage, matched?.replica, (matched?.us ?? NaN) / 1_000]);

describe("hits", () => {
  it("of a log write on any replica come by the write that matched, whoever made it", () => {
    expect(listed(duration("logWrite", over(50)))).toEqual([
      [5, "secondaryFlush", 0, 95],
      [3, "secondaryFlush", 2, 90],
      [4, "localFlush", 1, 80],
      [1, "secondaryFlush", 2, 70],
      [0, "localFlush", 0, 60],
      [2, "secondaryFlush", 1, 55],
    ]);
  });

  it("say it in the order of time too, and of one database alone", () => {
    expect(listed([...duration("logWrite", over(50)), { kind: "database", database: 1 }], "time")).toEqual([
      [3, "secondaryFlush", 2, 90],
    ]);
  });

  it("of a range come by the largest write that lies in it", () => {
    expect(listed(duration("logWrite", { sign: "..", amount: 50_000, limit: 60_000 }))).toEqual([
      [2, "secondaryFlush", 1, 55],
      [4, "secondaryFlush", 0, 52],
    ]);
  });

  it("of a class of any replica, or of one in both its roles, come by that replica's write", () => {
    expect(listed([{ kind: "class", writeClass: "bad", replica: null }]).slice(0, 3)).toEqual([
      [5, "secondaryFlush", 0, 95],
      [3, "secondaryFlush", 2, 90],
      [4, "localFlush", 1, 80],
    ]);
    expect(listed([{ kind: "class", writeClass: "bad", replica: 1 }])).toEqual([
      [4, "localFlush", 1, 80],
      [2, "secondaryFlush", 1, 55],
    ]);
  });

  it("of a path to any secondary name the secondary at that time, which the slot leads to", () => {
    expect(listed(duration("secondaryFlush", over(60))).map(([row, , replica]) => [row, replica])).toEqual([
      [5, 0],
      [3, 2],
      [1, 2],
    ]);
    expect(listed(duration("secondaryFlush", over(50), 0)).map(([row, , replica]) => [row, replica])).toEqual(
      [
        [5, 0],
        [2, 1],
        [4, 0],
      ],
    );
  });

  it("of commits come by the longest commit that meets the condition", () => {
    const own = modelOf([
      { at: 0, commits: 2 },
      { at: 1e6, commits: 2 },
    ]);
    const short = own.commits.end[0] - own.commits.start[0];
    own.commits.end[1] += 20_000;
    const matched = matchedOf(own, duration("commit", { sign: "<=", amount: short + 10 }));
    expect([0, 1].map((row) => matched?.figureOf(row))).toEqual([
      { stage: "commit", replica: null, us: short },
      { stage: "commit", replica: null, us: short },
    ]);
  });

  it("without a condition about a duration come by remote harden", () => {
    expect(listed([{ kind: "database", database: 1 }])).toEqual([
      [3, undefined, undefined, NaN],
      [6, undefined, undefined, NaN],
    ]);
  });
});
