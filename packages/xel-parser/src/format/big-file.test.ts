import { expect, test } from "vitest";
import { decodePart, openXel, readXel, splitXel, type XelEvent } from "./index.ts";
import { createXelWriter } from "../writer/index.ts";

const BUFFER_BYTES = 64 * 1024 * 1024;
const BUFFERS = 66;
const FOUR_GB = 2 ** 32;

/** A run of bytes of the file that is not zero. */
interface Piece {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** A sparse file of 4.1 GB: an event in each buffer, and filler up to the next (docs/reference/xel-format.md 2.2: any length works). */
function sparseFile(): { pieces: readonly Piece[]; size: number } {
  const pieces: Piece[] = [];
  let offset = 0;
  const writer = createXelWriter(
    {
      packages: [
        {
          name: "test",
          id: 1,
          events: [{ name: "numbered", columns: [{ name: "number", type: "uint32" }] }],
        },
      ],
    },
    {
      onBuffer(bytes) {
        pieces.push({ offset, bytes });
        const isEvents = offset > 0 && new DataView(bytes.buffer, bytes.byteOffset).getUint16(14, true) === 0;
        if (isEvents) new DataView(bytes.buffer, bytes.byteOffset).setUint32(16, BUFFER_BYTES, true);
        offset += isEvents ? BUFFER_BYTES : bytes.length;
      },
    },
  );
  for (let number = 0; number < BUFFERS; number++) {
    writer.write("numbered", number, { number });
    writer.flush();
  }
  writer.finish();
  return { pieces, size: offset };
}

const file = sparseFile();
const ZEROS = new Uint8Array(1 << 20);

/** The file from one of its pieces on. */
async function* chunks(from = 0): AsyncGenerator<Uint8Array> {
  for (const [index, { offset, bytes }] of file.pieces.entries()) {
    if (offset < from) continue;
    yield bytes;
    const next = file.pieces[index + 1]?.offset ?? file.size;
    for (let at = offset + bytes.length; at < next; at += ZEROS.length) yield ZEROS.subarray(0, next - at);
  }
}

async function read(offset: number, length: number): Promise<Uint8Array> {
  const found = new Uint8Array(Math.min(length, file.size - offset));
  for (const piece of file.pieces) {
    const from = Math.max(offset, piece.offset);
    const to = Math.min(offset + found.length, piece.offset + piece.bytes.length);
    if (from < to) found.set(piece.bytes.subarray(from - piece.offset, to - piece.offset), from - offset);
  }
  return found;
}

const request = {
  events: [{ name: "numbered", kind: 1, fields: [{ field: "number", column: "number" }] }],
  columns: [{ name: "number", type: "f64" as const }],
};

test("offsets over 4 GB: a stream, single events, and columns of a part", async () => {
  expect(file.size).toBeGreaterThan(FOUR_GB);
  const reading = readXel(chunks());
  const events: XelEvent[] = [];
  let item = await reading.next();
  for (; item.done !== true; item = await reading.next()) events.push(item.value);
  expect(item.value).toMatchObject({ clean: true, events: BUFFERS, fileSize: file.size });
  const last = events[BUFFERS - 1];
  expect(last.offset).toBeGreaterThan(FOUR_GB);
  expect(events.map(({ fields }) => fields["number"])).toEqual([...Array(BUFFERS).keys()]);

  const opened = await openXel(read, file.size);
  expect((await opened.eventAt(last.offset)).fields).toEqual({ number: BUFFERS - 1 });

  const parts = await splitXel(read, file.size, BUFFERS / 2);
  const part = parts.at(-1)!;
  const { columns } = await decodePart(chunks(part.from), part, request);
  const behind = events.filter(({ offset }) => offset >= part.from);
  expect(part).toMatchObject({ to: file.size });
  expect(behind.length).toBeLessThan(4);
  expect([...columns.offset]).toEqual(behind.map(({ offset }) => offset));
  expect(Number(columns.columns["number"][columns.length - 1])).toBe(BUFFERS - 1);
});
