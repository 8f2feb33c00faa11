/** A finding names a database if that one is slow and the events show that the others are not. */
import { describe, expect, it } from "vitest";
import { modelOf, withCommitMode, type BlockSpec } from "../../test/model.ts";
import { MARKER_KINDS, type CaptureModel } from "../replication/shapes/tables.ts";
import { diagnose } from "./diagnose.ts";
import type { Finding } from "./verdict.ts";

const BLOCKS = 800;
const isSlowTime = (row: number): boolean => row >= 300 && row < 500;

/** Blocks each 50 ms, alternately of two databases of one group, or all but a few of the first. */
function twoDatabases(
  spec: (row: number, database: number) => Partial<BlockSpec>,
  databaseOf: (row: number) => number = (row) => row % 2,
): CaptureModel {
  const specs = Array.from({ length: BLOCKS }, (_, row): BlockSpec => ({
    at: row * 50_000,
    ...spec(row, databaseOf(row)),
  }));
  const model = modelOf(specs);
  const [first] = model.databases;
  return {
    ...model,
    databases: [first, { ...first, id: "db2", name: "Second" }],
    phases: model.phases.map((phase) => ({ ...phase, databases: [0, 1] })),
    blocks: { ...model.blocks, database: Uint16Array.from(specs, (_, row) => databaseOf(row)) },
    commits: { ...model.commits, database: Uint16Array.from(model.commits.block, (row) => databaseOf(row)) },
  };
}

const findingOf = (model: CaptureModel, cause: Finding["cause"]): Finding | undefined =>
  diagnose(model).findings.find((finding) => finding.cause === cause);

const slowWrites = (databases: readonly number[]) => (row: number, database: number) =>
  isSlowTime(row) && databases.includes(database) ? { hops: [{ flush: 30_000 }] } : {};

describe("the database of a finding with a window", () => {
  it.each([0, 1])("is %d where only its log writes were slow", (database) => {
    const found = findingOf(twoDatabases(slowWrites([database])), "secondary_disk");
    expect(found).toMatchObject({ database, replica: 1 });
    expect(found?.window).not.toBeNull();
  });

  it("is none where both were", () => {
    expect(findingOf(twoDatabases(slowWrites([0, 1])), "secondary_disk")).toMatchObject({ database: null });
  });

  it("is none where too few blocks of the other show that it was not", () => {
    const few = (n: number) => (row: number) => (row >= 400 && row < 400 + n ? 1 : row % 50 === 0 ? 1 : 0);
    const of = (n: number) => findingOf(twoDatabases(slowWrites([0]), few(n)), "secondary_disk")?.database;
    // Every fiftieth block is slow: 350, 400 and 450 are in the window, which begins with 301, the first slow one.
    expect([of(5), of(6)]).toEqual([null, 0]);
  });

  it("is none in a capture with one database", () => {
    const specs = Array.from({ length: BLOCKS }, (_, row): BlockSpec => ({
      at: row * 50_000,
      ...slowWrites([0])(row, 0),
    }));
    expect(findingOf(modelOf(specs), "secondary_disk")).toMatchObject({ database: null });
  });

  it("is the lag's of an asynchronous replica", () => {
    const late = twoDatabases((row, database) =>
      isSlowTime(row) && database === 1 ? { hops: [{ wireOut: 200_000 }] } : {},
    );
    expect(findingOf(withCommitMode(late, 1, "async"), "async_lag")).toMatchObject({
      database: 1,
      replica: 1,
    });
  });
});

describe("the database of a finding about a whole capture", () => {
  const always = (second: number) =>
    twoDatabases((_, database) => ({ localFlush: database === 1 ? second : 3_000 }));

  it("is the one whose log writes are over the limit, those of the other far under", () => {
    expect(findingOf(always(15_000), "primary_disk")).toMatchObject({ database: 1, replica: 0 });
  });

  it("is none where the other is half as slow or more", () => {
    const both = (first: number) =>
      findingOf(
        twoDatabases((_, database) => ({ localFlush: database === 1 ? 15_000 : first })),
        "primary_disk",
      );
    expect([both(7_499)?.database, both(7_500)?.database]).toEqual([1, null]);
  });
});

it("flow control is of the database whose blocks it held", () => {
  const held = twoDatabases(() => ({}));
  // Stops of 40 ms each from block 300 on; only blocks of the second database wait for their end.
  const stops = Array.from({ length: 40 }, (_, i) => 300 + 2 * i + 1);
  for (const row of stops) held.hops[0].sendStart[row] += 40_000;
  const model = {
    ...held,
    markers: {
      length: stops.length,
      kind: new Uint8Array(stops.length).fill(MARKER_KINDS.indexOf("databaseFlowControl")),
      replica: new Uint8Array(stops.length),
      time: Float64Array.from(stops, (row) => held.blocks.time[row]),
      duration: new Float64Array(stops.length).fill(40_000),
    },
  };
  expect(findingOf(model, "flow_control")).toMatchObject({ database: 1, replica: 1 });
});
