import { describe, expect, test } from "vitest";
import { eventsAt, modelOf } from "../../test/model.ts";
import { diagnose } from "../diagnosis/index.ts";
import { ofTimeRange } from "../columns/index.ts";
import { MARKER_KINDS, type CaptureModel } from "../replication/shapes/tables.ts";
import {
  commitsInCapture,
  commitWindow,
  eventPlacesFrom,
  overviewOf,
  rangeStatistics,
  scopedModel,
  sequenceOfBlock,
  filteredBlocks,
  isLongPart,
  slowCommits,
  slowCommitsInCapture,
  slowestBlocks,
  slowestInCapture,
  summariseScope,
  windowInCapture,
  windowOf,
  type BinWindow,
  type BlockWindow,
} from "./index.ts";

/** Log writes of 1, 2, ... 8 ms, a second apart, in two databases by turns: the even rows are Sales1's, the odd ones Sales2's. */
function twoDatabases(): CaptureModel {
  const model = modelOf(
    Array.from({ length: 8 }, (_, i) => ({ at: i * 1e6, localFlush: (i + 1) * 1_000 })),
    { duration: 8e6 },
  );
  const [first] = model.databases;
  model.blocks.database.forEach((_, row) => (model.blocks.database[row] = row % 2));
  model.commits.database.forEach((_, row) => (model.commits.database[row] = model.commits.block[row] % 2));
  return {
    ...model,
    databases: ["Sales1", "Sales2"].map((name) => ({ ...first, id: name, name })),
    phases: [{ ...model.phases[0], databases: [0, 1] }],
  };
}

const whole = { from: 0, to: 8e6 };
const sales2 = { database: 1, phase: null };

describe("one database of two", () => {
  const model = twoDatabases();
  const scoped = scopedModel(model, sales2);

  test("has its own blocks and commits", () => {
    const { blocks, commits, stages } = rangeStatistics(scoped.model, whole);
    expect([blocks, commits]).toEqual([4, 4]);
    // 2, 4, 6, 8 ms.
    expect(stages[0]["localFlush"]).toMatchObject({ n: 4, mean: 5_000, max: 8_000 });
    expect(overviewOf(scoped.model, { ...whole, bins: 8, secondary: 0 }).blocks).toEqual([
      0, 1, 0, 1, 0, 1, 0, 1,
    ]);
  });

  test("has the same figures where its rows are looked up in the capture, in a range and beside a stretch too", () => {
    const figures = rangeStatistics(model, whole, { scope: sales2 });
    expect(figures).toEqual(rangeStatistics(scoped.model, whole));
    expect(figures.stages[0]["localFlush"]).toMatchObject({ n: 4, mean: 5_000, max: 8_000 });
    const [range, except] = [
      { from: 2e6, to: 8e6 },
      { from: 5e6, to: 6e6 },
    ];
    // The mean of 4 and 8 ms: 2 ms is before the range, 6 ms in the excluded range.
    expect(rangeStatistics(model, range, { scope: sales2, except }).stages[0]["localFlush"]).toMatchObject({
      n: 2,
      mean: 6_000,
    });
    const filter = [
      {
        kind: "duration" as const,
        stage: "localFlush" as const,
        secondary: 0,
        comparison: { sign: ">" as const, amount: 4_500 },
      },
    ];
    expect(rangeStatistics(model, whole, { scope: sales2, filter }).blocks).toBe(2);
  });

  test("is long by its own blocks and commits alone", () => {
    // Six blocks begin from 2 s on, three of which are its own; each has a commit.
    const range = { from: 2e6, to: 8e6 };
    const none = { database: null, phase: null };
    const long = (scope: typeof sales2 | typeof none, most: number): boolean =>
      isLongPart(model, scope, range, most);
    expect([5, 6].map((most) => long(none, most))).toEqual([true, false]);
    expect([2, 3].map((most) => long(sales2, most))).toEqual([true, false]);
  });

  test("keeps the LSNs of its blocks", () => {
    expect([...scoped.model.blocks.blockId]).toEqual([1, 3, 5, 7].map((row) => model.blocks.blockId[row]));
    expect(new Set(model.blocks.blockId).size).toBe(8);
  });

  test("names blocks by their rows in the capture", () => {
    const window = windowOf(scoped.model, { ...whole, limit: 10, bins: 10 });
    expect([...(windowInCapture(window, scoped) as BlockWindow).row]).toEqual([1, 3, 5, 7]);
    const bins = windowOf(scoped.model, { ...whole, limit: 0, bins: 8 });
    const slowest = (windowInCapture(bins, scoped) as BinWindow).slowest;
    expect([...slowest].filter((row) => row !== 0xffffffff)).toEqual([1, 3, 5, 7]);
    const commits = commitsInCapture(commitWindow(scoped.model, { ...whole, limit: 10 }), scoped);
    expect([...commits.commits.block]).toEqual([1, 3, 5, 7]);
    const options = {
      ...whole,
      sort: "localFlush",
      descending: true,
      secondary: 0,
      limit: 2,
      offset: 0,
    } as const;
    const { total, rows } = slowestInCapture(model, slowestBlocks(scoped.model, options), scoped);
    expect([total, rows.map(({ row }) => row)]).toEqual([4, [7, 5]]);
  });

  test("is summarised alone, and its verdict names it", () => {
    const summary = summariseScope(model, sales2);
    expect(summary.commits.count).toBe(4);
    expect(summary.flushClasses[0]).toEqual({ good: 4, reasonable: 0, busy: 0, bad: 0 });
    expect(summary.verdict.sentence).toMatch(/^Sales2: /u);
  });

  test("and its other half are kept together; without a scope the capture itself answers", () => {
    scopedModel(model, { database: 0, phase: null });
    expect(scopedModel(model, sales2).model).toBe(scoped.model);
    expect(scopedModel(model, { database: null, phase: null })).toEqual({
      model,
      rows: null,
      commitRows: null,
    });
  });
});

test("parts that have more blocks than the capture together are not kept", () => {
  const model = twoDatabases();
  const first = scopedModel(model, sales2);
  scopedModel(model, { database: null, phase: 0 });
  expect(scopedModel(model, sales2).model).not.toBe(first.model);
});

describe("a stretch of time", () => {
  const model = twoDatabases();

  test("is summarised by what overlaps it, as its statistics are", () => {
    const range = { from: 2.5e6, to: 5.5e6 };
    // The blocks of 3, 4 and 5 s, with log writes of 4, 5 and 6 ms.
    const summary = summariseScope(model, { database: null, phase: null }, range);
    expect(summary.commits.count).toBe(rangeStatistics(model, range).commits);
    expect(summary.flushClasses[0]).toEqual({ good: 3, reasonable: 0, busy: 0, bad: 0 });
    expect(summary.stages[0]?.localFlush).toMatchObject({ n: 3, mean: 5_000 });
    const ofSales2 = summariseScope(model, sales2, range);
    expect(ofSales2.stages[0]?.localFlush).toMatchObject({ n: 2, max: 6_000 });
  });

  test("knows of nothing outside it: neither markers nor a change of roles", () => {
    const pause = MARKER_KINDS.indexOf("pause");
    const markers = {
      length: 2,
      kind: Uint8Array.of(pause, pause),
      replica: Uint8Array.of(0, 0),
      time: Float64Array.of(1e6, 2.4e6),
      duration: Float64Array.of(5e5, 5e5),
    };
    expect([...ofTimeRange({ ...model, markers }, 2.5e6, 5.5e6).markers.time]).toEqual([2.4e6]);
    const phases = [
      { ...model.phases[0], from: 0, to: 3.9e6 },
      { ...model.phases[0], primary: 1, from: 4e6, to: 8e6 },
    ];
    // A phase outside has no length, and none ends before it begins.
    expect(ofTimeRange({ ...model, phases }, 4.5e6, 8e6).phases.map(({ from, to }) => [from, to])).toEqual([
      [4.5e6, 4.5e6],
      [4.5e6, 8e6],
    ]);
    const phase = model.blocks.phase.map((_, row) => (row < 4 ? 0 : 1));
    const failover = { ...model, phases, blocks: { ...model.blocks, phase } };
    const changesIn = (from: number, to: number): number =>
      summariseScope(failover, { database: null, phase: null }, { from, to }).verdict.findings.filter(
        ({ rule }) => rule === "D18",
      ).length;
    expect([changesIn(0, 8e6), changesIn(4.5e6, 8e6), changesIn(0, 3.5e6)]).toEqual([1, 0, 0]);
  });
});

describe("one phase of two", () => {
  // The second server takes over after four blocks; its log writes take 20 ms more than those of the first.
  const model = twoDatabases();
  const [phase] = model.phases;
  model.blocks.phase.fill(1, 4);
  model.blocks.localFlushEnd.forEach((end, row) => {
    if (row >= 4) model.blocks.localFlushEnd[row] = end + 20_000;
  });
  const failover: CaptureModel = {
    ...model,
    phases: [
      { ...phase, from: 0, to: 3.9e6 },
      { ...phase, primary: 1, from: 4e6, to: 8e6 },
    ],
  };

  test("has the blocks and commits of its time", () => {
    const { model: after, rows } = scopedModel(failover, { database: null, phase: 1 });
    expect([...rows!]).toEqual([4, 5, 6, 7]);
    expect(after.commits.length).toBe(4);
    expect(scopedModel(failover, { database: 0, phase: 1 }).rows).toEqual(Uint32Array.of(4, 6));
  });

  test("lasts to the change of roles that the whole capture has, from its last commit to the first one", () => {
    const [whole] = diagnose(failover).findings.filter(({ rule }) => rule === "D18");
    const changes = [0, 1].map((phase) =>
      summariseScope(failover, { database: null, phase }).verdict.findings.filter(
        ({ rule }) => rule === "D18",
      ),
    );
    expect(changes).toEqual([[whole], [whole]]);
    const ofSales1 = summariseScope(failover, { database: 0, phase: 1 }).verdict.findings;
    expect(ofSales1.find(({ rule }) => rule === "D18")?.window?.from).toBe(failover.commits.end[2]);
  });

  test("a commit without a block is of the phase in whose time it began", () => {
    const own = { ...failover, commits: { ...failover.commits, block: new Int32Array(8).fill(-1) } };
    expect(scopedModel(own, { database: null, phase: 0 }).model.commits.length).toBe(4);
  });

  test("log writes are counted for the server that made them, in whichever role", () => {
    // As primary SQL1 wrote 1 to 4 ms; as secondary 3 ms. SQL2 as secondary 3 ms, as primary 25 to 28 ms.
    const of = (index: number | null) =>
      summariseScope(failover, { database: null, phase: index }).flushClasses;
    expect(of(1)).toEqual([
      { good: 4, reasonable: 0, busy: 0, bad: 0 },
      { good: 0, reasonable: 0, busy: 4, bad: 0 },
    ]);
  });

  test("a filter by class finds the log writes of the server it names, in whichever role", () => {
    const rowsOf = (writeClass: "good" | "busy", replica: number) => [
      ...filteredBlocks(failover, [{ kind: "class", writeClass, replica }]).rows,
    ];
    expect(rowsOf("busy", 0)).toEqual([]);
    expect(rowsOf("busy", 1)).toEqual([4, 5, 6, 7]);
    expect(rowsOf("good", 0)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(rowsOf("good", 1)).toEqual([0, 1, 2, 3]);
  });

  test("has its own slow commits, by their rows in the capture", () => {
    const scoped = scopedModel(failover, { database: 1, phase: 1 });
    const slow = slowCommits(scoped.model, {
      ...whole,
      order: "time",
      secondary: 0,
      limit: 8,
      offset: 0,
    });
    const { total, rows } = slowCommitsInCapture(slow, scoped);
    expect(total).toBe(2);
    expect(rows.map(({ row, block }) => [row, block])).toEqual([
      [5, 5],
      [7, 7],
    ]);
  });
});

describe("an LSN of two databases", () => {
  const model = twoDatabases();
  // Row 0 of Sales1 and row 5 of Sales2 have one LSN, the others each its own; Sales2's are not in the order of their times.
  model.blocks.blockId.set([9n, 40n, 1n, 30n, 2n, 9n, 3n, 20n]);
  const options = {
    ...whole,
    sort: "localFlush",
    descending: true,
    secondary: 0,
    limit: 8,
    offset: 0,
  } as const;

  test("leads from each of its blocks to the other, also where only one database is asked about", () => {
    const of = (scope: { database: number | null; phase: null }) => {
      const scoped = scopedModel(model, scope);
      const { rows } = slowestInCapture(model, slowestBlocks(scoped.model, options), scoped);
      return new Map(rows.map(({ row, equalLsns }) => [row, equalLsns]));
    };
    const all = of({ database: null, phase: null });
    expect(all.get(0)).toEqual([{ row: 5, database: 1, time: 5e6 }]);
    expect(all.get(5)).toEqual([{ row: 0, database: 0, time: 0 }]);
    expect(all.get(1)).toEqual([]);
    expect(of(sales2).get(5)).toEqual([{ row: 0, database: 0, time: 0 }]);
  });

  test("is not looked for in a capture of one database", () => {
    const one = modelOf([{ at: 0 }, { at: 1e6 }]);
    one.blocks.blockId.fill(9n);
    expect(sequenceOfBlock(one, 0).equalLsns).toEqual([]);
    expect(sequenceOfBlock(model, 0).equalLsns).toEqual([{ row: 5, database: 1, time: 5e6 }]);
  });
});

test("raw events of one database are those of its blocks", () => {
  const model = twoDatabases();
  const own = {
    ...model,
    events: eventsAt(Array.from({ length: 8 }, (_, i) => ({ block: i, offset: i, fire: 8 - i }))),
  };
  const blocksOf = (database: number | null) =>
    eventPlacesFrom(own, { from: 0, to: 9, replicas: null, database }, { position: 0 }, 10).places.map(
      ({ block }) => block,
    );
  expect([blocksOf(1), blocksOf(0)]).toEqual([
    [7, 5, 3, 1],
    [6, 4, 2, 0],
  ]);
  expect(blocksOf(null)).toHaveLength(8);
});
