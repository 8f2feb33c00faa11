/** D15: lost events, from a capture in which every event of every block exists at first. */
import { describe, expect, it } from "vitest";
import { expectNoFileTerms } from "../../../test/live-terms.ts";
import { eventsAt, modelOf, type BlockSpec } from "../../../test/model.ts";
import {
  HOP_ANCHORS,
  isOnSecondaryClock,
  LOCAL_ANCHORS,
  Obtained,
  type CaptureModel,
  type HopAnchor,
} from "../../replication/shapes/tables.ts";
import { diagnose } from "../diagnose.ts";
import { lossesOf, missingBlocks } from "./loss.ts";

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

function findingsOf(model: CaptureModel) {
  expectNoFileTerms(model);
  return diagnose(model).findings.filter(({ cause }) => cause === "lost_events");
}

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
    expect(findingsOf(model)).toMatchObject([
      { rule: "D15", severity: "none", replica: 1, window: { from: 0, to: 30_000_000 } },
    ]);
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
    expect(found?.sentence).toContain("no events exist between 02:17:05 and 02:17:09");
    expect(found).toMatchObject({ severity: "notice", window: { from: 10_000_000, to: 13_900_000 } });
  });

  it("names the time of a burst, and how many of the losses are its", () => {
    const model = capture();
    const burst = Array.from({ length: 30 }, (_, i) => 100 + i);
    for (const anchor of ["ackBuilt", "ackSent"] as const) loseOnSecondary(model, burst, anchor);
    for (const row of [50, 200, 250]) loseOnSecondary(model, [row], "secondaryFlushEnd");
    // 60 of 63 events, of 280 blocks with six each.
    expect(sentences(model)).toEqual([
      "About 3.8 % of SQL2's events were lost, 95 % of those between 02:17:05 and 02:17:08. 30 of 30 log blocks there have estimated or missing timestamps. Figures exclude them.",
    ]);
    expect(findingsOf(model)).toMatchObject([{ window: { from: 10_000_000, to: 12_900_000 } }]);
  });

  it("names several bursts together", () => {
    const model = capture();
    for (const first of [60, 200]) {
      const burst = Array.from({ length: 10 }, (_, i) => first + i);
      for (const anchor of ["ackBuilt", "ackSent"] as const) loseOnSecondary(model, burst, anchor);
    }
    expect(sentences(model)[0]).toMatch(/, 100 % of those in 2 periods between 02:17:01 and 02:17:16\./u);
  });

  it("names no time where bursts hold less than half of what was lost", () => {
    const lossOf = (others: number): string => {
      const model = capture();
      const burst = Array.from({ length: 30 }, (_, i) => 100 + i);
      loseOnSecondary(model, burst, "ackBuilt");
      loseOnSecondary(model, every(6).slice(0, others), "ackSent");
      return sentences(model)[0];
    };
    const shareOf = (text: string) => /, (\d+) % of those between/u.exec(text)?.[1];
    // Five of the other lost events, which are six blocks apart, fall in the burst: it contains 35 of 70 events, then
    // 35 of 71.
    expect(shareOf(lossOf(40))).toBe("50");
    expect(lossOf(41)).toContain("events were lost, all over the capture.");
  });

  /** Every event of a block on one server. */
  const loseAll = (model: CaptureModel, row: number, replica: number): void => {
    const ofHop: readonly HopAnchor[] =
      replica === 0
        ? ["departed", "sendEnd", "ackReceived"]
        : ["received", "secondaryFlushStart", "secondaryFlushEnd", "ackBuilt", "ackDeparted", "ackSent"];
    for (const anchor of ofHop) loseOnSecondary(model, [row], anchor);
    if (replica === 0)
      for (const anchor of LOCAL_ANCHORS.keys()) lose(model.blocks.obtained, row, anchor, Obtained.missing);
  };

  it("names the time between two files before any other, and reports that the primary's commits of it are in no file", () => {
    /** Two periods lost all events; the first one is between two files of the server. */
    const between = (replica: number, gaps: CaptureModel["files"][number]["gaps"] = []) => {
      const model = capture();
      const rows = [
        ...Array(30)
          .keys()
          .map((i) => 60 + i),
        ...Array(40)
          .keys()
          .map((i) => 180 + i),
      ];
      for (const row of rows) loseAll(model, row, replica);
      // The first file's last event is of the block of 5.9 s, the second one's first of that of 9 s.
      const fires = [0, 5_900_000, 9_000_000, 29_900_000];
      const losing = {
        ...model,
        files: [0, 1].map((n) => ({ ...model.files[0], name: `NODE/${n}.xel`, replica, gaps })),
        events: eventsAt(fires.map((fire, i) => ({ replica, file: i < 2 ? 0 : 1, fire }))),
      };
      return { ...findingsOf(losing)[0], sentence: sentences(losing)[0] };
    };
    const times =
      "it has no file between 02:17:01 and 02:17:04 (rollover files are missing). 30 of 32 log blocks";
    expect(between(1).sentence).toContain(times);
    expect(between(1).sentence).not.toMatch(/more periods?|in no file/u);
    expect(between(0).sentence).toContain(
      "it has no file between 02:17:01 and 02:17:04 (rollover files are missing)",
    );
    expect(between(1).checkNext[0]).toMatch(/^Look for rollover files between 0\.xel and 1\.xel in /u);
    // The unreadable part of one of the two files may be the missing time.
    const damage = [{ code: "xel.damaged" as const, offset: 1, bytes: 1, message: "" }];
    expect(between(1, damage).sentence).toContain("no events exist between 02:17:01 and 02:17:04");
    expect(between(0).sentence).toContain(
      ", and the commits in that period are in no file. Figures exclude them.",
    );
  });

  it("says what released which commits is not known because of it", () => {
    const model = capture();
    loseOnSecondary(model, every(3), "ackBuilt");
    model.commits.gate.fill(0, 100, 140);
    const lossy = every(3).filter((row) => row <= 289).length;
    expect(sentences(model)[0]).toMatch(
      new RegExp(
        `${lossy} of 300 log blocks have .* and the releasing event of 40 of 300 commits is unknown`,
        "u",
      ),
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

  it("does not count the blocks that one acknowledgment covers together", () => {
    const model = capture();
    for (const row of every(3, 0)) {
      for (const anchor of ["ackBuilt", "ackDeparted", "ackSent", "ackReceived"] as const)
        lose(model.hops[0].obtained, row, HOP_ANCHORS.indexOf(anchor), Obtained.derived);
    }
    expect(findingsOf(model)).toEqual([]);
  });

  it("counts log blocks that no file holds by the holes in id and size", () => {
    const model = capture();
    // Blocks of one unit; the test's ids are consecutive, so that three skipped ids are three blocks.
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

  it("is a notice where 20 blocks or more were lost by all servers, not where most of the time may have been idle", () => {
    const severity = (blocks: bigint, laterUs = 0): string => {
      const model = capture();
      for (let row = 150; row < BLOCKS; row++) {
        model.blocks.blockId[row] += blocks;
        for (const column of [model.blocks.time, model.blocks.timeEnd]) column[row] += laterUs;
      }
      return findingsOf(model)[0].severity;
    };
    expect([severity(19n), severity(20n)]).toEqual(["none", "notice"]);
    // In 3.9 s more 40 blocks are written before it: less than half of that is a little log in a long time.
    expect([severity(20n, 3_900_000), severity(20n, 4_100_000)]).toEqual(["notice", "none"]);
  });

  it("takes a log block's size into account, and holes at the mean size of the others", () => {
    /** Three blocks of `units` each, the last one `gap` units after the end of the second. */
    const holes = (units: number, gap: number, known = 3): number => {
      const model = modelOf([{ at: 0 }, { at: 1 }, { at: 2 }]);
      model.blocks.size.fill(512 * units);
      model.blocks.size.fill(Number.NaN, known);
      model.blocks.blockId.set([0, units, 2 * units + gap].map((unit) => (0x22n << 32n) | BigInt(unit)));
      return missingBlocks(model).count;
    };
    expect([holes(4, 0), holes(4, 1), holes(4, 5), holes(4, 6), holes(4, 12)]).toEqual([0, 1, 1, 2, 3]);
    // Whether a block follows one of unknown size can't be determined.
    expect([holes(4, 12, 2), holes(4, 12, 1), holes(4, 12, 0)]).toEqual([3, 0, 0]);
    // From the second to the third are 4 units and the gap; no block has more than 120 units.
    expect([holes(4, 116, 1), holes(4, 117, 1), holes(4, 117, 0)]).toEqual([0, 29, 0]);
  });

  it("compares the log blocks of each database in the order of their ids, whatever their order in time", () => {
    const model = modelOf([{ at: 0 }, { at: 1 }, { at: 2 }, { at: 3 }]);
    model.blocks.blockId.set([3n, 1n, 2n, 4n].map((id) => (0x22n << 32n) | id));
    expect(missingBlocks(model).count).toBe(0);
    model.blocks.database.set([0, 1, 1, 0]);
    const both = { ...model, databases: [model.databases[0], model.databases[0]] };
    expect(missingBlocks(both).count).toBe(0);
    model.blocks.blockId.set([3n, 1n, 4n, 4n].map((id) => (0x22n << 32n) | id));
    expect(missingBlocks({ ...both })).toMatchObject({ count: 2, holes: [{ from: 1, to: 2 }] });
    expect(sentences({ ...both, blocks: { ...both.blocks } })[0]).toMatch(
      /^About 2 log blocks are in no file/u,
    );
    model.blocks.blockId.set([3n, 1n, 3n, 4n].map((id) => (0x22n << 32n) | id));
    expect(sentences({ ...both, blocks: { ...both.blocks } })[0]).toMatch(
      /^About 1 log block is in no file/u,
    );
  });

  /** A capture of `n` counted blocks, and their rows. */
  const counted = (n: number) => {
    const model = modelOf(
      Array.from({ length: n + 40 }, (_, i): BlockSpec => ({ at: i * 100_000 })),
      { duration: (n + 40) * 100_000 },
    );
    return { model, rows: Array.from({ length: n }, (_, i) => 20 + i) };
  };

  it("needs twenty blocks to learn from", () => {
    const losses = (n: number) => {
      const { model, rows } = counted(n);
      // The first second and the last contain ten blocks each.
      const trimmed = {
        ...model,
        replicas: model.replicas.map((r) => ({ ...r, from: 1_000_000, to: (n + 30) * 100_000 })),
      };
      loseOnSecondary(trimmed, rows, "received");
      return lossesOf(trimmed).map(({ replica, expected }) => [replica, expected]);
    };
    // The primary has three events of a block, two of its way out and one of its way back; the secondary five others.
    expect(losses(18)).toEqual([]);
    expect(losses(20)).toEqual([
      [0, 20 * 6],
      [1, 20 * 5],
    ]);
  });

  it("counts blocks from a second after the files' beginning to a second before their end", () => {
    const covered = (from: number, to: number): number => {
      const model = capture();
      const replicas = model.replicas.map((replica) => ({ ...replica, from, to }));
      return lossesOf({ ...model, replicas })[0].expected / 6;
    };
    // Blocks begin each 100 ms and end 4,290 µs later.
    expect(covered(9_000_000, 21_004_290)).toBe(101);
    expect(covered(9_000_001, 21_004_290)).toBe(100);
    expect(covered(9_000_000, 21_004_289)).toBe(100);
  });

  it("learns for each kind of event whether most blocks have it", () => {
    const expectedOf = (anchor: HopAnchor, without: number): number => {
      const { model, rows } = counted(100);
      const trimmed = {
        ...model,
        replicas: model.replicas.map((r) => ({ ...r, from: 1_000_000, to: 13_000_000 })),
      };
      loseOnSecondary(trimmed, rows.slice(0, without), anchor);
      return lossesOf(trimmed).reduce((sum, { expected }) => sum + expected, 0);
    };
    // Six kinds on either side, of 100 blocks.
    expect([expectedOf("received", 49), expectedOf("received", 50)]).toEqual([1_200, 1_100]);
    expect([expectedOf("departed", 49), expectedOf("departed", 50)]).toEqual([1_200, 1_100]);
    // The share for acknowledgments is 60 %, since one may cover several blocks.
    expect([expectedOf("ackBuilt", 39), expectedOf("ackBuilt", 40)]).toEqual([1_200, 1_100]);
    expect([expectedOf("ackReceived", 39), expectedOf("ackReceived", 40)]).toEqual([1_200, 1_100]);
    // Not counted as an event of its own.
    expect(expectedOf("sendStart", 100)).toBe(1_200);
  });

  it("takes a derived instant for its event, but a derived receive is none", () => {
    const lostOf = (anchor: HopAnchor, how: Obtained): number => {
      const model = capture();
      for (const row of every(10)) lose(model.hops[0].obtained, row, HOP_ANCHORS.indexOf(anchor), how);
      return lossesOf(model).reduce((sum, { lost }) => sum + lost, 0);
    };
    expect(lostOf("received", Obtained.derived)).toBe(27);
    expect(lostOf("ackSent", Obtained.derived)).toBe(0);
    expect([lostOf("ackSent", Obtained.fallback), lostOf("ackSent", Obtained.missing)]).toEqual([27, 27]);
  });

  it("has a stretch without any event from twenty blocks on, and names how many there are", () => {
    const periods = (...runs: readonly (readonly [first: number, n: number])[]) => {
      const model = capture();
      for (const [first, n] of runs)
        for (const anchor of HOP_ANCHORS)
          loseOnSecondary(
            model,
            Array.from({ length: n }, (_, i) => first + i),
            anchor,
          );
      return model;
    };
    const of = (model: CaptureModel) => lossesOf(model).find(({ replica }) => replica === 1)?.stretches;
    expect(of(periods([100, 19]))).toEqual([]);
    expect(of(periods([100, 20]))).toMatchObject([{ from: 10_000_000, to: 11_900_000 }]);
    expect(of(periods([100, 20], [130, 21]))).toMatchObject([
      { from: 10_000_000, to: 11_900_000 },
      { from: 13_000_000, to: 15_000_000 },
    ]);
    const [finding] = findingsOf(periods([100, 20], [130, 21], [200, 30])).filter(
      ({ replica }) => replica === 1,
    );
    expect(finding.sentence).toContain(
      "no events exist between 02:17:05 and 02:17:07 and in 2 more periods.",
    );
    expect(finding.window).toEqual({ from: 10_000_000, to: 22_900_000 });
    // Up to the end of the counted time.
    expect(of(periods([260, 40]))?.[0].from).toBe(26_000_000);
  });

  it("says so from a share of 0.2 % on", () => {
    const lostOf = (lost: number, blocks: number): number => {
      const { model, rows } = counted(blocks);
      const trimmed = {
        ...model,
        replicas: model.replicas.map((r) => ({ ...r, from: 1_000_000, to: (blocks + 30) * 100_000 })),
      };
      loseOnSecondary(trimmed, rows.slice(0, lost), "secondaryFlushEnd");
      return findingsOf(trimmed).length;
    };
    // Six events of 1,000 blocks: twelve are 0.2 %.
    expect([lostOf(11, 1_000), lostOf(12, 1_000)]).toEqual([0, 1]);
  });

  it("puts what the databases lost together: blocks of all of them, and bursts in which each lost some", () => {
    const model = capture();
    for (let row = 0; row < BLOCKS; row++) model.blocks.database[row] = row % 2;
    const burst = Array.from({ length: 30 }, (_, i) => 100 + i);
    for (const anchor of ["ackBuilt", "ackSent"] as const) loseOnSecondary(model, burst, anchor);
    const both = { ...model, databases: [model.databases[0], { ...model.databases[0], id: "db2" }] };
    const [, loss] = lossesOf(both);
    expect(loss).toMatchObject({ lost: 60, rows: burst });
    expect(loss.bursts).toMatchObject([{ from: 10_000_000, to: 12_900_000, lost: 60 }]);
  });

  it("learns for each database by itself, and not of a server without a file", () => {
    const model = capture();
    model.blocks.database.fill(1, 150);
    loseOnSecondary(
      model,
      every(1).filter((row) => row >= 150),
      "received",
    );
    const both = { ...model, databases: [model.databases[0], { ...model.databases[0], id: "db2" }] };
    // The second database's secondary never has it, so that none was lost.
    expect(lossesOf(both).map(({ lost }) => lost)).toEqual([0, 0]);
    expect(
      lossesOf({ ...both, replicas: both.replicas.map((r, i) => ({ ...r, hasCapture: i === 0 })) }),
    ).toHaveLength(1);
  });

  describe("of a replica that is behind", () => {
    const FROM_RECEIVED = HOP_ANCHORS.slice(HOP_ANCHORS.indexOf("received"));
    /** No instant and no event of some rows from an anchor on. */
    const withoutRest = (
      model: CaptureModel,
      rows: Iterable<number>,
      anchors: readonly HopAnchor[],
    ): void => {
      for (const row of rows)
        for (const anchor of anchors) {
          model.hops[0][anchor][row] = Number.NaN;
          lose(model.hops[0].obtained, row, HOP_ANCHORS.indexOf(anchor), Obtained.missing);
        }
    };
    const lossOf = (model: CaptureModel) =>
      lossesOf(model).map(({ replica, lost, stretches: periods }) => [replica, lost, periods.length]);
    const rowsFrom = (first: number): number[] => Array.from({ length: BLOCKS - first }, (_, i) => first + i);

    it("are none of the blocks that it has not received at the end", () => {
      const model = capture();
      withoutRest(model, rowsFrom(150), FROM_RECEIVED);
      expect(lossOf(model)).toEqual([
        [0, 0, 0],
        [1, 0, 0],
      ]);
    });

    it("are none of those that it has received and not hardened, or that the primary has not been told of", () => {
      const model = capture();
      withoutRest(model, rowsFrom(200), HOP_ANCHORS.slice(HOP_ANCHORS.indexOf("secondaryFlushEnd")));
      expect(lossOf(model)).toEqual([
        [0, 0, 0],
        [1, 0, 0],
      ]);
      const untold = capture();
      withoutRest(untold, rowsFrom(200), HOP_ANCHORS.slice(HOP_ANCHORS.indexOf("ackReceived")));
      expect(lossOf(untold)).toEqual([
        [0, 0, 0],
        [1, 0, 0],
      ]);
    });

    it("are those of blocks whose acknowledgment arrived", () => {
      const model = capture();
      withoutRest(
        model,
        rowsFrom(190),
        FROM_RECEIVED.filter((anchor) => anchor !== "ackReceived" && anchor !== "ackProcessed"),
      );
      // From the block of 19 s to the last one that counts: 100 blocks with six events.
      expect(lossOf(model)).toEqual([
        [0, 0, 0],
        [1, 600, 1],
      ]);
    });

    it("are those before the last block that it received", () => {
      const model = capture();
      withoutRest(model, rowsFrom(200), FROM_RECEIVED);
      withoutRest(
        model,
        rowsFrom(160).filter((row) => row < 190),
        FROM_RECEIVED,
      );
      expect(lossOf(model)).toEqual([
        [0, 30, 0],
        [1, 180, 1],
      ]);
    });

    it("are for each database by itself", () => {
      const model = capture();
      for (let row = 0; row < BLOCKS; row++) model.blocks.database[row] = row % 2;
      withoutRest(
        model,
        rowsFrom(150).filter((row) => row % 2 === 1),
        FROM_RECEIVED,
      );
      const both = { ...model, databases: [model.databases[0], { ...model.databases[0], id: "db2" }] };
      expect(lossOf(both)).toEqual([
        [0, 0, 0],
        [1, 0, 0],
      ]);
    });

    it("are none of blocks that were written before the primary's files begin, on the primary and on another secondary", () => {
      const model = modelOf(
        Array.from({ length: BLOCKS }, (_, i): BlockSpec => ({ at: i * 100_000 })),
        { duration: 30_000_000, secondaries: 2 },
      );
      // The first 40 blocks by id arrive at SQL3 among others that are written then.
      for (let row = 100; row < 180; row += 2) {
        model.blocks.blockId[row] = BigInt(row);
        model.blocks.obtained[row] = 0;
        for (const anchor of LOCAL_ANCHORS) model.blocks[anchor][row] = Number.NaN;
        for (const [slot, hop] of model.hops.entries())
          for (const [index, anchor] of HOP_ANCHORS.entries()) {
            if (slot === 1 && isOnSecondaryClock(anchor)) continue;
            hop[anchor][row] = Number.NaN;
            lose(hop.obtained, row, index, Obtained.missing);
          }
      }
      expect(lossesOf(model).map(({ replica, lost }) => [replica, lost])).toEqual([
        [0, 0],
        [1, 0],
        [2, 0],
      ]);
    });
  });
});
