/** Progress reports of a file while it is read. */
import { filetimeText, readXelBytes } from "xel-parser/format";
import { createXelWriter } from "xel-parser/writer";
import { expect, test } from "vitest";
import { ReadingSoFar } from "./reading-so-far.ts";
import { recognizeFile } from "./recognise.ts";

/** FILETIME of 2016-05-06T02:16:55Z. */
const T0 = 131_069_746_150_000_000n;
const SECOND = 10_000_000n;

test("points are the counts of events at the times that were read", () => {
  const reading = new ReadingSoFar();
  expect(reading.soFar()).toEqual({ bytes: 0, points: [] });
  reading.add(100, 40, T0 + SECOND);
  reading.add(200, 90, T0 + 3n * SECOND);
  expect(reading.soFar()).toEqual({
    bytes: 200,
    points: [
      { at: "2016-05-06T02:16:56.0000000Z", events: 40 },
      { at: "2016-05-06T02:16:58.0000000Z", events: 90 },
    ],
  });
});

test("the events of a buffer that brings the file no further in time count with those of the next", () => {
  const reading = new ReadingSoFar();
  reading.add(100, 40, T0 + 3n * SECOND);
  reading.add(200, 90, T0 + SECOND);
  reading.add(300, 100, null);
  expect(reading.soFar()).toMatchObject({ bytes: 300, points: [{ events: 40 }] });
  reading.add(400, 140, T0 + 4n * SECOND);
  expect(reading.soFar().points.map(({ events }) => events)).toEqual([40, 140]);
});

test("a file that is read again starts over", () => {
  const reading = new ReadingSoFar();
  reading.add(100, 40, T0 + SECOND);
  reading.add(200, 90, T0 + 2n * SECOND);
  reading.add(100, 40, T0 + SECOND);
  expect(reading.soFar()).toMatchObject({ bytes: 100, points: [{ events: 40 }] });
});

test("however many buffers a file has, there are at most 256 points, from its first to where the reading is", () => {
  const reading = new ReadingSoFar();
  for (let buffer = 1; buffer <= 10_001; buffer++) {
    reading.add(buffer, 7 * buffer, T0 + BigInt(buffer));
    if (buffer % 100 === 0) expect(reading.soFar().points.length).toBeLessThanOrEqual(256);
  }
  const { points } = reading.soFar();
  const buffers = points.map(({ events }) => events / 7);
  expect(buffers.length).toBeGreaterThan(128);
  expect([buffers[0], buffers.at(-1)]).toEqual([1, 10_001]);
  // 10,001 buffers at 256 points: one of 64 is kept, and the last one is reported.
  expect(new Set(buffers.slice(1, -1).map((buffer, index) => buffer - (buffers[index] ?? 0)))).toEqual(
    new Set([64]),
  );
  // Each point is as it was reported, even if points between were skipped.
  for (const [index, { at }] of points.entries())
    expect(at).toBe(`2016-05-06T02:16:55.${String(buffers[index]).padStart(7, "0")}Z`);
});

test("a file that is recognized tells what another reader finds in it", async () => {
  const name = "log_flush_start";
  const schema = { packages: [{ name: "sqlserver", id: 2, events: [{ name, columns: [] }] }] };
  const writer = createXelWriter(schema, { bufferBytes: 20_000 });
  for (let i = 1; i <= 20_000; i++) writer.write(name, 10_000 * i, {});
  const bytes = writer.finish();
  async function* once() {
    yield bytes;
  }
  const reading = new ReadingSoFar();
  const file = {
    name: "a.xel",
    size: bytes.length,
    bytes: once,
    chunks: once,
    head: (length: number) => Promise.resolve(bytes.subarray(0, length)),
    tail: (length: number) => Promise.resolve(bytes.subarray(-length)),
  };
  const recognised = await recognizeFile(file, {
    replace: () => Promise.reject(new Error("is no text")),
    onProgress: reading.add,
  });
  const { points, bytes: read } = reading.soFar();
  const { events } = readXelBytes(bytes);
  expect(points.length).toBeGreaterThan(10);
  // The n-th event of the file is the last of the first n.
  const times = events.map(({ ticks }) => filetimeText(ticks));
  expect(points.map(({ at }) => at)).toEqual(points.map(({ events: count }) => times[count - 1]));
  expect([read, points.at(-1)]).toEqual([bytes.length, { at: recognised.to, events: recognised.events }]);
});
