/** D15: what was lost, from a capture in which every event of every block is there to begin with. */
import { describe, expect, it } from "vitest";
import { modelOf, type BlockSpec } from "../../test/model.ts";
import {
  HOP_ANCHORS,
  LOCAL_ANCHORS,
  Obtained,
  type CaptureModel,
  type HopAnchor,
} from "../replication/tables.ts";
import { diagnose } from "./diagnose.ts";

const BLOCKS = 300;

/** 300 blocks in 30 s; those of the first and the last second do not count. */
const capture = (): CaptureModel =>
  modelOf(
    Array.from({ length: BLOCKS }, (_, i): BlockSpec => ({ at: i * 100_000 })),
    { duration: 30_000_000 },
  );

const lose = (bits: Uint32Array, row: number, anchor: number, how: Obtained): void => {
  bits[row] = (bits[row] & ~(3 << (2 * anchor))) | (how << (2 * anchor));
};

const loseOnSecondary = (model: CaptureModel, rows: Iterable<number>, anchor: HopAnchor): void => {
  for (const row of rows) lose(model.hops[0].obtained, row, HOP_ANCHORS.indexOf(anchor), Obtained.fallback);
};

const findingsOf = (model: CaptureModel) =>
  diagnose(model).findings.filter(({ cause }) => cause === "lost_events");

const sentences = (model: CaptureModel): string[] =>
  findingsOf(model).map(({ sentence }) => sentence.replaceAll("\u00A0", " "));

const every = (n: number, from = 20): number[] =>
  Array.from({ length: BLOCKS }, (_, row) => row).filter((row) => row >= from && row % n === 0);

describe("D15, lost events", () => {
  it("is silent for a capture that has them all", () => {
    expect(findingsOf(capture())).toEqual([]);
  });

  it("counts the share of the events that most blocks have", () => {
    const model = capture();
    // 28 of the 280 blocks from 1 s to 29 s lost one of the six events of the secondary that are counted: 1 in 60.
    loseOnSecondary(model, every(10), "secondaryFlushStart");
    expect(sentences(model)[0]).toMatch(/^About 1\.6 % of SQL2's events were lost, all over the capture/u);
    expect(findingsOf(model)).toMatchObject([{ severity: "none", replica: 1 }]);
  });

  it("says so from ten events and 0.2 % on, and with a notice from 5 % on", () => {
    const first = (n: number) => {
      const model = capture();
      loseOnSecondary(model, every(1).slice(0, n), "ackBuilt");
      return findingsOf(model).map(({ severity }) => severity);
    };
    expect([first(9), first(10)]).toEqual([[], ["none"]]);
    const all = (anchors: readonly HopAnchor[]) => {
      const model = capture();
      for (const anchor of anchors) loseOnSecondary(model, every(5), anchor);
      return findingsOf(model)[0].severity;
    };
    // One block in five lost one of six events: 3.3 %; two of six: 6.7 %.
    expect([all(["ackBuilt"]), all(["ackBuilt", "ackSent"])]).toEqual(["none", "notice"]);
  });

  it("counts the primary's events apart from the secondary's", () => {
    const model = capture();
    const anchor = LOCAL_ANCHORS.indexOf("localFlushEnd");
    for (const row of every(4)) lose(model.blocks.obtained, row, anchor, Obtained.missing);
    expect(findingsOf(model)).toMatchObject([{ replica: 0 }]);
  });

  it("names the stretch in which a server lost everything", () => {
    const model = capture();
    const rows = Array.from({ length: 40 }, (_, i) => 100 + i);
    for (const anchor of HOP_ANCHORS) loseOnSecondary(model, rows, anchor);
    const found = findingsOf(model).find(({ replica }) => replica === 1);
    expect(found?.sentence).toContain("none is left between 02:17:05 and 02:17:09");
    expect(found).toMatchObject({ severity: "notice", window: { from: 10_000_000, to: 13_900_000 } });
  });

  it("names the time of a burst, and how many of the losses are its", () => {
    const model = capture();
    const burst = Array.from({ length: 30 }, (_, i) => 100 + i);
    for (const anchor of ["ackBuilt", "ackSent"] as const) loseOnSecondary(model, burst, anchor);
    for (const row of [50, 200, 250]) loseOnSecondary(model, [row], "secondaryFlushEnd");
    // 60 of 63 events, of 280 blocks with six each.
    expect(sentences(model)).toEqual([
      "About 3.8 % of SQL2's events were lost, 95 % of those between 02:17:05 and 02:17:08. 30 of 30 log blocks there have estimated or missing instants: figures rest on the others.",
    ]);
    expect(findingsOf(model)).toMatchObject([{ window: { from: 10_000_000, to: 12_900_000 } }]);
  });

  it("names several bursts together", () => {
    const model = capture();
    for (const first of [60, 200]) {
      const burst = Array.from({ length: 10 }, (_, i) => first + i);
      for (const anchor of ["ackBuilt", "ackSent"] as const) loseOnSecondary(model, burst, anchor);
    }
    expect(sentences(model)[0]).toMatch(/, 100 % of those in 2 stretches between 02:17:01 and 02:17:16\./u);
  });

  it("says what released which commits is not known because of it", () => {
    const model = capture();
    loseOnSecondary(model, every(3), "ackBuilt");
    model.commits.gate.fill(0, 100, 140);
    const lossy = every(3).filter((row) => row <= 289).length;
    expect(sentences(model)[0]).toMatch(
      new RegExp(`${lossy} of 300 log blocks have .* and what released 40 of 300 commits is not known`, "u"),
    );
  });

  it("does not count what an engine or a session does not have, or what is outside the files", () => {
    const model = capture();
    loseOnSecondary(
      model,
      Array.from({ length: BLOCKS }, (_, row) => row),
      "ackBuilt",
    );
    loseOnSecondary(
      model,
      Array.from({ length: 10 }, (_, row) => row),
      "received",
    );
    loseOnSecondary(
      model,
      Array.from({ length: 10 }, (_, row) => BLOCKS - 1 - row),
      "received",
    );
    expect(findingsOf(model)).toEqual([]);
  });

  it("does not count the blocks that one acknowledgement covers together", () => {
    const model = capture();
    for (const row of every(3, 0)) {
      for (const anchor of ["ackBuilt", "ackDeparted", "ackSent", "ackReceived"] as const)
        lose(model.hops[0].obtained, row, HOP_ANCHORS.indexOf(anchor), Obtained.derived);
    }
    expect(findingsOf(model)).toEqual([]);
  });

  it("counts log blocks that no file holds by the holes in id and size", () => {
    const model = capture();
    // Blocks of one unit; the test's ids follow each other, so that leaving out three ids is three blocks.
    for (let row = 150; row < BLOCKS; row++) model.blocks.blockId[row] += 3n;
    expect(sentences(model)).toEqual([
      "About 3 log blocks are in no file: between 02:17:09.9 and 02:17:10.0 there is a hole in the log.",
    ]);
    expect(findingsOf(model)).toMatchObject([{ window: { from: 14_900_000, to: 15_000_000 } }]);
    for (let row = 250; row < BLOCKS; row++) model.blocks.blockId[row] += 1n;
    expect(sentences({ ...model })).toEqual([
      "About 4 log blocks are in no file: between 02:17:10 and 02:17:20 there are 2 holes in the log.",
    ]);
    const nextVlf = capture();
    for (let row = 150; row < BLOCKS; row++) nextVlf.blocks.blockId[row] += 1n << 32n;
    expect(sentences(nextVlf)).toEqual([]);
  });
});
