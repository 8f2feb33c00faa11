import { expect, test } from "vitest";
import { feedOf, type ByteSource } from "./byte-source.ts";
import { decodeColumns, readXel, type ColumnRequest, type XelEvent } from "./index.ts";
import { ByteWindow } from "./walk/window.ts";
import { createXelWriter } from "../writer/index.ts";

const EVENTS = 3000;
const REQUEST: ColumnRequest = {
  events: [{ name: "tick", kind: 1, fields: [{ field: "number", column: "number" }] }],
  columns: [{ name: "number", type: "int" }],
};

function fileOfEvents(bufferBytes: number): Uint8Array {
  const columns = [{ name: "number", type: "int64" }] as const;
  const writer = createXelWriter(
    { packages: [{ name: "sqlserver", id: 2, events: [{ name: "tick", columns }] }] },
    { bufferBytes },
  );
  for (let i = 0; i < EVENTS; i++) writer.write("tick", i, { number: i });
  return writer.finish();
}

/** A source that returns at most `most` bytes per call, at once or later. */
function sourceOf(bytes: Uint8Array, most: number, later: boolean) {
  let at = 0;
  const state = { closed: 0 };
  const source: ByteSource = {
    read(into) {
      const count = Math.min(into.length, most, bytes.length - at);
      into.set(bytes.subarray(at, at + count));
      at += count;
      return later ? Promise.resolve(count) : count;
    },
    close() {
      state.closed++;
    },
  };
  return { source, state };
}

async function* inChunks(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

test.each([
  [600, 7, false],
  [600, 1_000_000, true],
  [100_000, 5000, true],
  [100_000, 1_000_000, false],
])("buffers of %d bytes, at most %d at once, later: %s", async (bufferBytes, most, later) => {
  const file = fileOfEvents(bufferBytes);
  const { source, state } = sourceOf(file, most, later);
  const { columns, report } = await decodeColumns(source, REQUEST);
  expect(state.closed).toBe(1);
  expect([...(columns.columns["number"] as Int32Array)]).toEqual(Array.from({ length: EVENTS }, (_, i) => i));
  expect(report).toEqual((await decodeColumns(inChunks(file, 1000), REQUEST)).report);
});

test("objects that are kept stay as they were while the source writes on", async () => {
  const kept: XelEvent[] = [];
  for await (const event of readXel(sourceOf(fileOfEvents(600), 900, false).source)) kept.push(event);
  expect(kept.map(({ fields }) => fields["number"])).toEqual(
    Array.from({ length: EVENTS }, (_, i) => BigInt(i)),
  );
});

test("a source is closed when the file is none", async () => {
  const { source, state } = sourceOf(new Uint8Array(100).fill(7), 100, true);
  await expect(decodeColumns(source, REQUEST)).rejects.toThrow("not an Extended Events file");
  expect(state.closed).toBe(1);
});

test("chunks may use one piece of memory again and again", async () => {
  const memory = new Uint8Array(10);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const byte of [1, 2, 3]) {
      memory.fill(byte);
      yield memory;
    }
  }
  const window = new ByteWindow();
  await feedOf(chunks()).readInto(window, 25);
  expect([0, 10, 20].map((at) => window.view(at, at + 1).getUint8(0))).toEqual([1, 2, 3]);
});

test("what has chunks is read by them, although it can also read, as Node's streams can", async () => {
  const file = fileOfEvents(600);
  const stream = Object.assign(inChunks(file, 1000), { read: () => null as never });
  expect((await decodeColumns(stream, REQUEST)).report.events).toBe(EVENTS);
});

test.each(["chunks", "source"])(
  "%s are asked for no more than is needed, and again at the end only once",
  async (way) => {
    let asked = 0;
    const chunk = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (; asked < 3;) {
        asked++;
        yield chunk;
      }
      asked++;
    }
    const source: ByteSource = {
      read(into) {
        if (asked++ >= 3) return 0;
        into.set(chunk);
        return chunk.length;
      },
    };
    const feed = feedOf(way === "chunks" ? chunks() : source);
    const window = new ByteWindow();
    await feed.readInto(window, 10);
    expect(asked).toBe(1);
    await feed.readInto(window, 10);
    expect(asked).toBe(1);
    await feed.readInto(window, 11);
    expect([asked, window.endOffset, window.ended]).toEqual([2, 20, false]);
    await feed.readInto(window, 31);
    expect([asked, window.endOffset, window.ended]).toEqual([4, 30, true]);
    await feed.end();
  },
);

test("what is left of the chunks is given back when no more is wanted", async () => {
  let closed = false;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield Uint8Array.of(1);
      yield Uint8Array.of(2);
    } finally {
      closed = true;
    }
  }
  const feed = feedOf(chunks());
  await feed.readInto(new ByteWindow(), 1);
  expect(closed).toBe(false);
  await feed.end();
  expect(closed).toBe(true);
});

test("a source is given at least 64 KiB of room, and more where more is needed", async () => {
  const rooms: number[] = [];
  const source: ByteSource = {
    read(into) {
      rooms.push(into.length);
      return into.length;
    },
  };
  const window = new ByteWindow();
  await feedOf(source).readInto(window, 10);
  await feedOf(source).readInto(window, 64 * 1024 + 200_000);
  expect(rooms).toEqual([64 * 1024, 200_000]);
});
