import { describe, expect, it } from "vitest";
import type { EventSpec } from "../../../test/events.ts";
import { serverOf } from "../../../test/servers.ts";
import { blockId } from "../../../test/paths.ts";
import { collectBlocks, rowsOfEvents, rowsOfOwnBlocks } from "./blocks.ts";
import { learnDatabases } from "./databases.ts";
import { attributeSends } from "./send-attribution.ts";

const BLOCK = blockId(0x22, 0x40);

/** A send of the block, by when it began and ended. */
const send = (begin: number, end: number, block = BLOCK): EventSpec => ({
  kind: "sendComplete",
  at: end,
  took: end - begin,
  block,
});

/**
 * Attributes sends in the order in which they are written. `expected[secondary][database]` is when the capture of the block
 * for the secondary began in the database.
 */
function attributed(events: readonly EventSpec[], expected: readonly (readonly number[])[]) {
  const databases = expected[0].map((_, d) => `database-${d}`);
  // The capture makes the block; it is published before everything else, so that file order is that of the events.
  const captures = databases.map((database): EventSpec => ({
    kind: "capture",
    mode: 2,
    at: 0,
    took: 0,
    block: BLOCK,
    database,
    partner: "sql2",
  }));
  const server = serverOf([...captures, ...events.map((event, i) => ({ ...event, published: 1e6 + i }))]);
  const { ids } = learnDatabases([server]);
  const rows = collectBlocks([server], ids.length);
  const rowOf = rowsOfEvents(server, rows, rowsOfOwnBlocks(server, rows));
  const found = attributeSends(
    server,
    rowOf,
    rows,
    expected.map((ofDatabase) => Float64Array.from(rows.database, (d) => ofDatabase[d])),
    () => true,
  );
  return {
    begins: found.map(({ start }) => [...start]),
    ends: found.map(({ end }) => [...end]),
    doubtful: found.map(({ doubtful }) => [...doubtful]),
    rows: [...rowOf].map((row) => rows.database[row]),
  };
}

const none = Number.NaN;

describe("the sends of one block to two secondaries", () => {
  it.each([
    ["in the order of their captures", [send(101, 298), send(135, 260)]],
    ["in the other order", [send(135, 260), send(101, 298)]],
  ])("go each to the capture it began with, %s", (_, events) => {
    const { begins, ends, doubtful } = attributed(events, [[100], [134]]);
    expect(begins).toEqual([[101], [135]]);
    expect(ends).toEqual([[298], [260]]);
    expect(doubtful).toEqual([[0], [0]]);
  });

  it("are placed again when a nearer one takes their slot", () => {
    // 115 is nearer to the first capture (15) than to the second (19), until 101 is assigned, which is nearer still.
    const { begins } = attributed([send(115, 300), send(101, 250)], [[100], [134]]);
    expect(begins).toEqual([[101], [115]]);
  });

  it("are displaced along a row of secondaries until each has its own", () => {
    // 117 is 17 from both captures around it and 152 is 18 from the second, 22 from the third; 101 begins the exchange.
    const { begins } = attributed([send(117, 400), send(152, 410), send(101, 420)], [[100], [134], [174]]);
    expect(begins).toEqual([[101], [117], [152]]);
  });

  it("are each used once, whichever is written first, where two are as near to one capture", () => {
    const { begins, ends } = attributed([send(95, 300), send(105, 310)], [[100], [134]]);
    expect(begins[0]).toEqual([95]);
    expect(ends).toEqual([[300], [310]]);
    const reverse = attributed([send(105, 310), send(95, 300)], [[100], [134]]);
    expect(reverse).toMatchObject({ begins, ends });
  });

  it("that began at once go in the order in which they ended, whichever is written first", () => {
    const sends = [send(117, 400), send(117, 300)];
    for (const events of [sends, sends.toReversed()]) {
      expect(attributed(events, [[100], [134]])).toMatchObject({
        begins: [[117], [117]],
        ends: [[300], [400]],
      });
    }
  });

  it("are used once: what is left goes to the place that is left, and is marked", () => {
    const { begins, ends, doubtful } = attributed([send(101, 298), send(900, 1_000)], [[100], [134]]);
    expect(begins).toEqual([[101], [900]]);
    expect(ends).toEqual([[298], [1_000]]);
    expect(doubtful).toEqual([[0], [1]]);
  });

  it("are doubtful from 16 µs on, for an own send lies within 15", () => {
    expect(attributed([send(115, 298), send(134, 260)], [[100], [134]]).doubtful).toEqual([[0], [0]]);
    expect(attributed([send(84, 298), send(134, 260)], [[100], [134]]).doubtful).toEqual([[1], [0]]);
  });

  it("are given so that all have a place, where the nearest one would leave a secondary without", () => {
    // 1,120 is nearest to the second capture, 14 away, but 1,190 can begin only there: 1,120 is assigned to the first.
    const { begins } = attributed([send(1_120, 1_300), send(1_190, 1_400)], [[130], [1_134]]);
    expect(begins).toEqual([[1_120], [1_190]]);
  });

  it("stay where they fit to the µs, even where the other one was held up", () => {
    const { begins, doubtful } = attributed([send(136, 300), send(168, 400)], [[100], [134]]);
    expect(begins).toEqual([[168], [136]]);
    expect(doubtful).toEqual([[1], [0]]);
  });

  it("are all doubtful where captures or sends are too near each other to tell them apart", () => {
    expect(attributed([send(101, 298), send(106, 260)], [[100], [105]]).doubtful).toEqual([[1], [1]]);
    expect(attributed([send(101, 298), send(107, 260)], [[100], [106]]).doubtful).toEqual([[0], [0]]);
    expect(attributed([send(117, 298)], [[100], [134]]).doubtful).toEqual([[1], [0]]);
  });

  it("are certain from 55 µs² on by which every other way is worse", () => {
    // In the other order, two sends 5 µs apart cost 2 * 5 * distance more where both fit within 15 µs.
    expect(attributed([send(100, 298), send(105, 260)], [[100], [105.5]]).doubtful).toEqual([[0], [0]]);
    expect(attributed([send(100, 298), send(105, 260)], [[100], [105.4]]).doubtful).toEqual([[1], [1]]);
    // The cost of the best way itself does not matter: 16 + 16 against 1 + 81.
    expect(attributed([send(104, 298), send(109, 260)], [[100], [105]]).doubtful).toEqual([[1], [1]]);
    // To leave a send without a place costs 9 at 3 µs and 64 at 8 µs.
    expect(attributed([send(103, 298), send(108, 260)], [[100], [none]]).doubtful).toEqual([[0], [0]]);
    expect(attributed([send(103, 298), send(107.9, 260)], [[100], [none]]).doubtful).toEqual([[1], [0]]);
  });

  it("are the nearest of more sends than places, whichever is written first", () => {
    expect(attributed([send(50, 298), send(101, 260)], [[100], [none]]).begins).toEqual([[101], [none]]);
    expect(attributed([send(101, 260), send(50, 298)], [[100], [none]]).begins).toEqual([[101], [none]]);
  });

  it("are missing where there is only one event", () => {
    const { begins, doubtful } = attributed([send(135, 260)], [[100], [134]]);
    expect(begins).toEqual([[none], [135]]);
    expect(doubtful).toEqual([[0], [0]]);
  });

  it("are nobody's beyond 1 ms: the capture they began with was lost", () => {
    expect(attributed([send(1_134, 2_000)], [[100], [134]]).begins).toEqual([[none], [1_134]]);
    expect(attributed([send(1_135, 2_000)], [[100], [134]]).begins).toEqual([[none], [none]]);
    expect(attributed([send(101, 298), send(600, 700)], [[100], [none]]).begins).toEqual([[101], [none]]);
  });
});

describe("the sends of blocks with one id in two databases", () => {
  it("go to the database whose capture began with them", () => {
    const { begins, rows } = attributed([send(502, 600), send(101, 298)], [[100, 500]]);
    expect(begins).toEqual([[101, 502]]);
    expect(rows).toEqual([1, 0]);
  });

  it("leave one without when both began with one database's", () => {
    const { begins, rows } = attributed([send(101, 298), send(102, 299)], [[100, 2_000]]);
    expect(begins).toEqual([[101, none]]);
    // The other send belongs to no block.
    expect(rows).toEqual([0, undefined]);
  });
});

describe("the send of a block to the only secondary", () => {
  it("is its own however late it began, without a doubt", () => {
    const { begins, doubtful } = attributed([send(5_000, 6_000)], [[100]]);
    expect(begins).toEqual([[5_000]]);
    expect(doubtful).toEqual([[0]]);
  });

  it("is its own where the capture's event was lost", () => {
    expect(attributed([send(5_000, 6_000)], [[none]]).begins).toEqual([[5_000]]);
    expect(attributed([send(5_000, 6_000), send(4_000, 7_000)], [[none]]).begins).toEqual([[5_000]]);
  });

  it("is nobody's where no other event names its block", () => {
    expect(attributed([send(101, 298, blockId(0x22, 0x80))], [[100]]).begins).toEqual([[none]]);
  });

  it("is the nearest one where there are two", () => {
    expect(attributed([send(150, 300), send(101, 400)], [[100]]).ends).toEqual([[400]]);
    expect(attributed([send(101, 400), send(150, 300)], [[100]]).ends).toEqual([[400]]);
  });
});
