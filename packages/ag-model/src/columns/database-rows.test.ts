import { describe, expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import { MARKER_KINDS, type CaptureModel } from "../replication/shapes/tables.ts";
import { between, ofDatabase, ofScope, ofTimeRange, rowsOfScope } from "./index.ts";

const SECOND = 1e6;

/** A block with a commit at each second from 0 to 9, 5 ms long, of two databases by turns. */
function twoDatabases(): CaptureModel {
  const model = modelOf(
    Array.from({ length: 10 }, (_, i) => ({ at: i * SECOND })),
    { duration: 10 * SECOND },
  );
  model.blocks.database.forEach((_, row) => (model.blocks.database[row] = row % 2));
  model.commits.database.forEach((_, row) => (model.commits.database[row] = row % 2));
  const [database] = model.databases;
  const [phase] = model.phases;
  return {
    ...model,
    databases: ["Sales", "Stock"].map((name) => ({ ...database, id: name, name })),
    phases: [{ ...phase, databases: [0, 1] }],
  };
}

const rowsOf = (model: CaptureModel, scope: Parameters<typeof rowsOfScope>[1]): [number[], number[]] => {
  const { rows, commitRows } = rowsOfScope(model, scope);
  return [[...rows], [...commitRows]];
};

describe("one database", () => {
  it("has its own blocks, and the commits that are its own by themselves", () => {
    const model = twoDatabases();
    expect(rowsOf(model, { database: 1, phase: null })).toEqual([
      [1, 3, 5, 7, 9],
      [1, 3, 5, 7, 9],
    ]);
    // Commits of blocks that are in no file.
    model.commits.block.fill(-1);
    expect(rowsOf(model, { database: 0, phase: null })[1]).toEqual([0, 2, 4, 6, 8]);
    expect(rowsOf(model, { database: null, phase: null })[1]).toHaveLength(10);
  });

  it("has commits that name its own blocks, or none", () => {
    const model = twoDatabases();
    model.commits.block[3] = -1;
    const { model: own, rows } = ofScope(model, { database: 1, phase: null });
    expect([...own.commits.block]).toEqual([0, -1, 2, 3, 4]);
    expect([...own.blocks.time].map((time) => time / SECOND)).toEqual([...rows]);
    const none = ofDatabase(model, -1);
    expect([none.blocks.length, none.commits.length]).toEqual([0, 0]);
  });
});

describe("one phase of databases whose roles changed at different times", () => {
  const model = twoDatabases();
  const [phase] = model.phases;
  // Sales changes its roles at 6 s, Stock does not.
  const phases = [
    { ...phase, databases: [0], from: 0, to: 5.5 * SECOND },
    { ...phase, databases: [0], primary: 1, from: 6 * SECOND, to: 8.5 * SECOND },
    { ...phase, databases: [1], from: 0, to: 10 * SECOND },
  ];
  const phaseOf = (row: number): number => (row % 2 === 1 ? 2 : row < 6 ? 0 : 1);
  model.blocks.phase.forEach((_, row) => (model.blocks.phase[row] = phaseOf(row)));
  const failover: CaptureModel = { ...model, phases };

  it("has the blocks that were sent in it, with their commits whenever those began", () => {
    const late = { ...failover, commits: { ...failover.commits, start: new Float64Array(10).fill(1e9) } };
    expect(rowsOf(late, { database: null, phase: 0 })).toEqual([
      [0, 2, 4],
      [0, 2, 4],
    ]);
    expect(rowsOf(late, { database: null, phase: 2 })[1]).toEqual([1, 3, 5, 7, 9]);
    expect(rowsOf(late, { database: 1, phase: 0 })).toEqual([[], []]);
  });

  it("has commits without a block that began in its time, of its databases alone", () => {
    const own = { ...failover, commits: { ...failover.commits, block: new Int32Array(10).fill(-1) } };
    const commitsOf = (index: number): number[] => rowsOf(own, { database: null, phase: index })[1];
    expect([0, 1, 2].map(commitsOf)).toEqual([
      [0, 2, 4],
      [6, 8],
      [1, 3, 5, 7, 9],
    ]);
    own.commits.start[4] = 5.5 * SECOND;
    own.commits.start[8] = 8.5 * SECOND + 1;
    expect([commitsOf(0), commitsOf(1)]).toEqual([[0, 2, 4], [6]]);
  });
});

describe("what begins in a stretch of time", () => {
  const model = twoDatabases();
  const seconds = (column: Float64Array): number[] => [...column].map((time) => time / SECOND);
  const picked = (from: number, to: number, fewest: number) => {
    const { blocks, commits, replicas, phases } = between(model, from * SECOND, to * SECOND, fewest);
    return {
      blocks: seconds(blocks.time),
      commits: seconds(commits.start),
      since: [replicas[1].from / SECOND, phases[0].from / SECOND],
    };
  };

  it("is its blocks and commits, and nothing is said of the time before", () => {
    expect(picked(3, 6, 1)).toEqual({ blocks: [3, 4, 5], commits: [3, 4, 5], since: [3, 3] });
    expect(picked(2.5, 6, 3)).toEqual({ blocks: [3, 4, 5], commits: [3, 4, 5], since: [2.5, 2.5] });
  });

  it("reaches back to as many blocks as are asked for at least, with their commits", () => {
    expect(picked(3, 6, 5)).toEqual({ blocks: [1, 2, 3, 4, 5], commits: [1, 2, 3, 4, 5], since: [1, 1] });
    expect(picked(3, 6, 20).blocks).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("has commits of a block before as commits without a block", () => {
    const late = twoDatabases();
    late.commits.start[0] = 1.5 * SECOND;
    late.commits.start[1] = 1.6 * SECOND;
    const { commits } = between(late, 1.4 * SECOND, 3 * SECOND, 0);
    expect([...commits.block]).toEqual([-1, -1, 0]);
  });

  it("is nothing where nothing begins and nothing is asked for", () => {
    expect(picked(20, 30, 0)).toEqual({ blocks: [], commits: [], since: [20, 20] });
    expect(picked(0, 0, 3).blocks).toEqual([]);
  });
});

describe("what overlaps a stretch of time", () => {
  const model = twoDatabases();

  it("is what ends in it or begins before its end, with its blocks and commits by turns", () => {
    // The blocks last less than 6 ms from their second on.
    const own = ofTimeRange(model, 3 * SECOND + 1_000, 6 * SECOND, { database: 1, phase: null });
    expect([...own.blocks.time]).toEqual([3 * SECOND, 5 * SECOND]);
    expect([...own.commits.block]).toEqual([0, 1]);
    expect(own.replicas.map(({ from, to }) => [from, to])).toEqual([
      [3 * SECOND + 1_000, 6 * SECOND],
      [3 * SECOND + 1_000, 6 * SECOND],
    ]);
  });

  it("keeps what a file covered of it", () => {
    const short = {
      ...model,
      replicas: model.replicas.map((each) => ({ ...each, from: 4 * SECOND, to: 5 * SECOND })),
    };
    const [replica] = ofTimeRange(short, 3 * SECOND, 6 * SECOND).replicas;
    expect([replica.from, replica.to]).toEqual([4 * SECOND, 5 * SECOND]);
  });

  it("has the markers that end in it or begin before its end, also those without a length", () => {
    const kind = MARKER_KINDS.indexOf("pause");
    const [time, duration] = [
      [1, 2, 3, 5.9, 6],
      [1, 1, 0, 0, 1],
    ];
    const markers = {
      length: 5,
      kind: new Uint8Array(5).fill(kind),
      replica: Uint8Array.of(0, 1, 0, 1, 0),
      time: Float64Array.from(time, (at) => at * SECOND),
      duration: Float64Array.from(duration, (at) => at * SECOND),
    };
    const own = ofTimeRange({ ...model, markers }, 3 * SECOND, 6 * SECOND).markers;
    expect([...own.time].map((at) => at / SECOND)).toEqual([2, 3, 5.9]);
    expect([...own.replica]).toEqual([1, 0, 1]);
  });
});
