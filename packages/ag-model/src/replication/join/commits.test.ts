import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { blockId, blocksInARow, DATABASE, hopEvents, localEvents } from "../../../test/paths.ts";
import {
  hopAnchors,
  localAnchors,
  columnsOfAnchors,
  putInstant,
  type HopAnchors,
  type LocalAnchors,
} from "../shapes/anchor-columns.ts";
import { countModeEvidence, gateOf, modeOf, type Commits } from "./commits.ts";
import { buildModel } from "../model.ts";
import { Gate, Obtained, type CommitMode } from "../shapes/tables.ts";

/** The mode of each secondary as the commits show it. */
function modesOf(commits: Commits, local: LocalAnchors, hops: readonly HopAnchors[]): CommitMode[] {
  const evidence = hops.map(() => ({ unsent: 0, known: 0, before: 0, last: 0 }));
  countModeEvidence(commits, local, hops, (_, slot) => evidence[slot]);
  return evidence.map(modeOf);
}

/**
 * Blocks with the end of their log write and, per secondary, when their acknowledgment was processed, and when they were sent: at 100 unless
 * given, NaN for never.
 */
function world(
  blocks: readonly { readonly flushed?: number; readonly acks: readonly number[]; readonly sent?: number }[],
) {
  const local = localAnchors(blocks.length);
  const hops = (blocks[0]?.acks ?? []).map(() => hopAnchors(blocks.length));
  for (const [row, { flushed = Number.NaN, acks, sent = 100 }] of blocks.entries()) {
    putInstant(columnsOfAnchors(local).localFlushEnd, row, flushed, Obtained.measured);
    for (const [s, at] of acks.entries()) {
      putInstant(columnsOfAnchors(hops[s]).departed, row, sent, Obtained.measured);
      putInstant(columnsOfAnchors(hops[s]).ackProcessed, row, at, Obtained.measured);
    }
  }
  return { local, hops } satisfies { local: LocalAnchors; hops: HopAnchors[] };
}

/** One commit per block, by its end. */
const commitsEnding = (ends: readonly number[]): Commits => ({
  length: ends.length,
  block: Int32Array.from(ends.keys()),
  database: new Uint16Array(ends.length),
  start: new Float64Array(ends.length),
  end: Float64Array.from(ends),
  timeToCommit: new Float64Array(ends.length),
  managerAlone: 0,
});

describe("what released a commit", () => {
  const gate = (
    end: number,
    flushed: number | undefined,
    acks: readonly number[],
    modes: readonly CommitMode[],
    sent = 100,
  ): number => {
    const { local, hops } = world([{ ...(flushed === undefined ? {} : { flushed }), acks, sent }]);
    return gateOf(0, end, local, hops, modes);
  };
  const sync = ["sync", "sync"] as const;

  it("is the last of the local log write and the acknowledgments that came before its end", () => {
    expect(gate(1_000, 900, [800, 850], sync)).toBe(Gate.localFlush);
    expect(gate(1_000, 800, [900, 850], sync)).toBe(Gate.ofSecondary(0));
    expect(gate(1_000, 800, [850, 900], sync)).toBe(Gate.ofSecondary(1));
  });

  it("may have happened at the very end, not behind it", () => {
    expect(gate(1_000, 1_000, [800, 850], sync)).toBe(Gate.localFlush);
    expect(gate(1_000, 800, [1_000, 850], sync)).toBe(Gate.ofSecondary(0));
    expect(gate(1_000, 800, [1_001, 850], sync)).toBe(Gate.ofSecondary(1));
  });

  it("is the log write when an acknowledgment was processed in the same µs", () => {
    expect(gate(1_000, 900, [900, 800], sync)).toBe(Gate.localFlush);
  });

  it("is no asynchronous replica's acknowledgment", () => {
    expect(gate(1_000, 800, [900, 850], ["async", "sync"])).toBe(Gate.ofSecondary(1));
    expect(gate(1_000, 800, [Number.NaN, 850], ["async", "sync"])).toBe(Gate.ofSecondary(1));
  });

  it("is unknown where the acknowledgment of a synchronous replica is missing, not of an undetermined one", () => {
    expect(gate(1_000, 800, [Number.NaN, 850], sync)).toBe(Gate.unknown);
    expect(gate(1_000, 800, [Number.NaN, 850], ["undetermined", "sync"])).toBe(Gate.ofSecondary(1));
  });

  it("is the log write where the block was not sent to a synchronous replica while its commit waited", () => {
    const { NaN: none } = Number;
    // Sent after the commit's end, with and without an acknowledgment in the capture.
    expect(gate(1_000, 800, [9_000], ["sync"], 1_001)).toBe(Gate.localFlush);
    expect(gate(1_000, 800, [none], ["sync"], 1_001)).toBe(Gate.localFlush);
    expect(gate(1_000, 800, [none], ["sync"], 1_000)).toBe(Gate.unknown);
    expect(gate(1_000, 800, [none], ["sync"], none)).toBe(Gate.localFlush);
    // The known instants have to explain when the commit ended: it may have waited until the replica was given up.
    expect(gate(1_000, 799, [9_000], ["sync"], 1_001)).toBe(Gate.unknown);
    expect(gate(1_000, 799, [none], ["sync"], none)).toBe(Gate.unknown);
    expect(gate(1_000, 1_001, [none], ["sync"], none)).toBe(Gate.unknown);
    expect(gate(1_000, undefined, [none], ["sync"], none)).toBe(Gate.unknown);
  });

  it("is unknown for a commit that ended long after what is known, before the acknowledgment of a synchronous replica", () => {
    expect(gate(1_000, 800, [1_001], ["sync"])).toBe(Gate.localFlush);
    expect(gate(1_000, 799, [1_001], ["sync"])).toBe(Gate.unknown);
    expect(gate(1_000, 799, [1_001], ["undetermined"])).toBe(Gate.localFlush);
    expect(gate(1_000, 500, [1_001, 900], sync)).toBe(Gate.ofSecondary(1));
  });

  it("is the other replica's acknowledgment where the block was not sent to one of two", () => {
    const gateOfTwo = (end: number, modes: readonly CommitMode[]): number => {
      const { local, hops } = world([{ flushed: 500, acks: [900, Number.NaN] }]);
      hops[1].at.departed[0] = end + 1;
      return gateOf(0, end, local, hops, modes);
    };
    expect(gateOfTwo(1_000, sync)).toBe(Gate.ofSecondary(0));
    expect(gateOfTwo(1_101, sync)).toBe(Gate.unknown);
    // An undetermined replica does not have to explain the commit's end.
    expect(gateOfTwo(1_101, ["sync", "undetermined"])).toBe(Gate.ofSecondary(0));
  });

  it("is an acknowledgment without a known log write only where there is hardly room for one behind it", () => {
    expect(gate(1_000, undefined, [800, 700], sync)).toBe(Gate.ofSecondary(0));
    expect(gate(1_000, undefined, [799, 700], sync)).toBe(Gate.unknown);
  });

  it("is unknown where the log write ended behind the commit and no acknowledgment came", () => {
    expect(gate(1_000, 1_001, [], [])).toBe(Gate.unknown);
  });

  it("is unknown for a block that is not in the capture", () => {
    const { local, hops } = world([{ flushed: 900, acks: [950] }]);
    expect(gateOf(-1, 1_000, local, hops, ["sync"])).toBe(Gate.unknown);
  });
});

describe("whether commits wait for a secondary", () => {
  /**
   * Commits at 1,000: `early` of them end before the acknowledgment and `last` wait for it, the others for the log
   * write.
   */
  function modeOf(of: number, early: number, last: number): CommitMode {
    const blocks = Array.from({ length: of }, (_, i) => {
      const ack = i < early ? 1_100 : i < early + last ? 950 : 850;
      return { flushed: 900, acks: [ack] };
    });
    const { local, hops } = world(blocks);
    return modesOf(commitsEnding(blocks.map(() => 1_000)), local, hops)[0];
  }

  it("they do not where over one in twenty ends before its acknowledgment", () => {
    expect(modeOf(100, 5, 50)).toBe("sync");
    expect(modeOf(100, 6, 50)).toBe("async");
  });

  it("they do where over one in twenty is released by it, else it stays open", () => {
    expect(modeOf(100, 0, 6)).toBe("sync");
    expect(modeOf(100, 0, 5)).toBe("undetermined");
  });

  it("is not shown by commits that ended before their block was sent: the replica was away", () => {
    const late = (count: number) =>
      Array.from({ length: count }, () => ({ flushed: 900, acks: [9_000], sent: 1_001 }));
    const waited = (count: number) => Array.from({ length: count }, () => ({ flushed: 900, acks: [950] }));
    const modeFor = (blocks: Parameters<typeof world>[0]): CommitMode => {
      const { local, hops } = world(blocks);
      return modesOf(commitsEnding(blocks.map(() => 1_000)), local, hops)[0];
    };
    expect(modeFor([...waited(5), ...late(95)])).toBe("sync");
    // A replica to which nearly all blocks are sent later than commits end.
    expect(modeFor([...waited(4), ...late(96)])).toBe("async");
    expect(modeFor(late(3))).toBe("async");
  });

  it("a commit that ends in the µs of its acknowledgment was released by it, not before", () => {
    const { local, hops } = world(Array.from({ length: 20 }, () => ({ flushed: 500, acks: [900] })));
    expect(modesOf(commitsEnding(Array.from({ length: 20 }, () => 900)), local, hops)).toEqual(["sync"]);
    expect(modesOf(commitsEnding(Array.from({ length: 20 }, () => 899)), local, hops)).toEqual(["async"]);
  });

  it("it stays open where no commit shows it", () => {
    const { local, hops } = world([{ flushed: 900, acks: [Number.NaN] }]);
    expect(modesOf(commitsEnding([1_000]), local, hops)).toEqual(["undetermined"]);
    const { local: l, hops: h } = world([{ flushed: 900, acks: [950] }]);
    expect(modesOf({ ...commitsEnding([1_000]), block: Int32Array.of(-1) }, l, h)).toEqual(["undetermined"]);
  });

  it("an acknowledgment in the same µs as the log write does not make a commit wait for it", () => {
    const { local, hops } = world([{ flushed: 900, acks: [900] }]);
    expect(modesOf(commitsEnding([1_000]), local, hops)).toEqual(["undetermined"]);
  });

  it("the last of several decides, and a missing log write leaves it to them", () => {
    const { local, hops } = world([{ acks: [950, 900] }]);
    expect(modesOf(commitsEnding([1_000]), local, hops)).toEqual(["sync", "undetermined"]);
  });
});

describe("commits of a capture", () => {
  const paths = blocksInARow(3, 10_000);
  const ids = { local: 6, block: paths[0].block } as const;
  const harden = (us: number, published: number, more: Partial<EventSpec> = {}): EventSpec => ({
    kind: "commitManagerHarden",
    published,
    took: us,
    local: 6,
    database: DATABASE,
    ...more,
  });
  const commitsOf = (...more: EventSpec[]) =>
    buildModel([
      {
        role: "primary",
        columns: eventColumns([
          ...paths.flatMap((path) => [...localEvents(path), ...hopEvents(path)]),
          ...more,
        ]),
      },
    ]);

  it("are ordered by their start and belong to their block", () => {
    const { commits, blocks } = commitsOf(
      { ...ids, kind: "commit", at: paths[0].at - 500, took: 5_400 },
      { local: 6, kind: "commit", at: paths[1].at - 20, took: 3_000, block: blockId(0x22, 0x9999) },
    );
    expect([...commits.block]).toEqual([0, 0, -1, 1, 2]);
    expect([...commits.start].map((at) => at - commits.start[0])).toEqual([0, 500, 10_480, 10_500, 20_500]);
    expect(commits.end[0] - commits.start[0]).toBe(5_400);
    expect([...blocks.commits]).toEqual([2, 1, 1]);
  });

  it("leave out those of other databases", () => {
    const other: EventSpec = {
      local: 1,
      kind: "commit",
      at: paths[0].at,
      took: 3_000,
      block: blockId(0x99, 16),
    };
    expect(commitsOf(other).commits.length).toBe(3);
  });

  it("carry what the commit manager reports next to their own event", () => {
    const { commits } = commitsOf(
      harden(4_001, paths[0].at + 4_990),
      harden(4_003, paths[2].at + 4_990),
      harden(4_002, paths[1].at + 4_990),
    );
    expect([...commits.timeToCommit]).toEqual([4_001, 4_002, 4_003]);
  });

  it("carry it where the capture begins between the two events of the first commit", () => {
    const { commits, warnings } = commitsOf(
      harden(4_002, paths[1].at + 4_990),
      harden(4_003, paths[2].at + 4_990),
    );
    expect([...commits.timeToCommit]).toEqual([Number.NaN, 4_002, 4_003]);
    // One commit at each end of a file is usually missing.
    expect(warnings).not.toContainEqual(expect.stringContaining("Commits without"));
  });

  it("carry their own where two were published in one tick, in another order than they began", () => {
    const earlier: EventSpec = { ...ids, kind: "commit", at: paths[0].at - 9_000, took: 14_000 };
    const { commits } = commitsOf(
      earlier,
      harden(4_980, paths[0].at + 4_990),
      harden(13_980, paths[0].at + 4_990),
    );
    expect(commits.timeToCommit.slice(0, 2)).toEqual(Float64Array.of(13_980, 4_980));
  });

  it("carry none that is of no commit, and a warning counts what has no partner", () => {
    const { commits, warnings } = commitsOf(
      harden(4_001, paths[0].at + 4_990),
      harden(4_009, paths[0].at - 60_000),
    );
    expect([...commits.timeToCommit]).toEqual([4_001, Number.NaN, Number.NaN]);
    expect(warnings).toContain(
      "Commits without hadr_db_commit_mgr_harden: 2 of 3. Its events without a commit: 1.",
    );
  });

  it("carry it by block where the event names its block, in the order of their ends", () => {
    const second: EventSpec = { ...ids, kind: "commit", at: paths[0].at - 500, took: 5_400 };
    const named = (us: number, path: number, at: number): EventSpec =>
      harden(us, paths[path].at + at, { block: paths[path].block });
    const { commits } = commitsOf(
      second,
      named(4_009, 2, 4_000),
      named(4_001, 0, 4_990),
      named(4_000, 0, 4_900),
    );
    // The commit that began first in the first block ended first: at 4,900, the other at 5,000.
    expect([...commits.timeToCommit]).toEqual([4_000, 4_001, Number.NaN, 4_009]);
  });

  it("do not take what is reported of a block whose own commit was lost", () => {
    const named = paths.map(({ at, block }, i) => harden(4_001 + i, at + 4_990, { block }));
    const events = paths.flatMap((path) => [...localEvents(path), ...hopEvents(path)]);
    const isLost = ({ kind, block }: EventSpec): boolean => kind === "commit" && block === paths[1].block;
    const columns = eventColumns([...events.filter((event) => !isLost(event)), ...named]);
    const { commits } = buildModel([{ role: "primary", columns }]);
    expect([...commits.timeToCommit]).toEqual([4_001, 4_003]);
  });

  it("do not take what is reported of another database", () => {
    const other = harden(4_001, paths[0].at + 4_990, { database: "orders-id", local: 7 });
    expect([...commitsOf(other).commits.timeToCommit]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });
});
