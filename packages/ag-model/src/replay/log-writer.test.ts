import { describe, expect, it } from "vitest";
import { logWriterOf } from "./log-writer.ts";
import { WriteQueue } from "./write-queue.ts";

const instants = (rows: readonly (readonly [entered: number, start: number, end: number])[]) => ({
  entered: Float64Array.from(rows, ([entered]) => entered),
  start: Float64Array.from(rows, ([, start]) => start),
  end: Float64Array.from(rows, ([, , end]) => end),
});

describe("a log writer read from its instants", () => {
  it("that writes together what waited: who waited, since when, and which blocks share a write", () => {
    const writer = logWriterOf(
      instants([
        [0, 100, 5_100],
        [1_000, 5_101, 8_101],
        [2_000, 5_101, 8_101],
        [20_000, 20_100, 21_000],
      ]),
    );
    expect(writer.policy).toBe("together");
    expect([...writer.first]).toEqual([1, 1, 0, 1]);
    expect([...writer.waited]).toEqual([0, 1, 1, 0]);
    expect([...writer.ready]).toEqual([100, 1_100, 2_100, 20_100]);
    expect(writer.turnaround).toBe(1);
  });

  it("takes blocks for one write whose starts follow each other within µs, however long the row of them is", () => {
    const shared = Array.from(
      { length: 8 },
      (_, i) => [1_000 + 100 * i, 5_101 + 1.5 * i, 8_101 + 1.5 * i] as const,
    );
    const writer = logWriterOf(instants([[0, 100, 5_100], ...shared, [6_000, 8_113, 9_000]]));
    expect([...writer.first]).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect([...writer.waited]).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    // Handling takes 100 µs, as the only block that did not wait shows.
    expect([...writer.ready]).toEqual([100, 1_100, 1_200, 1_300, 1_400, 1_500, 1_600, 1_700, 1_800, 6_100]);
    expect(writer.policy).toBe("together");
  });

  it("that writes one block after the other", () => {
    const writer = logWriterOf(
      instants([
        [0, 100, 5_100],
        [1_000, 5_105, 8_000],
        [2_000, 8_005, 9_000],
      ]),
    );
    expect(writer.policy).toBe("oneByOne");
    expect([...writer.ready]).toEqual([100, 1_100, 2_100]);
  });

  it("that writes beside the running write: nothing waits", () => {
    const writer = logWriterOf(
      instants([
        [0, 100, 5_100],
        [1_000, 1_100, 8_000],
        [2_000, 2_100, 3_000],
      ]),
    );
    expect(writer.policy).toBe("atOnce");
    expect([...writer.waited]).toEqual([0, 0, 0]);
    expect([...writer.ready]).toEqual([100, 1_100, 2_100]);
  });

  it("does not call it waiting when a block came after the write had ended, or was written long after", () => {
    const writer = logWriterOf(
      instants([
        [0, 100, 5_100],
        [5_100, 5_102, 6_000],
        [5_500, 6_700, 7_000],
        [6_900, 7_010, 8_000],
      ]),
    );
    expect([...writer.waited]).toEqual([0, 0, 0, 1]);
  });

  it("takes the usual handling for a block that waited, not that of one slow block before it", () => {
    const rows = [0, 1, 2, 3, 4, 5, 6].map((i) => [10_000 * i, 10_000 * i + 100, 10_000 * i + 600] as const);
    const slow = [80_000, 83_000, 85_000] as const;
    const waited = [84_000, 85_001, 86_000] as const;
    expect(logWriterOf(instants([...rows, slow, waited])).ready[8]).toBe(84_100);
  });
});

describe("a queue of writes", () => {
  const play = (queue: WriteQueue, blocks: readonly (readonly [number, number])[]) =>
    blocks.map(([ready, duration]) => {
      const first = queue.take(ready, duration);
      return [first, queue.start, queue.end];
    });

  it("together: blocks that come during a write share the next one", () => {
    expect(
      play(new WriteQueue("together", 2), [
        [100, 1_000],
        [500, 300],
        [600, 9_999],
        [1_102, 9_999],
        [1_103, 50],
        [5_000, 10],
      ]),
    ).toEqual([
      [true, 100, 1_100],
      [true, 1_102, 1_402],
      [false, 1_102, 1_402],
      [false, 1_102, 1_402],
      [true, 1_404, 1_454],
      [true, 5_000, 5_010],
    ]);
  });

  it("one by one, and at once", () => {
    const blocks = [
      [100, 1_000],
      [500, 300],
      [600, 10],
    ] as const;
    expect(play(new WriteQueue("oneByOne", 2), blocks)).toEqual([
      [true, 100, 1_100],
      [true, 1_102, 1_402],
      [true, 1_404, 1_414],
    ]);
    expect(play(new WriteQueue("atOnce", 2), blocks)).toEqual([
      [true, 100, 1_100],
      [true, 500, 800],
      [true, 600, 610],
    ]);
  });
});
