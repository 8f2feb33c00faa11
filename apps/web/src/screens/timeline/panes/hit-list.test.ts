import { expect, test } from "vitest";
import { blockFilterText, parseBlockFilter, type SlowBlock } from "@aglens/contract";
import { replicaSummary } from "../../../../test/summary.ts";
import { hitFigure, hitUs, lowerThreshold, matchedReplica, rowsInView, shareOfHits } from "./hit-list.ts";

test("of a long list the rows in view are drawn, with some before and after", () => {
  expect(rowsInView(1_000, 0, 240, 24)).toEqual([0, 18]);
  expect(rowsInView(1_000, 2_400, 240, 24)).toEqual([92, 118]);
  expect(rowsInView(1_000, 23_760, 240, 24)).toEqual([982, 1_000]);
  expect(rowsInView(5, 0, 240, 24)).toEqual([0, 5]);
});

const lower = (where: string, largest: (number | null)[], blocks: number[]) => {
  const found = lowerThreshold(parseBlockFilter(where)!, {
    conditions: largest.map((us, i) => ({ blocks: blocks[i], share: null, largest: us })),
  });
  return found && [blockFilterText(found.where), found.us, found.largest];
};

test("a filter above every value offers a round one under the largest", () => {
  expect(lower("secondaryFlush@1>900000", [524_000], [0])).toEqual([
    "secondaryFlush@1>500000",
    500_000,
    524_000,
  ]);
  expect(lower("commit>=900000,gate@1", [100_000, null], [0, 5])).toEqual([
    "commit>50000,gate@1",
    50_000,
    100_000,
  ]);
  expect(lower("gate@1,send@1>5", [null, 2.5], [5, 0])).toEqual(["gate@1,send@1>2", 2, 2.5]);
});

test("nothing is offered where a condition has blocks, is no lower limit, or no value is known", () => {
  expect(lower("secondaryFlush@1>5,gate@1", [524_000, null], [20, 0])).toBeNull();
  expect(lower("secondaryFlush@1<5", [524_000], [0])).toBeNull();
  expect(lower("secondaryFlush@1>5", [null], [0])).toBeNull();
});

const hitsOf = (
  given: readonly (readonly [blocks: number, share: number | null, largest: number | null])[],
) => ({
  conditions: given.map(([blocks, share, largest]) => ({ blocks, share, largest })),
});

test("a share belongs to the condition that it is of, also behind one about commits, which have none", () => {
  const where = parseBlockFilter("commit>200000,secondaryFlush@1>50000,wireOut@1>9000")!;
  const found = shareOfHits(
    where,
    hitsOf([
      [9, null, 9e5],
      [20, 0.24, 9e4],
      [7, 0.5, 1e4],
    ]),
  );
  expect(found).toEqual({ condition: where[1], share: 0.24 });
  expect(shareOfHits(where.slice(0, 1), hitsOf([[9, null, 9e5]]))).toBeNull();
});

test("the offer names the condition that it changes, not the first one", () => {
  const where = parseBlockFilter("commit>200000,secondaryFlush@1>900000")!;
  const found = lowerThreshold(
    where,
    hitsOf([
      [9, null, 4e5],
      [0, null, 524_000],
    ]),
  );
  expect(found).toMatchObject({ condition: where[1], us: 500_000, largest: 524_000 });
});

test("hits are headed by what matched: the replica's where it is one, else each row names its own", () => {
  const summary = { replicas: ["SQL1", "SQL2"].map((name) => replicaSummary({ name })) };
  const local = { matched: { stage: "localFlush", replica: 0, us: 524_000 } } as const;
  const remote = { matched: { stage: "secondaryFlush", replica: 1, us: 45_400 } } as const;
  const commit = { matched: { stage: "commit", replica: null, us: 9 } } as const;
  expect(hitFigure([local, remote], summary)).toEqual({ heading: "Log write", isOfOneReplica: false });
  expect(hitFigure([local, local], summary).heading).toBe("SQL1 log write");
  expect([commit, { matched: null }].map((row) => hitFigure([row], summary).heading)).toEqual([
    "Harden",
    "Harden",
  ]);
  expect([local, remote, commit].map((row) => matchedReplica(row, summary))).toEqual(["SQL1", "SQL2", ""]);
  const stages = { remoteHarden: 7 } as SlowBlock["stages"];
  expect([local, commit, { matched: null }].map((row) => hitUs({ ...row, stages }))).toEqual([524_000, 7, 7]);
});
