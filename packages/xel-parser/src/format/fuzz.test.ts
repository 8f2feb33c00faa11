import { expect, test } from "vitest";
import {
  decodeColumns,
  readXel,
  readXelBytes,
  XelFormatError,
  type ColumnRequest,
  type FileReport,
} from "./index.ts";
import { createXelWriter } from "./writer.ts";

const SEEDS = 400;
const REQUEST: ColumnRequest = {
  events: [
    {
      name: "hop",
      kind: 1,
      fields: ["block", "replica", "mode", "text"].map((name) => ({ field: name, column: name })),
    },
  ],
  columns: [
    { name: "block", type: "u64" },
    { name: "replica", type: "guid" },
    { name: "mode", type: "text" },
    { name: "text", type: "text" },
  ],
};

/** A small generator with a seed (mulberry32), so that a failure can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function makeFile(): Uint8Array {
  const writer = createXelWriter(
    {
      packages: [
        {
          name: "sqlserver",
          id: 2,
          maps: [{ name: "mode", bytes: 1, entries: [[0, "sync"]] }],
          events: [
            {
              name: "hop",
              columns: [
                { name: "block", type: "uint64" },
                { name: "replica", type: "guid" },
                { name: "mode", type: { map: "mode" } },
                { name: "text", type: "unicode_string" },
              ],
            },
          ],
          actions: [{ name: "session_id", type: "uint16" }],
        },
      ],
    },
    { bufferBytes: 2048 },
  );
  for (let index = 0; index < 200; index++) {
    writer.write("hop", index, { block: BigInt(index), text: "x".repeat(index % 20) }, { session_id: index });
  }
  return writer.finish();
}

function mutate(original: Uint8Array, random: (below: number) => number): Uint8Array {
  const bytes = original.slice();
  for (let flips = random(6); flips >= 0; flips--) bytes[random(bytes.length)] = random(256);
  const change = random(4);
  if (change === 0) return bytes.subarray(0, random(bytes.length));
  if (change === 1) return bytes.fill(random(256), random(bytes.length));
  const at = random(bytes.length);
  if (change === 2) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random(600))]);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(random(bytes.length))]);
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function attempt<T>(read: () => T | Promise<T>): Promise<T | XelFormatError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof XelFormatError) return error;
    throw error;
  }
}

async function streamed(bytes: Uint8Array, size: number): Promise<{ offsets: number[]; report: FileReport }> {
  const offsets: number[] = [];
  const events = readXel(inChunks(bytes, size));
  let item = await events.next();
  for (; item.done !== true; item = await events.next()) offsets.push(item.value.offset);
  return { offsets, report: item.value };
}

test(`${SEEDS} damaged files: no crash, no hang, and all three ways of reading agree`, async () => {
  const original = makeFile();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = randomFrom(seed);
    const bytes = mutate(original, random);
    const whole = await attempt(() => readXelBytes(bytes));
    const stream = await attempt(() => streamed(bytes, 1 + random(3000)));
    const columns = await attempt(() => decodeColumns(inChunks(bytes, 1 + random(3000)), REQUEST));
    if (
      whole instanceof XelFormatError ||
      stream instanceof XelFormatError ||
      columns instanceof XelFormatError
    ) {
      expect([whole, stream, columns].every((result) => result instanceof XelFormatError)).toBe(true);
      continue;
    }
    expect(stream.report, `seed ${seed}`).toEqual(whole.report);
    expect(stream.offsets).toEqual(whole.events.map((event) => event.offset));
    // Flipped names hide events and fields from the request, so only the counts of all events must agree.
    expect(columns.report.fileSize).toBe(bytes.length);
    expect(columns.columns.length).toBeLessThanOrEqual(columns.report.events);
    for (const gap of whole.report.gaps) {
      expect(gap.bytes).toBeGreaterThanOrEqual(0);
      expect(gap.offset + gap.bytes).toBeLessThanOrEqual(bytes.length);
    }
  }
});
