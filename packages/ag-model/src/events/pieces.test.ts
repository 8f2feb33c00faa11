/** Files read in pieces: the same events as when they are read at once, and in their order. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createXelWriter } from "xel-parser/writer";
import { buildModel, prepareInTurn, prepareEvents } from "../replication/index.ts";
import { joinColumns, mergeColumns, type EventColumns } from "./columns.ts";
import { readEventPieces, readEvents } from "./read.ts";

const CAPTURES = join(import.meta.dirname, "../../../../fixtures/captures");
const FOLDER = join(CAPTURES, "slow-network/primary");
const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".xel"))
  .sort()
  .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(FOLDER, name))) }));

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield bytes;
}

async function piecesOf(bytes: Uint8Array, name: string, events: number): Promise<EventColumns[]> {
  const pieces: EventColumns[] = [];
  for await (const piece of readEventPieces(chunksOf(bytes), name, {}, events)) pieces.push(piece);
  return pieces;
}

describe("a file that is read in pieces", () => {
  it("has the same events in the same order, and its file with the last of them", async () => {
    const [{ bytes, name }] = files;
    const whole = await readEvents(chunksOf(bytes), name);
    const pieces = await piecesOf(bytes, name, 500);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.map((piece) => piece.files.length)).toEqual([
      ...pieces
        .slice(1)
        .fill(pieces[0])
        .map(() => 0),
      1,
    ]);
    expect(mergeColumns(pieces)).toEqual(whole);
  });

  it("is prepared as read whole, with the other files of its server", async () => {
    const whole = await Promise.all(files.map(({ bytes, name }) => readEvents(chunksOf(bytes), name)));
    const prepared = await prepareInTurn({
      files: files.map(
        ({ bytes, name }) =>
          () =>
            readEventPieces(chunksOf(bytes), name, {}, 300),
      ),
      events: 1_000,
      release: () => {},
    });
    expect(prepared).toEqual(prepareEvents(mergeColumns(whole)));
  });
});

describe("a file with an event of another century", () => {
  /** Position of an event's ticks, bytes after its beginning (docs/reference/xel-format.md 4). */
  const TICKS = 12;
  const [{ bytes: sound, name }] = files;

  /** Puts the ticks of the event in a row 2^56 further, 228 years. */
  function damaged(offset: number): Uint8Array {
    const bytes = sound.slice();
    bytes[offset + TICKS + 7] ^= 1;
    return bytes;
  }

  it("is read without it, and with a gap that says so, whole and in pieces", async () => {
    const whole = await readEvents(chunksOf(sound), name);
    // An acknowledgment that a commit waited for: an event without a counter, whose time no other event shows.
    const row = whole.start.findIndex((at, i) => i > 4_000 && Number.isNaN(at));
    const bytes = damaged(whole.offset[row]);
    const expected = whole.offset.filter((offset) => offset !== whole.offset[row]);
    const found = await readEvents(chunksOf(bytes), name);
    expect(found.offset).toEqual(expected);
    expect(found.files[0].gaps).toEqual([
      expect.objectContaining({ code: "far-time", offset: whole.offset[row], eventsLost: 1 }),
    ]);
    const pieces = await piecesOf(bytes, name, 500);
    expect(mergeColumns(pieces).offset).toEqual(expected);
    expect(pieces.at(-1)?.files[0].gaps).toEqual(found.files[0].gaps);
  });

  it("is a capture of its own length, with a warning that counts the event", async () => {
    const whole = await readEvents(chunksOf(sound), name);
    const row = whole.start.findIndex((at, i) => i > 4_000 && Number.isNaN(at));
    const columns = await readEvents(chunksOf(damaged(whole.offset[row])), name);
    const model = buildModel([{ role: "primary", columns }]);
    expect(model.duration).toBe(buildModel([{ role: "primary", columns: whole }]).duration);
    expect(model.warnings).toContain("Events skipped because damage made their times impossible: 1.");
    expect(model.warnings.join()).not.toContain("could not be read");
  });
});

describe("pieces whose memory is used again", () => {
  const inPieces = (bytes: Uint8Array, name: string, events?: number) =>
    readEventPieces(chunksOf(bytes), name, { reusesMemory: true }, events);

  it("hold the same events until the next one is asked for", async () => {
    const [{ bytes, name }] = files;
    const whole = await readEvents(chunksOf(bytes), name);
    const copies: EventColumns[] = [];
    const memory = new Set<ArrayBufferLike>();
    for await (const piece of inPieces(bytes, name, 500)) {
      memory.add(piece.size.buffer);
      copies.push(joinColumns([piece]));
    }
    expect(copies.length).toBeGreaterThan(memory.size);
    expect(mergeColumns(copies)).toEqual(whole);
  });

  it("are prepared as files read whole", async () => {
    const whole = await Promise.all(files.map(({ bytes, name }) => readEvents(chunksOf(bytes), name)));
    const prepared = await prepareInTurn({
      files: files.map(
        ({ bytes, name }) =>
          () =>
            inPieces(bytes, name, 300),
      ),
      events: 1_000,
      reusesMemory: true,
    });
    expect(prepared).toEqual(prepareEvents(mergeColumns(whole)));
  });

  it("are put in order where events were written late, and together where files are not", async () => {
    const [first, second] = files;
    const whole = await Promise.all(
      [second, first].map(({ bytes, name }) => readEvents(chunksOf(bytes), name)),
    );
    const prepared = await prepareInTurn({
      files: [() => inPieces(second.bytes, second.name, 300), () => inPieces(first.bytes, first.name, 300)],
      events: 1_000,
      reusesMemory: true,
    });
    expect(prepared).toEqual(prepareEvents(mergeColumns(whole)));
    const late: EventColumns[] = [];
    for await (const piece of inPieces(writtenLate(3, 40), "late.xel", 300)) late.push(joinColumns([piece]));
    expect(joinColumns(late)).toEqual(await readEvents(chunksOf(writtenLate(3, 40)), "late.xel"));
  });
});

const EVENTS = 3_000;

/** Events; each `every`th was published `late` events after it was written. */
function writtenLate(every: number, late: number): Uint8Array {
  const schema = {
    packages: [{ name: "sqlserver", id: 2, events: [{ name: "log_flush_start", columns: [] }] }],
  };
  const writer = createXelWriter(schema, { bufferBytes: 2_000 });
  for (let i = 0; i < EVENTS; i++)
    writer.write("log_flush_start", 1_000 + i - (i % every === 1 ? late : 0), {});
  return writer.finish();
}

describe("events that were written late", () => {
  it("are put where they belong, across pieces", async () => {
    const bytes = writtenLate(3, 40);
    const whole = await readEvents(chunksOf(bytes), "late.xel");
    const pieces = await piecesOf(bytes, "late.xel", 300);
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.flatMap(({ ticks }) => [...ticks])).toEqual([...whole.ticks]);
    expect(pieces.flatMap(({ offset }) => [...offset])).toEqual([...whole.offset]);
  });

  it("are prepared as read whole also where they belong to a piece long gone", async () => {
    const bytes = writtenLate(700, 650);
    const pieces = await piecesOf(bytes, "late.xel", 300);
    const starts = pieces.map(({ ticks }) => ticks[0]);
    expect(starts).not.toEqual(starts.toSorted((a, b) => (a < b ? -1 : 1)));
    const prepared = await prepareInTurn({
      files: [() => readEventPieces(chunksOf(bytes), "late.xel", {}, 300)],
      events: EVENTS,
      release: () => {},
    });
    expect(prepared).toEqual(prepareEvents(await readEvents(chunksOf(bytes), "late.xel")));
  });
});
