import { expect, test } from "vitest";
import { inChunks } from "../../../test/bytes.ts";
import {
  decodeColumns,
  decodePart,
  joinReports,
  splitXel,
  type ColumnRequest,
  type NumberedEvents,
} from "../index.ts";
import { createXelWriter } from "../../writer/index.ts";

const REQUEST: ColumnRequest = {
  events: [{ name: "wanted", kind: 1, fields: [] }],
  columns: [],
  numberedBy: "event_sequence",
};
/** FILETIME of the writer's tick 0, 2024-01-01. */
const START = 133_485_408_000_000_000;
const SECOND = 10_000_000;

/** A record: its number, and when it was published, ticks after the start; null for one without a number. */
type NumberedRecord = readonly [number: number | null, ticks: number];

function fileOf(records: readonly NumberedRecord[], bufferBytes = 600): Uint8Array {
  const writer = createXelWriter(
    {
      packages: [
        { name: "package0", id: 0, actions: [{ name: "event_sequence", type: "uint64" }, { name: "session_id", type: "uint16" }] },
        { name: "sqlserver", id: 2, events: [{ name: "wanted", columns: [] }, { name: "unwanted", columns: [] }] },
      ],
    },
    { bufferBytes },
  ); // prettier-ignore
  for (const [i, [number, ticks]] of records.entries())
    writer.write(i % 3 === 0 ? "unwanted" : "wanted", ticks, {}, {
      session_id: 57,
      ...(number === null ? {} : { event_sequence: number }),
    }); // prettier-ignore
  return writer.finish();
}

const numbersOf = async (
  records: readonly NumberedRecord[],
  request = REQUEST,
): Promise<NumberedEvents | undefined> =>
  (await decodeColumns(inChunks(fileOf(records), 1_000), request)).report.numbers;

/** First, last and count of each run, by session. */
const runsOf = (numbers: NumberedEvents | undefined) =>
  numbers?.sessions.map((runs) => runs.map(({ first, last, count }) => [first, last, count]));

const inOrder = (numbers: readonly number[]): NumberedRecord[] =>
  numbers.map((number, i) => [number, i * 1_000]);
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

test("numbers without a hole are one run, of requested and other events", async () => {
  const numbers = await numbersOf(inOrder(range(133, 281)));
  expect(numbers).toMatchObject({ events: 149, odd: 0 });
  expect(runsOf(numbers)).toEqual([[[133, 281, 149]]]);
  expect(numbers?.sessions[0][0]).toMatchObject({ fromTicks: START, toTicks: START + 148_000 });
});

test("a hole has the times and the places of the events around it", async () => {
  const numbers = await numbersOf(inOrder([...range(1, 10), ...range(14, 20)]));
  const [runs] = numbers!.sessions;
  expect(runs.map(({ first, last }) => [first, last])).toEqual([
    [1, 10],
    [14, 20],
  ]);
  expect(runs[0].toTicks).toBe(START + 9_000);
  expect(runs[1].fromTicks).toBe(START + 10_000);
  expect(runs[0].toOffset).toBeGreaterThan(runs[0].fromOffset);
  expect(runs[1].fromOffset).toBeGreaterThan(runs[0].toOffset);
});

test("records out of order leave no hole, as two buffers that fill in turn", async () => {
  const odd = range(1, 500).filter((n) => n % 2 === 1);
  const even = range(1, 500).filter((n) => n % 2 === 0);
  const records = [...odd, ...even].map((n): NumberedRecord => [n, n * 1_000]);
  expect(runsOf(await numbersOf(records))).toEqual([[[1, 500, 500]]]);
  // Two events of a quiet session may be as far apart as two buffers of it.
  const quiet = [1, 10, 2, 9, 11, 3, 4, 5, 6, 7, 8].map((n): NumberedRecord => [n, n * 60 * SECOND]);
  expect(runsOf(await numbersOf(quiet))).toEqual([[[1, 11, 11]]]);
  const swapped = [...range(133, 145), 147, 146, ...range(148, 281)];
  expect(runsOf(await numbersOf(inOrder(swapped)))).toEqual([[[133, 281, 149]]]);
});

test("a session that starts again begins its numbers again", async () => {
  const first: NumberedRecord[] = range(1, 100).map((n) => [n, n]);
  const again: NumberedRecord[] = range(1, 60).map((n) => [n, 30 * SECOND + n]);
  expect(runsOf(await numbersOf([...first, ...again]))).toEqual([[[1, 100, 100]], [[1, 60, 60]]]);
  const later: NumberedRecord[] = range(5_000, 5_100).map((n) => [n, n]);
  expect(runsOf(await numbersOf([...later, ...again]))).toEqual([[[5_000, 5_100, 101]], [[1, 60, 60]]]);
});

test("a session that starts again is found after a publish time that damage made", async () => {
  const first: NumberedRecord[] = range(1, 100).map((n) => [n, n === 40 ? 10_000_000 * SECOND : n]);
  const again: NumberedRecord[] = range(1, 60).map((n) => [n, 30 * SECOND + n]);
  expect(runsOf(await numbersOf([...first, ...again]))).toEqual([[[1, 100, 100]], [[1, 60, 60]]]);
});

test("a number that damage made is skipped", async () => {
  const damaged = inOrder([...range(1, 50), 2 ** 50, ...range(52, 90)]);
  const numbers = await numbersOf(damaged);
  expect(numbers).toMatchObject({ events: 90, odd: 1 });
  expect(runsOf(numbers)).toEqual([[[1, 50, 50], [52, 90, 39]]]); // prettier-ignore
  expect(runsOf(await numbersOf(inOrder([2 ** 50, ...range(1, 50)])))).toEqual([[[1, 50, 50]]]);
  expect(runsOf(await numbersOf(inOrder([...range(1, 50), 2 ** 50])))).toEqual([[[1, 50, 50]]]);
});

test("a loss of millions is one hole", async () => {
  const numbers = await numbersOf(inOrder([...range(1, 50), ...range(4_000_001, 4_000_050)]));
  expect(runsOf(numbers)).toEqual([[[1, 50, 50], [4_000_001, 4_000_050, 50]]]); // prettier-ignore
});

test("of very many holes the largest are kept, and every event is counted", async () => {
  // Every second number is missing, and once a thousand.
  const numbers = [...range(1, 10_000).map((n) => 2 * n), ...range(11_000, 12_000).map((n) => 2 * n)];
  const found = await numbersOf(inOrder(numbers));
  const [runs] = found!.sessions;
  expect(runs.length).toBeLessThanOrEqual(2_048);
  expect(runs.reduce((sum, { count }) => sum + count, 0)).toBe(numbers.length);
  expect(runs.find(({ last }) => last === 20_000)).toBeDefined();
  expect(runs.find(({ first }) => first === 22_000)).toBeDefined();
});

test("one event is a run of its own; events without the action are not counted", async () => {
  expect(runsOf(await numbersOf([[7, 0]]))).toEqual([[[7, 7, 1]]]);
  expect(await numbersOf([[1, 0], [null, 1], [2, 2]])).toMatchObject({ events: 2 }); // prettier-ignore
  expect(await numbersOf([[null, 0], [null, 1]])).toBeUndefined(); // prettier-ignore
});

test("without the request there are none", async () => {
  const { numberedBy: _, ...request } = REQUEST;
  expect(await numbersOf(inOrder(range(1, 5)), request)).toBeUndefined();
});

test("parts of a file together have the numbers of all", async () => {
  const file = fileOf(inOrder([...range(1, 200), ...range(211, 400)]));
  const read = (offset: number, length: number) => Promise.resolve(file.slice(offset, offset + length));
  const parts = await splitXel(read, file.length, 3);
  const reports = await Promise.all(
    parts.map(
      async (part) =>
        (await decodePart(inChunks(file.subarray(part.from, part.to), 1_000), part, REQUEST)).report,
    ),
  );
  const numbers = joinReports(reports).numbers!;
  expect(numbers.events).toBe(390);
  const runs = numbers.sessions.flat();
  expect(runs.reduce((sum, { count }) => sum + count, 0)).toBe(390);
  expect([runs[0].first, runs.at(-1)?.last]).toEqual([1, 400]);
});

test.each([
  ["event_sequence, with the end of its list", { event_sequence: 1 }, 24],
  ["session_id next to it", { event_sequence: 1, session_id: 57 }, 24 + 10],
  ["client_app_name next to it", { event_sequence: 1, client_app_name: "OrderEntry" }, 24 + 8 + 2 * 10],
])("an event with %s is longer by the bytes that docs/guide/actions.md names", (_, actions, bytes) => {
  const sizeOf = (values?: Readonly<Record<string, number | string>>): number => {
    const writer = createXelWriter({
      packages: [
        { name: "package0", id: 0, actions: [
          { name: "event_sequence", type: "uint64" },
          { name: "session_id", type: "uint16" },
          { name: "client_app_name", type: "unicode_string" },
        ] },
        { name: "sqlserver", id: 2, events: [{ name: "wanted", columns: [] }] },
      ],
    }); // prettier-ignore
    const before = writer.size();
    writer.write("wanted", 0, {}, {});
    writer.write("wanted", 0, {}, values);
    return writer.size() - before;
  };
  expect(sizeOf(actions) - sizeOf()).toBe(bytes);
});
