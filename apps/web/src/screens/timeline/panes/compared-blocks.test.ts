import { expect, test } from "vitest";
import type { Sequence } from "@aglens/contract";
import { comparedRows } from "./compared-blocks.ts";

/** A block with stages towards the first secondary, µs, and commits with these wait times. */
const block = (stages: Readonly<Record<string, number | null>>, commits: readonly number[] = []): Sequence =>
  ({
    commits: commits.map((us) => ({ start: 100, end: 100 + us })),
    hops: [{ secondary: 0, stages: Object.entries(stages).map(([id, duration]) => ({ id, duration })) }],
  }) as unknown as Sequence;

const rows = (...blocks: Sequence[]) =>
  Object.fromEntries(
    comparedRows(blocks, 0).map(({ figure, values, difference, sum }) => [figure, [values, difference, sum]]),
  );

test("of two blocks the difference is the second less the first", () => {
  const found = rows(
    block({ remoteHarden: 9_000, secondaryFlush: 6_000 }, [9_500, 9_900]),
    block({ remoteHarden: 4_000, secondaryFlush: 7_500 }, [5_000]),
  );
  expect(found).toEqual({
    commit: [[9_900, 5_000], -4_900, 14_900],
    remoteHarden: [[9_000, 4_000], -5_000, 13_000],
    secondaryFlush: [[6_000, 7_500], 1_500, 13_500],
  });
});

test("of more it is the longest less the shortest", () => {
  expect(rows(block({ send: 200 }), block({ send: 900 }), block({ send: 100 }))).toEqual({
    send: [[200, 900, 100], 800, 1_200],
  });
});

test("what is not known of one block has no sum, and no difference where one alone is known", () => {
  expect(rows(block({ send: 200 }), block({ send: null }))).toEqual({ send: [[200, null], null, null] });
  expect(rows(block({ send: 200 }), block({ send: null }), block({ send: 500 }))).toEqual({
    send: [[200, null, 500], 300, null],
  });
  expect(comparedRows([block({ send: 200 })], 1)).toEqual([]);
});
