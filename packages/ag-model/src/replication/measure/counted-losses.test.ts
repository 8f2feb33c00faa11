import { expect, test } from "vitest";
import type { EventFile } from "../../events/index.ts";
import { FileReadingOfParts } from "../../events/reading-of-parts.ts";
import { countedLosses } from "./counted-losses.ts";

const MS = 10_000;

/** A file whose events have these numbers, one event per ms. */
function fileOf(numbers: readonly (readonly [first: number, last: number])[]): EventFile {
  const runs = numbers.map(([first, last], i) => ({
    first,
    last,
    count: last - first + 1,
    fromTicks: first * MS,
    toTicks: last * MS,
    fromOffset: i * 1_000,
    toOffset: i * 1_000 + 500,
  }));
  const events = runs.reduce((sum, { count }) => sum + count, 0);
  const reading = new FileReadingOfParts().reading({ numbers: { events, odd: 0, sessions: [runs] } });
  return { name: "a.xel", size: 1e6, events, gaps: [], reading };
}

test("of very many places the largest stays as it is, and joined ones are marked", () => {
  // Each third number is missing, and 500 from 30,003 on.
  const numbers = Array.from({ length: 20_000 }, (_, i): [number, number] => {
    const first = 3 * i + 1 + (i > 10_000 ? 500 : 0);
    return [first, first + 1];
  });
  const duration = 60_500_000;
  const joined = { servers: [{ files: [fileOf(numbers)] }], replicaOf: [0], baseTicks: 0n } as never;
  const { countedLosses: found } = countedLosses(
    joined,
    { atUtc: [(us: number) => us] },
    {
      start: 0,
      duration,
      bases: [0],
    },
  );
  const [{ lost, places }] = found!;
  expect(lost).toBe(19_999 + 500);
  expect(places.length).toBeLessThan(1_500);
  expect(places.reduce((sum, { events }) => sum + events, 0)).toBe(lost);
  const [largest] = places.toSorted((a, b) => b.events - a.events);
  // Between numbers 30,002 and 30,504, which are one ms apart from their neighbors.
  expect(largest).toEqual({
    from: 30_002_000,
    to: 30_504_000,
    events: 501,
    cause: "dropped",
    before: 0,
    after: 0,
  });
  expect(places.filter(({ events }) => events > 1 && events < 501).every(({ isJoined }) => isJoined)).toBe(
    true,
  );
});
